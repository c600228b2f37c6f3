"""Derived variables that hang on themselves in a world as it is, not only by their definition.

In: a `Reach`. Out: derived variables. Water in a pipe hangs on water in the pipes that feed it;
where the pipes stand in a row no pipe feeds itself. That a variable of a circle is 0 may have no
other reason than that the others are (they are the least fixed point), so it needs none; any
other has one, whichever group the compiler put it into.
"""

from __future__ import annotations

from worldengine.modelcheck.programs.silence import reads_of
from worldengine.modelcheck.programs.units import DERIVED
from worldengine.modelcheck.relaxation.abstract import Run
from worldengine.modelcheck.relaxation.reached import Reach


def circular(reach: Reach) -> list[int]:
    """The derived variables that hang on themselves."""
    machine, hangs = reach.machine, dict[int, set[int]]()
    for number, unit in enumerate(reach.units):
        if unit.kind != DERIVED or machine.derived[unit.index].group < 0:
            continue
        run, found = Run(reach, number), hangs.setdefault(unit.index, set())
        for step, env in zip(unit.program, reach.points[number], strict=False):
            if env is not None and run.satisfied(step.tests, env) is not None:
                found.update(slot - machine.derived_base for slot in reads_of(step, machine))
    for found in hangs.values():  # what is behind, and behind that
        waiting = [*found]
        while waiting:
            for other in hangs.get(waiting.pop(), set()) - found:
                found.add(other)
                waiting.append(other)
    return [index for index in hangs if index in hangs[index]]
