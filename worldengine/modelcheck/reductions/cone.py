"""The cone of influence: the variables that can have a say in winning and losing.

In: a Machine. Out: `Cone`: variables that matter and operators that do.

**Argument.** Let R be the least set that holds the status and, with a variable, everything
that is read to decide or compute a store into it: tests of the same program up to that store,
operands, registers on the way, the derived variables in between, and for an operator its
scopes and requirements too. Then a turn maps states that agree on R to states that agree on
R: each store into R is decided and computed from R alone. An operator that stores nothing
into R only lets the rules run; so does any other such operator, and one that is accepted in
every state may stand for all of them. So plays of the projected machine are the projections
of plays, of the same lengths, and win and lose alike. Where no operator is accepted always,
whether time can pass depends on more than R, and nothing is left out.

What changes: the number of states (that is the point), never a verdict or a shortest length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from worldengine.machine.schema import Machine
from worldengine.modelcheck.programs.silence import Silent, reads_of, silent, sliced, split_body
from worldengine.modelcheck.programs.units import number_range, scopes_of
from worldengine.modelcheck.reductions.classes import Classes, classes_of
from worldengine.modelcheck.relaxation.actions import Actions, actions_of, idle_operator


@dataclass(frozen=True, slots=True)
class Cone:
    """Variables in ascending order; operators that can store into one of them; values that
    nothing can tell apart (see `classes`)."""

    variables: tuple[int, ...]
    operators: tuple[int, ...]
    idle: int
    classes: Classes = field(default_factory=dict)


def relevant(machine: Machine) -> frozenset[int]:
    """The variables that have a say, whether or not time can pass by itself."""
    work = _Closure(machine)
    work.close()
    return frozenset(work.found)


def whole(machine: Machine) -> Cone:
    """Nothing left out."""
    return Cone(tuple(range(len(machine.variables))), tuple(range(len(machine.operators))), -1)


def cone_of(machine: Machine, slim: bool = True, split: bool = True) -> Cone:
    """See the module. Without `slim` no variable is left out, without `split` all values are
    told apart."""
    classes = classes_of(machine) if split else {}
    idle = idle_operator(machine)
    if idle is None or not slim:
        return replace(whole(machine), classes=classes)
    work = _Closure(machine)
    work.close()
    operators = tuple(
        index
        for index, (head, body) in enumerate(work.operators)
        if work.last(body) >= 0 and index != idle
    )
    return Cone(tuple(sorted(work.found)), operators, idle, classes)


def cone_actions(machine: Machine, cone: Cone) -> Actions:
    """The commands of a cone: every number of every operator, and one that does nothing."""
    pairs: list[tuple[int, int]] = []
    for operator in cone.operators:
        low, high = number_range(machine, operator) or (0, 0)
        pairs.extend((operator, number) for number in range(low, high + 1))
    if cone.idle >= 0:
        bounds = number_range(machine, cone.idle)
        pairs.append((cone.idle, bounds[0] if bounds else 0))
    return actions_of(pairs)


class _Closure:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.found: set[int] = {machine.status}
        self.derived: set[int] = set()
        self.operators = [split_body(machine, o.program, o.body) for o in machine.operators]
        self.rules = [silent(machine, rule.program) for rule in machine.rules]
        self.formulas = [silent(machine, each.program) for each in machine.derived]

    def close(self) -> None:
        before = -1
        while before != len(self.found) + len(self.derived):
            before = len(self.found) + len(self.derived)
            for index, (head, body) in enumerate(self.operators):
                if self.last(body) < 0:
                    continue
                for slot, _ in scopes_of(self.machine, index):
                    self._need(slot)
                self._all(head)
                self._slice(body)
            for rule in self.rules:
                if self.last(rule) >= 0:
                    self._slice(rule)

    def last(self, program: Silent) -> int:
        """The last step that stores into what matters, -1 if none does."""
        steps = [
            index
            for index, step in enumerate(program)
            if any(assign.target in self.found for assign in step.assigns)
        ]
        return steps[-1] if steps else -1

    def _slice(self, program: Silent) -> None:
        last = self.last(program) + 1
        part = tuple(
            replace(step, then=min(step.then, last), other=min(step.other, last))
            for step in program[:last]
        )
        for step in sliced(part, self._stores):
            for slot in reads_of(step, self.machine):
                self._need(slot)

    def _stores(self, slot: int) -> bool:
        return slot in self.found or self.machine.register_base <= slot < self.machine.derived_base

    def _all(self, program: Silent) -> None:
        for step in program:
            for slot in reads_of(step, self.machine):
                self._need(slot)

    def _need(self, slot: int) -> None:
        count = len(self.machine.variables)
        if 0 <= slot < 2 * count:
            self.found.add(slot % count)
        waiting = [slot - self.machine.derived_base]
        while waiting:
            index = waiting.pop()
            if index < 0 or index in self.derived:
                continue
            self.derived.add(index)
            for other in self._reads(self.formulas[index]):
                if 0 <= other < 2 * count:
                    self.found.add(other % count)
                waiting.append(other - self.machine.derived_base)

    def _reads(self, program: Silent) -> Iterator[int]:
        for step in program:
            yield from reads_of(step, self.machine)
