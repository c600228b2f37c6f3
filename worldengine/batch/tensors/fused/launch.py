"""Launching the fused kernel: tensors in, tensors out, nothing asked.

In: `TorchTables`. Needs the library triton, which torch brings along where it is built
for CUDA. On the CPU the kernel runs only in Triton's own interpreter (TRITON_INTERPRET=1), which
is slow and there to show that it means the same.
"""

from __future__ import annotations

import torch
import triton
from torch import Tensor

from worldengine.batch.tables import layout
from worldengine.batch.tensors.fused.turns import turn_block
from worldengine.batch.tensors.tables import TorchStep, TorchTables

LANES = 32
"""Rows that a program of the kernel takes at a time on a device: one warp, a thread a row, so that
what a row has stored is read again by the thread that stored it."""
PROGRAMS = 32
"""Programs for each multiprocessor of the device; each goes on to further rows."""
CHUNK = 16
"""Operators that a lane asks about: what it has worked out for one serves the next."""
MOST_ROUNDS = 1_000_000
"""A group that has not settled by then never does."""


class Fused:
    """The kernel over the tables of one device, with room for its programs."""

    def __init__(self, made: TorchTables, trouble: Tensor) -> None:
        tables, device = made.tables, made.device
        self._asked_on_host = interpreted()
        if device.type != "cuda" and not self._asked_on_host:
            raise ValueError(
                f"the Triton kernel needs a CUDA device, not {device.type} (TRITON_INTERPRET=1 set"
                " before the start runs it on the CPU, slowly)"
            )
        self._tables = tables
        self._trouble = trouble
        arrays = (tables.head, tables.code, tables.wide, tables.bits)
        self._arrays = tuple(torch.from_numpy(array).to(device) for array in arrays)
        self._block, self._programs = LANES, 1
        if self._asked_on_host:
            self._block = 64
        else:
            self._programs = PROGRAMS * _multiprocessors(device)
        lanes, deep = self._programs * self._block, tables.stack + layout.FRAME
        self._deep, self._words = deep, tables.derived // 64 + 1
        shapes = ((tables.slots, torch.int32), (self._words, torch.int64),
                  (2 * tables.derived, torch.int32), (deep, torch.int32))  # fmt: skip
        self._room = tuple(
            torch.zeros(columns * lanes, dtype=kind, device=device) for columns, kind in shapes
        )
        self._nothing = torch.zeros(1, dtype=torch.int64, device=device)
        self._registers, self._arguments = made.registers, made.arguments

    def step(
        self, machines: Tensor, states: Tensor, operators: Tensor, numbers: Tensor
    ) -> TorchStep:
        """One turn of every row, in place; as `TorchEngine.step`."""
        count, saying = len(machines), self._tables.saying
        kept = states if states.is_contiguous() else states.contiguous()
        done = TorchStep(
            torch.empty_like(machines), torch.empty_like(machines), torch.empty_like(machines),
            torch.empty(count, dtype=torch.float64, device=machines.device),
            torch.empty((count, saying), dtype=torch.int32, device=machines.device),
        )  # fmt: skip
        self._launch(machines, kept, operators, numbers, done, self._nothing, False, True)
        if kept is not states:
            states.copy_(kept)
        return done

    def mask(self, machines: Tensor, states: Tensor, required: bool) -> Tensor:
        """(n, operators) uint8; as `TorchEngine.mask`."""
        shape = len(machines), self._tables.operators
        mask = torch.zeros(shape, dtype=torch.uint8, device=machines.device)
        none = self._nothing
        blank = TorchStep(none, none, none, none, none)
        self._launch(machines, states.contiguous(), none, none, blank, mask, True, required)
        return mask

    def _launch(
        self, machines: Tensor, states: Tensor, operators: Tensor, numbers: Tensor, done: TorchStep,
        mask: Tensor, asks: bool, required: bool,
    ) -> None:  # fmt: skip
        tables, count = self._tables, len(machines)
        chunks = -(-tables.operators // CHUNK) if asks else 1
        needed = -(-count * chunks // self._block)
        turn_block[(max(1, min(needed, self._programs)),)](
            *self._arrays, *self._room, machines, states, operators, numbers, done.outcomes,
            done.failed, done.texts, done.progress, done.said, mask, self._trouble, count,
            states.shape[1], tables.slots, tables.derived, self._words, self._registers,
            self._arguments, tables.saying, self._deep, MOST_ROUNDS, tables.operators, CHUNK,
            chunks, asks=asks, required=required, BLOCK=self._block, HEAD=layout.HEAD,
            num_warps=1,
        )  # fmt: skip

    def settle(self) -> None:
        """After trouble: no derived variable is being worked out."""
        self._room[2].zero_()


def interpreted() -> bool:
    """Whether the kernel was loaded to run in Triton's interpreter."""
    return not isinstance(turn_block, triton.runtime.JITFunction)


def _multiprocessors(device: torch.device) -> int:
    return int(torch.cuda.get_device_properties(device).multi_processor_count)
