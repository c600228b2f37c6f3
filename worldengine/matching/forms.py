"""The forms of a Machine in the order in which they answer, found by their first word.

In: a Machine. Out: a `FormIndex`: for a normalised text the forms that may match it, each
with its patterns (compiled when first needed) and vocabularies; templates and canonical texts.
Refused with MachineError at construction: pattern source that RE2 cannot run.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import Any

from worldengine.machine.schema import Form, Machine, Parameter, Schema, Symbol
from worldengine.matching.patterns import (
    captures,
    compiled,
    loose_pattern,
    phrases,
    splits,
    strict_pattern,
)
from worldengine.matching.spellings import Spelling, spellings, written
from worldengine.matching.vocabulary import Vocabulary, symbol_names, vocabulary

MANY_SPLITS = 64
"""Ways to cut one text that are looked at."""


class Entry:
    """One form of one action, ready to match."""

    __slots__ = ("_loose", "_strict", "form", "has_words", "schema", "source", "vocabularies")

    def __init__(
        self, machine: Machine, schema: int, form: int, vocabularies: tuple[Vocabulary, ...]
    ) -> None:
        self.schema, self.form = schema, form
        self.source = machine.schemas[schema], machine.schemas[schema].forms[form]
        self.vocabularies = vocabularies
        self._strict: Any = None
        self._loose: Any = loose_pattern(self.source[1])
        pieces = self.source[1].pattern
        self.has_words = bool(self.source[1].regex) or any(
            isinstance(piece, str) and any(map(str.isalnum, piece)) for piece in pieces
        )

    def strict(self, normal: str) -> tuple[str, ...] | None:
        """What was typed for each parameter, if words and names match."""
        schema, form = self.source
        if self._strict is None:
            self._strict = strict_pattern(form, schema, self.vocabularies)
        match = self._strict.fullmatch(normal)
        return None if match is None else captures(form, schema, match)

    def readings(self, normal: str) -> tuple[tuple[str, ...], ...]:
        """All ways to cut a text into the parameters; most texts have one."""
        first = self.strict(normal)
        schema, form = self.source
        if first is None or len(schema.parameters) < 2 or form.regex:
            return () if first is None else (first,)
        others = islice(splits(form, schema, self.vocabularies, normal), MANY_SPLITS)
        return tuple(dict.fromkeys((first, *others)))

    def loose(self, normal: str) -> tuple[str, ...] | None:
        """What was typed for each parameter, if the words match, whatever the names."""
        match = self._loose.fullmatch(normal)
        return None if match is None else captures(self.source[1], self.source[0], match)


class FormIndex:
    """See the module. Frozen after construction but for what is worked out on demand."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._vocabularies: dict[tuple[str, tuple[int, ...]], Vocabulary] = {}
        self._spellings: dict[int, tuple[Spelling, ...]] = {}
        entries = [
            Entry(machine, schema, form, self._names(machine.schemas[schema]))
            for schema in range(len(machine.schemas))
            for form in range(len(machine.schemas[schema].forms))
        ]
        entries.sort(key=_rank)
        self.entries = tuple(entries)
        self._by_word, self._always = _by_first_word(self.entries)

    def candidates(self, normal: str) -> tuple[Entry, ...]:
        """The forms that may match a normalised text, in the order in which they answer."""
        return self._by_word.get(normal.partition(" ")[0], self._always)

    def first_words(self) -> tuple[str, ...]:
        """The words with which commands begin, in the order of the forms."""
        return tuple(self._by_word)

    def vocabulary(self, schema: int, parameter: int) -> Vocabulary:
        """The names that a parameter answers to."""
        return self._vocabulary(self.machine.schemas[schema].parameters[parameter])

    def spellings(self, schema: int) -> tuple[Spelling, ...]:
        """The ways to say an action; worked out when first needed."""
        found = self._spellings.get(schema)
        if found is None:
            found = self._spellings[schema] = spellings(self.machine.schemas[schema])
        return found

    def template(self, schema: Schema, form: Form) -> str:
        """A form with the nouns of its parameters, as in `water PLANT`."""
        return template(schema, form)

    def _names(self, schema: Schema) -> tuple[Vocabulary, ...]:
        return tuple(map(self._vocabulary, schema.parameters))

    def _vocabulary(self, parameter: Parameter) -> Vocabulary:
        key = parameter.type, parameter.candidates
        found = self._vocabularies.get(key)
        if found is None:
            found = self._vocabularies[key] = vocabulary(self.machine, parameter)
        return found


def template(schema: Schema, form: Form) -> str:
    """A form with the nouns of its parameters, as in `water PLANT`."""
    return written(schema, form.template)


def canonical_text(
    machine: Machine, operator: int, form: int, number: int, article: str = ""
) -> str:
    """A form of an operator's action with the primary names of its arguments, each with what
    is given for an article before it."""
    ground = machine.operators[operator]
    schema = machine.schemas[ground.schema]
    return "".join(
        article + argument_name(machine, schema.parameters[piece], ground.arguments[piece], number)
        if isinstance(piece, int)
        else piece
        for piece in schema.forms[form].template
    )


def argument_name(machine: Machine, parameter: Parameter, value: int, number: int) -> str:
    """How a value of a parameter is typed: a symbol by its display text unless another
    value of the parameter goes by the same name."""
    if parameter.type == "number":
        return str(number)
    if parameter.type == "object":
        return machine.objects[value].name
    symbol = machine.symbols[value]
    named = tuple(machine.symbols[other] for other in parameter.candidates)
    return symbol.display if _bearers(named)[symbol_names(symbol)[0]] == 1 else symbol.id


@lru_cache(maxsize=1024)
def _bearers(symbols: tuple[Symbol, ...]) -> Counter[str]:
    """How many of the symbols go by each name."""
    return Counter(name for symbol in symbols for name in set(symbol_names(symbol)))


def _rank(entry: Entry) -> tuple[bool, int]:
    """Own forms first, then the more literal; the sort keeps the order of declaration."""
    schema, form = entry.source
    return not schema.own, -form.literal


def _by_first_word(
    entries: tuple[Entry, ...],
) -> tuple[dict[str, tuple[Entry, ...]], tuple[Entry, ...]]:
    """Which forms may match a text with a given first word, and which match any."""
    words = [_first_words(entry.source[1]) for entry in entries]
    every = dict.fromkeys(word for found in words if found is not None for word in found)
    always = tuple(entry for entry, found in zip(entries, words, strict=True) if found is None)
    table = {
        word: tuple(
            entry
            for entry, found in zip(entries, words, strict=True)
            if found is None or word in found
        )
        for word in every
    }
    return table, always


def _first_words(form: Form) -> tuple[str, ...] | None:
    """The first words that texts of a form can have, or None if there is no telling."""
    found: list[str] = []
    for phrase in phrases(form):
        start = phrase[0] if phrase and isinstance(phrase[0], str) else ""
        for piece in phrase[1:]:  # neighbouring words belong together
            if not isinstance(piece, str):
                break
            start += piece
        word, space, _ = start.partition(" ")
        if not word or not (space or all(isinstance(piece, str) for piece in phrase)):
            return None
        found.append(word)
    return tuple(dict.fromkeys(found)) or None


def check_regex(source: str) -> None:
    """Raise MachineError with RE2's reason if an author's regular expression cannot run."""
    compiled(source, foldcase=True)
