"""Proofs replayed in every variant, and repaired where a variant differs.

In: a Machine and a variant. Out: a `ProofOutcome`: the winning plan that the script's own
proofs give there, or how far they got. Every plan that leaves this module has been played
in the interpreter, command by command, none of them refused.

A proof is repaired in three ways, the mildest that wins first:
1. a command that is refused is dropped;
2. before a refused command a short detour is looked for, after which it is accepted;
3. after the end a short continuation is looked for that wins.
Detours are made of the commands of the world's own proofs, which is where the difference
between two variants nearly always lies, and are bounded in turns of the interpreter.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from worldengine.machine.schema import Machine, State
from worldengine.memo import by_machine
from worldengine.proof.played import replay
from worldengine.runtime import Runtime, runtime_of

DETOUR_STEPS = 1500
"""Turns of the interpreter that one detour may cost."""
REPAIR_STEPS = 12_000
"""Turns of the interpreter that the repair of one proof in one variant may cost."""


@dataclass(frozen=True, slots=True)
class ProofOutcome:
    """What the world's proofs come to in one variant.

    `plan` wins it (None: no proof does); `proof` is the proof it came from (-1: there is
    none). `dropped` and `inserted` tell what was changed. `status` and `refusal` are those of
    the first proof as it stands, for the message when nothing wins.
    """

    variant: int
    proof: int
    plan: tuple[str, ...] | None
    dropped: tuple[str, ...]
    inserted: tuple[str, ...]
    status: str
    refusal: str

    @property
    def repaired(self) -> bool:
        return bool(self.dropped or self.inserted)


@by_machine(8192)
def proof_outcome(machine: Machine, variant: int) -> ProofOutcome:
    """The best that the proofs of the world come to in this variant; see the module."""
    plain: list[ProofOutcome] = []
    for proof in range(len(machine.proofs)):
        plain.append(_replay(machine, proof, variant))
        if plain[-1].plan is not None and not plain[-1].dropped:
            return plain[-1]  # none has fewer changes
    for outcome in sorted(plain, key=lambda each: len(each.dropped)):
        if outcome.plan is not None:
            return outcome
    for proof in range(len(machine.proofs)):
        repaired = _repair(machine, proof, variant)
        if repaired.plan is not None:
            return repaired
    if plain:
        return plain[0]
    return ProofOutcome(variant, -1, None, (), (), "running", "")


def replays(machine: Machine, variant: int, plan: tuple[str, ...]) -> bool:
    """Whether a plan wins: every command accepted, won with the last one, in time."""
    runtime = runtime_of(machine)
    state, status = machine.start(variant), "running"
    for command in plan:
        if status != "running":
            return False
        transition = runtime.step(state, command)
        if not transition.accepted:
            return False
        state, status = transition.state, transition.status
    return status == "won" and len(plan) <= machine.turns


def _replay(machine: Machine, proof: int, variant: int) -> ProofOutcome:
    """One proof with the refused commands dropped."""
    played = replay(machine, proof, variant)
    plan = played.commands if played.won else None
    return ProofOutcome(
        variant, proof, plan, played.dropped, (), played.status, played.first_refusal
    )


class _Repair:
    """One proof under repair in one variant."""

    def __init__(self, runtime: Runtime, state: State) -> None:
        self.runtime = runtime
        self.state = state
        self.plan: list[str] = []
        self.dropped: list[str] = []
        self.inserted: list[str] = []
        self.steps = REPAIR_STEPS
        self.vocabulary = tuple(dict.fromkeys(c for p in runtime.machine.proofs for c in p))

    @property
    def running(self) -> bool:
        return self.runtime.status(self.state) == "running"

    def follow(self, command: str) -> None:
        """Take one command of the proof, with a detour or not at all."""
        transition = self.runtime.step(self.state, command)
        if transition.accepted:
            self.plan.append(command)
            self.state = transition.state
            return
        way = self._detour(lambda state: self._accepts(state, command))
        if way is None:
            self.dropped.append(command)
            return
        self._take(way)
        if self.running:
            self._take((command,))
            self.inserted.pop()

    def finish(self) -> None:
        """Look for a short continuation that wins."""
        way = self._detour(lambda state: self.runtime.status(state) == "won")
        if way is not None:
            self._take(way)

    def _take(self, commands: tuple[str, ...]) -> None:
        for command in commands:
            transition = self.runtime.step(self.state, command)
            assert transition.accepted, f"{command} was accepted when it was looked for"
            self.state = transition.state
            self.plan.append(command)
            self.inserted.append(command)

    def _accepts(self, state: State, command: str) -> bool:
        if self.runtime.status(state) != "running":
            return self.runtime.status(state) == "won"
        return self.runtime.step(state, command).accepted

    def _detour(self, good: Callable[[State], bool]) -> tuple[str, ...] | None:
        """The shortest way, breadth first over the proofs' commands, to a good state."""
        allowance = min(DETOUR_STEPS, self.steps)
        seen = {self.state}
        queue: deque[tuple[State, tuple[str, ...]]] = deque([(self.state, ())])
        while queue and allowance > 0:
            state, way = queue.popleft()
            for command, after in self._successors(state):
                allowance -= 1
                self.steps -= 1
                if after in seen:
                    continue
                seen.add(after)
                if good(after):
                    return (*way, command)
                if self.runtime.status(after) == "running":
                    queue.append((after, (*way, command)))
        return None

    def _successors(self, state: State) -> Iterator[tuple[str, State]]:
        for command in self.vocabulary:
            transition = self.runtime.step(state, command)
            if transition.accepted:
                yield command, transition.state
            else:
                self.steps -= 1


def _repair(machine: Machine, proof: int, variant: int) -> ProofOutcome:
    work = _Repair(runtime_of(machine), machine.start(variant))
    for command in machine.proofs[proof]:
        if not work.running or work.steps <= 0:
            break
        work.follow(command)
    if work.running and work.steps > 0:
        work.finish()
    status = work.runtime.status(work.state)
    plan = tuple(work.plan)
    won = status == "won" and len(plan) <= machine.turns
    return ProofOutcome(
        variant,
        proof,
        plan if won else None,
        tuple(work.dropped),
        tuple(work.inserted),
        status,
        "",
    )
