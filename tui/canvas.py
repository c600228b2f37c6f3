"""A grid of cells to draw on. In: texts at places. Out: rows, cut to a window.

Wide characters take two cells: the second holds an empty text, so that a row's cells always
add up to its width.
"""

from __future__ import annotations

from rich.cells import cell_len

from worldengine.diagnostics import visible

from .rows import Row, Span


class Canvas:
    """`width` by `height` blanks at first; drawing outside is left out."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells: list[list[Span]] = [[(" ", "")] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, tone: str = "") -> None:
        """Write a text from left to right."""
        if not 0 <= y < self.height:
            return
        line = self._cells[y]
        for character in text:
            size = cell_len(character)
            if size == 0 and 0 < x <= self.width:
                line[x - 1] = (line[x - 1][0] + character, line[x - 1][1])
                continue
            if x >= 0 and x + size <= self.width:
                line[x] = (character, tone)
                if size == 2:
                    line[x + 1] = ("", tone)
            x += size

    def rows(self, left: int, top: int, width: int, height: int) -> list[Row]:
        """What a window over the canvas shows, neighbours of one tone joined."""
        return [
            Row(_joined(line[max(left, 0) : max(left, 0) + width]), fixed=True)
            for line in self._cells[max(top, 0) : max(top, 0) + height]
        ]


def fit(text: str, width: int) -> str:
    """A text of exactly `width` cells: cut with an ellipsis, or padded on both sides."""
    text = visible(text)
    if cell_len(text) > width:
        while text and cell_len(text) > width - 1:
            text = text[:-1]
        text += "…" if width > 0 else ""
    gap = max(0, width - cell_len(text))
    return " " * (gap // 2) + text + " " * (gap - gap // 2)


def _joined(cells: list[Span]) -> tuple[Span, ...]:
    found: list[Span] = []
    for text, tone in cells:
        if found and found[-1][1] == tone:
            found[-1] = (found[-1][0] + text, tone)
        else:
            found.append((text, tone))
    if found and not found[-1][1]:
        found[-1] = (found[-1][0].rstrip(), "")
    return tuple(found)
