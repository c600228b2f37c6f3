"""A script that is being edited somewhere else: compiled again whenever it is saved.

In: the path of a script. Out: the last Machine that compiled, the diagnostics of the text
as it is now, rows that show both. A broken script keeps the last good Machine. `load` may
run in a thread; `take` hands its result over.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from worldengine.compiler import compile_source
from worldengine.compiler.notes import Notes
from worldengine.diagnostics import Diagnostic, has_errors, render_terminal
from worldengine.inputs import InputError, read
from worldengine.machine import Machine
from worldengine.source import Source

from .rows import BLANK, Row, heading, row, span

Signature = tuple[int, int, int]
"""Time of change, size and number of a file: another one means that it was saved."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A script as it was read and compiled. `problem` tells that it could not be read."""

    signature: Signature | None
    source: Source
    diagnostics: tuple[Diagnostic, ...]
    machine: Machine | None
    problem: str = ""
    notes: Notes | None = None


def signature(path: Path) -> Signature | None:
    """What tells one state of a file from another; None while there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def load(path: Path) -> Loaded:
    """Read and compile. Never raises: an editor may be writing at this very moment."""
    now = signature(path)
    try:
        script = read(path)
    except InputError as error:
        return Loaded(now, Source(str(path), ""), (), None, str(error))
    if script.problem is not None:
        return Loaded(now, script.source, (script.problem,), None)
    compilation = compile_source(script.source)
    return Loaded(now, script.source, compilation.diagnostics, compilation.machine, "",
                  compilation.notes)  # fmt: skip


class Workshop:
    """See the module. `machine` is None only as long as nothing has compiled."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.machine: Machine | None = None
        self.notes: Notes | None = None
        self.source = Source(str(path), "")
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self.problem = ""
        self.good_text = ""
        self.seen = False
        self.version = 0
        self._signature: Signature | None = None
        self._glimpsed: Signature | None = None

    @property
    def broken(self) -> bool:
        """Whether the text as it is now does not compile."""
        return bool(self.problem) or has_errors(self.diagnostics)

    def stale(self) -> bool:
        """Whether the file was saved since it was last taken. It has to look the same twice: an
        editor may be in the middle of writing, or have moved the file away for a moment."""
        now = signature(self.path)
        settled, self._glimpsed = now == self._glimpsed, now
        return settled and now is not None and now != self._signature

    def take(self, loaded: Loaded) -> bool:
        """Hand over what was loaded; whether there is another Machine now."""
        self._signature, self.seen = loaded.signature, True
        self.version += 1
        self.problem = loaded.problem
        if loaded.problem:
            return False
        self.source, self.diagnostics = loaded.source, loaded.diagnostics
        if loaded.machine is None:
            return False
        other = self.differs(loaded.machine)
        self.machine, self.notes = loaded.machine, loaded.notes
        self.good_text = loaded.source.text
        return other

    def differs(self, machine: Machine) -> bool:
        """Whether this is another Machine than the present one."""
        before = self.machine
        return before is None or before.hash != machine.hash or _moved(before, machine)

    @property
    def texts(self) -> dict[str, str]:
        """The text that the present Machine was compiled from, by its name."""
        return {self.source.name: self.good_text}

    def counts(self) -> tuple[int, int]:
        """Errors and warnings of the text as it is now."""
        kinds = [item.severity for item in self.diagnostics]
        return kinds.count("error"), kinds.count("warning")


def _moved(before: Machine, after: Machine) -> bool:
    """Equal but written elsewhere: lines in panels have to follow."""
    return before.spans != after.spans


TONES = {"error": "bad", "warning": "warn", "note": "note"}


def diagnostic_rows(workshop: Workshop) -> list[Row]:
    """Every complaint with its line, errors first; choosing one goes to its line below."""
    if workshop.problem:
        return [row(("✗ ", "bad"), workshop.problem, indent=2)]
    if not workshop.diagnostics:
        return [row(("✓ compiles, nothing to complain of", "good"))]
    errors, warnings = workshop.counts()
    kept = "  the last good version keeps playing" if errors and workshop.machine else ""
    notes = len(workshop.diagnostics) - errors - warnings
    counted = ((errors, "error"), (warnings, "warning"), (notes, "note"))
    words = ", ".join(f"{many} {kind}{'s'[: many > 1]}" for many, kind in counted if many)
    shown = [row((words, "strong"), (kept, "muted"))]
    order = sorted(workshop.diagnostics, key=lambda item: item.severity != "error")
    for item in order:
        shown += _diagnostic(item)
    return shown


def _diagnostic(item: Diagnostic) -> list[Row]:
    source = item.span.source
    line, column = source.position(item.span.start)
    tone = TONES.get(item.severity, "note")
    sign = "✗" if item.severity == "error" else "!"
    shown = [
        BLANK,
        row(
            (f"{sign} {item.severity} ", tone),
            (f"line {line}:{column} ", "muted"),
            (f"[{item.id}]", "muted"),
            action="line",
            value=line,
        ),
        row("  " + item.message, indent=2),
    ]
    rendered = render_terminal([item]).split("\n")[1:]
    for text in rendered:
        if text.strip():
            hint = text.lstrip().startswith("= hint:")
            shown.append(row((text, "note" if hint else "muted"), indent=10))
    return shown


def source_rows(workshop: Workshop) -> list[Row]:
    """The script with line numbers; lines that a diagnostic points at are marked."""
    marked: dict[int, str] = {}
    for item in workshop.diagnostics:
        if item.span.source.name == workshop.source.name:
            line, _ = workshop.source.position(item.span.start)
            if marked.get(line) != "bad":
                marked[line] = TONES.get(item.severity, "note")
    shown: list[Row] = []
    for number, text in enumerate(workshop.source.text.split("\n"), 1):
        sign = ("▶", marked[number]) if number in marked else (" ", "")
        shown.append(
            row(sign, (f"{number:>5} │ ", "muted"), span(text), action="edit", value=number,
                indent=9)
        )  # fmt: skip
    return shown


def title_row(workshop: Workshop) -> Row:
    return heading(workshop.path.name, "e opens it in your editor; saving replays")
