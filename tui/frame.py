"""The fixed lines of the main screen: what is played, which panel is open, what just happened.

In: a desk. Out: rows of one line, cut where the terminal ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.events import Click
from textual.message import Message

from . import chart, reasons
from .canvas import fit
from .desk import Desk
from .goals import ENDINGS
from .lines import Lines
from .rows import Row, Span, bar, row


class Bar(Lines, can_focus=False):
    """The top line."""


def bar_row(desk: Desk, width: int) -> Row:
    """World, start, place, turn, progress; the first to go in a narrow terminal is the last
    that is missed."""
    session = desk.session
    if session is None:
        state = (
            ("compiling …", "muted") if not desk.workshop.seen else ("✗ does not compile", "bad")
        )
        return Row(row((f"{desk.workshop.path.name}  ", "title"), state).spans, fixed=True)
    at, machine = session.at, session.machine
    place = chart.layout(machine).names.get(at.place, "")
    words, tone = ENDINGS[at.status]
    rest: list[Span] = []
    if len(machine.variants) > 1:
        rest.append((f"  start {session.variant}/{len(machine.variants) - 1}", "muted"))
    if place and width >= 76:
        rest.append((f"  @ {place}", ""))
    rest.append((f"  turn {at.depth}/{machine.turns}", ""))
    if at.over:
        rest.append((f"  {words}", tone))
    if at in desk.dead:
        rest.append(("  ✗ dead end", "bad"))
    if desk.workshop.broken:
        rest.append(("  ✗ script", "bad"))
    rest.append((f"  {bar(at.progress, 10 if width >= 70 else 5)} {at.progress:.2f}", "accent"))
    room = max(8, width - 2 - sum(cell_len(text) for text, _ in rest))
    title = session.title if cell_len(session.title) <= room else fit(session.title, room)
    return Row(row((title, "title"), *rest).spans, fixed=True)


class TabStrip(Lines, can_focus=False):
    """One line with the panels and their keys; a click opens one."""

    class Picked(Message):
        def __init__(self, panel: str) -> None:
            super().__init__()
            self.panel = panel

    def __init__(self, names: Sequence[tuple[str, str]], *, id: str) -> None:
        super().__init__(id=id)
        self._names = names
        self._places: list[list[tuple[int, str]]] = [[], []]

    def mark(self, active: str) -> None:
        """Show which panel is open, on one line where there is room and else on two."""
        full = sum(len(key) + len(name) + 3 for key, name in self._names)
        half = len(self._names) if full < self.size.width else (len(self._names) + 1) // 2
        self._places = [[], []]
        rows: list[Row] = []
        for line, names in enumerate((self._names[:half], self._names[half:])):
            spans: list[Span] = []
            at = 1
            for key, name in names:
                here = name == active
                spans.append(
                    (f"[{key} {name}]", "strong") if here else (f" {key} {name} ", "muted")
                )
                at += len(spans[-1][0])
                self._places[line].append((at, name))
            if spans:
                rows.append(Row(tuple(spans), fixed=True))
        self.set_rows(rows)

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None or not 0 <= offset.y < 2:
            return
        for end, name in self._places[offset.y]:
            if offset.x < end:
                self.post_message(self.Picked(name))
                return


class Strip(Lines, can_focus=False):
    """What just happened, above the command line: a notice, a question, a refusal."""

    def tell(self, rows: Sequence[Row]) -> None:
        self.set_rows(rows)
        self.display = bool(rows)


def notice_rows(words: str, good: bool = True) -> list[Row]:
    """Words for the person."""
    return [row(("· " if good else "✗ ", "note" if good else "bad"), words, indent=2)]


def refusal_rows(desk: Desk) -> list[Row]:
    """Why the last command was refused, nothing if it was not."""
    if desk.session is None:
        return []
    why = reasons.why(desk.session, desk.session.at, desk.workshop.texts)
    return reasons.rows(why) if why is not None else []
