"""The panels about the world as a whole: coverage, recorded plays, the script."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.worker import get_current_worker

from worldengine.cli.printing import counted

from . import coverage, skein, skein_rows, workshop
from .autoplay import autoplay
from .coverage import Coverage
from .desk import Desk
from .panel import Panel
from .rows import BLANK, Row

AUTOPLAYS = 40
"""Plays of one press of the key; each press takes another seed."""


class CoveragePanel(Panel):
    TITLE = "Coverage"
    HELP = (
        "What of your world has been exercised, over every recorded play, the world's proofs\n"
        "and this session. Enter on a line lists what is missing, with its line in the script;\n"
        "enter on that goes there. a plays on its own to fill the gaps and keeps what helped."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "What is missing"),
        Binding("a", "autoplay", "Play on its own", id="coverage.autoplay"),
        Binding("r", "measure", "Measure again", id="coverage.measure"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.opened = ""
        self.seed = 0
        self._busy = False

    def draw(self, desk: Desk) -> list[Row]:
        if desk.coverage is None and not self._busy:
            plays = desk.all_plays()
            self._busy = True
            self._measure(desk, plays)
        return coverage.rows(desk.coverage, self.opened)

    def open(self, kind: str) -> None:
        """List what is missing of a kind, or close the list."""
        self.opened = "" if self.opened == kind else kind
        self.again()

    def action_measure(self) -> None:
        if self.desk is not None and not self._busy:
            self.desk.coverage = None
            self.again()

    def action_autoplay(self) -> None:
        if self.desk is not None and self.desk.coverage is not None and not self._busy:
            self._busy = True
            self.tell("Playing on its own …")
            self._autoplay(self.desk, self.desk.coverage, self.seed)
            self.seed += 1

    @work(thread=True, exclusive=True, group="coverage")
    def _measure(self, desk: Desk, plays: list[coverage.Play]) -> None:
        machine, notes = desk.workshop.machine, desk.workshop.notes
        assert machine is not None and notes is not None
        worker = get_current_worker()
        measured = Coverage(machine, notes)
        for variant, commands in plays:
            if worker.is_cancelled:
                return
            if variant < len(machine.variants):
                measured.play(variant, commands)
        self.app.call_from_thread(self._taken, desk, measured)

    def _taken(self, desk: Desk, measured: Coverage) -> None:
        self._busy = False
        if desk.workshop.machine is measured.machine:
            desk.coverage = measured
        self.again()

    @work(thread=True, exclusive=True, group="coverage")
    def _autoplay(self, desk: Desk, measured: Coverage, seed: int) -> None:
        worker = get_current_worker()
        plays = autoplay(measured, seed, AUTOPLAYS, lambda: worker.is_cancelled)
        self.app.call_from_thread(self._autoplayed, desk, measured, plays)

    def _autoplayed(self, desk: Desk, measured: Coverage, plays: list[coverage.Play]) -> None:
        self._busy = False
        if desk.workshop.machine is measured.machine:
            for variant, commands in plays:
                desk.recorded().add(variant, commands)
            self.store()
            self.tell(f"{AUTOPLAYS} plays, {len(plays)} met something new and were kept.")
        self.again()


class PlaysPanel(Panel):
    TITLE = "Plays"
    HELP = (
        "All recorded plays as a tree. r runs them all on the world as it is now and compares\n"
        "what is read with what was blessed: ✓ the same, ≠ differs, + not blessed yet, ✗ cannot\n"
        "be played any more. Enter shows what is read there, or the difference; g goes to the\n"
        "turn. b blesses a turn and those before it, B all. delete removes a turn and what\n"
        "follows. R records the world's own proofs. ctrl+t keeps the play you are in."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Difference"),
        Binding("r", "run", "Run all", id="plays.run"),
        Binding("b", "bless", "Bless", id="plays.bless"),
        Binding("B", "bless_all", "Bless all", id="plays.bless_all"),
        Binding("g", "go", "Go there", id="plays.go"),
        Binding("R", "proofs", "Proofs", id="plays.proofs"),
        Binding("delete", "remove", "Remove", id="plays.remove"),
    ]

    class GoTo(Message):
        """Go to a recorded turn."""

        def __init__(self, variant: int, commands: tuple[str, ...]) -> None:
            super().__init__()
            self.variant, self.commands = variant, commands

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.opened: skein.Knot | None = None
        self._busy = False

    def fingerprint(self, desk: Desk) -> object:
        skein_ = desk.recorded()
        return skein_, skein_.version, self.opened

    def draw(self, desk: Desk) -> list[Row]:
        return skein_rows.rows(desk.recorded(), self.opened)

    @property
    def knot(self) -> skein.Knot | None:
        """The turn under the cursor."""
        row = self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None
        return row.value if row is not None and isinstance(row.value, skein.Knot) else None

    def open(self, knot: skein.Knot) -> None:
        self.opened = None if self.opened is knot else knot
        self.again()

    def _ready(self) -> Desk | None:
        """The desk, if nothing is running and there are plays that can be read."""
        desk = self.desk
        if desk is None or desk.workshop.machine is None or self._busy:
            return None
        try:
            desk.recorded()
        except skein.SkeinError as error:
            self.tell(str(error), good=False)
            return None
        return desk

    def action_run(self) -> None:
        if desk := self._ready():
            self._busy = True
            self._run_all(desk)

    @work(thread=True, exclusive=True, group="skein")
    def _run_all(self, desk: Desk) -> None:
        assert desk.workshop.machine is not None
        tally = desk.recorded().run(desk.workshop.machine)
        self.app.call_from_thread(self._ran, tally)

    def _ran(self, tally: dict[str, int]) -> None:
        self._busy = False
        bad = tally[skein.DIFFERS] + tally[skein.GONE]
        self.tell(
            f"{counted(bad, 'turn differs', 'turns differ')}."
            if bad
            else "All plays read as blessed.",
            not bad,
        )
        self.again()

    def action_bless(self) -> None:
        if (desk := self._ready()) and self.knot is not None:
            self._blessed(desk.recorded().bless(self.knot))

    def action_bless_all(self) -> None:
        if desk := self._ready():
            self._blessed(desk.recorded().bless_all())

    def _blessed(self, changed: int) -> None:
        if not changed:
            self.tell("Nothing to bless here; r runs the plays first.")
            return
        self.store()
        self.tell(f"{counted(changed, 'turn')} blessed.")
        self.action_run()

    def action_remove(self) -> None:
        if (desk := self._ready()) and self.knot is not None:
            desk.recorded().remove(self.knot)
            self.store()
            self.again()

    def action_proofs(self) -> None:
        if desk := self._ready():
            kept = desk.keep_proofs()
            self.store()
            self.tell(f"{kept} winning plays recorded." if kept else "This world has no proof.")
            self.again()

    def action_go(self) -> None:
        if self.knot is not None:
            self.post_message(self.GoTo(self.knot.variant, skein.commands(self.knot)))


class ScriptPanel(Panel):
    TITLE = "Script"
    HELP = (
        "The script and what the compiler says about it. Save it in any editor: it is compiled\n"
        "again at once, and the play goes on where you were. While it does not compile, the\n"
        "last good version keeps playing. e opens it in the editor of $EDITOR at this line."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "To the line, or edit"),
        Binding("e", "edit", "Edit here", id="script.edit"),
    ]

    class Edit(Message):
        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    @property
    def without_session(self) -> bool:
        return True

    def fingerprint(self, desk: Desk) -> object:
        return desk.workshop.version, desk.session is None

    def draw(self, desk: Desk) -> list[Row]:
        shop = desk.workshop
        return [
            workshop.title_row(shop),
            *workshop.diagnostic_rows(shop),
            BLANK,
            *workshop.source_rows(shop),
        ]

    def go_to_line(self, line: int) -> None:
        """Put the cursor on a line of the script."""
        for number, row in enumerate(self.rows):
            if row.action == "edit" and row.value == line:
                self.place_cursor(number)
                return

    def action_edit(self) -> None:
        row = self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None
        line = row.value if row is not None and isinstance(row.value, int) else 1
        self.post_message(self.Edit(line))
