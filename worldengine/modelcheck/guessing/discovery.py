"""Can the world be won by what it tells, or must its player guess?

In: a `Problem` with several variants, a plan for each, surveys where there are any, a clock.
Out: a `Discovery`: *discoverable* with a policy that the interpreter has played from every
variant; *guess* with variants that no way of playing tells apart in time; *unknown* with what
ran out. A clue counts when its text differs between variants: prose is not understood here,
neither a hint in a text that is the same everywhere nor a riddle that needs solving.

Guesses are proven in sets (see `untold.proof`), which takes little however large a world is, or by
exhaustion of beliefs (see `beliefs`), in pairs of variants first: who can win from all variants
can win from any two of them, so two that need a guess suffice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

from worldengine.machine.schema import Machine
from worldengine.modelcheck.budget import Clock, clock
from worldengine.modelcheck.exploration.survey import Survey
from worldengine.modelcheck.guessing.beliefs import Game
from worldengine.modelcheck.guessing.choosing import policy_of
from worldengine.modelcheck.guessing.guesses import Guess, guess_of
from worldengine.modelcheck.guessing.guesses import to_document as guess_document
from worldengine.modelcheck.guessing.lockstep import KNOWN, SEARCH, SPLIT, Belief, Lockstep
from worldengine.modelcheck.guessing.policy import Branch, Policy, joined, wins
from worldengine.modelcheck.guessing.policy import to_document as policy_document
from worldengine.modelcheck.guessing.sights import Sights
from worldengine.modelcheck.guessing.tails import Tails
from worldengine.modelcheck.guessing.typed import Typed
from worldengine.modelcheck.planning.ends import Commands
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.untold.proof import needs_guess
from worldengine.runtime import runtime_of

DISCOVERABLE, GUESS, UNKNOWN = "discoverable", "guess", "unknown"
NOTE = "a clue counts when its text differs between starts; what it says is not understood"

COMMANDS = 20_000
"""Ground commands (numbers counted) up to which beliefs are exhausted."""
BELIEFS = 400_000
"""Beliefs that are made at most."""
FIRST_BELIEFS = 3_000
"""Beliefs of the first look, before policies are searched for."""
Round = tuple[int, int, float, float, int]
FIRST: tuple[Round, ...] = ((SPLIT, 2, 0.1, 0.0, 1), (SEARCH, 2, 0.05, 0.1, 2))
WIDER: tuple[Round, ...] = (
    (SEARCH, 1, 0.2, 0.1, 1),
    (SPLIT, 12, 0.2, 0.0, 1),
    (SEARCH, 3, 0.25, 0.3, 1),
    (SEARCH, 3, 0.3, 0.3, 2),
    (SEARCH, 12, 0.4, 0.8, 1),
    (SEARCH, 60, 0.6, 1.5, 1),
)
"""What is tried, splits of one belief, the share of the time left, the seconds for which a plan is
searched for, and how far splits are looked for: little at first, since a wrong split low down, or a
part that cannot be won, is found out only after all that follows from it."""
PAIRS = 28
"""Pairs of variants that are looked at by themselves."""
UNTOLD_SHARE = 0.2
"""Share of the time left for the proof that nothing tells starts apart."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """`beliefs` were made. `policy` belongs to discoverable, `guess` to guess."""

    status: str
    policy: Policy | None = None
    guess: Guess | None = None
    stopped_by: str | None = None
    beliefs: int = 0


def discover(
    problem: Problem,
    plans: Sequence[Commands],
    surveys: Sequence[Survey | None],
    memory: int,
    left: Clock,
) -> Discovery:
    """See the module. `plans` and `surveys` are by variant."""
    return _Work(problem, plans, surveys, memory, left).decided()


class _Work:
    def __init__(
        self,
        problem: Problem,
        plans: Sequence[Commands],
        surveys: Sequence[Survey | None],
        memory: int,
        left: Clock,
    ) -> None:
        self.problem, self.machine = problem, problem.machine
        self.memory, self.clock = memory, left
        self.exhaustible = len(problem.everything) <= COMMANDS
        actions = problem.everything if self.exhaustible else problem.helpful
        self.tails = Tails(problem, plans, surveys, left)
        self.sights = Sights(self.machine, actions)
        self.typed = Typed(self.machine, actions)
        self.small = all(survey is not None for survey in surveys)
        self.beliefs = 0
        self.stopped: str | None = None

    def decided(self) -> Discovery:
        """The groups that the opening tells apart, each by itself."""
        branches: list[Branch] = []
        for reads, belief in self._openings():
            found = self._group(belief)
            if found.policy is None:
                return found
            branches.append(Branch(reads, found.policy))
        policy = branches[0].policy
        if len(branches) > 1:
            policy = Policy(tuple(range(len(self.machine.variants))), (), tuple(branches))
        assert wins(self.machine, policy), "a policy was shown that does not win"
        return Discovery(DISCOVERABLE, policy, beliefs=self.beliefs)

    def _openings(self) -> Iterator[tuple[str, Belief]]:
        groups: dict[str, list[int]] = {}
        for variant in range(len(self.machine.variants)):
            text = runtime_of(self.machine).opening(self.machine.start(variant))
            groups.setdefault(text, []).append(variant)
        for text, variants in groups.items():
            yield text, tuple((v, self.machine.start(v)) for v in variants)

    def _group(self, belief: Belief) -> Discovery:
        """The ways to an answer, cheap ones first."""
        turns = self.machine.turns
        lockstep = Lockstep(self.tails, self.sights, self.clock)
        policy = lockstep.solve(belief, turns, KNOWN)
        if policy is not None:
            return self._won(policy)
        policy = self._looked(belief, FIRST)
        if policy is not None:
            return self._won(policy)
        untold = self._untold(belief)
        if untold is not None:
            return untold
        for beliefs, share in ((FIRST_BELIEFS, 0.3), (BELIEFS, 1.0)):
            if self.small or beliefs == BELIEFS:
                found = self._exhausted(belief, beliefs, share)
                if found is not None:
                    return found
            if beliefs == FIRST_BELIEFS:
                policy = self._looked(belief, WIDER)
                if policy is not None:
                    return self._won(policy)
        return Discovery(UNKNOWN, stopped_by=self.stopped or "seconds", beliefs=self.beliefs)

    def _looked(self, belief: Belief, rounds: tuple[Round, ...]) -> Policy | None:
        for mode, splits, share, patience, width in rounds:
            self.tails.patience = patience
            left = clock(self.clock.left * share)
            some = Lockstep(self.tails, self.sights, left, splits, width)
            policy = some.solve(belief, self.machine.turns, mode)
            if policy is not None:
                return policy
        return None

    def _won(self, policy: Policy) -> Discovery:
        return Discovery(DISCOVERABLE, joined((), policy), beliefs=self.beliefs)

    def _untold(self, belief: Belief) -> Discovery | None:
        """Whether nothing tells the starts apart in time, of two of them if that can be."""
        reach = self.problem.reach
        left = clock(self.clock.left * UNTOLD_SHARE)
        if reach is None or not needs_guess(reach, tuple(v for v, _ in belief), left):
            return None
        found = belief
        for pair in islice(combinations(belief, 2), PAIRS if len(belief) > 2 else 0):
            if needs_guess(reach, tuple(variant for variant, _ in pair), left):
                found = pair
                break
        guess = guess_of(self.machine, self.tails, found)
        return Discovery(GUESS, guess=guess, beliefs=self.beliefs)

    def _exhausted(self, belief: Belief, beliefs: int, share: float) -> Discovery | None:
        """The game of pairs, then of all; None if neither settles it."""
        parts: list[Belief] = []
        if len(belief) > 2:
            parts = [tuple(pair) for pair in combinations(belief, 2)][:PAIRS]
        parts.append(belief)
        seconds = self.clock.left * share
        for place, part in enumerate(parts):
            left = clock(min(self.clock.left, seconds / (len(parts) - place)))
            game = self._played(part, beliefs, left)
            least, most = game.bounds()
            if least > self.machine.turns and self.exhaustible and not self.typed.cut:
                guess = guess_of(self.machine, self.tails, part)
                return Discovery(GUESS, guess=guess, beliefs=self.beliefs)
            if part == belief and most <= self.machine.turns:
                policy = policy_of(game, self.tails, self.machine.turns)
                if policy is not None:
                    return self._won(policy)
        return None

    def _played(self, belief: Belief, beliefs: int, left: Clock) -> Game:
        game = Game(self.sights, self.typed, self.tails.bounds)
        game.enter(
            tuple(variant for variant, _ in belief), self.sights.rows(state for _, state in belief)
        )
        if not game.explore(left, beliefs, self.memory):
            self.stopped = game.stopped
        self.beliefs += len(game.states)
        return game


def to_document(machine: Machine, found: Discovery | None) -> dict[str, Any]:
    """The keys that a verdict gains: `discovery`, `policy`, `guess`, `discovery_note`,
    `discovery_stopped_by`."""
    if found is None:
        return {
            "discovery": None,
            "policy": None,
            "guess": None,
            "discovery_stopped_by": None,
            "discovery_note": None,
        }
    return {
        "discovery": found.status,
        "policy": policy_document(found.policy) if found.policy is not None else None,
        "guess": guess_document(machine, found.guess) if found.guess is not None else None,
        "discovery_stopped_by": found.stopped_by,
        "discovery_note": NOTE,
    }
