"""The one widget that draws rows: transcripts, panels, lists.

In: rows. Out: lines on the terminal, broken to the width there is, only those in sight ever
drawn. Texts become segments as they are; no markup is parsed anywhere on the way. A cursor
walks over the rows that can be chosen; it is marked in the gutter, not by colour alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from .rows import TONES, Row
from .wrapping import Line, wrap

GUTTER = 1


class Lines(ScrollView, can_focus=True):
    """See the module."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "lines--cursor",
        *(f"lines--{tone}" for tone in TONES),
    }
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

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: list[Row] = []
        self.cursor = -1
        self._lines: list[Line] = []
        self._starts: list[int] = []
        self._width = 0
        self._styled: dict[str, Style] = {}

    # -- rows ------------------------------------------------------------------------------

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these instead. The cursor stays on its number if that can still be chosen.
        The same rows again cost nothing: laying out a screen takes longer than comparing."""
        if self._lines and self.rows == list(rows):
            return
        self.rows = list(rows)
        self._break_all()
        before, self.cursor = self.cursor, self._nearest(max(self.cursor, 0))
        if (before < 0) != (self.cursor < 0) and self.has_focus:
            self.refresh_bindings()

    def change(self, keep: int, rows: Sequence[Row]) -> None:
        """Keep the first rows and put these after them: what a growing transcript does."""
        if keep < len(self.rows):
            start = self._starts[keep]
            del self.rows[keep:], self._starts[keep:], self._lines[start:]
        self.rows += rows
        self._break(rows)
        self._measured()

    def _break_all(self) -> None:
        self._lines, self._starts = [], []
        self._break(self.rows)
        self._measured()

    def _break(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self._starts.append(len(self._lines))
            self._lines += wrap(row, self._width - GUTTER)

    def _measured(self) -> None:
        self.virtual_size = Size(max(self._width, 1), len(self._lines))
        self.refresh(layout=self.styles.is_auto_height)

    def on_resize(self, event: events.Resize) -> None:
        width = self.scrollable_content_region.width
        if width != self._width:
            self._width = width
            self._break_all()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """For widgets that are as tall as what they hold."""
        return sum(len(wrap(row, width - GUTTER)) for row in self.rows)

    # -- drawing ---------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        width, base = self.size.width, self._style("")
        index = y + self.scroll_offset.y
        if not 0 <= index < len(self._lines):
            return Strip.blank(width, base)
        number = bisect_right(self._starts, index) - 1
        on_cursor = self.has_focus and number == self.cursor
        first = self._starts[number] == index
        segments = [Segment("▌" if on_cursor and first else " ", self._style("mark"))]
        segments += [Segment(text, self._style(tone)) for text, tone in self._lines[index]]
        strip = Strip(segments).adjust_cell_length(width, base).apply_style(base)
        return strip.apply_style(self._style("cursor")) if on_cursor else strip

    def _style(self, tone: str) -> Style:
        """The style of a tone, looked up once until the style sheet says otherwise."""
        found = self._styled.get(tone)
        if found is None:
            if tone:
                found = self.get_component_rich_style(f"lines--{tone}", partial=True)
            else:
                found = self.rich_style
            self._styled[tone] = found
        return found

    def notify_style_update(self) -> None:
        self._styled.clear()
        super().notify_style_update()

    # -- the cursor ------------------------------------------------------------------------

    def _nearest(self, number: int) -> int:
        """The row that can be chosen nearest to a number, -1 if none can."""
        choices = [index for index, row in enumerate(self.rows) if row.action]
        return min(choices, key=lambda index: abs(index - number), default=-1)

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
