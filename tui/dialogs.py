"""Small screens over the main one: help, a list to choose from, a path to type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from .key_line import KeyLine
from .lines import Lines
from .quick_screen import QuickModal
from .rows import Row

CLOSE: list[BindingType] = [Binding("escape", "close", "Close")]


class Listing(QuickModal[Row | None]):
    """Rows under a title; gives back the one that was chosen, None when closed."""

    BINDINGS: ClassVar[list[BindingType]] = [*CLOSE, Binding("f1", "close", "Close", show=False)]

    def __init__(self, title: str, rows: Sequence[Row], start: int = -1) -> None:
        super().__init__()
        self._heading, self._shown, self._first = title, rows, start

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._heading, classes="dialog-title", markup=False)
            yield Lines(id="listing")
        yield KeyLine()

    def on_mount(self) -> None:
        lines = self.query_one("#listing", Lines)
        lines.set_rows(self._shown)
        most = lines.styles.max_height
        if most is not None and len(self._shown) > most.value:
            lines.styles.overflow_y = "scroll"  # its bar needs no second layout
        lines.focus()
        if self._first >= 0:
            self.call_after_refresh(lines.place_cursor, self._first)

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        message.stop()
        self.dismiss(message.row)

    def action_close(self) -> None:
        self.dismiss(None)


class PathPrompt(QuickModal[str | None]):
    """One line for the name of a file."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, title: str, start: str) -> None:
        super().__init__()
        self._heading, self._start = title, start

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Static(self._heading, classes="dialog-title", markup=False)
            yield Input(self._start, select_on_focus=False, id="path")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#path", Input).focus()

    def on_input_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.dismiss(message.value.strip() or None)

    def action_close(self) -> None:
        self.dismiss(None)
