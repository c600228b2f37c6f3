"""The Textual app: `worldengine play FILE`.

In: the path of a script or of a run's folder, or None for a list to choose from. Out: an
exit status. It draws
what the headless modules say; all world text goes through `rows` and is never markup.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.dom import DOMNode
from textual.screen import Screen

from . import keymap, library
from .counsel import counsel
from .desk import Desk
from .dialogs import Listing
from .play_screen import PANELS, PlayScreen
from .rows import Row
from .themes import DEFAULTS, THEMES
from .watch_screen import WatchScreen
from .watching import is_run

PATIENCE = (100_000, 20, 100)
"""How seldom garbage is looked for: a look through a long play takes longer than a key may."""


class PlayApp(App[int]):
    """See the module."""

    CSS_PATH = "app.tcss"
    TITLE = "worldengine"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, id="quit"),
    ]

    def __init__(
        self,
        script: Path | None,
        variant: int = 0,
        plays: Path | None = None,
        warn: bool = True,
        keys: Path | None = None,
    ) -> None:
        super().__init__()
        self._keys, self.key_problems = keymap.read(keys, known_keys()) if keys else ({}, [])
        self.animation_level = "none"  # a slow terminal has better things to draw
        self._script, self._variant, self._plays, self._warn = script, variant, plays, warn

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return DEFAULTS

    def on_mount(self) -> None:
        gc.set_threshold(*PATIENCE)
        self.set_keymap(self._keys)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        if self._script is None:
            self.push_screen(Listing("Which world?", library.rows(Path())), self._picked)
        else:
            self._open(self._script)

    def _open(self, script: Path) -> None:
        if is_run(script):
            self.push_screen(WatchScreen(script))
            return
        self.push_screen(PlayScreen(Desk(script, self._variant, self._plays), self._warn))

    def _picked(self, chosen: Row | None) -> None:
        if chosen is None or not isinstance(chosen.value, Path):
            self.exit(0)
            return
        self._open(chosen.value)

    async def action_quit(self) -> None:
        """Leave at once, whatever is still being searched for."""
        self.workers.cancel_all()
        counsel().close()
        self.exit(0)

    @property
    def play(self) -> PlayScreen:
        """The main screen, wherever it stands in the stack."""
        return next(screen for screen in self.screen_stack if isinstance(screen, PlayScreen))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The command palette: everything that has a key, by name."""
        if isinstance(screen, PlayScreen):
            for panel in PANELS:
                words = panel.HELP.split("\n")[0]
                yield SystemCommand(
                    f"Panel: {panel.TITLE}", words, lambda p=panel: screen.action_panel(p.TITLE)
                )
            state = "off" if screen.warn else "on"
            yield SystemCommand(
                f"Dead-end warnings {state}", "Whether each move is checked", screen.switch_warnings
            )
            for title, words, action in COMMANDS:
                if screen.check_action(action, ()):
                    yield SystemCommand(title, words, getattr(screen, f"action_{action}"))
        yield from super().get_system_commands(screen)


COMMANDS = (
    ("Undo", "Take the last turn back", "undo"),
    ("Redo", "The turn that was taken back, once more", "redo"),
    ("Start", "Choose a start of the world, or begin again", "start"),
    ("Keep this play", "Put it among the recorded plays", "keep"),
    ("Save", "Write the whole history to a file", "save"),
    ("Open", "Restore a history from a file", "open"),
    ("Record a test", "Write this play as a .win, .lose or .fail file", "record"),
    ("Help", "About what has the focus, and its keys", "help"),
)


def run(script: Path | None, variant: int = 0) -> int:
    """Play until the person quits."""
    return PlayApp(script, variant, keys=keymap.own_file()).run() or 0


def known_keys() -> frozenset[str]:
    """The actions whose keys may be chosen."""
    where: tuple[type[DOMNode], ...] = (PlayApp, PlayScreen, *PANELS, WatchScreen)
    bindings = (each for place in where for each in place.BINDINGS)
    return frozenset(
        each.id for each in bindings if isinstance(each, Binding) and each.id is not None
    )
