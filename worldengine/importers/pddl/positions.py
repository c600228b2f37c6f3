"""Which kind each argument of a fact has.

Planners do not look at the types of a predicate's arguments, so what is written elsewhere may
not fit them. Where it does not, the argument takes any object.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.importers.pddl import model as m
from worldengine.importers.pddl.kinds import Kinds

Use = tuple[str, tuple[str, ...], dict[str, tuple[str, ...]]]
"""A predicate or function, its terms, and the types of the variables in sight."""


def positions(task: m.Task, kinds: Kinds) -> dict[str, tuple[str, ...]]:
    wide: set[tuple[str, int]] = set()
    declared = {**task.predicates, **task.functions}
    for name, terms, sight in _uses(task):
        for index, (term, own) in enumerate(zip(terms, declared[name].parameters, strict=True)):
            if term.startswith("?"):
                fits = all(task.ancestors(type) & set(own.types) for type in sight[term])
            else:
                fits = task.is_of(term, own.types)
            if not fits:
                wide.add((name, index))
    return {
        name: tuple(
            kinds.of((m.ROOT,) if (name, index) in wide else item.types)
            for index, item in enumerate(entry.parameters)
        )
        for name, entry in declared.items()
    }


def _uses(task: m.Task) -> Iterator[Use]:
    for atom in task.init:
        yield atom.predicate, atom.terms, {}
    for fluent, _ in task.numbers:
        yield fluent.function, fluent.terms, {}
    yield from _of(task.goal, {})
    for axiom in task.axioms:
        sight = {item.name: item.types for item in axiom.head.parameters}
        yield axiom.head.name, tuple(sight), sight
        yield from _of(axiom.body, sight)
    for action in task.actions:
        sight = {item.name: item.types for item in action.parameters}
        yield from _of(action.precondition, sight)
        for change in action.changes:
            inner = {**sight, **{item.name: item.types for item in change.variables}}
            yield from _of(change.condition, inner)
            target = change.target
            name = target.predicate if isinstance(target, m.Atom) else target.function
            yield name, target.terms, inner
            if not isinstance(change.value, bool):
                yield from _numeric(change.value, inner)


def _of(formula: m.Formula, sight: dict[str, tuple[str, ...]]) -> Iterator[Use]:
    if isinstance(formula, m.Atom):
        yield formula.predicate, formula.terms, sight
    elif isinstance(formula, m.Negation):
        yield from _of(formula.item, sight)
    elif isinstance(formula, m.Conjunction | m.Disjunction):
        for item in formula.items:
            yield from _of(item, sight)
    elif isinstance(formula, m.Quantified):
        yield from _of(
            formula.body, {**sight, **{item.name: item.types for item in formula.variables}}
        )
    elif isinstance(formula, m.Comparison):
        yield from _numeric(formula.left, sight)
        yield from _numeric(formula.right, sight)


def _numeric(value: m.Numeric, sight: dict[str, tuple[str, ...]]) -> Iterator[Use]:
    if isinstance(value, m.Fluent):
        yield value.function, value.terms, sight
    elif isinstance(value, m.Sum):
        yield from _numeric(value.left, sight)
        yield from _numeric(value.right, sight)
