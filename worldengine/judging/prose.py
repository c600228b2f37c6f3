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
from typing import Final

from worldengine.compiler.order import walk
from worldengine.diagnostics import Diagnostic
from worldengine.judging.prose_events import events
from worldengine.judging.saying import constant, note
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
     "broken break repair fix mend fit whole tight jam stuck done wire connect plug part"),
    ("stopped running humming silent quiet still dead", "on run wound stop going work power set"),
    ("wet dry damp frozen clean dirty dusty muddy greasy",
     "wet dry clean wash wipe dirt dust mud frozen thaw grease polish"),
    ("asleep sleeping sleeps snores snoring awake", "asleep awake sleep woke wake"),
    ("tied untied bound chained moored", "tied tie untie chain bound moor"),
)  # fmt: skip
"""Words for states, and beginnings of attributes that may stand for them."""
_SUPPOSED: Final = re.compile(r"\b(?:if|when|until|unless|once|before|after|should|must)\b", re.I)
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
        *events(document, machine),
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
    for sentence in _SENTENCE.findall(constant(field.text)):
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
    words: list[str] = re.findall(r"(?<!\bbe )\b\w+\b(?! to\b)", text)  # not: bolted to the leg
    parts = [part for attribute in changing for part in attribute.split("_")]
    for states, stems in _STATES:
        if any(part.startswith(stem) for part in parts for stem in stems.split()):
            for word in words:
                if word.casefold() in states.split():
                    return word
    return ""


def _movable(field: ast.Describe, other: Object) -> Diagnostic:
    return note(
        "text-names-movable",
        field,
        f"this description always speaks of {_the(other)}, which can be taken away",
        f"leave it to the list of what is there, or ask in {{if …}} where `{other.id}` is",
    )


def _frozen(field: ast.Describe, state: str, subject: Object, world: _World) -> Diagnostic:
    attributes = ", ".join(sorted(world.attributes[subject.id] - {"in"}))
    return note(
        "text-frozen",
        field,
        f'this description always says "{state}", whatever becomes of {_the(subject)} '
        f"({attributes})",
        "put the words in {if …}, add a `describe … when`, or leave them out",
    )


def _names(text: str, name: str) -> bool:
    """Whether a text speaks of something by its whole name, and not to say that it is absent."""
    return re.search(rf"(?<!\bno ){_word(name)}", text, re.I) is not None


def _word(name: str) -> str:
    return rf"\b{re.escape(name)}\b"


def _the(item: Object) -> str:
    return item.name if item.proper else f"the {item.name}"


# -- endings ---------------------------------------------------------------------------


def _endings(document: ast.Document, world: _World) -> Iterator[Diagnostic]:
    for text, condition in _last_words(document):
        asked = {node.name for node in walk(condition) if isinstance(node, ast.Ref)}
        if "player" in asked:
            continue
        said = constant(text)
        told = [
            place
            for place in world.places
            if place.id not in asked
            and re.search(rf"\byou\b[^.!?]{{0,60}}{_word(place.name)}", said, re.IGNORECASE)
        ]
        for place in told[:1]:
            yield note(
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
