"""Texts of what happens, held against what is set beside them.

In: a script and its Machine. Out: notes on texts that hand over what the player does not get,
and on things that are put into their places and are nowhere then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from worldengine.compiler.order import walk
from worldengine.diagnostics import Diagnostic
from worldengine.judging.saying import constant, note
from worldengine.machine.reads import writes
from worldengine.machine.schema import Machine
from worldengine.syntax import ast

_GIVES: Final = re.compile(
    r"(?<!your )(?<!his )(?<!her )(?<!the )(?<!two )(?<!both )"
    r"\b(?:hands|passes|presses|slips|tosses|counts|pays)\b[^.!?,;]{0,60}\b(?:you|your)\b"
    r"|\bgives you (?:the|an?|his|her|its|their|some|your|[a-z]+ coins?)\b"
    r"|\bfinds?\b[^.!?]{0,40}\bfor you\b"
    r"|\byou (?:pocket|pick up|receive)\b",
    re.IGNORECASE,
)
_NO_THING: Final = re.compile(
    r"\bgives you (?:an?|the|his|her|its|their) (?:\w+ )?"
    r"(?:nod|look|smile|glance|grin|wave|wink|stare|word|moment|start|idea|time|push)\b",
    re.IGNORECASE,
)
_FITS: Final = re.compile(
    r"\b(?:clicks?|snaps?|slots?|slides?|screws?|plugs?|bolts?|drops?|goes|fits?|settles?|locks?)"
    r"\b[^.!?]{0,30}\b(?:home|in|into|on|onto|place|tight)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Block:
    """Statements that run together, with all that ran before them on the same way."""

    said: tuple[ast.Say, ...]
    done: tuple[ast.Set | ast.Remove, ...]


def events(document: ast.Document, machine: Machine) -> Iterator[Diagnostic]:
    for item in document.items:
        if isinstance(item, ast.Action | ast.Hook):
            taking = isinstance(item, ast.Hook) and _moves_itself(item, machine)
            body = tuple(part for part in item.parts if not isinstance(part, ast.Require))
            kinds = {p.name.text: _kind(p) for p in item.parameters}
        elif isinstance(item, ast.Rule):
            taking, body, kinds = False, item.body, {}
        else:
            continue
        for block in _flat(body, ()):
            if not taking:
                yield from _gives(block)
            yield from _fits(block, kinds)


def _kind(parameter: ast.Parameter) -> str:
    named = getattr(parameter.type, "name", None)
    return named.text if named is not None else ""


def _moves_itself(hook: ast.Hook, machine: Machine) -> bool:
    """Whether the action of a hook moves things by itself, as taking does."""
    for operator in machine.operators:
        schema = machine.schemas[operator.schema]
        if schema.name == hook.action.text and not schema.own:
            slots = writes(operator.program[operator.body :], machine)
            roles = {machine.variables[s].role for s in slots if s < len(machine.variables)}
            if "location" in roles and schema.name not in ("give", "go", "go_to", "leave"):
                return True
    return False


def _flat(body: tuple[ast.Node, ...], before: tuple[ast.Set | ast.Remove, ...]) -> Iterator[_Block]:
    own = tuple(node for node in body if isinstance(node, ast.Set | ast.Remove))
    moved = tuple(
        node for loop in body if isinstance(loop, ast.Each)
        for node in walk(loop.body) if isinstance(node, ast.Set | ast.Remove)
    )  # fmt: skip
    done = before + own + moved
    yield _Block(tuple(node for node in body if isinstance(node, ast.Say)), done)
    for node in body:
        if isinstance(node, ast.If):
            for branch in node.branches:
                yield from _flat(branch.body, done)
            yield from _flat(node.otherwise or (), done)
        elif isinstance(node, ast.Match):
            for case in node.cases:
                yield from _flat(case.body, done)
            yield from _flat(node.otherwise or (), done)
        elif isinstance(node, ast.Each):
            yield from _flat(node.body, done)


def _gives(block: _Block) -> Iterator[Diagnostic]:
    for say in block.said:
        text = constant(say.text)
        hit = _GIVES.search(text)
        if hit is None or _NO_THING.search(text) or any(map(_enriches, block.done)):
            continue
        yield note(
            "text-gives-nothing",
            say,
            f'"{hit.group()}" hands something over, but the player has nothing more after it',
            "let a thing come `in player`, count it, or say that it is used at once",
        )


def _enriches(done: ast.Set | ast.Remove) -> bool:
    """Whether something comes to the player, or is noted of them."""
    if isinstance(done, ast.Remove) or not isinstance(done.target, ast.Attr):
        return False
    base = done.target.base
    return done.target.name.text == "in" or (isinstance(base, ast.Ref) and base.name == "player")


def _fits(block: _Block, kinds: dict[str, str]) -> Iterator[Diagnostic]:
    gone = [_gone(node) for node in block.done]
    names = [name for name in gone if name and kinds.get(name) != "person"]
    for say in block.said:
        hit = _FITS.search(constant(say.text))
        if hit is not None and names:
            yield note(
                "text-fits-nothing",
                say,
                f'"{hit.group()}" puts `{names[0]}` into its place, but it is nowhere after that',
                "put it in the device (`set X.in = DEVICE`), or describe the device with it",
            )


def _gone(done: ast.Set | ast.Remove) -> str:
    target = done.target
    if isinstance(done, ast.Set):
        nowhere = isinstance(done.value, ast.Ref) and done.value.name == "nowhere"
        if not nowhere or not isinstance(target, ast.Attr) or target.name.text != "in":
            return ""
        target = target.base
    return target.name if isinstance(target, ast.Ref) else ""
