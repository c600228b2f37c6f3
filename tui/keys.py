"""What the keys of the main screen do.

In: actions and choices. Out: calls of the desk. It is the half of `PlayScreen` that needs no
layout, set apart so that either half fits on a few pages.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import ContentSwitcher

from worldengine.machine.schema import Location

from . import help_rows, keymap
from .command_line import CommandLine
from .desk import Desk
from .dialogs import Listing, PathPrompt
from .panel import Panel
from .panels import HintsPanel
from .panels_author import CoveragePanel, PlaysPanel, ScriptPanel
from .rows import Row, row
from .saves import SaveError
from .skein import Knot, SkeinError
from .transcript import Transcript

if TYPE_CHECKING:
    _Base = Screen[None]
else:
    _Base = object


class Keys(_Base):
    """Mixed into the main screen, which has these parts."""

    desk: Desk
    paneled: bool
    """Whether a panel was opened rather than the command line."""

    if TYPE_CHECKING:

        @property
        def command(self) -> CommandLine: ...
        @property
        def panel(self) -> Panel: ...
        def draw(self) -> None: ...
        def draw_bar(self) -> None: ...
        def arrange_columns(self) -> None: ...
        def tell(self, words: str, good: bool = True) -> None: ...
        def play(self, text: str) -> None: ...

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only keys that do something now are offered."""
        session = self.desk.session
        if action in ("undo", "redo", "start", "keep", "save", "open", "record"):
            if session is None:
                return False
            if action in ("undo", "keep", "record"):
                return session.at.parent is not None
            if action == "redo":
                return session.at.latest is not None
        if action == "typing":
            return self.focused is not self.command
        return True

    # -- panels ----------------------------------------------------------------------------

    def action_panel(self, name: str) -> None:
        """Open a panel and go there; from the panel itself, go back to typing."""
        switcher = self.query_one("#panels", ContentSwitcher)
        if name == self.panel.TITLE and self.panel.has_focus:
            self.action_typing()
            return
        room = self.panel.room
        switcher.current = f"panel-{name}"
        self.paneled = True
        self.arrange_columns()
        self.draw_bar()
        self.panel.adopt(room)
        self.panel.show(self.desk)
        self.panel.focus(scroll_visible=False)

    def action_typing(self) -> None:
        self.paneled = False
        self.arrange_columns()
        self.command.focus(scroll_visible=False)

    def on_descendant_focus(self) -> None:
        self.refresh_bindings()

    # -- what was chosen in a panel -----------------------------------------------------------

    def choose(self, chosen: Row) -> None:
        """What choosing a row does, by its action."""
        value = chosen.value
        match chosen.action, value:
            case "play", str():
                self.play(value)
            case "fill", str():
                self.action_typing()
                self.command.fill(value)
            case "source", Location():
                self.show_source(value)
            case "line", int():
                self._line(value)
            case "edit", int():
                self._edit(value)
            case "open", str() if isinstance(self.panel, CoveragePanel):
                self.panel.open(value)
            case "knot", Knot() if isinstance(self.panel, PlaysPanel):
                self.panel.open(value)
            case "more", _ if isinstance(self.panel, HintsPanel):
                self.panel.action_more()
            case "node", _ if self.desk.session is not None:
                self.desk.session.jump(value)  # type: ignore[arg-type]  # nodes come as nodes
                self.draw()
                self.tell("Back at this turn. Redo leads on; another command begins a branch.")
            case _:
                pass

    def show_source(self, location: Location) -> None:
        """The script at a place; a file of verbs that ships is only named."""
        if location.file != self.desk.workshop.source.name:
            self.tell(f"{location.file}, line {location.line}: one of the verbs that ship.")
            return
        self.action_panel("Script") if self.panel.TITLE != "Script" else None
        self.call_after_refresh(self.call_after_refresh, self._line, location.line)

    def _line(self, line: int) -> None:
        if isinstance(self.panel, ScriptPanel):
            self.panel.go_to_line(line)

    def on_plays_panel_go_to(self, message: PlaysPanel.GoTo) -> None:
        if self.desk.workshop.machine is not None:
            count = len(self.desk.workshop.machine.variants)
            if message.variant < count:
                self.desk.go_to(message.variant, message.commands)
                self.draw()
                self.tell("At this turn of the recorded play.")

    def on_script_panel_edit(self, message: ScriptPanel.Edit) -> None:
        self._edit(message.line)

    def _edit(self, line: int) -> None:
        """Hand the terminal over to the editor; what it saves is seen like any other save."""
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
        if not editor:
            self.tell("Set EDITOR to the editor you like, as in EDITOR=nano.", False)
            return
        path = str(self.desk.workshop.path)
        try:
            with self.app.suspend():
                subprocess.call([*shlex.split(editor), f"+{line}", path])
        except SuspendNotSupported:
            self.tell("This terminal cannot be handed over to an editor.", False)
        except (OSError, ValueError) as error:
            self.tell(f"{editor} cannot be started: {error}", False)

    # -- history -------------------------------------------------------------------------------

    def action_undo(self) -> None:
        self.play("undo") if self._plain("undo") else self._moved("undo")

    def action_redo(self) -> None:
        self.play("redo") if self._plain("redo") else self._moved("redo")

    def _plain(self, word: str) -> bool:
        """Whether the word is no command of the world's own."""
        session = self.desk.session
        return session is not None and not session.runtime.matcher.readings(word)

    def _moved(self, word: str) -> None:
        session = self.desk.session
        if session is not None:
            session.undo() if word == "undo" else session.redo()
            self.draw()

    def action_start(self) -> None:
        """Choose a start; a world with one start begins again at once."""
        machine = self.desk.workshop.machine
        assert machine is not None
        if len(machine.variants) == 1:
            self._begin(0)
            return
        rows = [
            row(
                (f"{index:>4}  ", "mark"),
                ", ".join(f"{target} = {value}" for target, value in variant.values)
                or "as written",
                ("  playing now", "muted") if index == self.desk.variant else ("", ""),
                action="variant",
                value=index,
                indent=6,
            )
            for index, variant in enumerate(machine.variants)
        ]
        screen = Listing(f"{len(rows)} starts: choose one", rows, self.desk.variant)
        self.app.push_screen(screen, self._picked_start)

    def _picked_start(self, chosen: Row | None) -> None:
        if chosen is not None and isinstance(chosen.value, int):
            self._begin(chosen.value)

    def _begin(self, variant: int) -> None:
        session = self.desk.session
        if session is not None and session.variant == variant:
            session.jump(session.history.root)
        else:
            self.desk.restart(variant)
        self.draw()
        self.tell(f"Start {variant}, from its beginning.")
        self.action_typing()

    # -- files -----------------------------------------------------------------------------

    def _guarded(self, do: Callable[[], str]) -> None:
        """Do something with files; say what came of it, also if that is nothing good."""
        try:
            words = do()
        except (SaveError, SkeinError) as error:
            self.tell(str(error), good=False)
        except OSError as error:
            self.tell(f"{error.filename or 'the file'}: {error.strerror or error}", good=False)
        else:
            self.draw()
            self.tell(words)

    def action_keep(self) -> None:
        self._guarded(self.desk.keep)

    def action_save(self) -> None:
        start = f"{self.desk.workshop.path.stem}.save.json"
        self.app.push_screen(PathPrompt("Save the whole history to", start), self._save_to)

    def _save_to(self, name: str | None) -> None:
        def save() -> str:
            assert name is not None
            self.desk.save(Path(name).expanduser())
            return f"Saved to {name}."

        if name:
            self._guarded(save)

    def action_open(self) -> None:
        start = f"{self.desk.workshop.path.stem}.save.json"
        self.app.push_screen(PathPrompt("Open a saved history", start), self._open_from)

    def _open_from(self, name: str | None) -> None:
        if name:
            self._guarded(lambda: self.desk.open(Path(name).expanduser()))

    def action_record(self) -> None:
        start = "tests/plays" if Path("tests/plays").is_dir() else "plays"
        screen = PathPrompt("Write this play as a test into the folder", start)
        self.app.push_screen(screen, self._record_in)

    def _record_in(self, name: str | None) -> None:
        if name:
            self._guarded(lambda: f"Recorded as {self.desk.record(Path(name).expanduser())}.")

    # -- help --------------------------------------------------------------------------------

    def action_help(self) -> None:
        """Help about what has the focus, and the keys that work there now."""
        focused = self.focused
        title, words = "Typing", help_rows.TYPING
        if isinstance(focused, Panel):
            title, words = focused.TITLE, focused.HELP
        elif isinstance(focused, Transcript):
            title, words = "The story", help_rows.STORY
        keys = [
            (self.app.get_key_display(active.binding), _words(active.binding))
            for active in self.active_bindings.values()
            if active.enabled and active.node is focused and active.binding.show
        ]
        shown = help_rows.rows(title, words, keys, self.chosen_keys(), str(keymap.own_file()))
        self.app.push_screen(Listing("Help", shown))

    def chosen_keys(self) -> dict[str, str]:
        """The keys of the screen and of the app as they are now, by the name of their action."""
        return {
            binding.id or binding.action: key.upper() if key[0] == "f" else key
            for _, bindings in self._binding_chain
            for key, binding in bindings
        }


def _words(binding: Binding) -> str:
    return binding.description or binding.action
