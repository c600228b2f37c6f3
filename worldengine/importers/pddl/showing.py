"""What a player sees: every object by kind, then every fact that is true, a sentence each."""

from __future__ import annotations

from worldengine.importers.naming import words as spoken
from worldengine.importers.pddl import model as m
from worldengine.importers.pddl.conditions import Sight, Vocabulary, expression, fact
from worldengine.importers.pddl.wording import fluent, literal, phrase, sentence
from worldengine.syntax import ast

MAX_CASES = 1_500
"""Cases of one predicate that are looked through; of a larger one only what was true at the
start is told, and only if it never changes."""


def looking(task: m.Task, words: Vocabulary, parameters: dict[str, tuple[str, ...]]) -> ast.Hook:
    """The hook on `look`, which the opening shows too."""
    told: list[ast.Statement] = [*_objects(words)]
    changed = {
        change.target.predicate
        for action in task.actions
        for change in action.changes
        if isinstance(change.target, m.Atom)
    }
    derived = {axiom.head.name for axiom in task.axioms}
    for name in task.predicates:
        if name in words.kinds.sort_kinds or name not in words.facts:
            continue
        cases = 1
        for kind in parameters[name]:
            cases *= len(words.kinds.members(kind))
        if cases <= MAX_CASES and (name in changed or name in derived):
            told += _each(name, parameters[name], words)
        elif name not in changed and name not in derived:
            told += _fixed(name, task, words)
    told += [
        statement
        for name in words.numbers.used
        for statement in _numbers(name, parameters[name], words)
    ]
    return ast.Hook("after", ast.Name("look"), (), tuple(told))


def _objects(words: Vocabulary) -> list[ast.Statement]:
    found: list[ast.Statement] = []
    for kind in dict.fromkeys(words.kinds.kind_of.values()):
        named = ast.TextList("", ast.Name("it"), ast.Name(kind), None)
        start = f"{spoken(kind).capitalize()}: "
        found.append(ast.Say(ast.Text((ast.Literal(start), named, ast.Literal(".")))))
    return found


def _each(name: str, kinds: tuple[str, ...], words: Vocabulary) -> list[ast.Statement]:
    sight = Sight.empty(words)
    names: list[tuple[ast.Name, str]] = []
    terms: list[str] = []
    for index, kind in enumerate(kinds):
        terms.append(f"?{'xyzuvw'[index % 6]}")
        sight, made = sight.bind(terms[-1])
        names.append((made, kind))
    atom = m.Atom(name, tuple(terms))
    said = ast.Say(ast.Text(sentence(phrase(atom, sight.said))))
    condition = expression(atom, sight)
    if not names:
        return [ast.If((ast.Branch(condition, (said,)),), None)]
    *outer, (last, kind) = names
    found: ast.Statement = ast.Each(last, ast.Name(kind), condition, (said,))
    for made, above in reversed(outer):
        found = ast.Each(made, ast.Name(above), None, (found,))
    return [found]


def _fixed(name: str, task: m.Task, words: Vocabulary) -> list[ast.Statement]:
    sight = Sight.empty(words)
    true = [atom for atom in task.init if atom.predicate == name][:MAX_CASES]
    return [ast.Say(ast.Text(sentence(phrase(atom, sight.said)))) for atom in true]


def _numbers(name: str, kinds: tuple[str, ...], words: Vocabulary) -> list[ast.Statement]:
    cases = 1
    for kind in kinds:
        cases *= len(words.kinds.members(kind))
    if cases > MAX_CASES:
        return []
    sight = Sight.empty(words)
    terms: list[str] = []
    made: list[tuple[ast.Name, str]] = []
    for index, kind in enumerate(kinds):
        terms.append(f"?{'xyzuvw'[index % 6]}")
        sight, variable = sight.bind(terms[-1])
        made.append((variable, kind))
    value = m.Fluent(name, tuple(terms))
    shown = ast.Insert("", fact(words.functions[name], value.terms, sight))
    parts = sentence((*fluent(value, sight.said), *literal(" is "), shown))
    found: ast.Statement = ast.Say(ast.Text(parts))
    for variable, kind in reversed(made):
        found = ast.Each(variable, ast.Name(kind), None, (found,))
    return [found]
