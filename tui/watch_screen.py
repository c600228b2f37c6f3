"""Watching a run: its trajectories on the left, one of them turn by turn on the right."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from worldengine.rollout.storage import RunError
from worldengine.rollout.trajectory import Trajectory

from . import watching
from .dialogs import Listing
from .frame import Bar
from .help_rows import rows as help_rows
from .key_line import KeyLine
from .keymap import own_file
from .lines import Lines
from .quick_screen import QuickScreen
from .rows import row

PACE = 0.8
"""Seconds between two turns when it goes on by itself."""
HELP = (
    "Trajectories of a run, as they were recorded. Enter opens one; right and left go through\n"
    "its turns, n and p to those that were refused, space lets it go on by itself, a shows all.\n"
    "A masked turn is grey: it stays in the context and the loss does not see it. In the list r\n"
    "reads the folder again, for a run that is still growing. What is shown here is what the\n"
    "file claims; `worldengine verify` plays it again and checks every claim."
)


class Turns(Lines):
    """Right and left are turns here; there is nothing to scroll sideways."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "screen.turn(1)", "Next turn"),
        Binding("left", "screen.turn(-1)", "Back"),
    ]


class WatchScreen(QuickScreen[None]):
    """See the module."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (96, "-normal")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("right", "turn(1)", "Next turn"),
        Binding("left", "turn(-1)", "Back"),
        Binding("space", "go_on", "Go on by itself", id="watch.go_on"),
        Binding("a", "turn(100000)", "All turns", id="watch.all"),
        Binding("n", "refused(1)", "Next refused", id="watch.next_refused"),
        Binding("p", "refused(-1)", "Refused before", show=False, id="watch.refused_before"),
        Binding("r", "read", "Read again", id="watch.read"),
        Binding("escape", "index", "To the list", id="watch.list"),
    ]

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.trajectories: list[Trajectory] = []
        self.opened: Trajectory | None = None
        self.turns = 0
        self._clock: Timer | None = None

    def compose(self) -> ComposeResult:
        yield Bar(id="bar")
        with Horizontal(id="desk"):
            with Vertical(id="index-side"):
                yield Lines(id="index")
            with Vertical(id="watch-side"):
                yield Turns(id="turns")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#bar", Bar).set_rows([row((str(self.folder), "title"), "  reading …")])
        self.query_one("#index", Lines).focus()
        self._read()

    @work(thread=True, exclusive=True)
    def _read(self) -> None:
        try:
            found, problems = watching.load(self.folder)
        except (RunError, OSError) as error:
            found, problems = [], [str(error)]
        self.app.call_from_thread(self._loaded, found, problems)

    def _loaded(self, found: list[Trajectory], problems: list[str]) -> None:
        self.trajectories = found
        self.query_one("#index", Lines).set_rows(watching.index_rows(found, problems))
        self._bar()
        self.refresh_bindings()

    def _bar(self) -> None:
        shown = row(
            (self.folder.name, "title"), (f"  {len(self.trajectories)} trajectories", "muted")
        )
        if self.opened is not None:
            shown = watching.status_row(self.opened, self.turns)
        self.query_one("#bar", Bar).set_rows([shown])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "turn" and parameters and isinstance(parameters[0], int):
            if self.opened is None:
                return False
            return self.turns < len(self.opened.turns) if parameters[0] > 0 else self.turns > 0
        if action in ("go_on", "index", "refused"):
            return self.opened is not None
        if action == "read":
            return self.opened is None
        return True

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        message.stop()
        if isinstance(message.row.value, int):
            self.opened, self.turns = self.trajectories[message.row.value], 1
            self.add_class("-opened")
            self.query_one("#turns", Lines).focus()
            self._draw()

    def _draw(self) -> None:
        if self.opened is not None:
            lines = self.query_one("#turns", Lines)
            lines.set_rows(watching.rows(self.opened, self.turns))
            lines.scroll_end(animate=False, force=True)
        self._bar()
        self.refresh_bindings()

    def action_turn(self, step: int) -> None:
        if self.opened is not None:
            self.turns = max(0, min(len(self.opened.turns), self.turns + step))
            self._draw()

    def action_refused(self, step: int) -> None:
        """To the next turn that was refused, or to the one before."""
        if self.opened is not None:
            at = [turn.index + 1 for turn in self.opened.turns if turn.outcome != "ok"]
            ahead = [turn for turn in at if (turn - self.turns) * step > 0]
            if ahead:
                self.turns = min(ahead) if step > 0 else max(ahead)
                self._draw()

    def action_read(self) -> None:
        """Read the folder again: a run may still be growing."""
        self._read()

    def action_go_on(self) -> None:
        """Turn after turn until the end, or until the key is pressed again."""
        if self._clock is not None:
            self._clock.stop()
            self._clock = None
        else:
            self._clock = self.set_interval(PACE, self._tick)

    def _tick(self) -> None:
        if self.opened is None or self.turns >= len(self.opened.turns):
            self.action_go_on()
        else:
            self.action_turn(1)

    def action_index(self) -> None:
        self.opened = None
        self.remove_class("-opened")
        self.query_one("#index", Lines).focus()
        self._draw()

    def action_help(self) -> None:
        keys = [
            (self.app.get_key_display(active.binding), active.binding.description)
            for active in self.active_bindings.values()
            if active.enabled and active.node in (self, self.focused) and active.binding.show
        ]
        self.app.push_screen(
            Listing("Help", help_rows("Watching a run", HELP, keys, {}, str(own_file())))
        )
