"""Programs without their words: what a Machine does, apart from what it says.

In: a Machine and a program. Out: a `Silent` program: the same tests, assignments and
refusals, called blocks written out in place, no texts. Refused: nothing.

Why the states are the same: a text is never read back, so leaving it out changes no slot, and a
block in place of its call does what the call does (see `blocks`). A step that neither stores nor
refuses only chooses where to go on, and where both ways lead to the same place it can be left out
altogether.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from worldengine.machine.reads import assign_reads, writes
from worldengine.machine.schema import Assign, Machine, Program, Step, Test
from worldengine.modelcheck.programs.blocks import halves, written_out


@dataclass(slots=True)
class Quiet:
    """A step without words. Targets are indices in the same program. `source` is the step
    of the Machine's program that it came from (-1 inside a called block)."""

    tests: tuple[Test, ...]
    assigns: tuple[Assign, ...]
    refuse: int
    then: int
    other: int
    source: int


Silent = tuple[Quiet, ...]


def silent(machine: Machine, program: Program) -> Silent:
    """The program without its words; see the module."""

    def opened(step: Step) -> Program | None:
        block = machine.blocks[step.call].program
        return block if _acts(machine, block) else None

    return _threaded(written_out(program, opened, _quiet))


def _quiet(step: Step, source: int) -> Quiet:
    return Quiet(step.tests, step.assigns, step.refuse, step.then, step.other, source)


def _acts(machine: Machine, program: Program) -> bool:
    """Whether a block stores anything at all; one that does not only talks."""
    return bool(writes(program, machine))


def _threaded(steps: list[Quiet]) -> Silent:
    """Leave out steps that do nothing and go straight to where they lead."""
    size = len(steps)
    lands = list(range(size + 1))
    for index in range(size - 1, -1, -1):
        step = steps[index]
        step.then, step.other = lands[step.then], lands[step.other]
        if step.assigns or step.refuse:
            continue
        if not step.tests or step.then == step.other:
            lands[index] = step.then
    reached = bytearray(size + 1)
    reached[lands[0]] = 1
    for index, step in enumerate(steps):
        if reached[index]:
            reached[step.then] = 1
            reached[step.other] = reached[step.other] or bool(step.tests)
    new = [0] * (size + 1)
    kept: list[Quiet] = []
    for index, step in enumerate(steps):
        new[index] = len(kept)
        if reached[index]:
            kept.append(step)
    new[size] = len(kept)
    for step in kept:
        step.then, step.other = new[step.then], new[step.other]
    return tuple(kept)


def sliced(program: Silent, wanted: Callable[[int], bool]) -> Silent:
    """What of a program decides and computes the stores into slots that are wanted: other
    stores are left out, then what only chooses between ways to the same place."""
    kept = [
        replace(step, assigns=tuple(each for each in step.assigns if wanted(each.target)))
        for step in program
    ]
    return _threaded(kept)


def split_body(machine: Machine, program: Program, body: int) -> tuple[Silent, Silent]:
    """An operator's requirements and its act, each a program of its own."""
    head, act = halves(program, body)
    return silent(machine, head), silent(machine, act)


def reads_of(step: Quiet, machine: Machine) -> Iterator[int]:
    """The slots one silent step reads."""
    for test in step.tests:
        yield test.left
        if test.right >= 0:
            yield test.right
    for assign in step.assigns:
        yield from assign_reads(assign, machine)
