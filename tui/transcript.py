"""The story so far. In: the way from the start to the present turn. Out: a widget that keeps
in step with the history: going back cuts, playing on appends."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from .goals import reached_by
from .history import Node
from .lines import Lines
from .rows import Row
from .session import Session
from .transcript_rows import opening_rows, turn_rows


class Transcript(Lines):
    """See the module. Choosing a turn goes back to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Go back to this turn"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._session: Session | None = None
        self._way: list[Node] = []
        self._ends: list[int] = []

    def follow(self, session: Session) -> None:
        """Show the way to the present turn, the last of it in sight."""
        if session is not self._session:
            self._session, self._way, self._ends = session, [], []
            self.change(0, opening_rows(session))
            self._ends = [len(self.rows)]
        path = session.path
        same = 0
        while same < min(len(path), len(self._way)) and path[same] is self._way[same]:
            same += 1
        fresh: list[Row] = []
        keep = self._ends[same]
        self._way, self._ends = self._way[:same], self._ends[: same + 1]
        for node in path[same:]:
            fresh += turn_rows(node, reached_by(session, node))
            self._way.append(node)
            self._ends.append(keep + len(fresh))
        self.change(keep, fresh)
        heads = (at for at in reversed(range(len(self.rows))) if self.rows[at].action)
        self.cursor = next(heads, -1)
        self.scroll_end(animate=False, force=True)

    def clear(self) -> None:
        """Show nothing: there is no session."""
        self._session = None
        self.set_rows([])

    def clicked(self, row: Row) -> None:
        """A click only points at a turn; going back takes a key."""
