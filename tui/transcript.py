"""The story so far. In: the way from the start to the present turn. Out: a widget that keeps
in step with the history: going back cuts, playing on appends."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size

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
        self._at_end = True

    def follow(self, session: Session) -> None:
        """Show the way to the present turn, the last of it in sight."""
        if session is not self._session:
            self._session, self._way, self._ends = session, [], []
            self.change(0, opening_rows(session))
            self._ends = [len(self.rows)]
        ahead: list[Node] = []
        node = session.at
        while node.parent is not None and not self._shown(node):
            ahead.append(node)
            node = node.parent
        same, fresh = node.depth, list[Row]()
        keep = self._ends[same]
        del self._way[same:], self._ends[same + 1 :]
        for node in reversed(ahead):
            fresh += turn_rows(node, reached_by(session, node))
            self._way.append(node)
            self._ends.append(keep + len(fresh))
        self.change(keep, fresh)
        heads = (at for at in reversed(range(len(self.rows))) if self.rows[at].action)
        self.cursor = next(heads, -1)
        self.show_end()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._at_end = new_value >= self.max_scroll_y

    def _scroll_update(self, virtual_size: Size) -> None:
        """When a notice takes room away, the last lines stay in sight."""
        super()._scroll_update(virtual_size)
        if self._at_end:
            self.show_end()

    def _shown(self, node: Node) -> bool:
        return node.depth <= len(self._way) and self._way[node.depth - 1] is node

    def clear(self) -> None:
        """Show nothing: there is no session."""
        self._session = None
        self.set_rows([])

    def clicked(self, row: Row) -> None:
        """A click only points at a turn; going back takes a key."""
