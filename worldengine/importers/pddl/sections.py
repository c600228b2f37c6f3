"""A domain and a problem → one `Task`; names are looked up over both together.

The order of sections means nothing. Tolerated: constants repeated as objects, a type used
without being declared, `:requirements` that say too much or too little, a domain written
twice (the first counts). Refused by name, with the line: sections that bring time, chance,
knowledge or preferences, and types in a circle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from worldengine.diagnostics import Diagnostic
from worldengine.importers.pddl.actions import action, axiom
from worldengine.importers.pddl.beginning import beginning
from worldengine.importers.pddl.formulas import Scope, beyond, formula
from worldengine.importers.pddl.lists import signature, typed
from worldengine.importers.pddl.model import (
    ROOT,
    TRUE,
    Action,
    Axiom,
    Formula,
    Predicate,
    Task,
    Typed,
)
from worldengine.importers.pddl.reading import Item, Listed, Refused, Word, read, warning
from worldengine.source import Source, Span

SECTIONS = {
    ":requirements", ":types", ":constants", ":predicates", ":functions", ":action", ":derived",
    ":timeless", ":domain", ":objects", ":init", ":goal", ":metric", ":length", ":situation",
}  # fmt: skip
BEYOND = {
    ":durative-action": "time",
    ":process": "continuous change",
    ":event": "continuous change",
    ":constraints": "constraints over time",
    ":axiom": "axioms in the style of PDDL 1.2 (write `:derived`)",
    ":safety": "safety constraints",
    ":observable": "partial sight",
    ":hidden": "hidden facts",
    ":sensor": "sensing",
    ":task": "task networks",
    ":method": "task networks",
    ":htn": "task networks",
    ":goal-reward": "probabilities",
}
FLAGS = {
    ":strips", ":typing", ":equality", ":negative-preconditions", ":disjunctive-preconditions",
    ":existential-preconditions", ":universal-preconditions", ":quantified-preconditions",
    ":conditional-effects", ":adl", ":derived-predicates", ":fluents", ":numeric-fluents",
    ":action-costs",
}  # fmt: skip


class Sections:
    """Collects what can be collected and every complaint, so that all come in one run."""

    def __init__(self) -> None:
        self.notes: list[Diagnostic] = []
        self.lists: dict[str, list[Listed]] = {}
        self.names = {"domain": "domain", "problem": "problem"}

    def attempt(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Refused as refused:
            self.notes.append(refused.diagnostic)

    # -- the two files ------------------------------------------------------------------

    def take(self, source: Source, what: str) -> None:
        items, notes = read(source)
        self.notes += notes
        defined = [
            item
            for item in items
            if isinstance(item, Listed) and item.head == "define" and _defines(item) == what
        ]
        if not defined:
            raise Refused(
                "pddl-define",
                _first(items, source),
                f"there is no `(define ({what} …) …)` in this file",
            )
        if len(defined) > 1:
            self.notes.append(
                warning(
                    "pddl-twice", defined[1].span, f"a second {what} in one file: the first counts"
                )
            )
        head = defined[0].items[1]
        if isinstance(head, Listed) and len(head.items) > 1 and isinstance(head.items[1], Word):
            self.names[what] = head.items[1].text
        for item in defined[0].items[2:]:
            self.attempt(lambda item=item: self._section(item))  # type: ignore[misc]

    def _section(self, item: Item) -> None:
        name = item.head if isinstance(item, Listed) else item.text
        if name in BEYOND:
            raise beyond(item, BEYOND[name])
        if name not in SECTIONS or isinstance(item, Word):
            raise Refused("pddl-section", item.span, f"`{name}` is no section that is known here")
        self.lists.setdefault(name, []).append(item)
        if name == ":requirements":
            for flag in item.items[1:]:
                if isinstance(flag, Word) and flag.text not in FLAGS:
                    self.notes.append(
                        warning(
                            "pddl-requirement",
                            flag.span,
                            f"the requirement `{flag.text}` is not known here; "
                            "what is written counts, not what is announced",
                        )
                    )

    def _parts(self, *names: str) -> tuple[Item, ...]:
        return tuple(
            part for name in names for item in self.lists.get(name, []) for part in item.items[1:]
        )

    # -- the task ------------------------------------------------------------------------

    def task(self) -> Task:
        types = self._types(typed(self._parts(":types"), "types"))
        objects = self._objects(types)
        predicates = self._signatures(":predicates", "predicate")
        functions = self._functions()
        for entry in (*predicates.values(), *functions.values()):
            self._known_types(types, entry.parameters)
        scope = Scope(predicates, functions, objects, "the goal", {})
        self._derived_heads(predicates)
        actions: list[Action] = []
        axioms: list[Axiom] = []
        for item in self.lists.get(":action", []):
            self.attempt(lambda item=item: actions.append(action(item, scope)))  # type: ignore[misc]
        for item in self.lists.get(":derived", []):
            self.attempt(lambda item=item: axioms.append(axiom(item, scope)))  # type: ignore[misc]
        for made in actions:
            self._known_types(types, made.parameters)
        actions = self._twice(actions)
        init, numbers = beginning(self._parts(":timeless", ":init"), scope, self.notes)
        goal: Formula = TRUE
        for part in self._parts(":goal"):
            try:
                goal = formula(part, scope)
            except Refused as refused:
                self.notes.append(refused.diagnostic)
        return Task(
            self.names["domain"],
            self.names["problem"],
            types,
            objects,
            predicates,
            functions,
            tuple(axioms),
            tuple(actions),
            init,
            numbers,
            goal,
        )

    def _types(self, found: list[Typed]) -> dict[str, tuple[str, ...]]:
        types: dict[str, tuple[str, ...]] = {ROOT: ()}
        for item in found:
            if item.name == ROOT:
                continue
            known = [name for name in types.get(item.name, ()) if name != ROOT]
            wanted = [name for name in item.types if name not in known and name != ROOT]
            types[item.name] = (*known, *wanted) or (ROOT,)
        for item in found:
            for name in item.types:
                types.setdefault(name, (ROOT,))
        for item in found:
            if _circular(types, item.name):
                raise Refused(
                    "pddl-types-circle",
                    item.span,
                    f"the type `{item.name}` is, around a circle, a kind of itself",
                    "take one of the circle's parents away",
                )
        return types

    def _known_types(self, types: dict[str, tuple[str, ...]], found: Iterable[Typed]) -> None:
        for item in found:
            for name in item.types:
                if name not in types:
                    types[name] = (ROOT,)
                    self.notes.append(
                        warning(
                            "pddl-type-undeclared",
                            item.span,
                            f"the type `{name}` is used and nowhere declared; "
                            "it is taken as a type of its own",
                        )
                    )

    def _objects(self, types: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        found = typed(self._parts(":constants"), "constants")
        found += typed(self._parts(":objects"), "objects")
        self._known_types(types, found)
        objects: dict[str, tuple[str, ...]] = {}
        for item in found:
            known = [name for name in objects.get(item.name, ()) if name != ROOT]
            wanted = [name for name in item.types if name not in known and name != ROOT]
            objects[item.name] = (*known, *wanted) or (ROOT,)
        return objects

    def _signatures(self, section: str, what: str) -> dict[str, Predicate]:
        found: dict[str, Predicate] = {}
        for item in self._parts(section):

            def take(item: Item = item) -> None:
                made = signature(item, what)
                if made.name == "=" or made.name in found:
                    return
                found[made.name] = made

            self.attempt(take)
        return found

    def _functions(self) -> dict[str, Predicate]:
        """`(f ?x) (g) - number`; a function that gives an object is out of reach."""
        parts = self._parts(":functions")
        found: dict[str, Predicate] = {}
        for index, item in enumerate(parts):
            if isinstance(item, Word):
                before = parts[index - 1] if index else item
                if isinstance(before, Word) and before.text == "-" and item.text != "number":
                    raise beyond(item, "functions whose values are objects")
                continue
            made = signature(item, "function")
            found.setdefault(made.name, made)
        return found

    def _derived_heads(self, predicates: dict[str, Predicate]) -> None:
        """A derived predicate need not be declared besides."""
        for item in self.lists.get(":derived", []):
            if len(item.items) > 1 and isinstance(item.items[1], Listed):
                self.attempt(
                    lambda item=item: _declare(predicates, item.items[1])  # type: ignore[misc]
                )

    def _twice(self, actions: list[Action]) -> list[Action]:
        """Planners take two actions of one name; the second is given another."""
        seen: set[str] = set()
        found: list[Action] = []
        for item in actions:
            name, number = item.name, 2
            while name in seen:
                name, number = f"{item.name}-{number}", number + 1
            if name != item.name:
                words = f"there are two actions `{item.name}`; this one is called `{name}` here"
                self.notes.append(warning("pddl-action-twice", item.span, words))
            seen.add(name)
            found.append(replace(item, name=name))
        return found


def _declare(predicates: dict[str, Predicate], item: Item) -> None:
    made = signature(item, "derived predicate")
    predicates.setdefault(made.name, made)


def _defines(item: Listed) -> str:
    return item.items[1].head if len(item.items) > 1 and isinstance(item.items[1], Listed) else ""


def _first(items: tuple[Item, ...], source: Source) -> Span:
    return items[0].span if items else Span(source, 0, 0)


def _circular(types: dict[str, tuple[str, ...]], name: str) -> bool:
    seen: set[str] = set()
    waiting = list(types.get(name, ()))
    while waiting:
        above = waiting.pop()
        if above == name:
            return True
        if above not in seen:
            seen.add(above)
            waiting += types.get(above, ())
    return False
