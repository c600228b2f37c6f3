"""Operators that no command means: whatever is typed for them, another action answers.

In: a Machine and the values that can occur. Out: operators. Own actions answer before the
library's, and the more literal form before others, as long as their things are in scope. So the
library's verb for a lamp is never given in a world that has its own `switch`, though as a ground
action it could be: a search that tries it finds ways that nobody can type.

Every phrase of every form with every name of the arguments is asked, without articles and with
every article: `take the cup` is not what an own form `take cup` answers. An operator with a
number, one with a regular expression for a form and one with very many phrases counts as spoken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from worldengine.machine.schema import Machine
from worldengine.matching.commands import Matcher, Reading
from worldengine.matching.forms import Entry, canonical_text
from worldengine.matching.normal import ARTICLES
from worldengine.matching.patterns import phrases
from worldengine.modelcheck.relaxation.reached import Reach
from worldengine.runtime import runtime_of

MANY = 2048
"""Texts for one form of one operator beyond which it counts as spoken."""
BARE = ("",)
ANY_ARTICLE = ("", *(f"{article} " for article in ARTICLES))
WIDER = {
    "held": ("held", "reachable", "visible"),
    "here": ("here", "reachable", "visible"),
    "reachable": ("reachable", "visible"),
}
"""What a scope word implies: what is held is reachable, what is reachable is visible."""


def unspoken(machine: Machine, reached: Reach) -> frozenset[int]:
    """See the module."""
    work = _Spoken(machine, reached)
    return frozenset(o for o in range(len(machine.operators)) if not work.spoken(o))


class _Spoken:
    def __init__(self, machine: Machine, reached: Reach) -> None:
        self.machine = machine
        self.reached = reached
        self.matcher: Matcher = runtime_of(machine).matcher
        self.entries: dict[int, list[Entry]] = {}
        for entry in self.matcher.forms.entries:
            self.entries.setdefault(entry.schema, []).append(entry)
        self.rows = {
            (scope.word, row.object): (row.slot, row.constant)
            for scope in machine.scopes
            for row in scope.rows
        }

    def spoken(self, operator: int) -> bool:
        """Whether some text may mean an operator in some state."""
        schema = self.machine.operators[operator].schema
        if any(part.type == "number" for part in self.machine.schemas[schema].parameters):
            return True
        plain = canonical_text(self.machine, operator, 0, 0)
        if not self._answered_before(operator, plain):
            return True
        entries = self.entries.get(schema, ())
        return any(
            self._by(operator, entry, articles)
            for articles in (BARE, ANY_ARTICLE)
            for entry in entries
        )

    def _by(self, operator: int, entry: Entry, articles: tuple[str, ...]) -> bool:
        texts = self._texts(operator, entry, articles)
        if not texts:
            return True
        return any(not self._answered_before(operator, text) for text in texts)

    def _texts(self, operator: int, entry: Entry, articles: tuple[str, ...]) -> list[str]:
        """All normalised texts of a form for an operator, with any of these before any name;
        none if there are too many."""
        arguments = self.machine.operators[operator].arguments
        names = [
            [
                article + name
                for name, bearers in vocabulary.bearers.items()
                if value in bearers
                for article in articles
            ]
            for value, vocabulary in zip(arguments, entry.vocabularies, strict=True)
        ]
        found: list[str] = []
        for phrase in phrases(entry.source[1]):
            for chosen in product(*names):
                found.append("".join(chosen[p] if isinstance(p, int) else p for p in phrase))
                if len(found) > MANY:
                    return []
        return found

    def _answered_before(self, operator: int, text: str) -> bool:
        """Whether another action answers a text wherever the operator's things are in scope."""
        for reading in self.matcher.readings(text):
            if self._may_mean(reading, operator):
                return False
            if self._surely(reading, operator):
                return True
        return True  # nothing reads the text as this operator

    def _may_mean(self, reading: Reading, operator: int) -> bool:
        ground = self.machine.operators[operator]
        return reading.schema == ground.schema and all(
            value in values for value, values in zip(ground.arguments, reading.choices, strict=True)
        )

    def _surely(self, reading: Reading, operator: int) -> bool:
        """Whether a reading means its one operator wherever the things of another are in scope."""
        if reading.operator < 0 or not reading.in_range:
            return False
        if self.machine.schemas[reading.schema].forms[reading.form].regex:
            return False  # articles are its own affair
        asked = list(self._asked(operator))
        return all(
            any(value == own and self._implies(word, wanted, value) for word, own in asked)
            for wanted, value in self._asked(reading.operator)
        )

    def _asked(self, operator: int) -> Iterator[tuple[str, int]]:
        """The scopes that an action asks for."""
        ground = self.machine.operators[operator]
        parameters = self.machine.schemas[ground.schema].parameters
        for parameter, value in zip(parameters, ground.arguments, strict=True):
            if parameter.type == "object" and parameter.scope not in ("", "anywhere"):
                yield parameter.scope, value

    def _implies(self, word: str, wanted: str, value: int) -> bool:
        """Whether a thing within a scope word is always within another."""
        if word == wanted or wanted in WIDER.get(word, ()):
            return True
        other = {"here": "held", "held": "here"}.get(wanted)
        return word == "reachable" and other is not None and not self._ever(other, value)

    def _ever(self, word: str, value: int) -> bool:
        slot, constant = self.rows.get((word, value), (-1, 1))
        return any(self.reached.possible(slot, {})) if slot >= 0 else constant != 0
