"""Any set of Machines as a handful of integer arrays, laid end to end.

In: validated Machines. Out: `Tables`. One kernel walks them all: `head` says for every
machine where its rows begin. Arrays are as narrow as the machines allow. Refused with
ValueError: no machine at all, a machine too large for 32-bit rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.tables import layout
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.facts import call_depth, longest_saying, turn_registers
from worldengine.batch.tables.lowering import Rows, lower
from worldengine.machine.schema import UNDEFINED, Machine, Variable


@dataclass(frozen=True)
class Tables:
    """The rows of all machines; never changed. Row layouts: `worldengine.batch.tables.layout`."""

    machines: tuple[Machine, ...]
    head: NDArray[np.int64]  # (machines, HEAD)
    code: Integers  # (n,) int16 or int32: everything small
    wide: NDArray[np.int32]  # (n,) bounds, number ranges, starts
    bits: NDArray[np.int64]  # (n,) sets of derived variables and of operators
    state_type: np.dtype[Any]  # int8, int16 or int32: holds every value of every variable
    width: int  # the most variables of any machine
    slots: int  # the most slots of any machine
    derived: int  # the most derived variables of any machine
    operators: int  # the most operators of any machine
    stack: int  # integers of stack that any evaluation may need
    saying: int  # integers of texts that a turn needs at most
    columns: int  # rows of slots that lanes need, registers of derived variables among them
    masks: int  # rows of masks that lanes need for the steps of programs
    scope_objects: tuple[tuple[tuple[tuple[str, int], ...], ...], ...]

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return self.head.nbytes + self.code.nbytes + self.wide.nbytes + self.bits.nbytes

    def report(self) -> dict[str, int | str]:
        """What the tables hold and what they weigh."""
        return {
            "machines": len(self.machines),
            "operators": int(self.head[:, layout.H_OPERATOR_COUNT].sum()),
            "variables": int(self.head[:, layout.H_VARIABLES].sum()),
            "derived": int(self.head[:, layout.H_DERIVED_COUNT].sum()),
            "code_bytes": self.code.nbytes,
            "wide_bytes": self.wide.nbytes,
            "set_bytes": self.bits.nbytes,
            "head_bytes": self.head.nbytes,
            "bytes": self.nbytes,
            "state_bytes": self.width * self.state_type.itemsize,
            "code_type": self.code.dtype.name,
            "state_type": self.state_type.name,
        }


class _Array:
    """One array under construction; `add` gives back where a section begins."""

    def __init__(self) -> None:
        self.sections: list[Integers] = []
        self.length = 0

    def add(self, values: Iterable[int]) -> int:
        section = np.fromiter(values, np.int64)
        begin = self.length
        self.sections.append(section)
        self.length += len(section)
        return begin

    def array(self, allowed: Sequence[type[np.signedinteger[Any]]]) -> Integers:
        whole = np.concatenate([*self.sections, np.zeros(1, np.int64)])
        for kind in allowed:
            limits = np.iinfo(kind)
            if limits.min <= whole.min() and whole.max() <= limits.max:
                return whole.astype(kind)
        raise ValueError("a machine has numbers or parts beyond 32 bits")


def tables_of(machines: Sequence[Machine]) -> Tables:
    """The tables of some machines, in their order."""
    if not machines:
        raise ValueError("tables need at least one machine")
    code, wide, bits = _Array(), _Array(), _Array()
    lowered = [lower(machine) for machine in machines]
    head = [_section(rows, code, wide, bits) for rows in lowered]
    variables = [variable for machine in machines for variable in machine.variables]
    most_derived = max(len(machine.derived) for machine in machines)
    return Tables(
        machines=tuple(machines),
        head=np.array(head, np.int64),
        code=code.array((np.int16, np.int32)),
        wide=wide.array((np.int32,)),
        bits=bits.array((np.int64,)),
        state_type=state_type(machines, variables),
        width=max(len(machine.variables) for machine in machines),
        slots=max(machine.slots for machine in machines) + 1,
        derived=most_derived + 1,
        operators=max(len(machine.operators) for machine in machines),
        stack=max(_stack(rows) for rows in lowered),
        saying=max(map(longest_saying, machines)),
        columns=max(
            rows.machine.slots + 1 + sum(row[2] for row in rows.derived) for rows in lowered
        ),
        masks=max(map(_masks, lowered)),
        scope_objects=tuple(tuple(rows.scope_objects) for rows in lowered),
    )


def _section(rows: Rows, code: _Array, wide: _Array, bits: _Array) -> list[int]:
    """Append one machine's rows and give back its row of `head`."""
    machine = rows.machine
    words = len(machine.derived) // 64 + 1
    mask_words = (len(machine.operators) + 63) // 64
    column = {
        layout.H_STEPS: code.add(chain(*rows.steps)),
        layout.H_TESTS: code.add(chain(*rows.tests)),
        layout.H_ASSIGNS: code.add(chain(*rows.assigns)),
        layout.H_EXTRAS: code.add(chain(*rows.extras)),
        layout.H_ARGUMENTS: code.add(chain(*rows.arguments)),
        layout.H_OPERATORS: code.add(chain(*rows.operators)),
        layout.H_SCOPES: code.add(rows.scopes),
        layout.H_DERIVED: code.add(chain(*rows.derived)),
        layout.H_GROUPS: code.add(chain(*rows.groups)),
        layout.H_MEMBERS: code.add(rows.members),
        layout.H_SELECTS: code.add(rows.selects),
        layout.H_ROWS: code.add(chain(*rows.rows)),
        layout.H_MILESTONES: code.add(machine.milestones),
        layout.H_BOUNDS: wide.add(chain(*rows.bounds)),
        layout.H_RANGES: wide.add(chain(*rows.ranges)),
        **_starts(machine, wide),
        layout.H_DEPENDENTS: bits.add(_words(rows.dependents, words)),
        **_scope_masks(rows, bits, mask_words),
        layout.H_WORDS: words,
        layout.H_MASK_WORDS: mask_words,
        layout.H_VARIABLES: len(machine.variables),
        layout.H_DERIVED_COUNT: len(machine.derived),
        layout.H_OPERATOR_COUNT: len(machine.operators),
        layout.H_MILESTONE_COUNT: len(machine.milestones),
        layout.H_VARIANT_COUNT: len(machine.variants),
        layout.H_REGISTER_BASE: machine.register_base,
        layout.H_DERIVED_BASE: machine.derived_base,
        layout.H_ZERO: machine.slots,
        layout.H_STATUS: machine.status,
        layout.H_TURN: machine.turn,
        layout.H_TURNS: machine.turns,
        layout.H_RULES: rows.rules,
        layout.H_PRIOR: int(bool(rows.priors)),
        layout.H_RULES_END: rows.rules_end,
        layout.H_PRIORS: code.add(rows.priors),
        layout.H_PRIOR_COUNT: len(rows.priors),
        layout.H_REGISTERS: turn_registers(machine),
        layout.H_SHARED: code.add(rows.shared),
        layout.H_SHARED_COUNT: len(rows.shared),
        layout.H_OPENING: rows.opening,
        layout.H_IDENTITY: _signed(int(machine.hash[:16], 16)),
        layout.H_RUN: 0,
        layout.H_SWEEP: 0,
    }
    return [column[index] for index in range(layout.HEAD)]


def _starts(machine: Machine, wide: _Array) -> dict[int, int]:
    """Initial values, then what each variant changes, as (variable, value) pairs."""
    initial = [variable.initial for variable in machine.variables]
    begins, pairs = [0], list[int]()
    for variant in machine.variants:
        pairs.extend(chain(*variant.assignments))
        begins.append(len(pairs))
    return {
        layout.H_STARTS: wide.add([*initial, *pairs]),
        layout.H_VARIANTS: wide.add(begins),
    }


def _scope_masks(rows: Rows, bits: _Array, words: int) -> dict[int, int]:
    """For every slot that tells a scope: the slot, then the operators that need it."""
    needing: dict[int, int] = {}
    for operator, slots in enumerate(rows.scope_slots):
        for slot in slots:
            if slot >= 0:
                needing[slot] = needing.get(slot, 0) | 1 << operator
    values = chain(*((slot, *_words([mask], words)) for slot, mask in sorted(needing.items())))
    return {layout.H_SCOPE_MASKS: bits.add(values), layout.H_SCOPE_COUNT: len(needing)}


def _words(masks: Iterable[int], words: int) -> list[int]:
    """Sets of any size as 64-bit words, lowest first."""
    return [_signed(mask >> 64 * word & (2**64 - 1)) for mask in masks for word in range(words)]


def _signed(word: int) -> int:
    return word - 2**64 if word >= 2**63 else word


def _stack(rows: Rows) -> int:
    """Every derived variable may wait for another, each with its calls and registers."""
    calls = call_depth(rows.machine) + 1
    registers = sum(row[2] for row in rows.derived)
    return (len(rows.derived) + 1) * calls * layout.FRAME + registers + layout.FRAME


def _masks(rows: Rows) -> int:
    """Rows of masks: a program's steps, those of the blocks it may be in the middle of, and the
    same for every derived variable that may be waited for."""
    operators = rows.operators
    halves = [row[6] - row[0] for row in operators] + [row[7] - row[1] for row in operators]
    longest = max(halves, default=0) + max(0, rows.rules_end - rows.rules)
    blocks = sum(len(block.program) for block in rows.machine.blocks)
    calls = [any(step.call >= 0 for step in each.program) for each in rows.machine.derived]
    derived = sum(row[3] - row[0] for row in rows.derived) + blocks * sum(calls)
    return longest + blocks + derived


def state_type(machines: Sequence[Machine], variables: Sequence[Variable]) -> np.dtype[Any]:
    """The narrowest type that holds every value in the domain of every variable."""
    values = [0, -1]
    for variable in variables:
        values += variable.domain or (variable.low, variable.high)
    low, high = min(values), max(values)
    assert low > UNDEFINED
    for kind in (np.int8, np.int16):
        if np.iinfo(kind).min <= low and high <= np.iinfo(kind).max:
            return np.dtype(kind)
    return np.dtype(np.int32)
