"""`import_pddl`: a domain and a problem become a `.world` script that people can read.

In: two sources. Out: the script, and how the planner's steps are typed in it; or diagnostics
with the line of what cannot be taken. Never raises on any text.

    found = import_pddl(Source("domain.pddl", …), Source("problem.pddl", …))
    found.text, found.diagnostics, found.command("stack", ("a", "b"))
"""

from __future__ import annotations

from dataclasses import dataclass, field

from worldengine.diagnostics import Diagnostic, has_errors
from worldengine.importers.pddl.forms import verb
from worldengine.importers.pddl.model import Task
from worldengine.importers.pddl.reading import Refused
from worldengine.importers.pddl.script import Script, script
from worldengine.importers.pddl.sections import Sections
from worldengine.source import Source
from worldengine.syntax import format_document

TURNS = 100
"""Turns of an imported world, unless told otherwise: planning problems need many."""

__all__ = ["TURNS", "Imported", "import_pddl"]


@dataclass(frozen=True)
class Imported:
    """`text` is None exactly if a diagnostic is an error. `actions`, `objects` and `facts` give
    the script's names for PDDL's, `task` is the model between the two."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]
    task: Task | None = None
    actions: dict[str, str] = field(default_factory=dict)
    objects: dict[str, str] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    hyphens: bool = False

    def command(self, name: str, arguments: tuple[str, ...]) -> str:
        """What is typed for a step of a plan."""
        return " ".join([verb(name.lower(), self.hyphens), *(item.lower() for item in arguments)])


def import_pddl(domain: Source, problem: Source, turns: int = TURNS) -> Imported:
    """The script of a planning problem; see the module."""
    sections = Sections()
    task: Task | None = None
    made: Script | None = None
    hyphens = False
    try:
        sections.take(domain, "domain")
        sections.take(problem, "problem")
        task = sections.task()
        if not has_errors(tuple(sections.notes)):
            hyphens = _ambiguous(task)
            made = script(task, turns, hyphens)
    except Refused as refused:
        sections.notes.append(refused.diagnostic)
    notes = tuple(sections.notes)
    if made is None or has_errors(notes):
        return Imported(None, notes, task)
    text = format_document(made.document)
    return Imported(text, notes, task, made.actions, made.objects, made.facts, hyphens)


def _ambiguous(task: Task) -> bool:
    """Whether `move up` and `move {x}` could be the same words."""
    said = {verb(action.name, False) for action in task.actions}
    starts = {words.rsplit(" ", count)[0] for words in said for count in (1, 2) if " " in words}
    return bool(said & starts) or len(said) < len(task.actions)
