"""A task → the tree of a `.world` script.

Predicates become facts, derived predicates `derive`s, functions facts with a range. There is
one place, in which nothing is; the player stands in it, and `look` tells all that is true.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from worldengine.importers.naming import TAKEN, TAKEN_ACTIONS, Space, identifier
from worldengine.importers.naming import words as spoken
from worldengine.importers.pddl import model as m
from worldengine.importers.pddl.acting import action
from worldengine.importers.pddl.conditions import Sight, Vocabulary, expression, fact
from worldengine.importers.pddl.kinds import Kinds, conjuncts
from worldengine.importers.pddl.numbers import Numbers
from worldengine.importers.pddl.positions import positions
from worldengine.importers.pddl.showing import looking
from worldengine.importers.pddl.truth import holds_at_first
from worldengine.importers.pddl.wording import literal, phrase, plain, sentence
from worldengine.syntax import ast

MAX_MILESTONES = 20


@dataclass(frozen=True)
class Script:
    """The tree, and what PDDL's actions and objects are called in it."""

    document: ast.Document
    actions: dict[str, str]
    objects: dict[str, str]
    facts: dict[str, str]


def script(task: m.Task, turns: int, hyphens: bool = False) -> Script:
    words = _vocabulary(task, turns)
    parameters = positions(task, words.kinds)
    names = Space(TAKEN_ACTIONS, "do_{}")
    actions = {item.name: names.name(item.name) for item in task.actions}
    made = [action(item, actions[item.name], words, hyphens) for item in task.actions]
    derives = _derives(task, words, parameters)
    look = looking(task, words, parameters)
    endings = _endings(task, words)
    items: list[ast.Item] = [
        *words.kinds.items(),
        ast.Object(
            ast.Name("place"), ast.Name(_place(words)), None, spoken(task.domain), False, False,
            (), None, (),
        ),
        *_objects(words),
        ast.Player(None, ast.Name(_place(words)), ()),
        *_facts(task, words, parameters),
        *derives,
        *_start(task, words),
        *made,
        look,
        *endings,
    ]  # fmt: skip
    return Script(
        ast.Document(_header(task, turns, words), tuple(items)), actions, words.objects, words.facts
    )


def _vocabulary(task: m.Task, turns: int) -> Vocabulary:
    kinds = Kinds(task)
    space = Space(TAKEN, "{}_now")
    objects = Space(TAKEN, "the_{}")
    objects.taken = space.taken
    named = {name: objects.name(name) for name in task.objects}
    facts = {name: space.name(name) for name in task.predicates if name not in kinds.sort_kinds}
    numbers = Numbers(task, turns)
    functions = {name: space.name(name) for name in numbers.used}
    return Vocabulary(kinds, named, facts, functions, numbers)


def _place(words: Vocabulary) -> str:
    space = Space({*TAKEN, *words.objects.values(), *words.facts.values()}, "the_{}")
    return space.name("table")


def _header(task: m.Task, turns: int, words: Vocabulary) -> ast.Header:
    goal = sentence(phrase(task.goal, literal))
    title = f"{spoken(task.domain).capitalize()}: {spoken(task.problem)}"
    intro = "Everything that is true is told when you look around."
    if words.numbers.scale > 1:
        intro += f" Numbers count in steps of 1/{words.numbers.scale}."
    return ast.Header(
        ast.Name(Space(TAKEN, "{}_world").name(identifier(task.domain))),
        title,
        ast.Text(literal("Someone who plans before acting")),
        ast.Text(literal(intro)),
        ast.Text(literal(plain(goal))),
        turns,
        None,
    )


def _objects(words: Vocabulary) -> list[ast.Item]:
    return [
        ast.Object(
            ast.Name(words.kinds.kind_of[name]), ast.Name(made), None, name, False, True, (),
            None, (),
        )
        for name, made in words.objects.items()
    ]  # fmt: skip


def _facts(
    task: m.Task, words: Vocabulary, parameters: dict[str, tuple[str, ...]]
) -> list[ast.Item]:
    derived = {axiom.head.name for axiom in task.axioms}
    found: list[ast.Item] = []
    for name, made in words.facts.items():
        if name not in derived:
            types = _parameters(task.predicates[name], parameters[name], words)
            found.append(ast.Fact(ast.Name(made), types, None, None))
    for name, made in words.functions.items():
        low, high = words.numbers.ranges[name]
        types = _parameters(task.functions[name], parameters[name], words)
        value = ast.Number(min(max(0, low), high))
        found.append(ast.Fact(ast.Name(made), types, ast.RangeType(low, high), value))
    return found


def _parameters(
    declared: m.Predicate, kinds: tuple[str, ...], words: Vocabulary
) -> tuple[ast.Parameter, ...]:
    space = words.space()
    return tuple(
        ast.Parameter(ast.Name(space.name(item.name)), ast.NamedType(ast.Name(kind), False), None)
        for item, kind in zip(declared.parameters, kinds, strict=True)
    )


def _derives(task: m.Task, words: Vocabulary, kinds: dict[str, tuple[str, ...]]) -> list[ast.Item]:
    """Several rules for one predicate are alternatives, each for the types of its own head."""
    found: list[ast.Item] = []
    for name in dict.fromkeys(axiom.head.name for axiom in task.axioms):
        rules = [axiom for axiom in task.axioms if axiom.head.name == name]
        sight = Sight.empty(words)
        parameters: list[ast.Parameter] = []
        for item, kind in zip(rules[0].head.parameters, kinds[name], strict=True):
            sight, made = sight.bind(item.name)
            parameters.append(ast.Parameter(made, ast.NamedType(ast.Name(kind), False), None))
        bodies = tuple(_rule(rule, parameters, sight) for rule in rules)
        body = bodies[0] if len(bodies) == 1 else ast.Or(bodies)
        found.append(ast.Derive(ast.Name(words.facts[name]), tuple(parameters), None, body))
    return found


def _rule(rule: m.Axiom, parameters: list[ast.Parameter], sight: Sight) -> ast.Expr:
    """The body of one rule, with the tests that its head's types ask for besides."""
    own = {
        item.name: made.name.text
        for item, made in zip(rule.head.parameters, parameters, strict=True)
    }
    tests: list[ast.Expr] = []
    for item, made in zip(rule.head.parameters, parameters, strict=True):
        kind = sight.words.kinds.of(item.types)
        if ast.NamedType(ast.Name(kind), False) != made.type:
            tests.append(ast.IsKind(ast.Ref(made.name.text), ast.Name(kind)))
    body = expression(rule.body, replace(sight, variables=own))
    if not tests:
        return body
    return ast.And((*tests, *(body.items if isinstance(body, ast.And) else (body,))))


def _start(task: m.Task, words: Vocabulary) -> list[ast.Item]:
    sight = Sight.empty(words)
    derived = {axiom.head.name for axiom in task.axioms}
    body: list[ast.Statement] = [
        ast.Set(fact(words.facts[atom.predicate], atom.terms, sight), "=", ast.Boolean(True))
        for atom in task.init
        if atom.predicate in words.facts and atom.predicate not in derived
    ]
    for fluent, value in words.numbers.first.items():
        target = fact(words.functions[fluent.function], fluent.terms, sight)
        body.append(ast.Set(target, "=", ast.Number(int(value * words.numbers.scale))))
    return [ast.Start(tuple(body))] if body else []


def _endings(task: m.Task, words: Vocabulary) -> list[ast.Item]:
    sight = Sight.empty(words)
    found: list[ast.Item] = []
    parts = list(conjuncts(task.goal))
    if 1 < len(parts) <= MAX_MILESTONES:
        for index, part in enumerate(parts, 1):
            told = plain(phrase(part, literal))
            name = ast.Name(f"goal_{index}")
            found.append(ast.Milestone(name, told, expression(part, Sight.empty(words))))
    reached = ast.Text(literal("The goal is reached."))
    goal = expression(task.goal, sight)
    if holds_at_first(task):
        begun = ast.Ref(words.space().name("begun"))
        found.append(ast.Fact(ast.Name(begun.name), (), None, None))
        begins = ast.Set(begun, "=", ast.Boolean(True))
        found.append(ast.Rule(ast.Name("begin"), True, None, (begins,)))
        goal = ast.And((begun, *(goal.items if isinstance(goal, ast.And) else (goal,))))
    found.append(ast.Ending("win", goal, reached))
    return found
