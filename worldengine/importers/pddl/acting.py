"""Actions of the model → actions of the script.

All changes of a PDDL action happen at once, and what is deleted and added is added. So the
deletions are written first, and wherever a change depends on the state, its condition and its
value are read with `prior`: as they were when the turn began.
"""

from __future__ import annotations

from worldengine.importers.pddl import model as m
from worldengine.importers.pddl.conditions import (
    Sight,
    Vocabulary,
    expression,
    fact,
    number,
)
from worldengine.importers.pddl.forms import forms
from worldengine.importers.pddl.kinds import conjuncts
from worldengine.importers.pddl.wording import (
    Parts,
    about_place,
    fluent,
    literal,
    phrase,
    sentence,
)
from worldengine.syntax import ast

MAX_SAID = 4
"""Sentences with which an action answers."""


def action(item: m.Action, name: str, words: Vocabulary, hyphens: bool) -> ast.Action:
    sight = Sight.empty(words)
    parameters: list[ast.Parameter] = []
    shown: list[tuple[str, str, str]] = []
    implied: set[m.Formula] = set()
    for own in item.parameters:
        sight, made = sight.bind(own.name)
        kind, sort = words.kinds.of_parameter(own, item.precondition)
        if sort is not None:
            implied.add(m.Atom(sort, (own.name,)))
        parameters.append(ast.Parameter(made, ast.NamedType(ast.Name(kind), False), None))
        shown.append((made.text, own.name, kind))
    parts: list[ast.ActionPart] = [ast.Form(form) for form in forms(item.name, shown, hyphens)]
    parts += [_require(part, sight) for part in conjuncts(item.precondition) if part not in implied]
    changes = words.numbers.changes_of(item)
    parts += _changes(changes, sight)
    said = _said(changes, sight)
    if said:
        parts.append(ast.Say(ast.Text(said)))
    return ast.Action(ast.Name(name), tuple(parameters), tuple(parts))


def _require(part: m.Formula, sight: Sight) -> ast.Require:
    told = sentence(phrase(part, sight.said, holds=False))
    refusal = "place" if about_place(part) else "logic"
    return ast.Require(expression(part, sight), refusal, ast.Text(told))


# --- effects --------------------------------------------------------------------------------


def _changes(changes: tuple[m.Change, ...], sight: Sight) -> list[ast.Statement]:
    deleted = [item for item in changes if item.value is False]
    numeric = [item for item in changes if isinstance(item.target, m.Fluent)]
    added = [item for item in changes if item.value is True]
    found: list[ast.Statement] = []
    for group in (deleted, numeric, added):
        waiting: list[m.Change] = []
        for change in group:
            if waiting and (waiting[0].variables, waiting[0].condition) != (
                change.variables,
                change.condition,
            ):
                found += _together(waiting, sight)
                waiting = []
            waiting.append(change)
        if waiting:
            found += _together(waiting, sight)
    return found


def _together(group: list[m.Change], sight: Sight) -> list[ast.Statement]:
    """Changes under one condition and over the same variables."""
    return list(_over(group[0].variables, group, sight))


def _over(
    variables: tuple[m.Typed, ...], group: list[m.Change], sight: Sight
) -> tuple[ast.Statement, ...]:
    """The loops for `forall`; the condition stands in the innermost."""
    if variables:
        first, *rest = variables
        inner, name = sight.bind(first.name)
        kind = ast.Name(sight.words.kinds.of(first.types))
        if not rest and group[0].conditional:
            where = _prior(expression(group[0].condition, inner))
            return (ast.Each(name, kind, where, tuple(_set(item, inner) for item in group)),)
        return (ast.Each(name, kind, None, _over(tuple(rest), group, inner)),)
    body = tuple(_set(item, sight) for item in group)
    if not group[0].conditional:
        return body
    condition = _prior(expression(group[0].condition, sight))
    return (ast.If((ast.Branch(condition, body),), None),)


def _prior(condition: ast.Expr) -> ast.Expr:
    return ast.Call(ast.Name("prior"), (condition,))


def _set(change: m.Change, sight: Sight) -> ast.Statement:
    if isinstance(change.target, m.Atom):
        target = fact(sight.words.facts[change.target.predicate], change.target.terms, sight)
        return ast.Set(target, "=", ast.Boolean(change.value is True))
    assert not isinstance(change.value, bool)
    target = fact(sight.words.functions[change.target.function], change.target.terms, sight)
    value = number(change.value, sight)
    if not isinstance(value, ast.Number):
        value = _prior(value)
    return ast.Set(target, change.op, value)


def _said(changes: tuple[m.Change, ...], sight: Sight) -> Parts:
    """What is true now; for an action that only takes away, what is not."""
    plain = [item for item in changes if item.condition == m.TRUE and not item.variables]
    told = [item for item in plain if item.value is not False] or plain
    found: list[ast.Part] = []
    for change in told[:MAX_SAID]:
        if found:
            found.append(ast.Literal(" "))
        found += sentence(_outcome(change, sight))
    return _merged(found)


def _outcome(change: m.Change, sight: Sight) -> Parts:
    if isinstance(change.target, m.Atom):
        return phrase(change.target, sight.said, holds=change.value is True)
    name = sight.words.functions[change.target.function]
    now = ast.Insert("", fact(name, change.target.terms, sight))
    return (*fluent(change.target, sight.said), *literal(" is "), now)


def _merged(parts: list[ast.Part]) -> Parts:
    merged: list[ast.Part] = []
    for part in parts:
        if isinstance(part, ast.Literal) and merged and isinstance(merged[-1], ast.Literal):
            merged[-1] = ast.Literal(merged[-1].value + part.value)
        else:
            merged.append(part)
    return tuple(merged)
