"""The words for what went wrong, found without knowing anything the player does not see.

In: a command that no form accepted, and which objects are in scope now. Out: an
`Explanation`: a sentence, the nearest form's template, and how sure the class is.

Nothing here ever looks at an object that is out of scope and out of sight, so a name that
exists elsewhere and a name that exists nowhere get the same words, byte for byte. What the
nearest form is, is decided by words and by things in scope alone: the form of the text's
shape that gets through most of its parameters; own forms first. Of that action the way of
saying it is shown that is nearest to what was typed.

**When a template is shown.** Every explanation has one. It is said, as `Try: …`, unless
nothing but the place is wrong and the player can see that ("You are not holding the lamp.",
"You cannot go west from here."): then what was typed had the right form already. A name that
is not in sight may be misspelt, so there it is said, whether the thing exists or not. So every
refusal of class `parameter` says a template, and whether one is said never tells what exists.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import NamedTuple

from worldengine.machine.schema import PARAMETER, PLACE, Machine
from worldengine.matching.echo import Echo
from worldengine.matching.faults import Faults, InScope, no_way, out_of_range
from worldengine.matching.forms import Entry, FormIndex
from worldengine.matching.normal import normalise
from worldengine.matching.spellings import nearest, written
from worldengine.matching.vocabulary import DIRECTION_WORDS

_BREAKS = re.compile(r"\n|;|[.!?](?:\s|$)|\bthen\b|,|\band\b|\.")


class Explanation(NamedTuple):
    """`sure` where the class is `parameter` whatever else is known of the names typed;
    `always_place` where it is `place`, as for a usual direction without an exit. `hint`:
    whether the template is said; see the module."""

    words: str
    schema: int
    template: str
    sure: bool = False
    always_place: bool = False
    hint: bool = True

    def refusal(self, out_of_scope: bool) -> int:
        """The class, given whether all names exist and one of them is out of scope."""
        if self.always_place or (out_of_scope and not self.sure):
            return PLACE
        return PARAMETER


class Explainer:
    """Explains refusals of one Machine."""

    def __init__(self, machine: Machine, forms: FormIndex) -> None:
        self._machine = machine
        self._forms = forms
        self._faults = Faults(machine)

    def explain(self, text: str, normal: str, in_scope: InScope) -> Explanation:
        """Why no form accepts a text that is neither empty nor too long."""
        echo = Echo(text, normal)
        return (
            self._several(text, echo, in_scope)
            or self._nearest(normal.rstrip(".! ") or normal, echo, in_scope)
            or self._direction(normal, echo)
            or self._unknown(normal, echo)
        )

    def any_template(self) -> str:
        """A template that is valid in this world: `look` where there is looking, else the
        simplest there is."""
        found = [
            self._forms.template(*entry.source)
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
        name = self._machine.objects[index].name
        normal = normalise(name)
        fault = self._faults.absent(parameter, normal, Echo(name, normal))
        template = self._first_template(schema)
        return Explanation(fault.words, schema, template, hint=not fault.in_sight)

    def out_of_range(self, schema: int) -> Explanation:
        """The explanation for an action whose number is out of range."""
        parameters = self._machine.schemas[schema].parameters
        parameter = next(item for item in parameters if item.type == "number")
        words = out_of_range(parameter)
        return Explanation(words, schema, self._first_template(schema), sure=True)

    # -- the nearest form ----------------------------------------------------------------

    def _nearest(self, normal: str, echo: Echo, in_scope: InScope) -> Explanation | None:
        best: Entry | None = None
        most, fault = -1, None
        for entry in self._forms.candidates(normal):
            texts = entry.loose(normal) if entry.has_words else None
            if texts is None:
                continue
            passed, found = self._faults.first(entry, texts, echo, in_scope)
            if passed > most:
                best, most, fault = entry, passed, found
        if best is None or fault is None:
            return None
        return Explanation(
            fault.words,
            best.schema,
            self._template(best, normal),
            fault.sure,
            fault.always_place,
            not fault.in_sight,
        )

    # -- several commands, directions, unknown words ----------------------------------------

    def _several(self, text: str, echo: Echo, in_scope: InScope) -> Explanation | None:
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
            elif found.group() in (",", "and") and self._complete(first, echo, in_scope):
                words = "One thing at a time, please."
            else:
                continue
            return Explanation(words, entry.schema, self._template(entry, first), sure=True)
        return None

    def _shape(self, normal: str) -> Entry | None:
        """The first form that has the shape of a text, going by words alone."""
        for entry in self._forms.candidates(normal):
            if entry.has_words and entry.loose(normal) is not None:
                return entry
        if normal in DIRECTION_WORDS:
            return next((entry for entry in self._forms.entries if self._leads(entry)), None)
        return None

    def _complete(self, normal: str, echo: Echo, in_scope: InScope) -> bool:
        """Whether a text is a command about things in scope."""
        for entry in self._forms.candidates(normal):
            texts = entry.loose(normal) if entry.has_words else None
            if texts and self._faults.first(entry, texts, echo, in_scope)[0] == len(texts):
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

    def _direction(self, normal: str, echo: Echo) -> Explanation | None:
        """A bare direction word where no exit leads."""
        word = normal.rstrip(".! ")
        if word not in DIRECTION_WORDS:
            return None
        entry = next((entry for entry in self._forms.entries if self._leads(entry)), None)
        if entry is None:
            return None
        return Explanation(
            no_way(echo.words(word)),
            entry.schema,
            self._template(entry, normal),
            always_place=True,
            hint=False,
        )

    def _unknown(self, normal: str, echo: Echo) -> Explanation:
        """No form has the shape of the text."""
        word, _, rest = normal.partition(" ")
        known = self._forms.first_words()
        alike = [item for item in known if item[:1] == word[:1]]
        close = [word] if word in known else get_close_matches(word[:40], alike, 1, 0.75)
        if close:
            meant = (close[0], *rest.split())
            entries = [entry for entry in self._forms.candidates(close[0]) if entry.has_words]
            near = [nearest(self._forms.spellings(entry.schema), meant)[0] for entry in entries]
            if entries:
                entry = entries[near.index(max(near))]
                words = f'"{echo.words(normal)}" is not quite how to say it.'
                return Explanation(words, entry.schema, self._template(entry, " ".join(meant)))
        words = f'"{echo.words(normal)}" is not something you know how to do.'
        return Explanation(words, -1, self.any_template())

    def _template(self, entry: Entry, typed: str) -> str:
        """The way to say the entry's action that is nearest to what was typed; if none is
        near, its canonical form, as long as that has a word in it."""
        schema, form = entry.source
        _, spelling = nearest(self._forms.spellings(entry.schema), typed.split())
        if spelling is not None:
            return written(schema, spelling.pieces)
        first = schema.forms[0]
        wordy = any(isinstance(piece, str) and piece.strip() for piece in first.template)
        return self._forms.template(schema, first if wordy else form)

    def _first_template(self, schema: int) -> str:
        action = self._machine.schemas[schema]
        return self._forms.template(action, action.forms[0])
