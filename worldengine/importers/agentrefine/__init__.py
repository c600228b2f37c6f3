"""`import_agentrefine`: a JSON script becomes a `.world` skeleton with explicit holes.

In: a source. Out: a script that compiles, in which every `// HOLE` says what the JSON could
not: what actions need and change, how places connect, when a condition is met. The compiler
repeats each hole as a warning with its line. Never raises on any text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from worldengine.diagnostics import Diagnostic
from worldengine.importers.agentrefine.deeds import Deeds
from worldengine.importers.agentrefine.places import Surroundings, surroundings
from worldengine.importers.agentrefine.reading import NotAScript, Script, read
from worldengine.importers.naming import TAKEN, Space
from worldengine.importers.pddl import import_pddl
from worldengine.source import Source
from worldengine.syntax import ast, format_document

__all__ = ["Skeleton", "import_agentrefine"]

TURNS = 30
MAX_CONDITIONS = 20


@dataclass(frozen=True)
class Skeleton:
    """`text` is None exactly if a diagnostic is an error."""

    text: str | None
    diagnostics: tuple[Diagnostic, ...]


def import_agentrefine(source: Source, name: str = "imported") -> Skeleton:
    """The skeleton of a script; see the module."""
    planned = _planning(source)
    if planned is not None:
        return planned
    try:
        script = read(source)
    except NotAScript as problem:
        return Skeleton(None, (problem.diagnostic,))
    return Skeleton(_Writer(script, name).text(), ())


def _planning(source: Source) -> Skeleton | None:
    """Some JSON only wraps PDDL: a domain and its problems. The first problem is taken."""
    try:
        value = json.loads(source.text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not isinstance(value.get("domain"), str):
        return None
    problems = value.get("problems")
    if not isinstance(problems, list) or not problems or not isinstance(problems[0], str):
        return None
    found = import_pddl(Source("domain", value["domain"]), Source("problem", problems[0]))
    return Skeleton(found.text, found.diagnostics)


class _Writer:
    def __init__(self, script: Script, name: str) -> None:
        self.script = script
        self.around: Surroundings = surroundings(script.environment)
        self.name = Space(TAKEN, "{}_world").name(name)
        self.units: list[str] = []

    def text(self) -> str:
        script, around = self.script, self.around
        self._header()
        self._items([*around.places])
        if len(around.places) > 1:
            self._hole("say with `exit DIRECTION to PLACE` how the places connect")
        self._items([*around.things])
        self._items([ast.Player(None, ast.Name(around.home), tuple(around.player))])
        carried = tuple(
            ast.Set(ast.Attr(ast.Ref(item), ast.Name("in")), "=", ast.Ref("player"))
            for item in around.carried
        )
        if carried:
            self._items([ast.Start(carried)])
        deeds = Deeds(around)
        for deed in script.deeds:
            action = deeds.action(deed)
            if action is not None:
                for hole in deeds.holes:
                    self._hole(hole)
                self._items([action])
        self._conditions()
        return "\n".join(self.units)

    def _hole(self, words: str) -> None:
        self.units.append("// HOLE: " + " ".join(words.split()))

    def _items(self, items: list[ast.Item]) -> None:
        if items:
            self.units.append(format_document(ast.Document(None, tuple(items))))

    def _header(self) -> None:
        goal = self.script.goal or "Reach the goal."
        if not self.script.goal:
            self._hole("say in `goal` what the player is after")
        header = ast.Header(
            ast.Name(self.name),
            self.name.replace("_", " ").capitalize(),
            None,
            None,
            ast.Text((ast.Literal(" ".join(goal.split())),)),
            TURNS,
            None,
        )
        self.units.append(format_document(ast.Document(header, ())))

    def _conditions(self) -> None:
        """A fact for each completion condition; all of them win."""
        told = self.script.conditions[:MAX_CONDITIONS] or (self.script.goal or "The goal",)
        space = Space({*TAKEN, *self.around.names.values()}, "{}_met")
        names = [space.name(f"condition_{index}") for index, _ in enumerate(told, 1)]
        for name, words in zip(names, told, strict=True):
            self._hole(f"set `{name}`, or write its condition in its place, when: {words}")
            self._items([ast.Fact(ast.Name(name), (), None, None)])
        shown = [" ".join(words.split())[:100] for words in told]
        items: list[ast.Item] = [
            ast.Milestone(ast.Name(f"met_{index}"), words, ast.Ref(name))
            for index, (name, words) in enumerate(zip(names, shown, strict=True), 1)
        ]
        every = tuple(ast.Ref(name) for name in names)
        met: ast.Expr = every[0] if len(every) == 1 else ast.And(every)
        said = ast.Text((ast.Literal("The goal is reached."),))
        self._items([*items, ast.Ending("win", met, said)])
