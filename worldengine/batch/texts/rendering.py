"""From emissions to the text a player reads.

The batch engine names texts by number. How emissions become a sentence is the business of
one printer for all engines; a caller hands it in as `printers`, one a machine, so that this
room knows nothing of the reference. Refusals that no requirement speaks (out of scope, out
of range, no such action) have the words that `matching` finds for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Protocol

from worldengine.batch.tables.layout import (
    ACCEPTED_TEXT,
    OPENING_TEXT,
    SAID_DONE,
    SAID_RANGE,
    SAID_SCOPE,
    SAID_UNKNOWN,
)
from worldengine.batch.tables.tables import Tables
from worldengine.batch.texts.texts import Emission, Renderer
from worldengine.machine.schema import Machine
from worldengine.matching import Matcher

DONE = "Done."
UNKNOWN = "There is no such action."


class Printer(Protocol):
    """What prints emissions of one machine."""

    def print(self, emissions: Sequence[Emission]) -> str: ...


def printer_of(machine: Machine) -> Printer:
    """The printer that every engine shares; loaded when the first text is read."""
    made: Printer = import_module("worldengine.runtime.observation").Printer(machine)
    return made


def renderer(tables: Tables, printers: Callable[[Machine], Printer] = printer_of) -> Renderer:
    """What makes texts of emissions of these machines."""
    made: dict[int, tuple[Printer, Matcher]] = {}

    def render(machine: int, kind: int, said: Sequence[Emission]) -> str:
        if machine not in made:
            subject = tables.machines[machine]
            made[machine] = printers(subject), Matcher(subject)
        printer, matcher = made[machine]
        if said and said[0][0] < 0:
            return _unsaid(tables, machine, matcher, said[0])
        if kind == OPENING_TEXT:
            return "\n\n".join(filter(None, (tables.machines[machine].intro, printer.print(said))))
        return printer.print(said) or (DONE if kind == ACCEPTED_TEXT else "")

    return render


def _unsaid(tables: Tables, machine: int, matcher: Matcher, emission: Emission) -> str:
    """The words of a text that the machine itself does not have."""
    kind, values = emission
    if kind == SAID_DONE:
        return DONE
    if kind == SAID_SCOPE:
        scope = tables.scope_objects[machine][values[0]][values[1]]
        return matcher.out_of_scope(values[0], scope).words
    if kind == SAID_RANGE:
        return matcher.out_of_range(values[0]).words
    assert kind == SAID_UNKNOWN
    return UNKNOWN
