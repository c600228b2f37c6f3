"""Types → kinds. In untyped domains, unary predicates that never change are the types.

Every object gets exactly one kind: that of its type, or one made for the types it has
together. `either` becomes a kind above its alternatives. Kinds are no `thing`s: objects are
never hidden, carried or put anywhere, so nothing of the language's own physics touches them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from worldengine.importers.naming import TAKEN_KINDS, Space, article, identifier
from worldengine.importers.pddl.model import (
    ROOT,
    Atom,
    Conjunction,
    Formula,
    Quantified,
    Task,
    Typed,
)
from worldengine.syntax import ast


class Kinds:
    """`of(types)` names the kind for a parameter, making it where it is missing."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._space = Space((), "{}_kind")
        self.names: dict[str, str] = {}
        self.parents: dict[str, list[str]] = {}
        self._unions: dict[tuple[str, ...], str] = {}
        self.sorts = _sorts(task)
        self.extents = {
            name: frozenset(a.terms[0] for a in task.init if a.predicate == name)
            for name in self.sorts
        }
        for name in task.types:
            if name != ROOT or self._needs_root():
                self.names[name] = self._named(name)
        for name, made in self.names.items():
            above = [self.names[up] for up in task.types[name] if up in self.names]
            self.parents[made] = above
        self.sort_kinds = {name: self._named(name) for name in self.sorts}
        for made in self.sort_kinds.values():
            self.parents[made] = [self.of((ROOT,))]
        self.kind_of = {name: self._own(name) for name in task.objects}

    def _needs_root(self) -> bool:
        return True

    def _named(self, name: str) -> str:
        made = identifier(name)
        return self._space.name(article(made) if made in TAKEN_KINDS else made)

    def _own(self, name: str) -> str:
        types = [t for t in self.task.objects[name] if t in self.names]
        sorts = [self.sort_kinds[s] for s in self.sorts if name in self.extents[s]]
        own = [self.names[t] for t in types if t != ROOT or not sorts] + sorts
        if len(own) == 1:
            return own[0]
        joined = tuple(own)
        if joined not in self._unions:
            made = self._space.name("_and_".join(own))
            self.parents[made] = list(own)
            self._unions[joined] = made
        return self._unions[joined]

    def of(self, types: tuple[str, ...]) -> str:
        """The kind of a parameter or variable of these types."""
        for name in types:
            if name not in self.names:
                self.names[name] = self._named(name)
                self.parents[self.names[name]] = [self.names[ROOT]]
        if len(types) == 1:
            return self.names[types[0]]
        key = ("either", *types)
        if key not in self._unions:
            made = self._space.name("_or_".join(self.names[name] for name in types))
            self._unions[key] = made
            self.parents[made] = [self.names[ROOT]]
            for name in types:
                self.parents[self.names[name]].append(made)
        return self._unions[key]

    def of_parameter(self, parameter: Typed, condition: Formula) -> tuple[str, str | None]:
        """Its kind, and the sort among the conditions that says so (or None)."""
        if parameter.types == (ROOT,):
            found = [
                item.predicate
                for item in conjuncts(condition)
                if isinstance(item, Atom)
                and item.predicate in self.sorts
                and item.terms == (parameter.name,)
            ]
            if found:
                best = min(found, key=lambda name: len(self.extents[name]))
                return self.sort_kinds[best], best
        return self.of(parameter.types), None

    def members(self, kind: str) -> tuple[str, ...]:
        """Objects of a kind and those below it."""
        below = {kind}
        grown = True
        while grown:
            more = {name for name, up in self.parents.items() if below & set(up)} - below
            below |= more
            grown = bool(more)
        return tuple(name for name, own in self.kind_of.items() if own in below)

    def items(self) -> list[ast.Item]:
        """The kinds in use, those above first."""
        used: set[str] = set()
        return [
            ast.Kind(
                ast.Name(name), tuple(ast.Name(up) for up in dict.fromkeys(self.parents[name])), ()
            )
            for name in self._ordered(used)
        ]

    def _ordered(self, seen: set[str]) -> Iterator[str]:
        waiting = list(self.parents)
        while waiting:
            ready = [name for name in waiting if all(up in seen for up in self.parents[name])]
            assert ready, "types in a circle were refused"
            for name in ready:
                seen.add(name)
                yield name
            waiting = [name for name in waiting if name not in seen]


def conjuncts(condition: Formula) -> Iterable[Formula]:
    return condition.items if isinstance(condition, Conjunction) else (condition,)


def _sorts(task: Task) -> tuple[str, ...]:
    """Unary predicates that no action changes and some action asks of an untyped parameter."""
    changed = {
        change.target.predicate
        for action in task.actions
        for change in action.changes
        if isinstance(change.target, Atom)
    }
    derived = {axiom.head.name for axiom in task.axioms}
    asked: dict[str, None] = {}
    for action in task.actions:
        untyped = {item.name for item in action.parameters if item.types == (ROOT,)}
        for item in conjuncts(action.precondition):
            if isinstance(item, Atom) and len(item.terms) == 1 and item.terms[0] in untyped:
                asked[item.predicate] = None
    return tuple(name for name in asked if name not in changed and name not in derived)


def variables_of(node: Formula) -> Iterator[Typed]:
    """Every variable that a quantifier in the formula binds."""
    if isinstance(node, Quantified):
        yield from node.variables
        yield from variables_of(node.body)
    for item in getattr(node, "items", ()):
        yield from variables_of(item)
    inner = getattr(node, "item", None)
    if inner is not None:
        yield from variables_of(inner)
