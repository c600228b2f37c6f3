"""From what a player types to one ground action, or to the words that say why not.

In: a Machine once, then command texts and, for the present state, which objects are within
which scope words. Out: `Understood(operator, number)` or `Misunderstood`. Every string is
answered, none raises. Which form answers, and what a refusal may say, is told in
`worldengine.matching.refusals` and in the language's own page.

Reading a text does not depend on the state. So the readings of texts that mean something are
kept in a bounded dictionary, and a text seen before costs one look-up. A text seen for the
first time meets only the forms whose first word it shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from worldengine.machine.schema import NONE, PARAMETER, Form, Machine, Schema
from worldengine.matching.forms import FormIndex, canonical_text
from worldengine.matching.normal import normalise
from worldengine.matching.patterns import whole_number
from worldengine.matching.refusals import Explainer, Explanation
from worldengine.matching.vocabulary import Vocabulary

InScope = Callable[[str, int], bool]
"""Whether an object is within a scope word in the present state."""

LONGEST = 1_000
"""Characters of a command, counted as typed."""
MEMORY = 65_536
"""Texts whose readings are kept before all are forgotten."""
MEMORABLE = 200
"""Longer texts are not kept."""


class Reading(NamedTuple):
    """One way to understand a text: a form, and for every parameter who may be meant.

    `operator` is the ground action where only one can be meant, else -1.
    """

    schema: int
    form: int
    texts: tuple[str, ...]
    choices: tuple[tuple[int, ...], ...]
    number: int
    in_range: bool
    operator: int


class Understood(NamedTuple):
    """A ground action whose arguments are all in scope."""

    operator: int
    number: int


class Misunderstood(NamedTuple):
    """No form accepts. `words` may or may not end with the template, which is always given.
    `scope` is (word, object) where a scope failed."""

    refusal: int
    words: str
    schema: int
    template: str
    scope: tuple[str, int] | None


class Matcher:
    """Understands commands of one Machine. May be shared between threads."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.forms = FormIndex(machine)
        self.operators = {
            (operator.schema, operator.arguments): index
            for index, operator in enumerate(machine.operators)
        }
        self._explainer = Explainer(machine, self.forms)
        self._memory: dict[str, tuple[Reading, ...]] = {}
        self._canonical: dict[int, int] = {}

    # -- reading -----------------------------------------------------------------------

    def readings(self, text: str) -> tuple[Reading, ...]:
        """All ways to understand a text, in the order in which forms answer."""
        found = self._memory.get(text)
        if found is None:
            normal = normalise(text)
            found = tuple(self._read(normal))
            if not found and normal.endswith((".", "!")):  # `cd ...` may end in a full stop
                found = tuple(self._read(normal[:-1].rstrip()))
                found = found or tuple(self._read(normal.rstrip(".! ")))
            if found and len(text) <= MEMORABLE:
                if len(self._memory) >= MEMORY:
                    self._memory = {}
                self._memory[text] = found
        return found

    def _read(self, normal: str) -> Iterator[Reading]:
        for entry in self.forms.candidates(normal):
            for texts in entry.readings(normal):
                reading = self._reading(entry.schema, entry.form, texts, entry.vocabularies)
                if reading is not None:
                    yield reading

    def _reading(
        self, schema: int, form: int, texts: tuple[str, ...], names: tuple[Vocabulary, ...]
    ) -> Reading | None:
        choices: list[tuple[int, ...]] = []
        number, in_range = 0, True
        parameters = self.machine.schemas[schema].parameters
        for parameter, text, vocabulary in zip(parameters, texts, names, strict=True):
            if parameter.type == "number":
                said = whole_number(text)
                if said is None:
                    return None
                number = said
                in_range = parameter.low <= number <= parameter.high
                choices.append((NONE,))
            else:
                choices.append(vocabulary.find(text))
                if not choices[-1]:
                    return None
        operator = -1
        if all(len(values) == 1 for values in choices):
            key = schema, tuple(values[0] for values in choices)
            operator = self.operators.get(key, -1)
        return Reading(schema, form, texts, tuple(choices), number, in_range, operator)

    # -- answering ---------------------------------------------------------------------

    def answer(self, text: str, in_scope: InScope) -> Understood | Misunderstood:
        """The action that a text means in the present state, or why it means none."""
        if len(text) > LONGEST:
            return self._unread(f"That is too long: a command has at most {LONGEST:,} characters.")
        out_of_scope: tuple[str, int] | None = None
        for reading in self.readings(text):
            if not reading.in_range:
                continue
            meant, failed = self._meant(reading, in_scope)
            if len(meant) == 1:
                return Understood(meant[0], reading.number)
            out_of_scope = out_of_scope or failed
        normal = normalise(text)
        if not normal:
            return self._unread("Nothing was typed.")
        explanation = self._explainer.explain(text, normal, in_scope)
        return self._refused(explanation, out_of_scope)

    def _meant(
        self, reading: Reading, in_scope: InScope
    ) -> tuple[list[int], tuple[str, int] | None]:
        """The operators a reading may mean now, and the first argument out of scope."""
        parameters = self.machine.schemas[reading.schema].parameters
        if reading.operator >= 0:  # nobody to choose between
            for parameter, values in zip(parameters, reading.choices, strict=True):
                if parameter.type == "object" and not in_scope(parameter.scope, values[0]):
                    return [], (parameter.scope, values[0])
            return [reading.operator], None
        kept: list[tuple[int, ...]] = []
        for index, parameter in enumerate(parameters):
            values = reading.choices[index]
            if parameter.type == "object":
                inside = tuple(value for value in values if in_scope(parameter.scope, value))
                if not inside:
                    return [], (parameter.scope, values[0])
                values = inside
            if len(values) > 1:
                vocabulary = self.forms.vocabulary(reading.schema, index)
                values = vocabulary.preferred(reading.texts[index], values)
            kept.append(values)
        found = (self.operators.get((reading.schema, values)) for values in product(*kept))
        return [operator for operator in found if operator is not None], None

    def _unread(self, words: str) -> Misunderstood:
        template = self._explainer.any_template()
        return Misunderstood(PARAMETER, _with_template(words, template), -1, template, None)

    def _refused(
        self, explanation: Explanation, out_of_scope: tuple[str, int] | None
    ) -> Misunderstood:
        """The words come from the explanation alone, which knows nothing out of scope; only
        the class tells a thing that is elsewhere from one that is nowhere."""
        refusal = explanation.refusal(out_of_scope is not None)
        return Misunderstood(
            refusal,
            _with_template(explanation.words, explanation.template if explanation.hint else ""),
            explanation.schema,
            explanation.template,
            out_of_scope if refusal != PARAMETER else None,
        )

    def out_of_scope(self, operator: int, scope: tuple[str, int]) -> Misunderstood:
        """The refusal of an action given by its operator rather than by text."""
        schema = self.machine.operators[operator].schema
        explanation = self._explainer.unseen(schema, scope)
        return self._refused(explanation, scope)

    def out_of_range(self, operator: int) -> Misunderstood:
        """The refusal of a number that an operator's parameter does not take."""
        schema = self.machine.operators[operator].schema
        return self._refused(self._explainer.out_of_range(schema), None)

    # -- printing ----------------------------------------------------------------------

    def canonical(self, operator: int, number: int = 0) -> str:
        """The command that means an operator: its first form that no other action's form
        answers before it, by primary names."""
        form = self._canonical.get(operator)
        if form is None:
            form = self._canonical[operator] = self._canonical_form(operator, number)
        return canonical_text(self.machine, operator, form, number)

    def _canonical_form(self, operator: int, number: int) -> int:
        schema = self.machine.operators[operator].schema
        for form in range(len(self.machine.schemas[schema].forms)):
            readings = self.readings(canonical_text(self.machine, operator, form, number))
            if readings and readings[0].schema == schema:
                return form
        return 0

    def template(self, schema: Schema, form: Form) -> str:
        """A form with the nouns of its parameters, as in `water PLANT`."""
        return self.forms.template(schema, form)


def _with_template(words: str, template: str) -> str:
    return f"{words} Try: {template}." if template else words
