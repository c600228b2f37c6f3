"""The torch engine: the states stay on the device, and a step asks it nothing.

In: `Tables` and tensors with one row a slot. Out: a `TorchStep` of tensors on the device, and
states changed in place. On the CPU rounds go on until all programs have ended. Elsewhere a
step runs `budget` rounds without asking; `calibrate` finds how many that takes, and a row
that would have needed more sets `trouble`, raised when something is next read.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from worldengine.batch.tables import layout as at
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.tables import Tables
from worldengine.batch.tensors.fused import kernel_of
from worldengine.batch.tensors.kernel import (
    PENDING,
    Advance,
    advance,
    begin,
    keep,
    run,
    store,
    utter,
)
from worldengine.batch.tensors.tables import (
    Room,
    TorchStep,
    actions_of,
    milestones_of,
    room,
    torch_tables,
)
from worldengine.batch.texts.texts import TextStore, emissions
from worldengine.machine.errors import MachineError
from worldengine.machine.schema import ACCEPTED, PARAMETER, PLACE, RUNNING, WON

MOST_ROWS = 2_000_000
"""Rows of a command set that are worked on at a time."""
_SPREAD = -7046029254386353131


class TorchEngine:
    """See the module."""

    def __init__(
        self,
        tables: Tables,
        device: str = "cpu",
        store: TextStore | None = None,
        kernel: str = "plain",
    ) -> None:
        self.tables = tables
        self.made = torch_tables(tables, device)
        self.texts = TextStore() if store is None else store
        self.budget = 0
        self.rounds = 0  # the most that a program has taken
        self._advance: Advance | None = None  # None: as it stands in `kernel`
        self.trouble = torch.zeros((), dtype=torch.int64, device=self.made.device)
        self.milestones = milestones_of(tables).to(self.made.device)
        self._sets: dict[bool, tuple[Tensor, Tensor]] = {}
        self._fused = kernel_of(kernel, self.made, self.trouble)

    def calibrate(self, rounds: int) -> None:
        """From now on run this many rounds a program and ask nothing."""
        self.budget = rounds

    def compile(self) -> None:
        """From now on a round is what `torch.compile` makes of it, in one piece: it asks the
        device nothing within. The first step compiles, which takes minutes; tables of another
        size or another batch compile again. On a CPU it does not pay."""
        self.made.asking = False
        self._advance = torch.compile(advance, fullgraph=True, dynamic=False)

    def tensor(self, values: Integers) -> Tensor:
        """A column on the device."""
        return torch.from_numpy(np.ascontiguousarray(values)).to(self.made.device)

    def step(
        self, machines: Tensor, states: Tensor, operators: Tensor, numbers: Tensor
    ) -> TorchStep:
        """One turn of every row, in place. `machines`, `operators`, `numbers` (n,) int64,
        `states` (n, width) of the tables' state type. Rows that are over stay as they are."""
        if self._fused is not None:
            return self._fused.step(machines, states, operators, numbers)
        work = room(self.made, machines, self.tables.saying)
        self._load(work, states)
        status = work.h[:, at.H_STATUS]
        runs = work.get(work.slots, status) == RUNNING
        outcome, failed, ready, place = self._understood(work, runs, operators, numbers)
        outcome, failed, accepted = self._require(work, ready, place, outcome, failed)
        self._act(work, accepted, place)
        told = work.slots[:, : states.shape[1]].to(states.dtype)
        own = torch.arange(states.shape[1], device=states.device) < work.h[:, at.H_VARIABLES, None]
        states.copy_(torch.where(accepted[:, None] & own, told, states))
        fits = (told == work.slots[:, : states.shape[1]]) | ~own | ~accepted[:, None]
        self.trouble |= torch.where(fits.all(), 0, 1)
        outcome = torch.where(runs, outcome, at.FINISHED)
        name = torch.where(work.name == 0, 1, work.name)
        progress = self.progress(machines, states, status)
        return TorchStep(outcome, failed, torch.where(runs, name, 0),
                         torch.where(runs, progress, 0.0), work.said)  # fmt: skip

    def _load(self, work: Room, states: Tensor) -> None:
        made = self.made
        width, variables = states.shape[1], work.h[:, at.H_VARIABLES]
        work.slots[:, :width] = states.long()
        columns = torch.arange(width, device=made.device)
        own = columns < variables[:, None]
        work.slots[:, :width] *= own
        prior = torch.where(own, variables[:, None] + columns, work.h[:, at.H_ZERO, None])
        work.slots.scatter_(1, prior, torch.where(own, work.slots[:, :width], 0))
        work.fresh[work.rows, work.h[:, at.H_DERIVED_COUNT]] = True
        self._listen(work, torch.ones_like(variables, dtype=torch.bool), at.REFUSED_TEXT)

    def _listen(self, work: Room, rows: Tensor, kind: int) -> None:
        """Forget what was said in these rows and begin a text of a kind."""
        name = (work.h[:, at.H_IDENTITY] ^ (kind + 1)) * _SPREAD
        work.name = torch.where(rows, name ^ ((name >> 32) & 0xFFFFFFFF), work.name)
        work.said[:, 0] = torch.where(rows, 0, work.said[:, 0])

    def _run(self, work: Room, rows: Tensor, step: Tensor, need: Tensor) -> None:
        begin(work, self.made, rows, step, need)
        self.rounds = max(self.rounds, run(work, self.made, self.budget, self._advance))
        self.trouble |= torch.where((work.result == PENDING).any(), 2, 0)

    def _say(self, work: Room, rows: Tensor, kind: int, first: Tensor | int, second: int) -> None:
        for value in (kind, 2, first, second):
            # Filled in on the device: a tensor made of a Python number would be sent there.
            column = torch.full_like(work.top, value) if isinstance(value, int) else value
            utter(work, rows, column)

    def _understood(
        self, work: Room, runs: Tensor, operators: Tensor, numbers: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Steps 2 and 3 of a turn; see `turns.understood`."""
        code, h = self.made.code, work.h
        exists = runs & (operators >= 0) & (operators < h[:, at.H_OPERATOR_COUNT])
        self._say(work, runs & ~exists, at.SAID_UNKNOWN, 0, 0)
        outcome = torch.where(exists, ACCEPTED, PARAMETER)
        failed = torch.full_like(outcome, at.NO_REQUIREMENT)
        operators = torch.where(exists, operators, 0)
        place = h[:, at.H_OPERATORS] + at.OPERATOR * operators
        none = torch.full_like(outcome, -1)
        ready = exists
        for position in range(self.made.scopes):
            line = code[place + 2] + position
            there = ready & (line < code[place + 3])
            slot = code[torch.where(there, h[:, at.H_SCOPES] + line, 0)]
            there &= slot >= 0
            slot = torch.where(there, slot, h[:, at.H_ZERO])
            index = slot - h[:, at.H_DERIVED_BASE]
            waits = there & (index >= 0) & ~work.get(work.fresh, index.clamp(min=0))
            self._run(work, waits, torch.zeros_like(slot), torch.where(waits, index, none))
            outside = there & (work.get(work.slots, slot) == 0)
            self._say(work, outside, at.SAID_SCOPE, operators, position)
            outcome = torch.where(outside, PLACE, outcome)
            failed = torch.where(outside, at.SCOPE_FAILED - position, failed)
            ready = ready & ~outside
        counts = ready & (code[place + 4] >= 0)
        bounds = h[:, at.H_RANGES] + 2 * torch.where(counts, code[place + 4], 0)
        low, high = self.made.wide[bounds], self.made.wide[bounds + 1]
        beyond = counts & ((numbers < low) | (numbers > high))
        self._say(work, beyond, at.SAID_RANGE, operators, 0)
        outcome = torch.where(beyond, PARAMETER, outcome)
        variables = h[:, at.H_VARIABLES]
        store(work, self.made, counts & ~beyond, variables, 2 * variables, numbers)
        return outcome, failed, ready & ~beyond, place

    def _require(
        self, work: Room, ready: Tensor, place: Tensor, outcome: Tensor, failed: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Step 4 of a turn; gives back (outcome, what failed, which rows act)."""
        code = self.made.code
        self._run(work, ready, code[place], torch.full_like(place, -1))
        refused = ready & (work.result >= 0)
        extra = work.h[:, at.H_EXTRAS] + at.EXTRA * torch.where(refused, work.result, 0)
        outcome = torch.where(refused, code[extra + 4], outcome)
        failed = torch.where(refused, code[extra + 5], failed)
        return outcome, failed, ready & ~refused

    def _act(self, work: Room, rows: Tensor, place: Tensor) -> None:
        """Steps 5 to 7 of a turn."""
        self._listen(work, rows, at.ACCEPTED_TEXT)
        clock = work.h[:, at.H_TURN]
        ticks = rows & (clock >= 0)
        clock = torch.where(ticks, clock, work.h[:, at.H_ZERO])
        keep(work, self.made, ticks, clock, work.get(work.slots, clock) + 1)
        self._run(work, rows, self.made.code[place + 1], torch.full_like(place, -1))
        self._say(work, rows & (work.said[:, 0] == 0), at.SAID_DONE, 0, 0)

    def progress(self, machines: Tensor, states: Tensor, status: Tensor) -> Tensor:
        """Latched milestones / (their number + 1); 1 when won."""
        columns = self.milestones[machines]
        there = columns >= 0
        values = torch.gather(states.long(), 1, columns.clamp(min=0))
        latched = (there & (values != 0)).sum(1).double()
        share = latched / (there.sum(1).double() + 1.0)
        won = torch.gather(states.long(), 1, status[:, None])[:, 0] == WON
        return torch.where(won, 1.0, share)

    # -- command sets --------------------------------------------------------------------

    def mask(self, machines: Tensor, states: Tensor, required: bool = True) -> Tensor:
        """(n, operators) uint8: 1 where an operator is applicable (or only scoped)."""
        if self._fused is not None:
            return self._fused.mask(machines, states, required)
        ops, given = self._tried(required)
        count, width = len(states), ops.shape[1]
        device = self.made.device
        mask = torch.zeros((count, self.tables.operators + 1), dtype=torch.uint8, device=device)
        for begin_at in range(0, width, max(1, MOST_ROWS // max(1, count))):
            part = slice(begin_at, begin_at + max(1, MOST_ROWS // max(1, count)))
            chosen, number = ops[machines][:, part], given[machines][:, part]
            accepted = self._accepts(machines, states, chosen, number, required)
            column = torch.where(accepted, chosen, self.tables.operators)
            mask.scatter_(1, column, 1)
        return mask[:, :-1]

    def _tried(self, required: bool) -> tuple[Tensor, Tensor]:
        """See `actions_of`; sent to the device once."""
        if required not in self._sets:
            operators, numbers = actions_of(self.tables, required)
            device = self.made.device
            self._sets[required] = operators.to(device), numbers.to(device)
        return self._sets[required]

    def _accepts(
        self, machines: Tensor, states: Tensor, operators: Tensor, numbers: Tensor, required: bool
    ) -> Tensor:
        count, width = operators.shape
        rows = torch.arange(count, device=machines.device).repeat_interleave(width)
        work = room(self.made, machines[rows], 8)
        self._load(work, states[rows])
        runs = work.get(work.slots, work.h[:, at.H_STATUS]) == RUNNING
        outcome, failed, ready, place = self._understood(
            work, runs & (operators.reshape(-1) >= 0), operators.reshape(-1), numbers.reshape(-1)
        )
        if required:
            _, _, ready = self._require(work, ready, place, outcome, failed)
        return ready.reshape(count, width)

    # -- reading -------------------------------------------------------------------------

    def check(self) -> None:
        """Raise what went wrong on the device since this was last asked."""
        trouble = int(self.trouble)
        self.trouble.zero_()
        if trouble & 2:
            raise MachineError("a turn took more rounds than the torch engine was given")
        if trouble & 8 and self._fused is not None:
            self._fused.settle()
            raise MachineError("a recursive derived variable never settles")
        if trouble:
            raise MachineError("a Machine stores a value outside its domains")

    def collect(self, machines: Tensor, step: TorchStep) -> Integers:
        """The ids of a step's texts on the host, with what they say made known to `texts`."""
        self.check()
        ids: Integers = step.texts.cpu().numpy()
        named = enumerate(ids.tolist())
        unknown = [row for row, value in named if value and not self.texts.knows(value)]
        said, worlds = step.said.cpu(), machines.cpu().tolist()
        kinds = (step.outcomes == ACCEPTED).cpu().tolist()
        for row in unknown:
            length = int(said[row, 0])
            if length > said.shape[1] - 2:
                raise MachineError("a text is too long for the room of the torch engine")
            flat = said[row, 1 : 1 + length].tolist()
            kind = at.ACCEPTED_TEXT if kinds[row] else at.REFUSED_TEXT
            self.texts.learn(int(ids[row]), worlds[row], kind, emissions(flat))
        return ids
