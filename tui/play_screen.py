"""The main screen: the story, the command line, and one panel beside it.

In: a desk. Out: what is drawn. Keys become calls of the desk or of the session; after each
of them `draw` brings what is in sight up to date, and nothing else.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import ContentSwitcher
from textual.worker import get_current_worker

from . import hints, verbs, workshop
from .command_line import CommandLine, Suggestions
from .counsel import CounselError
from .desk import Desk, Replayed
from .frame import Bar, Strip, TabStrip, bar_row, notice_rows, refusal_rows
from .history import Node
from .key_line import KeyLine
from .keys import Keys
from .lines import Lines
from .panel import Panel
from .panels import CommandsPanel, GoalsPanel, HintsPanel, MapPanel, StatePanel
from .panels_author import CoveragePanel, PlaysPanel, ScriptPanel
from .quick_screen import QuickScreen
from .rows import Row, row
from .session import Reply, Session
from .transcript import Transcript

PANELS: tuple[type[Panel], ...] = (
    CommandsPanel, StatePanel, MapPanel, GoalsPanel, HintsPanel,
    CoveragePanel, PlaysPanel, ScriptPanel,
)  # fmt: skip
QUIET = 0.4
"""Seconds without a turn before it is asked whether winning is still possible."""
POLL = 0.2
"""Seconds between two looks at the script's file; it is read when two of them agree."""


class PlayScreen(Keys, QuickScreen[None]):
    """See the module."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (96, "-normal"), (150, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (22, "-tall")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", id="help"),
        Binding("f2", "panel('Commands')", "Panels", id="panel.commands"),
        *(
            Binding(
                f"f{number}",
                f"panel('{panel.TITLE}')",
                panel.TITLE,
                show=False,
                id=f"panel.{panel.TITLE.lower()}",
            )
            for number, panel in enumerate(PANELS[1:], 3)
        ),
        Binding("escape", "typing", "Back to typing", id="typing"),
        Binding("ctrl+z", "undo", "Undo", id="undo"),
        Binding("ctrl+y", "redo", "Redo", id="redo"),
        Binding("ctrl+n", "start", "Start", id="start"),
        Binding("ctrl+t", "keep", "Keep", id="keep"),
        Binding("ctrl+s", "save", "Save", id="save"),
        Binding("ctrl+o", "open", "Open", show=False, id="open"),
        Binding("ctrl+r", "record", "Record a test", show=False, id="record"),
    ]

    def __init__(self, desk: Desk, warn: bool = True) -> None:
        super().__init__()
        self.desk, self.warn = desk, warn
        self.compiling = False
        self.paneled = False

    def compose(self) -> ComposeResult:
        names = [(f"F{number}", panel.TITLE) for number, panel in enumerate(PANELS, 2)]
        yield Bar(id="bar")
        with Horizontal(id="desk"):
            with Vertical(id="story"):
                yield Transcript(id="transcript")
                yield Strip(id="strip")
                yield CommandLine(id="command")
                yield Suggestions(id="suggestions")
            with Vertical(id="side"):
                yield TabStrip(names, id="tabs")
                with ContentSwitcher(initial="panel-Commands", id="panels"):
                    for panel in PANELS:
                        yield panel(id=f"panel-{panel.TITLE}")
            with Vertical(id="dash"):
                yield MapPanel(id="dash-map")
                yield GoalsPanel(id="dash-goals")
        yield KeyLine()

    def on_mount(self) -> None:
        self.command.completer = self._completions
        self.command.focus()
        self.reload()
        self.set_interval(POLL, self._poll)

    # -- parts -----------------------------------------------------------------------------

    @property
    def command(self) -> CommandLine:
        return self.query_one("#command", CommandLine)

    @property
    def panel(self) -> Panel:
        """The panel that is open in the side column."""
        current = self.query_one("#panels", ContentSwitcher).current
        return self.query_one(f"#{current}", Panel)

    def arrange_columns(self) -> None:
        """In a narrow terminal there is room for the story or for a panel, not for both. Set
        here and not by a class of the screen: a class would restyle every widget there is."""
        narrow = self.has_class("-narrow")
        self.query_one("#story").display = not (narrow and self.paneled)
        self.query_one("#side").display = self.paneled or not narrow

    # -- the script ------------------------------------------------------------------------

    def _poll(self) -> None:
        if not self.compiling and self.desk.workshop.stale():
            self.reload()

    def reload(self) -> None:
        """Read the script again, in a thread: the play goes on meanwhile."""
        self.compiling = True
        self._load()

    @work(thread=True, exclusive=True, group="compile")
    def _load(self) -> None:
        loaded = workshop.load(self.desk.workshop.path)
        replayed = self.desk.replayed(loaded)
        self.app.call_from_thread(self._loaded, loaded, replayed)

    def _loaded(self, loaded: workshop.Loaded, replayed: Replayed | None = None) -> None:
        if replayed is not None and not replayed.of(self.desk.session):
            self._load()  # somebody played on meanwhile
            return
        self.compiling = False
        words = self.desk.take(loaded, replayed)
        # What a Machine holds stays: looking through it for garbage would stop a key for long.
        gc.collect()
        gc.freeze()
        self.draw()
        told = [*getattr(self.app, "key_problems", ())] if self.desk.workshop.version == 1 else []
        if told:
            self.tell("  ".join(told), good=False)
        if words:
            broken = self.desk.workshop.broken
            self.tell(words, good=not broken)
            if self.desk.session is None:
                self.action_panel("Script")

    # -- drawing ---------------------------------------------------------------------------

    def draw(self, strip: Sequence[Row] | None = None) -> None:
        """Bring everything in sight up to date. `strip` stands above the command line."""
        self.draw_bar()
        transcript = self.query_one("#transcript", Transcript)
        if self.desk.session is None:
            transcript.clear()
        else:
            transcript.follow(self.desk.session)
        self.query_one("#strip", Strip).tell(refusal_rows(self.desk) if strip is None else strip)
        for panel in self._in_sight():
            panel.show(self.desk)
        self.refresh_bindings()

    def draw_bar(self) -> None:
        self.query_one("#bar", Bar).set_rows([bar_row(self.desk, self.size.width)])
        self.query_one("#tabs", TabStrip).mark(self.panel.TITLE)

    def _in_sight(self) -> list[Panel]:
        found = [self.panel] if self.query_one("#side").display else []
        if self.query_one("#dash").display:
            found += [self.query_one("#dash-map", Panel), self.query_one("#dash-goals", Panel)]
        return found

    def on_resize(self) -> None:
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self.arrange_columns()
        self.draw_bar()
        for panel in self._in_sight():
            panel.show(self.desk)

    def tell(self, words: str, good: bool = True) -> None:
        """Words for the person, above the command line until the next turn."""
        self.query_one("#strip", Strip).tell(notice_rows(words, good))

    # -- playing ---------------------------------------------------------------------------

    def _completions(self, text: str) -> Sequence[str]:
        return verbs.complete(self.desk.session, text) if self.desk.session is not None else ()

    def on_command_line_offered(self, message: CommandLine.Offered) -> None:
        self.query_one("#suggestions", Suggestions).offer(message.texts, message.chosen)

    def on_command_line_typed(self, message: CommandLine.Typed) -> None:
        self.play(message.text)

    def play(self, text: str) -> None:
        """Anything typed or chosen."""
        if self.desk.session is None:
            self.tell("Nothing is playing: the script does not compile (F9 shows why).", False)
            return
        self.shown(self.desk.session.type(text))

    def shown(self, reply: Reply) -> None:
        """Draw what came of it."""
        if reply.question is not None:
            choices = enumerate(reply.question.choices, 1)
            rest = reply.notice.removeprefix(reply.question.words).strip()
            self.draw(
                [
                    row(("? ", "warn"), "Which do you mean? Type its number."),
                    *(row((f"  {number} ", "mark"), (text, "command")) for number, text in choices),
                    *(notice_rows(rest) if rest else ()),
                ]
            )
        else:
            # In one go: a strip that goes and comes again would lay the screen out twice.
            self.draw(notice_rows(reply.notice) if reply.notice else None)
            if self.warn and self.desk.session is not None and not self.desk.session.at.over:
                self._look_ahead(self.desk.session, self.desk.session.at)

    @work(thread=True, exclusive=True, group="ahead")
    def _look_ahead(self, session: Session, node: Node) -> None:
        """Ask whether winning is still possible, once nothing was played for a moment."""
        worker = get_current_worker()
        time.sleep(QUIET)
        try:
            gone = lambda: worker.is_cancelled  # noqa: E731
            words = hints.doom(session.machine, session.variant, node, gone)
        except CounselError as error:
            if not worker.is_cancelled:
                self.app.call_from_thread(self.tell, str(error), False)
            return
        if words and not worker.is_cancelled:
            self.app.call_from_thread(self._doomed, node, words)

    def switch_warnings(self) -> None:
        """Warn of dead ends, or do not: that something is one is a spoiler too."""
        self.warn = not self.warn
        self.tell(f"Dead-end warnings are {'on' if self.warn else 'off'}.")

    def _doomed(self, node: Node, words: str) -> None:
        news = node.parent is None or node.parent not in self.desk.dead
        self.desk.dead.add(node)
        if self.desk.session is None or node is not self.desk.session.at:
            return
        self.draw_bar()
        if news:
            self.query_one("#strip", Strip).tell(
                [
                    *refusal_rows(self.desk),
                    row(("✗ Winning is no longer possible. ", "bad"), words, indent=2),
                    row(("  ctrl+z ", "command"), "takes the last move back."),
                ]
            )

    def on_lines_chosen(self, message: Lines.Chosen) -> None:
        message.stop()
        self.choose(message.row)

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        self.action_panel(message.panel)

    def on_panel_told(self, message: Panel.Told) -> None:
        self.tell(message.words, message.good)
