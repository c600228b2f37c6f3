"""The tables as tensors on a device, and the room that a batch of programs runs in.

In: `Tables`. Out: `TorchTables`, made once a device, `Room`, one a batch of rows, and
`TorchStep`, what became of them. What
numba keeps in bits stands here as booleans. torch is loaded with this module; it belongs to
the extra `torch`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from worldengine.batch.tables import layout
from worldengine.batch.tables.tables import Tables


@dataclass
class TorchTables:
    """Tensors that every step reads and none writes; D = `Tables.derived`."""

    tables: Tables
    device: torch.device
    head: Tensor  # (machines, HEAD) int64
    code: Tensor  # (n,) int64
    wide: Tensor  # (n,) int64
    dependents: Tensor  # (machines, width + 1, D) bool
    groups: Tensor  # (machines, D) int64, -1 where there is none
    scopes: int  # the most scopes of any operator
    arguments: int  # the most values of any text
    registers: int  # the most registers put aside for a derived variable
    select_bits: int  # halvings that find a row in the longest SELECT table
    asking: bool = True  # whether the device may be asked where that costs nothing

    @property
    def patient(self) -> bool:
        """Whether asking the device a question costs nothing."""
        return bool(self.asking and self.device.type == "cpu")

    def some(self, rows: Tensor) -> bool:
        """Whether work for these rows is worth starting: asked only where asking is free."""
        return bool(rows.any()) if self.patient else True


@dataclass(frozen=True)
class TorchStep:
    """One turn of every row; tensors on the device, as in `engine.Step`."""

    outcomes: Tensor  # (n,) int64
    failed: Tensor  # (n,) int64
    texts: Tensor  # (n,) int64
    progress: Tensor  # (n,) float64
    said: Tensor  # (n, length) int64 or int32: what the texts say, for `TorchEngine.collect`


def torch_tables(tables: Tables, device: str = "cpu") -> TorchTables:
    """The tables on a device."""
    place = torch.device(device)
    head, code = tables.head, tables.code.astype(np.int64)
    count = len(tables.machines)
    dependents = np.zeros((count, tables.width + 1, tables.derived), np.bool_)
    groups = np.full((count, tables.derived), -1, np.int64)
    scopes = arguments = registers = rows = 1
    for index in range(count):
        h = head[index]
        derived, variables = int(h[layout.H_DERIVED_COUNT]), int(h[layout.H_VARIABLES])
        words = int(h[layout.H_WORDS])
        begin = int(h[layout.H_DEPENDENTS])
        sets = tables.bits[begin : begin + (variables + 1) * words].reshape(variables + 1, words)
        for bit in range(derived):
            dependents[index, : variables + 1, bit] = sets[:, bit // 64] >> (bit % 64) & 1
        part = _rows(code, int(h[layout.H_DERIVED]), derived, layout.DERIVED)
        groups[index, :derived] = part[:, 1]
        registers = max(registers, *part[:, 2].tolist(), 0)
        operators = _rows(
            code, int(h[layout.H_OPERATORS]), int(h[layout.H_OPERATOR_COUNT]), layout.OPERATOR
        )
        scopes = max(scopes, *(operators[:, 3] - operators[:, 2]).tolist(), 0)
        machine = tables.machines[index]
        rows = max(rows, *(len(table) for table in machine.tables), 0)
        extras = (int(h[layout.H_ARGUMENTS]) - int(h[layout.H_EXTRAS])) // layout.EXTRA
        said = _rows(code, int(h[layout.H_EXTRAS]), extras, layout.EXTRA)
        arguments = max(arguments, *(said[:, 2] - said[:, 1]).tolist(), 0)
    return TorchTables(
        tables=tables,
        device=place,
        head=torch.from_numpy(head).to(place),
        code=torch.from_numpy(code).to(place),
        wide=torch.from_numpy(tables.wide.astype(np.int64)).to(place),
        dependents=torch.from_numpy(dependents).to(place),
        groups=torch.from_numpy(groups).to(place),
        scopes=scopes,
        arguments=arguments,
        registers=registers,
        select_bits=rows.bit_length(),
    )


def _rows(
    code: np.ndarray[tuple[int], np.dtype[np.int64]], begin: int, count: int, width: int
) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return code[begin : begin + count * width].reshape(count, width)


@dataclass
class Room:
    """Where a batch of n programs runs; every tensor has one row a program."""

    h: Tensor  # (n, HEAD) int64: the machine's row of `head`
    machines: Tensor  # (n,) int64
    slots: Tensor  # (n, slots) int64
    fresh: Tensor  # (n, D) bool
    marks: Tensor  # (n, D) int64
    groups: Tensor  # (n, D) int64
    stack: Tensor  # (n, stack) int64
    step: Tensor  # (n,) int64, and so on
    at: Tensor
    stage: Tensor
    top: Tensor
    result: Tensor  # PENDING while running
    group: Tensor
    tangled: Tensor  # (n,) bool
    name: Tensor  # (n,) int64: the id of what was said so far
    said: Tensor  # (n, length) int64; said[:, 0] is how much of it is used
    rows: Tensor  # (n,) int64: 0, 1, 2, …

    def get(self, matrix: Tensor, column: Tensor) -> Tensor:
        """matrix[i, column[i]] for every row."""
        return matrix[self.rows, column]


def room(made: TorchTables, machines: Tensor, saying: int) -> Room:
    """Fresh room for one program a machine."""
    tables, device, count = made.tables, made.device, len(machines)

    def zeros(*shape: int, kind: torch.dtype = torch.int64) -> Tensor:
        return torch.zeros(shape, dtype=kind, device=device)

    return Room(
        h=made.head[machines],
        machines=machines,
        slots=zeros(count, tables.slots),
        fresh=zeros(count, tables.derived, kind=torch.bool),
        marks=zeros(count, tables.derived),
        groups=made.groups[machines],
        stack=zeros(count, tables.stack + 16),
        step=zeros(count),
        at=zeros(count),
        stage=zeros(count),
        top=zeros(count),
        result=zeros(count),
        group=zeros(count),
        tangled=zeros(count, kind=torch.bool),
        name=zeros(count),
        said=zeros(count, saying),
        rows=torch.arange(count, device=device),
    )


def milestones_of(tables: Tables) -> Tensor:
    """(machines, most milestones) int64, -1 where there are fewer."""
    most = max(1, *(len(machine.milestones) for machine in tables.machines))
    rows = [[*m.milestones, *[-1] * (most - len(m.milestones))] for m in tables.machines]
    return torch.tensor(rows, dtype=torch.int64)


def actions_of(tables: Tables, required: bool) -> tuple[Tensor, Tensor]:
    """(machines, most actions): operators and numbers to be tried; -1 where there are fewer."""
    lists = []
    for index in range(len(tables.machines)):
        h = tables.head[index]
        found = []
        for operator in range(int(h[layout.H_OPERATOR_COUNT])):
            place = int(h[layout.H_OPERATORS]) + layout.OPERATOR * operator
            number, weighs = int(tables.code[place + 4]), int(tables.code[place + 5])
            low = high = 0
            if number >= 0:
                bounds = int(h[layout.H_RANGES]) + 2 * number
                low = int(tables.wide[bounds])
                high = int(tables.wide[bounds + 1]) if weighs and required else low
            found += [(operator, value) for value in range(low, high + 1)]
        lists.append(found)
    most = max(map(len, lists))
    padded = [found + [(-1, 0)] * (most - len(found)) for found in lists]
    both = torch.tensor(padded, dtype=torch.int64)
    return both[:, :, 0], both[:, :, 1]
