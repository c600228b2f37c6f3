"""Episodes on a device: `env.BatchEnv` with tensors, for rollouts beside a model.

In and out as there, in tensors that stay where they are: a step moves nothing to the host and
asks the device nothing (see `torch_engine`). The same seeds begin with the same variants as
on the other engine. What would be a ValueError there (a step of a slot that is over, with
autoreset `disabled`) sets a flag here, raised when something is next read (`check`, `texts`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from worldengine.batch.engine import Engine
from worldengine.batch.episodes import AUTORESET, worlds_of
from worldengine.batch.layout import H_STATUS, H_TURNS, H_VARIANT_COUNT, NO_REQUIREMENT
from worldengine.batch.rendering import renderer
from worldengine.batch.starts import FIRST, SECOND, start_rows
from worldengine.batch.tables import tables_of
from worldengine.batch.torch_engine import TorchEngine, TorchStep
from worldengine.machine.schema import LOST, RUNNING, WON, Machine

OVER = 4
"""The flag of a step that was asked of a slot that is over."""
_SPREAD = -7046029254386353131


@dataclass(frozen=True)
class TorchTurn:
    """What one step gave; tensors on the device, as in `episodes.Turn`."""

    texts: Tensor  # (n,) int64
    outcomes: Tensor  # (n,) int64
    failed: Tensor  # (n,) int64
    progress: Tensor  # (n,) float64
    scores: Tensor  # (n,) float64
    won: Tensor  # (n,) bool
    lost: Tensor  # (n,) bool
    truncated: Tensor  # (n,) bool
    began: Tensor  # (n,) bool
    final: Tensor  # (n,) int64
    step: TorchStep

    @property
    def terminated(self) -> Tensor:
        """(n,) won or lost."""
        return self.won | self.lost


class TorchBatch:
    """See the module; `BatchEnv(machines, engine="torch")` makes one."""

    def __init__(
        self,
        machines: Sequence[Machine],
        *,
        size: int | None = None,
        worlds: ArrayLike | None = None,
        device: str = "cpu",
        autoreset: str = "next_step",
    ) -> None:
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset is one of {', '.join(AUTORESET)}, not {autoreset!r}")
        self.tables = tables_of(machines)
        self.autoreset = autoreset
        host = Engine(self.tables)
        self.engine = TorchEngine(self.tables, _device(device), host.texts)
        self._renderer = renderer(self.tables)
        chosen = worlds_of(worlds, size, len(machines))
        self.size = len(chosen)
        self.worlds = self.engine.tensor(chosen.astype(np.int64))
        self._prepare_starts(host)
        head = self.engine.made.head[self.worlds]
        self._limits, self._status = head[:, H_TURNS], head[:, H_STATUS]
        self._variant_counts = head[:, H_VARIANT_COUNT]
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
        self._first = self.engine.tensor(firsts)[self.worlds]

    # -- episodes ------------------------------------------------------------------------

    def reset(self, seed: int | None = None, mask: Tensor | None = None) -> Tensor:
        """Begin new episodes, in all slots or where `mask` holds; see `BatchEnv.reset`."""
        wanted = torch.ones_like(self.over) if mask is None else mask
        if seed is not None:
            seeds = seed + torch.arange(self.size, device=wanted.device)
            self.seeds = torch.where(wanted, seeds, self.seeds)
            self.episodes = torch.where(wanted, -1, self.episodes)
        return self._begin(wanted)

    def _begin(self, wanted: Tensor) -> Tensor:
        self.episodes = torch.where(wanted, self.episodes + 1, self.episodes)
        self.turns = torch.where(wanted, 0, self.turns)
        self.over = self.over & ~wanted
        drawn = _drawn(self.seeds, self.episodes, self._variant_counts)
        self.variants = torch.where(wanted, drawn, self.variants)
        line = self._first + self.variants
        self.states = torch.where(wanted[:, None], self._starts[line], self.states)
        return torch.where(wanted, self._openings[line], 0)

    def step(self, operators: Tensor, numbers: Tensor | None = None) -> TorchTurn:
        """One command in every slot: int64 tensors (n,) on the device."""
        if operators.shape != (self.size,):
            raise ValueError(f"expected operators of shape ({self.size},), not {operators.shape}")
        if operators.device != self.worlds.device:
            raise ValueError(f"operators are on {operators.device}, not {self.worlds.device}")
        given = torch.zeros_like(self.worlds) if numbers is None else numbers
        waiting = self.over
        opened = torch.zeros_like(self.worlds)
        if self.autoreset == "next_step":
            opened = self._begin(waiting)
        else:
            self.engine.trouble |= torch.where(waiting.any(), OVER, 0)
        heard = torch.where(waiting, -1, operators)
        step = self.engine.step(self.worlds, self.states, heard, given)
        return self._finish(step, waiting, opened)

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

    # -- what can be seen ------------------------------------------------------------------

    def applicable_mask(self) -> Tensor:
        """(n, operators) uint8: 1 where an operator would be accepted (with some number)."""
        return self.engine.mask(self.worlds, self.states, True)

    def scoped_mask(self) -> Tensor:
        """(n, operators) uint8: 1 where an operator's arguments are within their scopes."""
        return self.engine.mask(self.worlds, self.states, False)

    def check(self) -> None:
        """Raise what went wrong on the device since this was last asked."""
        if int(self.engine.trouble) & OVER:
            self.engine.trouble.zero_()
            raise ValueError("a slot that is over was stepped; reset it before a step")
        self.engine.check()

    def texts(self, turn: TorchTurn) -> list[str]:
        """What the players read after a step."""
        self.check()
        self.engine.collect(self.worlds, turn.step)
        return self.engine.texts.texts(turn.texts.cpu().numpy(), self._renderer)


def _drawn(seeds: Tensor, episodes: Tensor, counts: Tensor) -> Tensor:
    """As `starts.drawn`."""
    value = seeds * _SPREAD + episodes * SECOND
    value = (value ^ ((value >> 30) & 0x3FFFFFFFF)) * FIRST
    value = (value ^ ((value >> 27) & 0x1FFFFFFFFF)) * SECOND
    value = (value ^ (value >> 31)) & 0x7FFFFFFFFFFFFFFF
    return value % counts


def _device(name: str) -> str:
    kind = name.split(":")[0]
    if kind == "cuda" and not torch.cuda.is_available():
        raise ValueError("there is no CUDA device here")
    return name
