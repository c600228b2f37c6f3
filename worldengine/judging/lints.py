"""What prose and rules say of each other, by names: lints of the whole world.

In: a script, its Machine, the plans that are known. Out: diagnostics, each a note or warning:

goal-not-asked     the goal names a thing that `win` has nothing to do with
win-not-told       `win` names a thing that goal, intro and milestones never speak of
describe-never     a description whose condition never holds
action-not-needed  an own action that no plan uses and that changes nothing `win` asks for
world-too-easy, world-too-long      the length of the plan

and those of `firsts` (reached at once) and of `prose` (texts that cannot stay true).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from worldengine.compiler import compile_source
from worldengine.compiler.order import walk
from worldengine.diagnostics import Diagnostic
from worldengine.judging.firsts import first_lints
from worldengine.judging.prose import prose_lints
from worldengine.machine.schema import Machine, Object
from worldengine.modelcheck.reductions.cone import cone_of
from worldengine.modelcheck.telling.lint import lint
from worldengine.modelcheck.wording.places import location_of, span_of
from worldengine.proof import won_within
from worldengine.runtime import runtime_of
from worldengine.source import Source, Span
from worldengine.syntax import ast

EASY: Final = 3
"""Commands up to which a world is hardly one."""
LONG: Final = 60
STARTS: Final = 4
"""Starts from which a short win is looked for."""
_NEVER: Final = "milestone-unreachable"
_ACTING: Final = (ast.Derive, ast.Action, ast.Hook, ast.Rule)
Plans = Sequence[tuple[str, ...]]


def says_lints(
    document: ast.Document, machine: Machine, source: Source, plans: Plans
) -> list[Diagnostic]:
    """All of them, in the order of the text. `plans` win, one a variant as far as known."""
    found = [
        *_goal(document, machine, source),
        *_dead_prose(document, source),
        *_needless(machine, source, plans),
        *_length(machine, source, plans),
        *first_lints(machine, source),
        *prose_lints(document, machine),
    ]
    return sorted(found, key=lambda item: (item.span.start, item.id))


# -- goal and win ----------------------------------------------------------------------


def _goal(document: ast.Document, machine: Machine, source: Source) -> Iterator[Diagnostic]:
    wins = [i for i in document.items if isinstance(i, ast.Ending) and i.which == "win"]
    if document.header is None or not wins:
        return
    asked = _asked_for(document, machine, [win.when for win in wins])
    direct = _named(machine, [win.when for win in wins])
    for item in _spoken(machine, machine.goal):
        if item.id not in asked:
            yield Diagnostic(
                "goal-not-asked",
                "warning",
                f"the goal speaks of {item.name}, but `win` has nothing to do with it",
                _goal_span(document, source),
                "let `win` ask for it, or leave it out of the goal",
            )
    prose = [machine.goal, machine.intro, *(r.title for r in machine.rules)]
    told = {item.id for text in prose for item in _spoken(machine, text)}
    for name in sorted(direct - told):
        yield Diagnostic(
            "win-not-told",
            "note",
            f"`win` asks for {name}, which goal, intro and milestones never speak of",
            wins[0].span,
            "say it in the goal, or let something in the world tell it",
        )


def _spoken(machine: Machine, text: str) -> list[Object]:
    """The objects that a text calls by name, the player and exits left out."""
    said = f" {_words(text)} "
    return [
        item
        for item in machine.objects
        if item.role in ("place", "thing", "person", "door")
        and any(f" {_words(name)} " in said for name in (item.name, *item.aka) if _words(name))
    ]


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _named(machine: Machine, conditions: Sequence[ast.Expr]) -> set[str]:
    """Objects that conditions name outright; places and the player are not what is asked."""
    roles = {item.id: item.role for item in machine.objects}
    refs = {node.name for node in walk(tuple(conditions)) if isinstance(node, ast.Ref)}
    return {name for name in refs if roles.get(name) in ("thing", "person", "door")}


def _asked_for(
    document: ast.Document, machine: Machine, conditions: Sequence[ast.Expr]
) -> set[str]:
    """Objects that have a say in winning: by name or kind in `win` or in what the script
    does, or with a variable that decides it."""
    cone = set(cone_of(machine).variables)
    found: set[str] = set()
    for index, variable in enumerate(machine.variables):
        if index in cone:
            found.update(re.findall(r"[a-z_][a-z0-9_]*", variable.name))
    bodies: list[ast.Node] = list(conditions)
    bodies += [item for item in document.items if isinstance(item, _ACTING)]
    for node in walk(tuple(bodies)):
        if isinstance(node, ast.Ref):
            found.add(node.name)
        elif isinstance(node, ast.NamedType):  # a hook on one object
            found.add(node.name.text)
        elif isinstance(node, ast.Require) and node.text is not None:
            found |= {item.id for item in _spoken(machine, node.text.plain or "")}
        elif isinstance(node, ast.Quantifier | ast.Fold):
            found |= {o.id for o in machine.objects if node.kind.text in (o.kind, *o.kinds)}
    places = {item.id for item in machine.objects if item.role == "place"}
    return found | places


def _goal_span(document: ast.Document, source: Source) -> Span:
    header = document.header
    assert header is not None
    goal = header.goal
    return goal.span if goal is not None else header.span


# -- prose, actions, length ------------------------------------------------------------


def _dead_prose(document: ast.Document, source: Source) -> Iterator[Diagnostic]:
    """Descriptions that never show. Each condition is made a milestone of a copy of the
    world; the prover says which of those can never be reached."""
    described = [
        field
        for item in document.items
        if isinstance(item, ast.Object | ast.Player)
        for field in item.fields
        if isinstance(field, ast.Describe) and field.when is not None
        if not any(isinstance(node, ast.Ref) and node.name == "this" for node in walk(field.when))
    ]
    if not described:
        return
    added = "".join(
        f'\nmilestone seen_{number}_ "{number}" when {_text(source, field.when)}'
        for number, field in enumerate(described)
    )
    copy = Source(source.name, source.text + added)
    machine = compile_source(copy).machine
    if machine is None:
        return
    never = {item.span.start for item in lint(machine, copy) if item.id == _NEVER}
    constant = {rule.name for rule in machine.rules if not any(s.assigns for s in rule.program)}
    starts = [m.start() for m in re.finditer(r"^milestone seen_\d+_ ", copy.text, re.MULTILINE)]
    placed = zip(starts[-len(described) :], described, strict=True)
    for number, (start, field) in enumerate(placed):
        if start in never or f"seen_{number}_" in constant:
            yield Diagnostic(
                "describe-never",
                "warning",
                "this text is never shown: its condition never holds in any play",
                field.span,
                "change the condition, or take the line away",
            )


def _text(source: Source, node: ast.Node | None) -> str:
    return source.text[node.span.start : node.span.end] if node is not None else "true"


def _needless(machine: Machine, source: Source, plans: Plans) -> Iterator[Diagnostic]:
    if not plans:
        return
    used = {schema for plan in plans for schema in _schemas(machine, plan)}
    used |= {schema for proof in machine.proofs for schema in _schemas(machine, proof)}
    useful = {machine.operators[index].schema for index in cone_of(machine).operators}
    for index, schema in enumerate(machine.schemas):
        if schema.own and index not in used and index not in useful:
            location = location_of(machine, schema.span)
            if location is None or location.file != source.name:
                continue
            yield Diagnostic(
                "action-not-needed",
                "note",
                f"`{schema.name}` is in no plan and changes nothing that `win` asks for",
                span_of(machine, schema.span, source),
                "fine for a distraction; else let something depend on it",
            )


def _schemas(machine: Machine, plan: Sequence[str]) -> Iterator[int]:
    runtime = runtime_of(machine)
    for variant in range(min(len(machine.variants), 4)):
        state, status = machine.start(variant), "running"
        for command in plan:
            if status != "running":
                break
            turn = runtime.step(state, command)
            state, status = turn.state, turn.status
            if turn.accepted:
                yield machine.operators[turn.operator].schema


def _count(plan: tuple[str, ...]) -> int:
    return len(plan)


def _won_soon(machine: Machine) -> list[tuple[str, ...]]:
    """Wins within EASY commands that no proof tells of, from the first starts."""
    starts = range(min(len(machine.variants), STARTS))
    found = [won_within(machine, variant, EASY) for variant in starts]
    return [plan for plan in found if plan is not None]


def _length(machine: Machine, source: Source, plans: Plans) -> Iterator[Diagnostic]:
    soon = _won_soon(machine)
    ordered = sorted([*plans, *soon], key=_count)
    if not ordered:
        return
    shortest, longest = len(ordered[0]), len(ordered[-1])
    span = Span(source, 0, min(len("world"), len(source.text)))
    if shortest <= EASY:
        yield Diagnostic(
            "world-too-easy",
            "warning",
            f"it is won in {shortest} commands: {'; '.join(ordered[0])}",
            span,
            "put something in the way",
        )
    if longest > LONG:
        yield Diagnostic(
            "world-too-long", "warning", f"its plan takes {longest} commands", span, "make it less"
        )
