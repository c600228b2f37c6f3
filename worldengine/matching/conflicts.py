"""Pairs of forms between which nothing decides: both accept one command.

In: a Machine and how many commands may be written down. Out: `Conflicts`: the pairs, each
with an example, and whether all commands were looked at. Two forms conflict if both are the
world's own or both the library's, neither is more literal, they belong to different actions
(or give one action different arguments), and some command names the same arguments in both,
so that no scope can tell them apart. Numbers stay symbolic; regular expressions of the
author's and forms that stand for too many phrases are left out, which `complete` then says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from worldengine.machine.schema import Machine
from worldengine.matching.forms import Entry, FormIndex
from worldengine.matching.patterns import phrases

NUMBER = "0"
"""What stands for every number in the dictionary; no name is made of it alone."""

Argument = tuple[str, int]
Meaning = tuple[int, tuple[Argument, ...]]
"""An action and its arguments by parameter, each with its type."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two forms, as (schema, form) in the order in which they would answer, and a normalised
    command that both accept."""

    first: tuple[int, int]
    second: tuple[int, int]
    command: str


@dataclass(frozen=True, slots=True)
class Conflicts:
    """All conflicts found; `complete` unless the dictionary outgrew its limit."""

    pairs: tuple[Conflict, ...]
    commands: int
    complete: bool

    def __iter__(self) -> Iterator[Conflict]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)


def conflicts(machine: Machine, limit: int = 400_000) -> Conflicts:
    """Every pair of forms that some command leaves undecided; see the module."""
    index = FormIndex(machine)
    ranks: dict[tuple[bool, int], list[Entry]] = {}
    for entry in index.entries:
        schema, form = entry.source
        ranks.setdefault((schema.own, form.literal), []).append(entry)
    found: dict[tuple[tuple[int, int], tuple[int, int]], Conflict] = {}
    written, complete = 0, True
    for entries in ranks.values():
        complete = complete and all(phrases(entry.source[1]) for entry in entries)
        dictionary: dict[str, list[tuple[Entry, Meaning]]] = {}
        for entry in _contested(entries):
            for text, meaning in _commands(entry):
                if written >= limit:
                    return Conflicts(tuple(found.values()), written, False)
                written += 1
                others = dictionary.setdefault(text, [])
                for other, earlier in others:
                    if _distinct(other, entry) and _undecided(earlier, meaning):
                        key = (other.schema, other.form), (entry.schema, entry.form)
                        found.setdefault(key, Conflict(*key, text))
                others.append((entry, meaning))
    return Conflicts(tuple(found.values()), written, complete)


def _distinct(first: Entry, second: Entry) -> bool:
    """Whether two forms could mean different things: forms of one action that take its
    parameters in the same order cannot; shared names are told apart by asking."""
    if first.schema != second.schema:
        return True
    orders = (
        [piece for piece in entry.source[1].pattern if isinstance(piece, int)]
        for entry in (first, second)
    )
    return next(orders) != next(orders)


def _undecided(first: Meaning, second: Meaning) -> bool:
    """Whether scopes cannot tell two readings of one command apart: they are about the same
    things, or about no things at all."""
    if first == second:
        return False
    return sorted(_things(first)) == sorted(_things(second))


def _things(meaning: Meaning) -> list[int]:
    return [value for kind, value in meaning[1] if kind == "object"]


def _contested(entries: list[Entry]) -> list[Entry]:
    """The forms of one rank that share a first word with a form that could mean something
    else. The rest cannot clash and need not be written down."""
    starts = [frozenset(_starts(entry)) for entry in entries]
    sharing: dict[str, list[Entry]] = {}
    for entry, words in zip(entries, starts, strict=True):
        for word in sorted(words):
            sharing.setdefault(word, []).append(entry)
    anywhere = sharing.get("", [])

    def clashes(entry: Entry, words: frozenset[str]) -> bool:
        rivals = [entries] if "" in words else [anywhere, *(sharing[word] for word in words)]
        return any(
            other is not entry and _distinct(other, entry) for group in rivals for other in group
        )

    return [entry for entry, words in zip(entries, starts, strict=True) if clashes(entry, words)]


def _starts(entry: Entry) -> tuple[str, ...]:
    """The first words of a form's phrases; "" where a parameter may be part of one."""
    found: dict[str, None] = {}
    for phrase in phrases(entry.source[1]):
        head = phrase[0] if phrase and isinstance(phrase[0], str) else ""
        word, space, _ = head.partition(" ")
        whole = space or len(phrase) == 1
        found[word if whole else ""] = None
    return tuple(found)


def _commands(entry: Entry) -> Iterator[tuple[str, Meaning]]:
    """Every normalised command of a form with what it means, numbers symbolic."""
    parameters = entry.source[0].parameters
    values: list[list[tuple[str, Argument]]] = []
    for parameter, vocabulary in zip(parameters, entry.vocabularies, strict=True):
        if parameter.type == "number":
            values.append([(NUMBER, ("number", 0))])
        else:
            values.append(
                [
                    (name, (parameter.type, value))
                    for name, bearers in vocabulary.bearers.items()
                    for value in bearers
                ]
            )
    for phrase in phrases(entry.source[1]):
        for chosen in product(*values):
            text = "".join(
                chosen[piece][0] if isinstance(piece, int) else piece for piece in phrase
            )
            yield text, (entry.schema, tuple(argument for _, argument in chosen))
