"""What is wrong with the words typed for one parameter.

In: a form, what was typed for its parameters, and which objects are in scope now. Out: a
`Fault`: a sentence, and how sure the class is. Nothing here ever looks at an object that is
out of scope and out of sight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from worldengine.machine.schema import Machine, Parameter
from worldengine.matching.echo import Echo
from worldengine.matching.forms import Entry, argument_name
from worldengine.matching.names import joined, with_article
from worldengine.matching.normal import without_article
from worldengine.matching.patterns import whole_number
from worldengine.matching.vocabulary import DIRECTION_WORDS, add_unsigned, object_names

InScope = Callable[[str, int], bool]

LISTED = 8
"""Values that a refusal lists."""
SIGHT = ("here", "held", "reachable", "visible")
"""Scope words that mean the player sees the thing."""
_PRONOUNS = (
    "all anything both everybody everyone everything her him it me myself one something that"
    " them these things this those us"
)
PRONOUNS = frozenset(_PRONOUNS.split())
"""What stands for things without naming one."""


class Fault(NamedTuple):
    """What is wrong with the words typed for one parameter. `in_sight`: with the place only,
    and anybody who stands there can tell that without knowing the world."""

    words: str
    sure: bool = False
    always_place: bool = False
    in_sight: bool = False


class Faults:
    """Finds the faults in commands of one Machine."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._roles: dict[tuple[int, ...], str] = {}
        self._bearers: dict[str, list[int]] = {}
        for index, subject in enumerate(machine.objects):
            if subject.role not in ("exit", "player"):
                for name in object_names(subject):
                    self._bearers.setdefault(name, []).append(index)
        add_unsigned(self._bearers)

    def first(
        self, entry: Entry, texts: tuple[str, ...], echo: Echo, in_scope: InScope
    ) -> tuple[int, Fault]:
        """How many parameters are in order, and what is wrong with the next. A fault is told
        as one of the place alone only if all that follows is in order."""
        parameters = entry.source[0].parameters
        found: tuple[int, Fault] | None = None
        for index, (parameter, text) in enumerate(zip(parameters, texts, strict=True)):
            fault = self._fault(entry, index, parameter, text, echo, in_scope)
            if fault is None:
                continue
            if found is not None:
                return found[0], found[1]._replace(in_sight=False)
            found = index, fault
            if not fault.in_sight:
                return found
        return found or (len(parameters), Fault("That cannot be done with these."))

    def _fault(
        self,
        entry: Entry,
        index: int,
        parameter: Parameter,
        text: str,
        echo: Echo,
        in_scope: InScope,
    ) -> Fault | None:
        if parameter.type == "number":
            said = whole_number(text)
            if said is not None and parameter.low <= said <= parameter.high:
                return None
            return Fault(out_of_range(parameter), sure=True)
        vocabulary = entry.vocabularies[index]
        found = vocabulary.find(text)
        if parameter.type == "symbol":
            return None if found else Fault(self._not_one_of(parameter, echo.words(text)), True)
        inside = tuple(value for value in found if in_scope(parameter.scope, value))
        if len(inside) > 1:
            inside = vocabulary.preferred(text, inside)
        if len(inside) == 1:
            return None
        if inside:
            return Fault(self._which(inside), sure=True)
        return self._out_of_reach(parameter, text, echo, in_scope)

    def _out_of_reach(
        self, parameter: Parameter, text: str, echo: Echo, in_scope: InScope
    ) -> Fault:
        """Nothing in scope bears the name. Say more where the thing is in plain sight."""
        bearers = self._bearers.get(text) or self._bearers.get(without_article(text), [])
        for index in bearers:
            if not any(in_scope(word, index) for word in SIGHT):
                continue
            name = with_article(self._machine.objects[index], "the")
            if index not in parameter.candidates:
                return Fault(f"You cannot do that with {name}.")
            if parameter.scope == "held":
                return Fault(f"You are not holding {name}.", in_sight=True)
            if parameter.scope == "here" and in_scope("held", index):
                return Fault(f"You are holding {name}.", in_sight=True)
            return Fault(f"You cannot reach {name}.", in_sight=True)
        return self.absent(parameter, text, echo)

    def absent(self, parameter: Parameter, text: str, echo: Echo) -> Fault:
        """The same words for what is elsewhere and for what does not exist."""
        role = self._role(parameter)
        if role == "exit":
            usual = without_article(text) in DIRECTION_WORDS
            return Fault(no_way(echo.name(text)), always_place=usual, in_sight=usual)
        if role == "place" and parameter.scope == "adjacent":
            return Fault(f"You cannot get to {echo.name(text)} from here.")
        if role == "concept":
            return Fault(self._not_one_of(parameter, echo.words(text)), sure=True)
        if text in PRONOUNS:
            return Fault("Name one thing.")
        return Fault(f"You see no {echo.name(text)} here.")

    def _role(self, parameter: Parameter) -> str:
        """The role of all the objects a parameter takes, or "" if they differ."""
        found = self._roles.get(parameter.candidates)
        if found is None:
            roles = {self._machine.objects[value].role for value in parameter.candidates}
            found = self._roles[parameter.candidates] = roles.pop() if len(roles) == 1 else ""
        return found

    def _which(self, inside: tuple[int, ...]) -> str:
        objects = [self._machine.objects[value] for value in inside]
        names = list(dict.fromkeys(with_article(subject, "the") for subject in objects))
        if len(names) == 1:
            return f"More than one thing here is called {names[0]}."
        more = len(names) - LISTED
        if more > 1:  # one more is as short as saying that there is one more
            names = [*names[:LISTED], f"one of {more} others"]
        return f"Which do you mean: {joined(names, 'or')}?"

    def _not_one_of(self, parameter: Parameter, typed: str) -> str:
        values = [
            argument_name(self._machine, parameter, value, 0) for value in parameter.candidates
        ]
        more = " and others" if len(values) > LISTED else ""
        values = values[:LISTED]
        if "|" in parameter.noun:  # the noun is the list of the values itself
            return f'"{typed}" is not one of: {", ".join(values)}{more}.'
        named = ", ".join(values) + more if more else joined(values, "or")
        return f'"{typed}" is no {parameter.noun.lower()} here; there is {named}.'


def out_of_range(parameter: Parameter) -> str:
    """What a number has to be."""
    return f"{parameter.noun} must be a whole number from {parameter.low} to {parameter.high}."


def no_way(typed: str) -> str:
    """The refusal of a direction."""
    return f"You cannot go {typed} from here."
