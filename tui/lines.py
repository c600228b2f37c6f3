"""The one widget that shows rows: transcripts, panels, lists.

In: rows, keys, clicks. Out: `Chosen` messages. A cursor walks over the rows that can be
chosen; it is marked in the gutter, not by colour alone.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message

from .drawing import Drawing
from .rows import Row


class Lines(Drawing, can_focus=True):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor(-1)", "Up", show=False),
        Binding("down,j", "cursor(1)", "Down", show=False),
        Binding("pageup", "page(-1)", "Page up", show=False),
        Binding("pagedown", "page(1)", "Page down", show=False),
        Binding("home", "end(-1)", "Top", show=False),
        Binding("end", "end(1)", "Bottom", show=False),
        Binding("enter", "choose", "Choose"),
    ]

    class Chosen(Message):
        """A row was chosen, by key or by mouse."""

        def __init__(self, lines: Lines, row: Row) -> None:
            super().__init__()
            self.lines, self.row = lines, row

        @property
        def control(self) -> Lines:
            return self.lines

    # -- the cursor ------------------------------------------------------------------------

    def place_cursor(self, number: int) -> None:
        """Put the cursor on a row, and the row into sight."""
        self.cursor = number
        if 0 <= number < len(self._starts):
            last = self._starts[number + 1] if number + 1 < len(self._starts) else None
            height = (len(self._lines) if last is None else last) - self._starts[number]
            region = Region(0, self._starts[number], self.size.width or 1, height)
            self.scroll_to_region(region, animate=False, force=True)
        self.refresh()

    def action_cursor(self, step: int) -> None:
        at = self.cursor + step
        while 0 <= at < len(self.rows) and not self.rows[at].action:
            at += step
        if 0 <= at < len(self.rows) and (self._in_reach(at) or self.cursor < 0):
            self.place_cursor(at)
        else:
            self.scroll_relative(y=step, animate=False, force=True)

    def _in_reach(self, number: int) -> bool:
        """Whether going to a row would not jump over more than there is in sight."""
        distance = abs(self._starts[number] - self._starts[self.cursor])
        return distance <= max(4, self.size.height)

    def action_page(self, step: int) -> None:
        self.scroll_relative(y=step * max(1, self.size.height - 1), animate=False, force=True)
        self._cursor_into_sight()

    def action_end(self, step: int) -> None:
        target = 0 if step < 0 else self.max_scroll_y
        self.scroll_to(y=target, animate=False, force=True)
        choices = [index for index, row in enumerate(self.rows) if row.action]
        if choices:
            self.cursor = choices[0 if step < 0 else -1]
            self.refresh()

    def _cursor_into_sight(self) -> None:
        line = min(int(self.scroll_target_y), max(0, len(self._lines) - 1))
        if self._lines:
            self.cursor = self._nearest(bisect_right(self._starts, line) - 1)
            self.refresh()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter is offered only where there is something to choose."""
        return self.cursor >= 0 if action == "choose" else True

    def action_choose(self) -> None:
        if 0 <= self.cursor < len(self.rows) and self.rows[self.cursor].action:
            self.post_message(self.Chosen(self, self.rows[self.cursor]))

    def row_at(self, y: int) -> int:
        """The number of the row on a line of the widget, -1 below the last."""
        index = y + self.scroll_offset.y
        return bisect_right(self._starts, index) - 1 if 0 <= index < len(self._lines) else -1

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        number = self.row_at(offset.y) if offset is not None else -1
        if number >= 0 and self.rows[number].action:
            self.cursor = number
            self.refresh()
            self.clicked(self.rows[number])

    def clicked(self, row: Row) -> None:
        """What a click on a row does: the same as choosing it."""
        self.post_message(self.Chosen(self, row))
