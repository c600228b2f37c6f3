"""`compile_source`: the passes in order; whatever an author got wrong is a diagnostic."""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.compiler.assemble import assemble
from worldengine.compiler.beginning import check_beginning
from worldengine.compiler.budget import OverBudget
from worldengine.compiler.clash import check_forms
from worldengine.compiler.collect import collect
from worldengine.compiler.ground import Ground
from worldengine.compiler.holes import check_holes
from worldengine.compiler.library import used_library
from worldengine.compiler.lint import lint
from worldengine.compiler.namesakes import check_names
from worldengine.compiler.notes import Notes
from worldengine.compiler.reporter import Reporter
from worldengine.compiler.resolve import resolve
from worldengine.compiler.resolved import Resolved
from worldengine.compiler.tables import Tables
from worldengine.diagnostics import Diagnostic, has_errors, render_terminal
from worldengine.machine.schema import Machine
from worldengine.source import Source, Span
from worldengine.syntax import ast, parse


@dataclass(frozen=True, slots=True)
class Compilation:
    """`machine` is None exactly if a diagnostic is an error; `notes` tell where its steps were
    written."""

    machine: Machine | None
    diagnostics: tuple[Diagnostic, ...]
    document: ast.Document | None
    notes: Notes | None = None

    @property
    def counts(self) -> dict[str, int]:
        """Sizes for the command line; empty without a machine."""
        machine = self.machine
        if machine is None:
            return {}
        kinds = [rule.kind for rule in machine.rules]
        return {
            "places": sum(item.role == "place" for item in machine.objects),
            "objects": sum(
                item.role not in ("place", "exit", "player") for item in machine.objects
            ),
            "actions": len(machine.schemas),
            "operators": len(machine.operators),
            "rules": kinds.count("rule"),
            "milestones": kinds.count("milestone"),
        }


class CompileError(ValueError):
    """The script does not compile; `diagnostics` says why."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...], before: str = "") -> None:
        super().__init__(before + render_terminal(diagnostics))
        self.diagnostics = diagnostics


def compile(text: str, name: str = "<text>") -> Machine:
    """The Machine of a script, from its text; CompileError where it has mistakes. By the name of a
    file or of a shipped world: `worldengine.load`."""
    if not isinstance(text, str):
        raise TypeError(f"compile takes the text of a script, not {type(text).__name__}")
    result = compile_source(Source(name, text))
    if result.machine is None:
        raise CompileError(result.diagnostics, _no_script(text))
    return result.machine


def _no_script(text: str) -> str:
    """What to say first where a name was given in place of a script."""
    if len(text) > 200 or not text.strip() or len(text.split()) > 1:
        return ""
    return (
        f"compile takes the text of a script, and {text!r} looks like a name:"
        f" worldengine.load({text!r}) takes names and paths\n"
    )


def compile_source(source: Source) -> Compilation:
    """Machine and diagnostics of a script. Never raises on any text."""
    document, found = parse(source)
    if document is None:
        return Compilation(None, found, None)
    reporter = Reporter()
    tables = Tables(reporter)
    library = used_library(document, reporter)
    collect(tables, document, library)
    if any(item.id == "budget-objects" for item in reporter.diagnostics):
        return Compilation(None, found + reporter.diagnostics, document)
    world = resolve(tables, document, library)
    if reporter.failed:
        return Compilation(None, found + _ordered(reporter), document)
    lint(world, document, reporter)
    check_holes(document, reporter)
    machine, notes = _machine(tables, world, document, reporter)
    if machine is not None:
        check_forms(machine, document, reporter)
        check_names(machine, tables, reporter)
    diagnostics = found + _ordered(reporter)
    if has_errors(diagnostics):
        return Compilation(None, diagnostics, document)
    return Compilation(machine, diagnostics, document, notes)


def _machine(
    tables: Tables, world: Resolved, document: ast.Document, reporter: Reporter
) -> tuple[Machine, Notes] | tuple[None, None]:
    try:
        ground = Ground(tables, world)
        check_beginning(world, ground.initial, reporter)
        return assemble(ground)
    except OverBudget as problem:
        span = problem.span or _header_span(document)
        reporter.error(problem.id, span, str(problem), problem.hint)
    return None, None


def _header_span(document: ast.Document) -> Span:
    return document.header.name.span if document.header else document.span


def _ordered(reporter: Reporter) -> tuple[Diagnostic, ...]:
    """In the order of the text; what the library stumbles over only because the script is
    wrong is left out."""
    own = [item for item in reporter.diagnostics if not _in_library(item)]
    shown = own if any(item.severity == "error" for item in own) else reporter.diagnostics
    return tuple(sorted(shown, key=lambda item: (item.span.source.name, item.span.start)))


def _in_library(item: Diagnostic) -> bool:
    return item.span.source.name.startswith("library/")
