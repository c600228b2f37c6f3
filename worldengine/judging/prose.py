"""Prose that cannot be true for long: texts that always say what the state can change.

In: a script and its Machine. Out: notes, by the words alone; a person or a model decides.

text-names-movable  a description that never changes names a thing that can be taken away
text-frozen         a description that never changes speaks of a state that can change
text-gives-nothing  a text hands something over, and the player has nothing more for it
text-fits-nothing   a text puts a thing into its place, and the thing is nowhere then
ending-names-place  the text of an ending tells of a place where the player need not be

Blind players found each of these kinds in worlds that a language model wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from worldengine.compiler.order import walk
from worldengine.diagnostics import Diagnostic
from worldengine.machine.reads import writes
from worldengine.machine.schema import Machine, Object
from worldengine.syntax import ast

_STATES: Final[tuple[tuple[str, str], ...]] = (
    ("open opened closed shut shuts locked unlocked bolted", "open lock shut clos bolt"),
    ("sealed unsealed signed unsigned stamped", "seal sign stamp"),
    ("lit unlit burns burning glowing smoking dark dead cold warm hot lukewarm",
     "lit light burn fire on heat warm hot cold temp power glow boil"),
    ("empty full filled bare", "fill full empty level amount stock load pour water"),
    ("broken torn cracked loose missing hangs hanging stuck jammed unfinished bent unplugged "
     "disconnected",
     "broken break repair fix mend fit whole tight jam stuck done wire connect plug brush wheel part"),
    ("stopped running humming silent quiet still dead", "on run wound stop going work power set"),
    ("wet dry damp frozen clean dirty dusty muddy greasy",
     "wet dry clean wash wipe dirt dust mud frozen thaw grease polish"),
    ("asleep sleeping sleeps snores snoring awake", "asleep awake sleep woke wake"),
    ("tied untied bound chained moored", "tied tie untie chain bound moor"),
)  # fmt: skip
"""Words for states, and beginnings of attributes that may stand for them."""
_SUPPOSED: Final = re.compile(r"\b(?:if|when|until|unless|once|before|after|should|must)\b", re.I)
_GIVES: Final = re.compile(
    r"\b(?:hands?|passes|presses|slips|tosses|counts|pays)\b[^.!?]{0,60}\b(?:you|your)\b"
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
PROSE_LINTS: Final = (
    "text-names-movable",
    "text-frozen",
    "text-gives-nothing",
    "text-fits-nothing",
    "ending-names-place",
)
_SENTENCE: Final = re.compile(r"[^.!?]+[.!?]*")
_PART: Final = re.compile(r"[,;:]|\band\b")


def prose_lints(document: ast.Document, machine: Machine) -> list[Diagnostic]:
    """All of them, in the order of the text."""
    world = _World(machine)
    found = [
        *_descriptions(document, world),
        *_blocks(document, world),
        *_endings(document, world),
    ]
    return sorted(found, key=lambda item: (item.span.start, item.id))


class _World:
    """What can change in play, by object."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        programs = [operator.program[operator.body :] for operator in machine.operators]
        programs += [rule.program for rule in machine.rules]
        written = {slot for program in programs for slot in writes(program, machine)}
        changing = {machine.variables[s].name for s in written if s < len(machine.variables)}
        self.attributes: dict[str, set[str]] = {}
        for name in changing:
            owner, dot, attribute = name.partition(".")
            if dot:
                self.attributes.setdefault(owner, set()).add(attribute)
        self.things = [o for o in machine.objects if o.role in ("thing", "door", "person")]
        self.places = [o for o in machine.objects if o.role == "place"]
        self.kinds: dict[str, list[str]] = {}
        for item in machine.objects:
            for kind in item.kinds:
                self.kinds.setdefault(kind, []).append(item.id)

    def moves(self, item: Object) -> bool:
        return item.role == "thing" and "in" in self.attributes.get(item.id, ())


# -- descriptions ----------------------------------------------------------------------


def _descriptions(document: ast.Document, world: _World) -> Iterator[Diagnostic]:
    for item in document.items:
        if not isinstance(item, ast.Object):
            continue
        owners = [o for o in world.machine.objects if _is_of(o, item)]
        told = [f for f in item.fields if isinstance(f, ast.Describe) and f.what == "describe"]
        if not owners or not told:
            continue
        asked = {node.name for field in told for node in walk(field) if isinstance(node, ast.Ref)}
        for field in told:
            if field.when is None:
                yield from _description(field, owners[0], len(told) > 1, asked, world)


def _is_of(item: Object, node: ast.Object) -> bool:
    """Whether an object came from this declaration; `plate 3` makes plate_1 to plate_3."""
    name = node.name.text
    return item.id == name or (node.count is not None and item.id.rpartition("_")[0] == name)


def _description(
    field: ast.Describe, owner: Object, several: bool, asked: set[str], world: _World
) -> Iterator[Diagnostic]:
    own = not several and owner.role != "place" and not {owner.id, "this"} & asked
    for sentence in _SENTENCE.findall(_constant(field.text)):
        spoken = False
        for part in [] if several else _PART.split(sentence):
            for other in world.things:
                if other.id in asked or other.id == owner.id or not _names(part, other.name):
                    continue
                spoken = True
                if owner.role == "place" and world.moves(other):
                    yield _movable(field, other)
                elif _state(part, other, world):
                    yield _frozen(field, _state(part, other, world), other, world)
        if own and not spoken and _state(sentence, owner, world):
            yield _frozen(field, _state(sentence, owner, world), owner, world)


def _state(text: str, subject: Object, world: _World) -> str:
    """The word in a text for a state that its subject need not stay in."""
    changing = world.attributes.get(subject.id, set()) - {"in"}
    if not changing or _SUPPOSED.search(text):
        return ""
    words = re.findall(r"\w+", text)
    parts = [part for attribute in changing for part in attribute.split("_")]
    for states, stems in _STATES:
        if any(part.startswith(stem) for part in parts for stem in stems.split()):
            for word in words:
                if word.casefold() in states.split():
                    return word
    return ""


def _movable(field: ast.Describe, other: Object) -> Diagnostic:
    return _note(
        "text-names-movable",
        field,
        f"this description always speaks of {_the(other)}, which can be taken away",
        f"leave it to the list of what is there, or ask in {{if …}} where `{other.id}` is",
    )


def _frozen(field: ast.Describe, state: str, subject: Object, world: _World) -> Diagnostic:
    attributes = ", ".join(sorted(world.attributes[subject.id] - {"in"}))
    return _note(
        "text-frozen",
        field,
        f'this description always says "{state}", whatever becomes of {_the(subject)} '
        f"({attributes})",
        "put the words in {if …}, add a `describe … when`, or leave them out",
    )


def _constant(text: ast.Text) -> str:
    """What a text says in any state; what depends on one is left out."""
    return "".join(
        part.value
        if isinstance(part, ast.Literal)
        else "…"
        if isinstance(part, ast.Insert)
        else " "
        for part in text.parts
    )


def _names(text: str, name: str) -> bool:
    """Whether a text speaks of something by its whole name, and not to say that it is absent."""
    return re.search(rf"(?<!\bno ){_word(name)}", text, re.I) is not None


def _word(name: str) -> str:
    return rf"\b{re.escape(name)}\b"


def _the(item: Object) -> str:
    return item.name if item.proper else f"the {item.name}"


# -- what happens ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Block:
    """Statements that run together, with all that ran before them on the same way."""

    said: tuple[ast.Say, ...]
    done: tuple[ast.Set | ast.Remove, ...]


def _blocks(document: ast.Document, world: _World) -> Iterator[Diagnostic]:
    for item in document.items:
        if isinstance(item, ast.Action | ast.Hook):
            taking = isinstance(item, ast.Hook) and _moves_itself(item, world)
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


def _moves_itself(hook: ast.Hook, world: _World) -> bool:
    """Whether the action of a hook moves things by itself, as taking does."""
    machine = world.machine
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
        text = _constant(say.text)
        hit = _GIVES.search(text)
        if hit is None or _NO_THING.search(text) or any(map(_enriches, block.done)):
            continue
        yield _note(
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
        hit = _FITS.search(_constant(say.text))
        if hit is not None and names:
            yield _note(
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


# -- endings ---------------------------------------------------------------------------


def _endings(document: ast.Document, world: _World) -> Iterator[Diagnostic]:
    for text, condition in _last_words(document):
        asked = {node.name for node in walk(condition) if isinstance(node, ast.Ref)}
        if "player" in asked:
            continue
        said = _constant(text)
        told = [
            place
            for place in world.places
            if place.id not in asked
            and re.search(rf"\byou\b[^.!?]{{0,60}}{_word(place.name)}", said, re.IGNORECASE)
        ]
        for place in told[:1]:
            yield _note(
                "ending-names-place",
                text,
                f"this ending tells of you and {_the(place)}, wherever the player is then",
                "ask where the player is in its condition, or leave the place out",
            )


def _last_words(document: ast.Document) -> Iterator[tuple[ast.Text, ast.Expr | None]]:
    if document.header is not None and document.header.timeout is not None:
        yield document.header.timeout, None
    for item in document.items:
        if isinstance(item, ast.Ending) and item.text is not None:
            yield item.text, item.when


def _note(name: str, node: ast.Node, message: str, hint: str) -> Diagnostic:
    return Diagnostic(name, "note", message, node.span, hint)
