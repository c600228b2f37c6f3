"""What is given to a batch on a device and what can be seen of it; as `batch.seeing`, in tensors.

In: tensors on the device, or arrays and lists, which are sent there. Out: tensors on the device;
on the host texts and intervals. Refused with ValueError: columns of other lengths, types, devices.
"""

from __future__ import annotations

import weakref
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from worldengine.batch.asking import Commanding
from worldengine.batch.engine import Engine
from worldengine.batch.episodes import column_of, slots_of, text_ids
from worldengine.batch.schemas import most_schemas
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.tables import Tables
from worldengine.batch.tensors.engine import TorchEngine
from worldengine.batch.tensors.episodes import TorchTurn
from worldengine.batch.tensors.tables import TorchStep
from worldengine.batch.texts.texts import Renderer
from worldengine.machine.schema import ACCEPTED

OVER = 4
"""The flag of a step that was asked of a slot that is over."""
Column: TypeAlias = Tensor | ArrayLike
_WHOLE = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


class TorchSeeing(Commanding):
    """See the module; `TorchBatch` is one."""

    tables: Tables
    engine: TorchEngine
    worlds: Tensor
    states: Tensor
    over: Tensor
    _host: Engine
    _schemas: Tensor
    _ranges: Tensor  # as `number_ranges`
    _renderer: Renderer
    _last: weakref.ref[TorchStep] | None = None

    def applicable_mask(self) -> Tensor:
        """(n, operators) uint8: 1 where an operator would be accepted (with some number)."""
        return self.engine.mask(self.worlds, self.states, True)

    def scoped_mask(self) -> Tensor:
        """(n, operators) uint8: 1 where an operator's arguments are within their scopes."""
        return self.engine.mask(self.worlds, self.states, False)

    def schema_mask(self, required: bool = True) -> Tensor:
        """(n, schemas) uint8: 1 where an action has an operator that would be accepted (or is
        scoped, unless `required`)."""
        mask = self.engine.mask(self.worlds, self.states, required)
        owners = self._schemas[self.worlds]
        found = torch.zeros((self.size, most_schemas(self.tables) + 1), dtype=mask.dtype,
                            device=mask.device)  # fmt: skip
        return found.scatter_reduce_(1, owners, mask, "amax")[:, :-1]

    def numbers(self, slot: int, operator: int) -> tuple[tuple[int, int], ...]:
        """The numbers a scoped operator would be accepted with, as closed intervals."""
        (row,) = slots_of([slot], self.size).tolist()
        return self._host.numbers(int(self.worlds[row]), self._states_of([row]), 0, operator)

    def number_mask(self, operators: Column) -> tuple[Tensor, Tensor]:
        """As `BatchEnv.number_mask`, on the device: (n,) int64, (n, width) uint8. A copy of the
        slots is stepped once a number. On a device other than the CPU, where looking at what is
        asked would mean waiting, it is as wide as the widest range of all machines."""
        asked = self._column("operators", operators)
        if not isinstance(operators, Tensor) or asked.device.type == "cpu":
            self._asking.check(self._worlds_now(), asked.cpu().numpy())
        asked = asked.clamp(0, self.tables.operators - 1)
        bounds = self._ranges[self.worlds, asked]
        takes, lows = bounds[:, 0] <= bounds[:, 1], bounds[:, 0]
        columns, widest = [], self._asking.widest
        if asked.device.type == "cpu":
            widest = int((bounds[:, 1] - lows).max()) + 1 if self.size else 0
        for at in range(widest):
            given = lows + at
            copy = self.states.clone()
            done = self.engine.step(self.worlds, copy, asked, given)
            within = takes & (given <= bounds[:, 1]) & ~self.over
            columns.append(within & (done.outcomes == ACCEPTED))
        if not columns:
            columns = [torch.zeros_like(takes)]
        columns[0] = columns[0] | ~takes
        return torch.where(takes, lows, 0), torch.stack(columns, 1).to(torch.uint8)

    # -- what is given -------------------------------------------------------------------

    def _column(self, what: str, given: Column) -> Tensor:
        """One integer a slot, int64 on the device."""
        if not isinstance(given, Tensor):
            return self.engine.tensor(column_of(given, self.size).astype(np.int64))
        self._check(what, given, "integers", _WHOLE)
        return given.long()

    def _mask(self, what: str, given: Column) -> Tensor:
        """One bool a slot, on the device."""
        if not isinstance(given, Tensor):
            given = torch.from_numpy(np.array(given)).to(self.worlds.device)
        self._check(what, given, "bool", (torch.bool,))
        return given.clone()  # it may be `over` itself

    def _check(self, what: str, given: Tensor, kind: str, types: tuple[torch.dtype, ...]) -> None:
        if given.shape != (self.size,) or given.dtype not in types:
            raise ValueError(
                f"{what} must be {kind} of shape ({self.size},),"
                f" not {given.dtype} of shape {tuple(given.shape)}"
            )
        if given.device != self.worlds.device:
            raise ValueError(f"{what} must be on {self.worlds.device}, not on {given.device}")

    def _rows(self, slots: Column | None) -> Tensor:
        """Indices of slots, on the device. Of a tensor on another device than the CPU only type
        and shape are looked at."""
        if slots is None:
            return torch.arange(self.size, device=self.worlds.device)
        if not isinstance(slots, Tensor) or slots.device.type == "cpu":
            host = slots.numpy() if isinstance(slots, Tensor) else slots
            return self.engine.tensor(slots_of(host, self.size))
        if slots.ndim != 1 or slots.dtype not in _WHOLE:
            raise ValueError(
                f"slots are a list of indices, not {slots.dtype} of shape {tuple(slots.shape)}"
            )
        return slots.long()

    def _worlds_now(self) -> Integers:
        worlds: NDArray[np.int32] = self.worlds.cpu().numpy().astype(np.int32)
        return worlds

    def _states_of(self, rows: list[int]) -> Integers:
        found: Integers = self.states[torch.tensor(rows, device=self.states.device)].cpu().numpy()
        return found

    def _on_host(self, column: ArrayLike) -> ArrayLike:
        return column.cpu().numpy() if isinstance(column, Tensor) else column

    # -- reading -------------------------------------------------------------------------

    def check(self) -> None:
        """Raise what went wrong on the device since this was last asked."""
        if int(self.engine.trouble) & OVER:
            self.engine.trouble.zero_()
            raise ValueError("a slot that is over was stepped; reset it before a step")
        self.engine.check()

    def texts(self, ids: Column | TorchTurn) -> list[str]:
        """What the players read after a step: its turn, or ids, such as those of `reset`. Ids of a
        step are known once its turn was read, and while its turn is kept and no other was made."""
        self.check()
        if isinstance(ids, TorchTurn):
            self.engine.collect(self.worlds, ids.step)
            ids = ids.texts
        elif self._last is not None and (step := self._last()) is not None:
            self.engine.collect(self.worlds, step)
        return self.engine.texts.texts(text_ids(self._on_host(ids)), self._renderer)


def device_of(name: str | None) -> str:
    """The name of a device that there is; None is the CPU."""
    try:
        device = torch.device("cpu" if name is None else name)
    except (RuntimeError, TypeError):
        raise ValueError(f"devices are named cpu, cuda or cuda:0, not {name!r:.60}") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise ValueError(f"there is no CUDA device here, so no {name!r}")
    return str(device)
