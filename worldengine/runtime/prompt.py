"""The text that a player is given before the first observation.

In: a Machine. Out: title, persona, goal, intro, the number of turns, one line for every way
to act, and how to reply. It is made from the Machine's vocabulary alone: templates name the
nouns of their parameters, and only what is vocabulary (values of enums, concepts, ranges) is
listed. No value of a state and no name of a place, thing, person or door is ever in it unless
the author wrote it into the goal or the intro; so it is the same for every variant.
"""

from __future__ import annotations

from worldengine.machine.errors import NoSuchVariant
from worldengine.machine.schema import Machine, Parameter
from worldengine.matching.forms import argument_name
from worldengine.matching.names import joined
from worldengine.matching.spellings import listed, written

REPLIES = {
    "react": (
        "Reply with exactly two lines:\nThought: what you make of it and what to do next\n"
        "Action: one command"
    ),
    "action": "Reply with one command and nothing else.",
}
"""How a player may be asked to reply, by name."""


def prompt(machine: Machine, variant: int = 0, reply: str = "react") -> str:
    """The prompt of any variant; see the module. `reply` is a key of REPLIES."""
    if not 0 <= variant < len(machine.variants):
        raise NoSuchVariant(machine.name, len(machine.variants), variant)
    if reply not in REPLIES:
        raise ValueError(f"reply is one of {joined(sorted(REPLIES), 'or')}, not {reply!r}")
    parts = [machine.title]
    if machine.persona:
        parts.append(f"You are: {machine.persona}")
    if machine.goal:
        parts.append(f"Goal: {machine.goal}")
    parts += [machine.intro, f"You have {machine.turns} turns."]
    parts.append("Commands:\n" + "\n".join(command_lines(machine)))
    parts.append(REPLIES[reply])
    return "\n\n".join(filter(None, parts))


def command_lines(machine: Machine) -> tuple[str, ...]:
    """One line for each action, own ones first: its forms, other words to begin it with, and
    the values that are vocabulary."""
    schemas = [schema for schema in machine.schemas if schema.own]
    schemas += [schema for schema in machine.schemas if not schema.own]
    lines: dict[str, None] = {}
    for schema in schemas:
        spellings = dict.fromkeys(written(schema, pieces) for pieces in listed(schema))
        notes = [note for note in (_note(machine, item) for item in schema.parameters) if note]
        first, *others = spellings
        extra = f" (or: {', '.join(others)})" if others else ""
        lines[f"- {first}{extra}" + (f"   [{'; '.join(notes)}]" if notes else "")] = None
    return tuple(lines)


def listed_values(machine: Machine, parameter: Parameter) -> tuple[str, ...]:
    """The values of a parameter that are vocabulary and never hidden."""
    if parameter.type == "number":
        return (f"{parameter.low}..{parameter.high}",)
    values = parameter.candidates
    if parameter.type == "object":
        values = tuple(v for v in values if machine.objects[v].role == "concept")
    return tuple(argument_name(machine, parameter, value, 0) for value in values)


def _note(machine: Machine, parameter: Parameter) -> str:
    values = listed_values(machine, parameter)
    if not values or parameter.noun == "|".join(values):
        return ""  # nothing to list, or the template lists it
    open_ended = parameter.type == "object" and len(values) < len(parameter.candidates)
    return f"{parameter.noun}: {', '.join(values)}{', …' if open_ended else ''}"
