"""Policies by playing known plans in all variants at once.

In: beliefs (which variant is in which state), `Tails`, `Sights`, a clock. Out: a policy that
wins from all of them, or None, which proves nothing.

A plan of one variant is played in all of them. Where the words differ the belief splits and
each part is solved by itself. Where that fails, or where some variant dies on the way, a
splitting prefix is looked for (unless only KNOWN plans are followed): from every belief along
the plan a search goes on, breadth first, keeping only beliefs in which some variable has some
value for the first time (width 1 of Lipovetzky and Geffner, "Width and serialization of
classical planning problems", 2012), and every command that splits is tried, the cheapest first.
With `width` 2 the search goes on with beliefs in which two variables have two values together for
the first time: an instrument that has to be fetched from one place and used in another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, islice

import numpy as np

from worldengine.machine.schema import LOST, RUNNING, State
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.guessing.beliefs import partition
from worldengine.modelcheck.guessing.policy import Branch, Policy, joined
from worldengine.modelcheck.guessing.sights import Sights
from worldengine.modelcheck.guessing.tails import Tails
from worldengine.modelcheck.planning.ends import Commands
from worldengine.modelcheck.programs.counters import counters
from worldengine.runtime import runtime_of

KNOWN, SPLIT, SEARCH = range(3)
"""What is tried: known plans alone; splits, whose parts are won by known plans; and plans that are
searched for in the parts."""
SPLITS = 60
"""Splits of one belief that are tried at most."""
LOOKED = 16
"""Splits that are gathered before the ones that tell most are tried first."""
BELIEFS = 600
"""Beliefs that one search for splits looks at."""
WIDER = 6000
"""The same for a search of width 2."""

Belief = tuple[tuple[int, State], ...]
"""(variant, running state), by variant."""


@dataclass(frozen=True, slots=True)
class Fork:
    """After `commands`, the last of which may split: what each part reads, who is in it, its
    belief (empty if the game has ended there). `lost` if some part has lost."""

    commands: Commands
    parts: tuple[tuple[str, tuple[int, ...], Belief], ...]
    lost: bool


class Lockstep:
    """See the module."""

    def __init__(
        self, tails: Tails, sights: Sights, clock: Clock, splits: int = SPLITS, width: int = 1
    ) -> None:
        """`splits` bounds how many splits of one belief are tried, `width` how far they are
        looked for."""
        self.width = width
        self.tails, self.sights, self.clock, self.splits = tails, sights, clock, splits
        self._machine = tails.problem.machine
        self._runtime = runtime_of(self._machine)
        self._failed: dict[tuple[int, Belief], int] = {}
        clocks = counters(self._machine) | {self._machine.turn}
        self._telling = [v for v in range(len(self._machine.variables)) if v not in clocks]

    def solve(self, belief: Belief, left: int, mode: int, rest: Commands = ()) -> Policy | None:
        """A policy that wins from a belief within the turns left. The `rest` of the plan that
        led here is followed first."""
        variants = tuple(variant for variant, _ in belief)
        if len(belief) == 1:
            commands = self.tails.win(*belief[0], left, mode == SEARCH)
            return None if commands is None else Policy(variants, commands)
        if self.clock.left <= 0 or self._failed.get((mode, belief), -1) >= left:
            return None
        if any(self.tails.doomed(state) for _, state in belief):
            return None
        trails: list[tuple[Commands, Belief]] = [((), belief)]
        for plan in self._plans(belief, left, mode, rest):
            found = self._followed(belief, plan, left, mode, trails)
            if found is not None:
                return found
        if mode != KNOWN:
            found = self._forked(trails, left, mode)
            if found is not None:
                return found
        self._failed[mode, belief] = left
        return None

    def _plans(self, belief: Belief, left: int, mode: int, rest: Commands) -> Iterator[Commands]:
        """What to follow: the plan that led here, proofs as they were written, since they
        look around, then each variant's shortest."""
        told: set[Commands] = {()}
        for plan in (rest, *self._machine.proofs):
            if plan not in told:
                told.add(plan)
                yield plan
        for variant, state in belief:
            best = self.tails.win(variant, state, left, mode == SEARCH)
            if best is not None and best not in told:
                told.add(best)
                yield best

    # -- following a plan ----------------------------------------------------------------

    def _followed(
        self,
        belief: Belief,
        plan: Commands,
        left: int,
        mode: int,
        trails: list[tuple[Commands, Belief]],
    ) -> Policy | None:
        """The plan in all variants at once. The beliefs on the way go into `trails`."""
        variants = tuple(variant for variant, _ in belief)
        said: Commands = ()
        for place, command in enumerate(plan, start=1):
            if len(said) >= left:
                return None
            fork = self.fork(said, belief, command)
            if len(fork.parts) > 1:
                return self._parts(variants, fork, left, mode, plan[place:])
            _, _, after = fork.parts[0]
            if not after:  # ended for all of them
                return None if fork.lost else Policy(variants, fork.commands)
            if after == belief:
                continue  # refused by all, in the same words
            said, belief = fork.commands, after
            if not any(after == other for _, other in trails):
                trails.append((said, belief))
        return None

    def fork(self, said: Commands, belief: Belief, command: str) -> Fork:
        """What a command tells the variants of a belief apart into."""
        turns = [self.tails.turn(state, command) for _, state in belief]
        signs: dict[tuple[str, str], int] = {}
        numbers = [signs.setdefault((t.observation, t.status), len(signs)) for t in turns]
        parts = []
        for places in partition(numbers):
            running = turns[places[0]].status == "running"
            after = tuple((belief[p][0], turns[p].state) for p in places) if running else ()
            who = tuple(belief[p][0] for p in places)
            parts.append((turns[places[0]].observation, who, after))
        lost = any(turn.status == "lost" for turn in turns)
        return Fork((*said, command), tuple(parts), lost)

    def _parts(
        self,
        variants: tuple[int, ...],
        fork: Fork,
        left: int,
        mode: int,
        rest: Commands = (),
    ) -> Policy | None:
        """Every part solved by itself; None if one is not."""
        if fork.lost:
            return None
        branches: list[Branch] = []
        turns = left - len(fork.commands)
        for reads, who, after in fork.parts:
            if not after:
                branches.append(Branch(reads, Policy(who, ())))
                continue
            if any(self.tails.doomed(state) for _, state in after):
                return None
            policy = self.solve(after, turns, mode, rest)
            if policy is None:
                return None
            branches.append(Branch(reads, policy))
        return Policy(variants, fork.commands, tuple(branches))

    # -- looking for a split -------------------------------------------------------------

    def _forked(self, trails: list[tuple[Commands, Belief]], left: int, mode: int) -> Policy | None:
        variants = tuple(variant for variant, _ in trails[0][1])
        tried = 0
        widths = range(1, self.width + 1)
        found = chain.from_iterable(self._splits(trails, width) for width in widths)
        while tried < self.splits and self.clock.left > 0:
            forks = [self.fork(*each) for each in islice(found, LOOKED)]
            if not forks:
                break
            # What tells most apart first, the nearer first where they tell as much.
            for fork in sorted(forks, key=lambda each: (-len(each.parts), len(each.commands))):
                if len(fork.parts) < 2 or len(fork.commands) > left:
                    continue
                if tried >= self.splits or self.clock.left <= 0:
                    break
                tried += 1
                policy = self._parts(variants, fork, left, mode)
                if policy is not None:
                    return joined((), policy)
        return None

    def _splits(
        self, trails: list[tuple[Commands, Belief]], width: int
    ) -> Iterator[tuple[Commands, Belief, str]]:
        """Commands that split, after the beliefs from which they do, breadth first."""
        status, actions = self._machine.status, self.sights.actions
        queue = list(trails)
        known: set[tuple[object, ...]] = set()
        for _, belief in queue:
            self._novel(belief, known, width)
        most = BELIEFS if width == 1 else WIDER
        told: set[Belief] = set()
        at = 0
        while at < len(queue) and at < most and self.clock.left > 0:
            said, belief = queue[at]
            at += 1
            states = np.array([state for _, state in belief], self.sights.state_type)
            seen = self.sights.see(states)
            ends = seen.after[..., status]
            signs = seen.texts.astype(np.int64) * 3 + ends
            same = (signs == signs[:1]).all(0)
            for action in np.flatnonzero(~same & (ends != LOST).all(0)).tolist():
                command = self._text(belief, actions.pair(action))
                after = tuple(
                    (variant, tuple(row.tolist()))
                    for (variant, _), row in zip(belief, seen.after[:, action], strict=True)
                )
                if command is not None and after not in told:
                    told.add(after)
                    yield said, belief, command
            moved = (seen.after != states[:, None, :]).any((0, 2)) & (ends[0] == RUNNING) & same
            for action in np.flatnonzero(moved).tolist():
                after = tuple(
                    (variant, tuple(row.tolist()))
                    for (variant, _), row in zip(belief, seen.after[:, action], strict=True)
                )
                if not self._novel(after, known, width):
                    continue
                command = self._text(belief, actions.pair(action))
                if command is not None:
                    queue.append(((*said, command), after))

    def _text(self, belief: Belief, pair: tuple[int, int]) -> str | None:
        """A text that means the command where it is accepted in the belief, if anywhere."""
        for _, state in belief:
            said = self.tails.say(state, *pair)
            if said is not None:
                return said[0]
        return self._runtime.matcher.canonical(*pair)

    def _novel(self, belief: Belief, known: set[tuple[object, ...]], width: int) -> bool:
        """Whether some variable has some value for the first time (with width 2: two of one
        variant have two together); notes them down."""
        before = len(known)
        for variant, state in belief:
            known.update((variant, slot, state[slot]) for slot in self._telling)
        if width > 1:
            known.update(combinations([(slot, belief[0][1][slot]) for slot in self._telling], 2))
        return len(known) > before
