"""What one player has been shown: the names that occurred in what it has read.

In: texts. Out: a frozen `Knowledge` that grows with every text, and the known commands: the
templates of the prompt over the names shown so far. It depends on texts only and never sees
a state, so it cannot tell a player anything. Names are found as whole words, the longest
first ("red key card" does not show "red key"), in time linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from worldengine.machine.schema import Machine, Parameter, Schema
from worldengine.matching.normal import normalise
from worldengine.matching.spellings import listed
from worldengine.matching.vocabulary import ABBREVIATIONS, object_names
from worldengine.runtime.prompt import listed_values

_TOKEN = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]"
    "|[^\\W\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]+|\\S"
)
"""A word; a sign; or one character of a script that writes without spaces."""

Tokens = tuple[str, ...]
_KEY = "_first_knowledge"
"""A private attribute of the Machine, beside its cached properties."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Every name of a Machine's objects, as tokens, and the tokens that begin names; for each
    object its names in order, with what is printed for them."""

    names: dict[Tokens, tuple[tuple[int, str], ...]]
    prefixes: frozenset[Tokens]
    printed: tuple[tuple[tuple[str, str], ...], ...]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The names shown so far: for every object the first of its names that was read, in the
    order of `object_names`. `seen` gives the knowledge after one more text."""

    names: frozenset[tuple[int, str]]
    lexicon: Lexicon = field(compare=False, repr=False)

    def seen(self, text: str) -> Knowledge:
        """What is known after reading a text; this very value if nothing is new."""
        found = frozenset(_occurring(text, self.lexicon))
        return self if found <= self.names else Knowledge(self.names | found, self.lexicon)

    def name(self, machine: Machine, index: int) -> str | None:
        """The name under which an object has been shown, or None: its printed name if that
        was shown, else the first alias that was."""
        for name, printed in self.lexicon.printed[index]:
            if (index, name) in self.names:
                return printed
        return None


def begin(machine: Machine) -> Knowledge:
    """What a player knows that has read the prompt. The nouns of templates are no names:
    `dial N` does not show the exit `n`. Kept with the Machine, as it is the same for all."""
    kept = machine.__dict__
    found: Knowledge | None = kept.get(_KEY)
    return found if found is not None else kept.setdefault(_KEY, _from_prompt(machine))


def _from_prompt(machine: Machine) -> Knowledge:
    knowledge = Knowledge(frozenset(), lexicon(machine))
    for text in (machine.title, machine.persona, machine.goal, machine.intro):
        knowledge = knowledge.seen(text)
    for schema in machine.schemas:
        for pieces in listed(schema):
            for piece in pieces:
                knowledge = knowledge.seen(piece) if isinstance(piece, str) else knowledge
    return knowledge


def lexicon(machine: Machine) -> Lexicon:
    """The names of all objects but the player. Abbreviations of directions are left out:
    the `s` of "it's" shows nobody the way south."""
    names: dict[Tokens, list[tuple[int, str]]] = {}
    for index, subject in enumerate(machine.objects):
        if subject.role != "player":
            for name in object_names(subject):
                if subject.role == "exit" and name in ABBREVIATIONS:
                    continue
                names.setdefault(_tokens(name), []).append((index, name))
    prefixes = frozenset(
        tokens[:length] for tokens in names for length in range(1, len(tokens) + 1)
    )
    printed = tuple(
        tuple(
            (name, subject.name if name == normalise(subject.name) else name)
            for name in object_names(subject)
        )
        for subject in machine.objects
    )
    by_tokens = {tokens: _printed(machine, found) for tokens, found in names.items()}
    return Lexicon(by_tokens, prefixes, printed)


def _printed(machine: Machine, bearers: list[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """Who a name stands for when it is read: those printed so, if any. Else a thing nobody
    has seen could be told from the alias it shares with one that was."""
    exact = [(i, name) for i, name in bearers if name == normalise(machine.objects[i].name)]
    return tuple(exact or bearers)


def known(machine: Machine, knowledge: Knowledge) -> tuple[str, ...]:
    """The commands that the prompt's templates make over the names shown so far, own actions
    first. Numbers stand as ranges: `dial 1..9`."""
    found: dict[str, None] = {}
    shown: dict[Parameter, tuple[str, ...]] = {}
    for schema in (*_own(machine, True), *_own(machine, False)):
        for parameter in schema.parameters:
            if parameter not in shown:
                shown[parameter] = _values(machine, knowledge, parameter)
        pieces = [
            (piece,) if isinstance(piece, str) else shown[schema.parameters[piece]]
            for piece in schema.forms[0].template
        ]
        for words in product(*pieces):
            found["".join(words)] = None
    return tuple(found)


def _own(machine: Machine, own: bool) -> Iterator[Schema]:
    return (schema for schema in machine.schemas if schema.own is own)


def _values(machine: Machine, knowledge: Knowledge, parameter: Parameter) -> tuple[str, ...]:
    """What may stand for a parameter: vocabulary, and objects under the names shown."""
    if parameter.type != "object":
        return listed_values(machine, parameter)
    names = (
        machine.objects[index].name
        if machine.objects[index].role == "concept"
        else knowledge.name(machine, index)
        for index in parameter.candidates
    )
    return tuple(dict.fromkeys(name for name in names if name))


def _tokens(text: str) -> Tokens:
    return tuple(_TOKEN.findall(text))


def _occurring(text: str, lexicon: Lexicon) -> Iterator[tuple[int, str]]:
    """The names in a text, with what they stand for."""
    for name in named(text, lexicon):
        yield from lexicon.names[name]


def named(text: str, lexicon: Lexicon) -> Iterator[Tokens]:
    """The names in a text. At each place the longest name counts and is passed over."""
    tokens = _tokens(normalise(text))
    at = 0
    while at < len(tokens):
        end, longest = at + 1, 0
        while end <= len(tokens) and tokens[at:end] in lexicon.prefixes:
            if tokens[at:end] in lexicon.names:
                longest = end
            end += 1
        if longest:
            yield tokens[at:longest]
        at = longest or at + 1
