"""Programs with the blocks that they call written out in place of the calls.

In: a program, which of its calls are opened, how a step is to be kept. Out: what was kept, with
targets that are indices among it. A called block shares its caller's registers and comes back to
`then`, which is what writing it out in place does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from worldengine.machine.schema import Program, Step


class Targets(Protocol):
    """What is kept of a step: where it goes on."""

    then: int
    other: int


Kept = TypeVar("Kept", bound=Targets)


def written_out(
    program: Program,
    opened: Callable[[Step], Program | None],
    keep: Callable[[Step, int], Kept],
) -> list[Kept]:
    """A program step by step; `opened` gives the block in place of a step's call, None where it
    calls none that counts. `keep` is given a step and its place in the program, -1 in a block."""
    found: list[Kept] = []
    _append(program, opened, keep, found, outermost=True)
    return found


def _append(
    program: Program,
    opened: Callable[[Step], Program | None],
    keep: Callable[[Step, int], Kept],
    found: list[Kept],
    outermost: bool,
) -> None:
    """Append a program's steps so that it goes on behind them at its end."""
    positions: list[int] = []
    for index, step in enumerate(program):
        positions.append(len(found))
        source = index if outermost else -1
        block = opened(step) if step.call >= 0 else None
        if block is None:
            found.append(keep(step, source))
            continue
        # the step itself, its block, and a step behind it that refuses where this one does
        found.append(keep(step._replace(refuse=0), source))
        _append(block, opened, keep, found, outermost=False)
        found.append(keep(step._replace(tests=(), assigns=(), text=-1, arguments=()), source))
    positions.append(len(found))
    for start, following, step in zip(positions, positions[1:], program, strict=False):
        head, last = found[start], found[following - 1]
        head.other = positions[step.other]
        if following - start > 1:
            head.then = start + 1
            last.then = last.other = positions[step.then]
        else:
            head.then = positions[step.then]


def halves(program: Program, body: int) -> tuple[Program, Program]:
    """An operator's requirements and its act, each a program of its own. The requirements end at
    their end; no step jumps over the border."""
    return _part(program, 0, body), _part(program, body, len(program))


def _part(program: Program, start: int, end: int) -> Program:
    return tuple(
        step._replace(then=min(step.then, end) - start, other=min(step.other, end) - start)
        for step in program[start:end]
    )
