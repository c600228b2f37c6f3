"""What the rules make of a state, remembered: most turns lead to where others have led before.

In: keys of states after a command and before the rules. Out: the keys after the rules, for those
that were met a little earlier. All that is asked is compared, so nothing is concluded from a hash;
what is new takes the place of what is old.

**Argument.** What the rules store into kept variables follows from the kept variables (see `cone`
and `classes`) as they are and, where a rule asks for that, as they were when the turn began: these
are asked too. Where a rule reads the number of the command or what the command left in registers,
or where running the rules is cheaper than to look, nothing is remembered.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from worldengine.batch.lanes.steps import LANES
from worldengine.machine.schema import Machine
from worldengine.memo import by_machine
from worldengine.modelcheck.compiled.fetching import prefetch
from worldengine.modelcheck.compiled.steps import compiled
from worldengine.modelcheck.exploration.frontier import Array
from worldengine.modelcheck.exploration.numbered import mixed
from worldengine.modelcheck.exploration.packing import Packing, code_at
from worldengine.modelcheck.programs.silence import reads_of, silent

DEAR = 100
"""Steps of rules, and of what they read, from which on it pays to remember: a step costs some
half a nanosecond a state, a look some thirty."""
ROOM, PRIORS = 1 << 15, 4
"""Keys that are remembered; values that may be asked for as the turn began."""


class Recall(NamedTuple):
    """What is known, by its hash; no rows where nothing is remembered. What is asked is a key
    before the rules and, in words of their own, some values as the turn began."""

    before: Array  # [size, words and priors] uint32 what was asked
    after: Array  # [size, words] uint32 keys after the rules
    known: Array  # [size] uint8
    priors: Array  # [priors] int64 the kept variables that are asked for as the turn began
    homes: Array  # [LANES] int64 of the turns of a bunch
    asked: Array  # [LANES, words and priors] uint32


def recall_of(machine: Machine, packing: Packing) -> Recall:
    """Room for keys in a packing, or for none."""
    steps, slots = _rules_of(machine)
    index = {int(variable): place for place, variable in enumerate(packing.variables)}
    priors = [index[slot] for slot in slots if slot in index]
    size = ROOM if steps >= DEAR and len(priors) <= PRIORS else 0
    width = packing.size + len(priors)
    return Recall(
        np.zeros((size, width), np.uint32),
        np.zeros((size, packing.size), np.uint32),
        np.zeros(size, np.uint8),
        np.array(priors, np.int64),
        np.zeros(LANES, np.int64),
        np.zeros((LANES, width), np.uint32),
    )


@by_machine(64)
def _rules_of(machine: Machine) -> tuple[int, tuple[int, ...]]:
    """Steps that a run of the rules may take, derived variables included, and the variables that
    are read as they were; no steps if what they do does not follow from these and the state."""
    count, steps = len(machine.variables), 0
    priors = set[int]()
    own = range(machine.register_base, machine.derived_base)
    formulas = range(machine.derived_base, machine.derived_base + len(machine.derived))
    seen, waiting = set[int](), list[int]()
    rules = [silent(machine, rule.program) for rule in machine.rules]
    programs = list(rules)
    while programs:
        program = programs.pop()
        steps += len(program)
        # A derived variable's registers are its own, and empty when it begins.
        stored = set[int]() if program in rules else set(own)
        for step in program:
            for slot in reads_of(step, machine):
                if slot == machine.number_slot or (slot in own and slot not in stored):
                    return 0, ()
                if count <= slot < 2 * count:
                    priors.add(slot - count)
                if slot in formulas and slot not in seen:
                    seen.add(slot)
                    waiting.append(slot)
            if not step.tests:
                stored.update(assign.target for assign in step.assigns)
        asked = (machine.derived[slot - machine.derived_base].program for slot in waiting)
        programs.extend(silent(machine, program) for program in asked)
        waiting.clear()
    return steps, tuple(sorted(priors))


@compiled
def recalled(p: Packing, m: Recall, keys: Any, origins: Any, lanes: Any, rows: Any,
             count: Any) -> Any:  # fmt: skip
    """Put what the rules make of the first `count` keys in their place where it is known. The rows
    of the others into `rows`; how many there are. A turn's state as it began is that of its lane
    in `origins`."""
    size, words, width = len(m.before), keys.shape[1], m.asked.shape[1]
    for turn in range(count):
        mix = np.uint64(0)
        for word in range(words):
            m.asked[turn, word] = keys[turn, word]
        for at in range(words, width):
            m.asked[turn, at] = np.uint32(code_at(p, m.priors[at - words], origins[lanes[turn]]))
        for at in range(width):
            mix = mixed(mix ^ np.uint64(m.asked[turn, at]))
        m.homes[turn] = np.int64(mix & np.uint64(size - 1))
        prefetch(m.before, m.homes[turn])
        prefetch(m.after, m.homes[turn])
    left = 0
    for turn in range(count):
        home = m.homes[turn]
        known = m.known[home] != 0
        for at in range(width):
            known = known and m.before[home, at] == m.asked[turn, at]
        if known:
            for word in range(words):
                keys[turn, word] = m.after[home, word]
        else:
            rows[left] = turn
            left += 1
    return left


@compiled
def remember(m: Recall, keys: Any, rows: Any, left: Any) -> None:
    """Note what the rules made of the keys that were not known."""
    for lane in range(left):
        turn = rows[lane]
        home = m.homes[turn]
        m.known[home] = 1
        for at in range(m.asked.shape[1]):
            m.before[home, at] = m.asked[turn, at]
        for word in range(keys.shape[1]):
            m.after[home, word] = keys[turn, word]
