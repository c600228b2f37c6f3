"""Episodes on a device: `env.BatchEnv` with tensors, for rollouts beside a model.

In and out as there, in tensors that stay where they are: a step moves nothing to the host and
asks the device nothing (see `torch_engine`). The same seeds begin with the same variants as
on the other engine. What would be a ValueError there (a step of a slot that is over, with
autoreset `disabled`) sets a flag here, raised when something is next read (`check`, `texts`).
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from worldengine.batch.asking import Asking
from worldengine.batch.engine import Engine
from worldengine.batch.episodes import (
    check_commands,
    check_mode,
    check_operators,
    check_variants,
    column_of,
    one_or_more,
    seeds_of,
    worlds_of,
)
from worldengine.batch.schemas import schemas_of
from worldengine.batch.slots.starts import FIRST, SECOND, start_rows
from worldengine.batch.tables.layout import (
    H_STATUS,
    H_TURNS,
    H_VARIANT_COUNT,
    NO_REQUIREMENT,
    SCOPE_FAILED,
)
from worldengine.batch.tables.tables import tables_of
from worldengine.batch.tensors.engine import TorchEngine
from worldengine.batch.tensors.episodes import SLOT, TorchSnapshot, TorchTurn
from worldengine.batch.tensors.seeing import OVER, Column, TorchSeeing, device_of
from worldengine.batch.tensors.tables import TorchStep
from worldengine.batch.texts.rendering import renderer
from worldengine.batch.typed import Typing
from worldengine.machine.given import machines_given
from worldengine.machine.schema import LOST, RUNNING, WON, Machine

_SPREAD = -7046029254386353131


class TorchBatch(TorchSeeing):
    """See the module; `BatchEnv(machines, engine="torch")` makes one. `kernel="triton"` takes the
    kernel in Triton instead of the one in plain torch; both do the same."""

    def __init__(
        self,
        machines: Sequence[Machine],
        *,
        size: int | None = None,
        worlds: ArrayLike | None = None,
        variants: ArrayLike | None = None,
        engine: str = "torch",
        device: str | None = None,
        autoreset: str = "next_step",
        kernel: str = "plain",
    ) -> None:
        check_mode(autoreset)
        machines = machines_given(machines, "BatchEnv")
        self.tables = tables_of(machines)
        self.autoreset = autoreset
        self._host = Engine(self.tables)
        self.engine = TorchEngine(self.tables, device_of(device), self._host.texts, kernel)
        self._typing = Typing(self.tables, self._host)
        self._asking = Asking(self._host, self._typing.commands)
        self._ranges = self.engine.tensor(self._asking.ranges.copy())
        self._renderer = renderer(self.tables)
        self._hashes = tuple(machine.hash for machine in machines)
        chosen = worlds_of(worlds, size, len(machines))
        self.size = len(chosen)
        self.worlds = self.engine.tensor(chosen.astype(np.int64))
        self._schemas = self.engine.tensor(schemas_of(self.tables))
        self._prepare_starts(self._host)
        self._look_at_heads()
        self.fixed = torch.full_like(self.worlds, -1)
        if variants is not None:
            self.fix(variants)
        zero = torch.zeros_like(self.worlds)
        self.states = self._starts[zero].clone()
        self.seeds = torch.arange(self.size, device=zero.device)
        self.episodes, self.turns, self.variants = zero - 1, zero.clone(), zero.clone()
        self.over = torch.ones_like(zero, dtype=torch.bool)

    def _prepare_starts(self, host: Engine) -> None:
        """All start states and the names of their openings, one a variant of each machine."""
        counts = self.tables.head[:, H_VARIANT_COUNT]
        worlds = np.repeat(np.arange(len(counts)), counts).astype(np.int32)
        variants = np.concatenate([np.arange(count) for count in counts]).astype(np.int32)
        total = len(worlds)
        states = np.zeros((total, self.tables.width), self.tables.state_type)
        every, unused = np.ones(total, np.bool_), np.zeros(total, np.int64)
        start_rows(self.tables.head, self.tables.wide, worlds, every, variants, unused, unused,
                   np.zeros(total, np.int32), states)  # fmt: skip
        self._openings = self.engine.tensor(host.openings(worlds, states, every))
        self._starts = self.engine.tensor(states)
        firsts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
        self._firsts = self.engine.tensor(firsts)

    def _look_at_heads(self) -> None:
        """What a step needs of each slot's machine."""
        head = self.engine.made.head[self.worlds]
        self._limits, self._status = head[:, H_TURNS], head[:, H_STATUS]
        self._variant_counts = head[:, H_VARIANT_COUNT]
        self._first = self._firsts[self.worlds]

    def fix(self, variants: ArrayLike) -> None:
        """Fix the variants that slots will begin with, (n,); -1 leaves it to the seed."""
        fixed = column_of(variants, self.size)
        check_variants(self.tables.machines, self.worlds.cpu().numpy(), fixed)
        self.fixed = self.engine.tensor(fixed.astype(np.int64))

    # -- episodes ------------------------------------------------------------------------

    def reset(self, seed: ArrayLike | None = None, mask: Column | None = None) -> Tensor:
        """Begin new episodes, in all slots or where `mask` holds; see `BatchEnv.reset`."""
        wanted = torch.ones_like(self.over) if mask is None else self._mask("a reset mask", mask)
        if seed is not None:
            seeds = self.engine.tensor(seeds_of(seed, self.size))
            self.seeds = torch.where(wanted, seeds, self.seeds)
            self.episodes = torch.where(wanted, -1, self.episodes)
        return self._begin(wanted)

    def _begin(self, wanted: Tensor) -> Tensor:
        self.episodes = torch.where(wanted, self.episodes + 1, self.episodes)
        self.turns = torch.where(wanted, 0, self.turns)
        self.over = self.over & ~wanted
        drawn = _drawn(self.seeds, self.episodes, self._variant_counts)
        drawn = torch.where(self.fixed >= 0, self.fixed, drawn)
        self.variants = torch.where(wanted, drawn, self.variants)
        line = self._first + self.variants
        self.states = torch.where(wanted[:, None], self._starts[line], self.states)
        return torch.where(wanted, self._openings[line], 0)

    def step(self, operators: Column, numbers: Column | None = None) -> TorchTurn:
        """One command in every slot: tensors (n,) of integers on the device, or what NumPy makes
        integers of, which is sent there. As `BatchEnv.step`; on a device other than the CPU what
        is in a tensor is not looked at, and an operator that there is not is only refused."""
        asked = self._column("operators", operators)
        if not isinstance(operators, Tensor) or asked.device.type == "cpu":
            check_operators(asked.cpu().numpy(), self.tables.operators)
        given = torch.zeros_like(asked) if numbers is None else self._column("numbers", numbers)
        return self._step(asked, given)

    def _step(self, operators: Tensor, given: Tensor) -> TorchTurn:
        waiting = self.over
        opened = torch.zeros_like(self.worlds)
        if self.autoreset == "next_step":
            opened = self._begin(waiting)
        else:
            self.engine.trouble |= torch.where(waiting.any(), OVER, 0)
        heard = torch.where(waiting, -1, operators)
        step = self.engine.step(self.worlds, self.states, heard, given)
        self._last = weakref.ref(step)
        return self._finish(step, waiting, opened)

    def step_texts(self, commands: Sequence[str]) -> TorchTurn:
        """One typed command in every slot. Text comes from the host, so this waits for the
        device where only a state tells what a command means, or why it was refused."""
        check_commands(commands, self.size)
        self.engine.texts.forget()
        worlds = self.worlds.cpu().numpy()
        typed = self._typing.read(worlds, commands, self._states_of)
        waiting = self.over.cpu().numpy()
        turn = self._step(
            self.engine.tensor(typed.operators.astype(np.int64)),
            self.engine.tensor(typed.numbers.astype(np.int64)),
        )
        failed = turn.step.failed.cpu().numpy()
        unscoped = np.flatnonzero((failed <= SCOPE_FAILED) & ~waiting).tolist()
        words = self._typing.explain(worlds, commands, unscoped, self._states_of)
        told = {row: why for row, why in {**typed.refused, **words}.items() if not waiting[row]}
        return self._explained(turn, told)

    def _explained(self, turn: TorchTurn, refused: dict[int, tuple[int, str]]) -> TorchTurn:
        """The words and classes of commands that were not understood."""
        if not refused:
            return turn
        rows = torch.tensor(sorted(refused), device=self.worlds.device)
        ids = [self.engine.texts.literal(refused[row][1]) for row in sorted(refused)]
        classes = [refused[row][0] for row in sorted(refused)]
        said = torch.tensor(ids, device=rows.device)
        outcomes = turn.outcomes.clone()
        outcomes[rows] = torch.tensor(classes, device=rows.device)
        # Where the episode ended in this step and the next began, the words are the last ones.
        texts, final = turn.texts.clone(), turn.final.clone()
        ended = turn.began[rows]
        texts[rows] = torch.where(ended, texts[rows], said)
        final[rows] = torch.where(ended, said, final[rows])
        return replace(turn, texts=texts, final=final, outcomes=outcomes)

    def _finish(self, step: TorchStep, waiting: Tensor, opened: Tensor) -> TorchTurn:
        self.turns = torch.where(waiting, self.turns, self.turns + 1)
        status = torch.gather(self.states, 1, self._status[:, None])[:, 0]
        won, lost = (status == WON) & ~waiting, (status == LOST) & ~waiting
        truncated = (status == RUNNING) & (self.turns >= self._limits) & ~waiting
        self.over = won | lost | truncated
        ended = self.over
        texts = torch.where(waiting, opened, step.texts)
        began, final = waiting, torch.zeros_like(texts)
        outcomes = torch.where(waiting, 0, step.outcomes)
        failed = torch.where(waiting, NO_REQUIREMENT, step.failed)
        progress = torch.where(waiting, 0.0, step.progress)
        if self.autoreset == "same_step":
            final = torch.where(ended, texts, 0)
            texts = torch.where(ended, self._begin(ended), texts)
            began = ended
        return TorchTurn(texts, outcomes, failed, progress, won.double(), won, lost, truncated,
                         began, final, step)  # fmt: skip

    # -- keeping and branching -----------------------------------------------------------

    def snapshot(self, slots: Column | None = None) -> TorchSnapshot:
        """Copies of some slots (default all), on the device."""
        rows = self._rows(slots)
        return TorchSnapshot(self._hashes, **{name: getattr(self, name)[rows] for name in SLOT})

    def restore(self, snapshot: TorchSnapshot, slots: Column | None = None) -> None:
        """Put the slots of a snapshot back, in their order, into `slots` (default all)."""
        if snapshot.hashes != self._hashes:
            raise ValueError("this snapshot is of other machines")
        rows = self._rows(slots)
        if len(rows) != len(snapshot.worlds):
            raise ValueError(f"{len(snapshot.worlds)} slots do not go into {len(rows)}")
        for name in SLOT:
            getattr(self, name)[rows] = getattr(snapshot, name)
        self._look_at_heads()

    def branch(self, sources: Column, targets: Column) -> None:
        """Make the slots `targets` go on from where the slots `sources` are: from one for all of
        them, or one each."""
        rows, into = self._rows(one_or_more(sources)), self._rows(one_or_more(targets))
        self.restore(self.snapshot(rows.expand(len(into)) if len(rows) == 1 else rows), into)


def _drawn(seeds: Tensor, episodes: Tensor, counts: Tensor) -> Tensor:
    """As `starts.drawn`."""
    value = seeds * _SPREAD + episodes * SECOND
    value = (value ^ ((value >> 30) & 0x3FFFFFFFF)) * FIRST
    value = (value ^ ((value >> 27) & 0x1FFFFFFFFF)) * SECOND
    value = (value ^ (value >> 31)) & 0x7FFFFFFFFFFFFFFF
    return value % counts
