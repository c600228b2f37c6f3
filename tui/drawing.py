"""Rows drawn on the terminal, fast enough for every key.

In: rows. Out: lines broken to the width there is, only those in sight ever drawn. Texts become
segments as they are; no markup is parsed anywhere on the way.

A key has to answer at once in a large world, too. So other rows lay out no screen, only the
lines that differ are drawn again, a line once drawn is kept for as long as it stands, and the
styles of tones are the screen's (`TONE_CLASSES`), not each widget's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from .rows import TONES, Row
from .wrapping import Line, wrap

GUTTER = 1
TONE_CLASSES = frozenset({"lines--cursor", *(f"lines--{tone}" for tone in TONES)})
"""What a screen that holds such widgets declares as its component classes."""


class Slider(ScrollBar):
    """A scroll bar that may change its length without the screen being laid out once more."""

    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)


class Drawing(ScrollView):
    """See the module. `cursor` is the number of the row that is marked, -1 for none."""

    # As in the base class, but other rows are no reason to lay the whole screen out anew.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: list[Row] = []
        self.cursor = -1
        self._lines: list[Line] = []
        self._starts: list[int] = []
        self._room = Size(0, 0)
        self._styled: dict[str, Style] = {}
        self._strips: dict[int, Strip] = {}

    # -- rows ------------------------------------------------------------------------------

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these instead. The cursor stays on its number if that can still be chosen.
        The same rows again cost nothing: drawing takes longer than comparing."""
        if rows is self.rows or (self._lines and self.rows == rows):
            return
        shown, cursor = self._in_sight(), self.cursor
        self.rows = list(rows)
        self._break_all()
        self.cursor = self._nearest(max(cursor, 0))
        self._repaint(shown)
        if (cursor < 0) != (self.cursor < 0) and self.has_focus:
            self.refresh_bindings()

    def change(self, keep: int, rows: Sequence[Row]) -> None:
        """Keep the first rows and put these after them: what a growing transcript does."""
        shown = self._in_sight()
        del self.rows[keep:]
        if keep < len(self._starts):
            start = self._starts[keep]
            del self._starts[keep:], self._lines[start:]
            self._strips = {at: strip for at, strip in self._strips.items() if at < start}
        self.rows += rows
        self._break(rows)
        self._measured()
        self._repaint(shown)

    def adopt(self, room: Size) -> None:
        """Expect to be as large as this: rows can be broken before there is a place to show
        them in, and need not be broken again there."""
        if not self._room:
            self._room = room
            self._break_all()

    @property
    def room(self) -> Size:
        """Cells for rows; nothing before it was first shown."""
        return self._room

    def _nearest(self, number: int) -> int:
        """The row that can be chosen nearest to a number, -1 if none can."""
        rows = self.rows
        for away in range(max(number, len(rows) - number) + 1):
            for at in (number - away, number + away):
                if 0 <= at < len(rows) and rows[at].action:
                    return at
        return -1

    def _break_all(self, resized: bool = False) -> None:
        self._lines, self._starts = [], []
        self._strips.clear()
        self._break(self.rows)
        self._measured(resized)

    def _break(self, rows: Sequence[Row]) -> None:
        width = self._room.width - GUTTER
        if width < 0:
            return
        starts, lines = self._starts.append, self._lines
        same: dict[tuple[Line, int, bool], list[Line]] = {}
        for row in rows:
            starts(len(lines))
            # Of thousands of rows many say the same; to look one up is cheaper than to break it.
            key = row.spans, row.indent, row.fixed
            broken = same.get(key)
            if broken is None:
                broken = same[key] = wrap(row, width)
            lines += broken

    def _measured(self, resized: bool = False) -> None:
        """Be as tall as the lines. The layout that gave this widget another size has reckoned
        with its height already and is not asked for again."""
        before, height = self.virtual_size.height, len(self._lines)
        self.virtual_size = Size(max(self._room.width, 1), height)
        if self.styles.is_auto_height and not resized:
            if height != before or not self._room:
                self.refresh(layout=True)
        elif self.container_size:
            self._scroll_update(self.virtual_size)
        elif self._room and self.is_attached:  # it will have its scroll bar when it is shown first
            self._container_size = self._room
            self._scroll_update(self.virtual_size)

    def on_resize(self, event: events.Resize) -> None:
        before, self._room = self._room, self.scrollable_content_region.size
        if self._room.width != before.width:
            self._break_all(resized=True)
            self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """For widgets that are as tall as what they hold."""
        return sum(len(wrap(row, width - GUTTER)) for row in self.rows)

    # -- drawing ---------------------------------------------------------------------------

    def show_end(self) -> None:
        """The last rows, at once: nothing has to be laid out for that."""
        self.scroll_end(animate=False, force=True, immediate=True)

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        if self._vertical_scrollbar is None:
            slider = Slider(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            slider.display = False
            self._vertical_scrollbar = slider
            self.app._start_widget(self, slider)
        return self._vertical_scrollbar

    def _in_sight(self) -> tuple[int, list[Line]]:
        top = self.scroll_offset.y
        return top, self._lines[top : top + self.size.height]

    def _repaint(self, before: tuple[int, list[Line]]) -> None:
        """Draw the lines that are not what they were, and those with a cursor."""
        top, now = self._in_sight()
        if before[0] != top or self.has_focus or len(before[1]) != len(now):
            self.refresh()
            return
        others = [y for y, line in enumerate(now) if line != before[1][y]]
        if others:
            self.refresh_lines(top + others[0], others[-1] - others[0] + 1)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a part of the widget, its padding included."""
        styles = self.styles
        if styles.border.spacing != (0, 0, 0, 0):
            return super().render_lines(crop)
        _, background = self.background_colors
        top, height = styles.padding.top, self.content_region.height + styles.padding.top
        offset, width = self.scroll_offset.y - top, self.region.width
        filters, blank = self.get_line_filters(), Strip.blank(width, self._style(""))
        found: list[Strip] = []
        for y in crop.line_range:
            strip = self._padded(y + offset, width) if top <= y < height else blank
            for each in filters:
                strip = strip.apply_filter(each, background)
            found.append(strip)
        if crop.column_span != (0, width):
            found = [strip.crop(*crop.column_span) for strip in found]
        return found

    def _padded(self, index: int, width: int) -> Strip:
        """A line with the blanks on either side of it, kept until its text changes."""
        strip = self._strips.get(index)
        if strip is None or strip.cell_length != width:
            base, left = self._style(""), self.styles.padding.left
            segments = list(self._line(index, self.content_region.width))
            ahead = [Segment(" " * left, base)] if left else []
            strip = Strip([*ahead, *segments]).adjust_cell_length(width, base)
            if index < len(self._lines) and not self._on_cursor(index):
                self._strips[index] = strip
        return strip

    def render_line(self, y: int) -> Strip:
        """One line without what is around it; for a widget with a border."""
        return self._line(y + self.scroll_offset.y, self.size.width)

    def _on_cursor(self, index: int) -> bool:
        return self.has_focus and bisect_right(self._starts, index) - 1 == self.cursor

    def _line(self, index: int, width: int) -> Strip:
        """A line in its tones, a blank one below the last."""
        base = self._style("")
        if not 0 <= index < len(self._lines):
            return Strip.blank(width, base)
        on_cursor = self._on_cursor(index)
        first = on_cursor and self._starts[self.cursor] == index
        segments = [Segment("▌" if first else " ", self._style("mark"))]
        segments += [Segment(text, self._style(tone)) for text, tone in self._lines[index]]
        strip = Strip(segments).adjust_cell_length(width, base).apply_style(base)
        return strip.apply_style(self._style("cursor")) if on_cursor else strip

    def _style(self, tone: str) -> Style:
        """The style of a tone, looked up once until the style sheet says otherwise."""
        found = self._styled.get(tone)
        if found is None:
            if tone:
                found = self.screen.get_component_rich_style(f"lines--{tone}", partial=True)
            else:
                found = self.rich_style
            self._styled[tone] = found
        return found

    def notify_style_update(self) -> None:
        self._styled.clear()
        self._strips.clear()
        super().notify_style_update()
