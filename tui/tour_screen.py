"""The tour on the terminal: the frames of `tour`, one after another.

In: frames, made in a thread while they are watched. Out: a status for the shell. space
holds it, right goes on at once, escape ends it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.worker import get_current_worker

from .frame import Bar
from .key_line import KeyLine
from .lines import Lines
from .quick_screen import QuickScreen
from .rows import row
from .themes import DEFAULTS, THEMES
from .tour import Frame, frames

Source = Callable[[], Iterator[Frame]]


class TourScreen(QuickScreen[None]):
    """See the module. Without a source it waits for `show` to be called."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (112, "-normal")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "hold", "Hold, go on"),
        Binding("right", "skip", "Next"),
        Binding("escape,q", "leave", "Leave"),
    ]

    def __init__(self, source: Source | None = frames, pace: float = 1.0) -> None:
        super().__init__()
        self._source, self._pace = source, pace
        self._next = threading.Event()
        self.held = False
        self.shown = 0

    def compose(self) -> ComposeResult:
        yield Bar(id="bar")
        with Horizontal(id="desk"):
            yield Stage(id="stage")
            yield Lines(id="beside")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#stage").focus()
        if self._source is not None:
            self._run_tour(self._source)

    @work(thread=True, exclusive=True)
    def _run_tour(self, source: Source) -> None:
        worker = get_current_worker()
        for frame in source():
            if worker.is_cancelled:
                return
            self._next.clear()
            self.app.call_from_thread(self.show, frame)
            waited = self._next.wait(frame.seconds * self._pace)
            while self.held and not waited and not worker.is_cancelled:
                waited = self._next.wait(0.1)
        if not worker.is_cancelled:
            self.app.call_from_thread(self.app.exit, 0)

    def show(self, frame: Frame) -> None:
        """Draw one frame; the story's end stays in sight."""
        self.shown += 1
        self.query_one("#bar", Bar).set_rows([row((frame.caption, "title"))])
        stage, beside = self.query_one("#stage", Lines), self.query_one("#beside", Lines)
        stage.set_rows(frame.left)
        stage.scroll_end(animate=False, force=True)
        beside.set_rows(frame.right)
        beside.display = bool(frame.right)

    def action_hold(self) -> None:
        self.held = not self.held

    def action_skip(self) -> None:
        self.held = False
        self._next.set()

    def action_leave(self) -> None:
        self.workers.cancel_all()
        self._next.set()
        self.app.exit(0)


class Stage(Lines):
    """The story of the tour; nothing in it is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.skip", "Next", show=False),
        Binding("right", "screen.skip", "Next"),
    ]


class TourApp(App[int]):
    """Ninety seconds."""

    CSS_PATH = "app.tcss"
    TITLE = "worldengine"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, source: Source | None = frames, pace: float = 1.0) -> None:
        super().__init__()
        self._source, self._pace = source, pace

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DEFAULTS

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        self.push_screen(TourScreen(self._source, self._pace))


def run() -> int:
    """Show the tour."""
    return TourApp().run() or 0
