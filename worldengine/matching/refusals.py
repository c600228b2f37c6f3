"""The words for what went wrong, found without knowing anything the player does not see.

In: a command that no form accepted, and which objects are in scope now. Out: an
`Explanation`: a sentence, the nearest form's template, and how sure the class is.

Nothing here ever looks at an object that is out of scope and out of sight, so a name that
exists elsewhere and a name that exists nowhere get the same words, byte for byte. What the
nearest form is, is decided by words and by things in scope alone: the form of the text's
shape that gets through most of its parameters; own forms first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from typing import NamedTuple

from worldengine.machine.schema import PARAMETER, PLACE, Machine, Parameter
from worldengine.matching.forms import Entry, FormIndex, argument_name
from worldengine.matching.names import joined, with_article
from worldengine.matching.normal import clean, normalise, without_article
from worldengine.matching.patterns import whole_number
from worldengine.matching.vocabulary import DIRECTION_WORDS, object_names

InScope = Callable[[str, int], bool]

SHOWN = 60
"""Characters of the player's own words that a refusal repeats."""
LISTED = 8
"""Values that a refusal lists."""
SIGHT = ("here", "held", "reachable", "visible")
"""Scope words that mean the player sees the thing."""

_BREAKS = re.compile(r"\n|;|[.!?](?:\s|$)|\bthen\b|,|\band\b|\.")


class Explanation(NamedTuple):
    """`sure` where the class is `parameter` whatever else is known of the names typed;
    `always_place` where it is `place`, as for a usual direction without an exit."""

    words: str
    schema: int
    template: str
    sure: bool = False
    always_place: bool = False

    def refusal(self, out_of_scope: bool) -> int:
        """The class, given whether all names exist and one of them is out of scope."""
        if self.always_place or (out_of_scope and not self.sure):
            return PLACE
        return PARAMETER


class Fault(NamedTuple):
    """What is wrong with the words typed for one parameter."""

    words: str
    sure: bool = False
    always_place: bool = False


class Explainer:
    """Explains refusals of one Machine."""

    def __init__(self, machine: Machine, forms: FormIndex) -> None:
        self._machine = machine
        self._forms = forms
        self._bearers: dict[str, list[int]] = {}
        for index, subject in enumerate(machine.objects):
            if subject.role not in ("exit", "player"):
                for name in object_names(subject):
                    self._bearers.setdefault(name, []).append(index)

    def explain(self, text: str, normal: str, in_scope: InScope) -> Explanation:
        """Why no form accepts a text that is neither empty nor too long."""
        return (
            self._several(text, in_scope)
            or self._nearest(normal.rstrip(".! ") or normal, in_scope)
            or self._direction(normal)
            or self._unknown(normal)
        )

    def any_template(self) -> str:
        """A template that is valid in this world: `look` where there is looking, else the
        simplest there is."""
        found = [
            self._template(entry)
            for entry in self._forms.entries
            if entry.has_words and entry.form == 0
        ]
        return "look" if "look" in found else min(found, key=len, default="")

    def unseen(self, schema: int, scope: tuple[str, int]) -> Explanation:
        """The explanation for an action whose argument is out of scope."""
        word, index = scope
        parameters = self._machine.schemas[schema].parameters
        parameter = next(
            item for item in parameters if item.scope == word and index in item.candidates
        )
        fault = self._absent(parameter, normalise(self._machine.objects[index].name))
        return Explanation(fault.words, schema, self._first_template(schema))

    def out_of_range(self, schema: int) -> Explanation:
        """The explanation for an action whose number is out of range."""
        parameters = self._machine.schemas[schema].parameters
        parameter = next(item for item in parameters if item.type == "number")
        return Explanation(_range(parameter), schema, self._first_template(schema), sure=True)

    # -- the nearest form ----------------------------------------------------------------

    def _nearest(self, normal: str, in_scope: InScope) -> Explanation | None:
        best: tuple[int, Entry, Fault] | None = None
        for entry in self._forms.candidates(normal):
            texts = entry.loose(normal) if entry.has_words else None
            if texts is None:
                continue
            passed, fault = self._fault(entry, texts, in_scope)
            if best is None or passed > best[0]:
                best = passed, entry, fault
        if best is None:
            return None
        _, entry, fault = best
        return Explanation(
            fault.words, entry.schema, self._template(entry), fault.sure, fault.always_place
        )

    def _fault(self, entry: Entry, texts: tuple[str, ...], in_scope: InScope) -> tuple[int, Fault]:
        """How many parameters are in order, and what is wrong with the next."""
        parameters = entry.source[0].parameters
        for index, (parameter, text) in enumerate(zip(parameters, texts, strict=True)):
            fault = self._parameter_fault(entry, index, parameter, text, in_scope)
            if fault is not None:
                return index, fault
        return len(parameters), Fault("That cannot be done with these.")

    def _parameter_fault(
        self, entry: Entry, index: int, parameter: Parameter, text: str, in_scope: InScope
    ) -> Fault | None:
        if parameter.type == "number":
            said = whole_number(text)
            if said is not None and parameter.low <= said <= parameter.high:
                return None
            return Fault(_range(parameter), sure=True)
        vocabulary = entry.vocabularies[index]
        found = vocabulary.find(text)
        if parameter.type == "symbol":
            if found:
                return None
            return Fault(self._not_one_of(parameter, text), sure=True)
        inside = tuple(value for value in found if in_scope(parameter.scope, value))
        inside = vocabulary.preferred(text, inside)
        if len(inside) == 1:
            return None
        if inside:
            return Fault(self._which(inside), sure=True)
        return self._out_of_reach(parameter, text, in_scope)

    def _out_of_reach(self, parameter: Parameter, text: str, in_scope: InScope) -> Fault:
        """Nothing in scope bears the name. Say more where the thing is in plain sight."""
        bearers = self._bearers.get(text) or self._bearers.get(without_article(text), [])
        for index in bearers:
            if not any(in_scope(word, index) for word in SIGHT):
                continue
            name = with_article(self._machine.objects[index], "the")
            if index not in parameter.candidates:
                return Fault(f"You cannot do that with {name}.")
            if parameter.scope == "held":
                return Fault(f"You are not holding {name}.")
            if parameter.scope == "here" and in_scope("held", index):
                return Fault(f"You are holding {name}.")
            return Fault(f"You cannot reach {name}.")
        return self._absent(parameter, text)

    def _absent(self, parameter: Parameter, text: str) -> Fault:
        """The same words for what is elsewhere and for what does not exist."""
        roles = {self._machine.objects[value].role for value in parameter.candidates}
        typed = _shown(without_article(text))
        if roles == {"exit"}:
            return Fault(f"You cannot go {typed} from here.", always_place=text in DIRECTION_WORDS)
        if roles == {"place"} and parameter.scope == "adjacent":
            return Fault(f"You cannot get to {typed} from here.")
        if roles == {"concept"}:
            return Fault(self._not_one_of(parameter, text), sure=True)
        return Fault(f"You see no {typed} here.")

    def _which(self, inside: tuple[int, ...]) -> str:
        objects = [self._machine.objects[value] for value in inside]
        names = list(dict.fromkeys(with_article(subject, "the") for subject in objects))
        if len(names) == 1:
            return f"More than one thing here is called {names[0]}."
        return f"Which do you mean: {joined(names, 'or')}?"

    def _not_one_of(self, parameter: Parameter, text: str) -> str:
        values = [
            argument_name(self._machine, parameter, value, 0) for value in parameter.candidates
        ]
        listed = (
            joined(values[:LISTED], "or")
            if len(values) <= LISTED
            else (", ".join(values[:LISTED]) + " and others")
        )
        noun = parameter.noun.lower()
        return f'"{_shown(text)}" is no {noun} here; there is {listed}.'

    # -- several commands, directions, unknown words ----------------------------------------

    def _several(self, text: str, in_scope: InScope) -> Explanation | None:
        """Several commands in one line. A break counts if what stands before it has the
        shape of a command and so has what follows."""
        lowered = text.casefold()
        for found in _BREAKS.finditer(lowered):
            first = normalise(lowered[: found.start()])
            rest = normalise(lowered[found.end() :])
            entry = self._shape(first)
            if entry is None or not rest:
                continue
            if self._shape(rest) is not None or found.group() in ("then", ";", "\n"):
                words = "One command at a time, please."
            elif found.group() in (",", "and") and self._complete(first, in_scope):
                words = "One thing at a time, please."
            else:
                continue
            return Explanation(words, entry.schema, self._template(entry), sure=True)
        return None

    def _shape(self, normal: str) -> Entry | None:
        """The first form that has the shape of a text, going by words alone."""
        for entry in self._forms.candidates(normal):
            if entry.has_words and entry.loose(normal) is not None:
                return entry
        if normal in DIRECTION_WORDS:
            return next((entry for entry in self._forms.entries if self._leads(entry)), None)
        return None

    def _complete(self, normal: str, in_scope: InScope) -> bool:
        """Whether a text is a command about things in scope."""
        for entry in self._forms.candidates(normal):
            texts = entry.loose(normal) if entry.has_words else None
            if texts and self._fault(entry, texts, in_scope)[0] == len(texts):
                return True
        return False

    def _leads(self, entry: Entry) -> bool:
        """Whether a form takes exits, as `go DIRECTION` does."""
        parameters = entry.source[0].parameters
        return entry.has_words and any(
            self._machine.objects[value].role == "exit"
            for parameter in parameters
            if parameter.type == "object"
            for value in parameter.candidates[:1]
        )

    def _direction(self, normal: str) -> Explanation | None:
        """A bare direction word where no exit leads."""
        if normal.rstrip(".! ") not in DIRECTION_WORDS:
            return None
        entry = next((entry for entry in self._forms.entries if self._leads(entry)), None)
        if entry is None:
            return None
        words = f"You cannot go {normal.rstrip('.! ')} from here."
        return Explanation(words, entry.schema, self._template(entry), always_place=True)

    def _unknown(self, normal: str) -> Explanation:
        """No form has the shape of the text."""
        word = normal.partition(" ")[0]
        known = self._forms.first_words()
        alike = [item for item in known if item[:1] == word[:1]]
        close = [word] if word in known else get_close_matches(word[:40], alike, 1, 0.75)
        for entry in self._forms.candidates(close[0]) if close else ():
            if entry.has_words:
                words = f'"{_shown(normal)}" is not quite how to say it.'
                return Explanation(words, entry.schema, self._template(entry))
        words = f'"{_shown(normal)}" is not something you know how to do.'
        return Explanation(words, -1, self.any_template())

    def _template(self, entry: Entry) -> str:
        """The canonical form of the entry's action, as long as it has a word in it."""
        schema, form = entry.source
        first = schema.forms[0]
        wordy = any(isinstance(piece, str) and piece.strip() for piece in first.template)
        return self._forms.template(schema, first if wordy else form)

    def _first_template(self, schema: int) -> str:
        action = self._machine.schemas[schema]
        return self._forms.template(action, action.forms[0])


def _shown(words: str) -> str:
    """The player's words, clipped and cleaned, as a refusal may repeat them."""
    cleaned = clean(words)
    return cleaned if len(cleaned) <= SHOWN else cleaned[: SHOWN - 1].rstrip() + "…"


def _range(parameter: Parameter) -> str:
    return f"{parameter.noun} must be a whole number from {parameter.low} to {parameter.high}."
