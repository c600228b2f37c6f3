"""What is typed and what is answered: forms that never answer, refusals that tell.

In: a Machine and its source. Out: diagnostics.

- A form never answers if whatever it may be typed for, some other form that asks for no more
  answers first.
- A refusal tells if its words show what differs between the starts: a refused command changes
  nothing, so what it tells is had for nothing. Only what the words themselves print or choose
  by counts; that a command is refused at all is what requirements are for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from worldengine.diagnostics import Diagnostic
from worldengine.machine.reads import reads
from worldengine.machine.schema import Machine, Operator, Program
from worldengine.matching import Matcher
from worldengine.matching.forms import canonical_text
from worldengine.modelcheck.wording.places import located, location_of, span_of
from worldengine.source import Source, Span

TRIED = 64
"""Commands of one form that are tried before it is believed never to answer."""
_FORM = re.compile(r"\b(form|regex)\s+\"(?:[^\"\\]|\\.)*\"")


# -- forms -------------------------------------------------------------------------------


def unanswering_forms(machine: Machine, source: Source) -> Iterator[Diagnostic]:
    """Forms of the world's own actions that never answer."""
    matcher = Matcher(machine)
    by_schema: dict[int, list[int]] = {}
    for index, operator in enumerate(machine.operators):
        by_schema.setdefault(operator.schema, []).append(index)
    for number, schema in enumerate(machine.schemas):
        place = location_of(machine, schema.span)
        if place is None or place.file != source.name:
            continue
        operators = by_schema.get(number, [])
        if not operators or len(operators) > TRIED:
            continue
        for form in range(len(schema.forms)):
            first = {_answers_first(machine, matcher, index, form) for index in operators}
            if None in first:
                continue
            others = ", ".join(f"`{name}`" for name in sorted(name for name in first if name))
            yield Diagnostic(
                "form-unreachable",
                "warning",
                f"this form of `{schema.name}` never answers: {others} answers first",
                _form_span(machine, number, form, source),
                "words that are more literal answer first, and own forms before the library's",
            )


def _answers_first(machine: Machine, matcher: Matcher, operator: int, form: int) -> str | None:
    """The action that answers before this form does, in every state; None if none does."""
    ground = machine.operators[operator]
    low = 0
    for parameter in machine.schemas[ground.schema].parameters:
        low = parameter.low if parameter.type == "number" else low
    text = canonical_text(machine, operator, form, low)
    for reading in matcher.readings(text):
        if reading.schema == ground.schema:
            return None
        if reading.operator >= 0 and reading.in_range:
            other = machine.operators[reading.operator]
            if _asked(machine, other) <= _asked(machine, ground):
                return machine.schemas[reading.schema].name
    return None


def _asked(machine: Machine, operator: Operator) -> set[tuple[str, int]]:
    """The scopes that an action asks for."""
    parameters = machine.schemas[operator.schema].parameters
    return {
        (parameter.scope, value)
        for parameter, value in zip(parameters, operator.arguments, strict=True)
        if parameter.type == "object" and parameter.scope not in ("", "anywhere")
    }


def _form_span(machine: Machine, schema: int, form: int, source: Source) -> Span:
    """The form in the text of its action, the action's name if it is not found there."""
    place = location_of(machine, machine.schemas[schema].span)
    assert place is not None
    name = located(place, source)
    found = list(_FORM.finditer(source.text, name.end))[form : form + 1]
    return Span(source, found[0].start(), found[0].end()) if found else name


# -- refusals ----------------------------------------------------------------------------


def telling_refusals(machine: Machine, source: Source) -> Iterator[Diagnostic]:
    """Refusals whose words show what differs between the starts."""
    secret = _varied(machine)
    if not secret:
        return
    told: dict[int, int] = {}
    for operator in machine.operators:
        entries = [requirement.entry for requirement in operator.requirements]
        ends = [*entries[1:], operator.body]
        for requirement, end in zip(operator.requirements, ends, strict=False):
            if requirement.span in told:
                continue
            steps = operator.program[requirement.entry : end]
            shown = _shown(machine, steps) & secret
            if shown:
                told[requirement.span] = min(shown)
    for span, variable in told.items():
        place = location_of(machine, span)
        if place is None or place.file != source.name:
            continue
        name = machine.variables[variable].name
        yield Diagnostic(
            "refusal-tells",
            "note",
            f"the words of this refusal tell {name}, which differs between the starts",
            span_of(machine, span, source),
            "fine as a clue; but whoever is refused learns it without paying a state for it",
        )


def _varied(machine: Machine) -> set[int]:
    """The variables that differ between the starts, whereabouts left out: that a thing is not
    here is what refusals say."""
    starts = [machine.start(variant) for variant in range(len(machine.variants))]
    return {
        slot
        for slot, variable in enumerate(machine.variables)
        if variable.role != "location" and len({start[slot] for start in starts}) > 1
    }


def _shown(machine: Machine, steps: Program) -> set[int]:
    """The variables that the words of these steps print, or choose their words by."""
    found: set[int] = set()
    for step in steps:
        slots = [argument.slot for argument in step.arguments if argument.slot >= 0]
        if step.call >= 0:
            slots += reads(machine.blocks[step.call].program, machine)
        found |= _variables(machine, slots)
    return found


def _variables(machine: Machine, slots: list[int]) -> set[int]:
    """The variables behind slots, derived variables followed."""
    count, base = len(machine.variables), machine.derived_base
    found: set[int] = set()
    waiting, seen = list(slots), set[int]()
    while waiting:
        slot = waiting.pop()
        if slot in seen:
            continue
        seen.add(slot)
        if slot < 2 * count:
            found.add(slot % count)
        elif slot >= base:
            waiting += reads(machine.derived[slot - base].program, machine)
    return found
