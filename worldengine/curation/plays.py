"""How varied plays are: sequences of commands, and the plans that are left of them.

In: trajectories, one at a time. Out: for every start how many different plays and plans there
are, and which share of all repeats an earlier one of its start. A *play* is its commands, word
by word. A *plan* is what is left when everything that did not change the way is taken out:
refused turns, and looks (`look`, `examine`, `inventory`); of the rest the actions count, not
their wording. Two plays that differ in their slips and looks alone have one plan.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from worldengine.rollout.trajectory import Trajectory, TurnRecord

LOOKS = frozenset({"look", "examine", "inventory"})
Start = tuple[str, int]


class Plays:
    """Filled by `add`; what is kept of a play is two numbers."""

    def __init__(self) -> None:
        self._plays: dict[Start, set[int]] = {}
        self._plans: dict[Start, Counter[int]] = {}
        self.trajectories = 0

    def add(self, trajectory: Trajectory) -> None:
        start = trajectory.machine_hash, trajectory.variant
        self.trajectories += 1
        played = hash_of(turn.command for turn in trajectory.turns)
        self._plays.setdefault(start, set()).add(played)
        planned = hash_of(turn.action for turn in trajectory.turns if _of_the_plan(turn))
        self._plans.setdefault(start, Counter())[planned] += 1

    def told(self) -> dict[str, object]:
        """With stable keys. `commonest_plan` is the share of a start's plays that its most
        frequent plan has, averaged over plays."""
        starts = len(self._plays)
        plays = sum(map(len, self._plays.values()))
        plans = sum(map(len, self._plans.values()))
        most = sum(max(counts.values()) for counts in self._plans.values())
        count = self.trajectories
        return {
            "starts": starts,
            "plays_a_start": round(count / starts, 3) if starts else None,
            "distinct_plays_a_start": round(plays / starts, 3) if starts else None,
            "distinct_plans_a_start": round(plans / starts, 3) if starts else None,
            "repeated_plays": round(1 - plays / count, 4) if count else None,
            "repeated_plans": round(1 - plans / count, 4) if count else None,
            "commonest_plan": round(most / count, 4) if count else None,
        }


def _of_the_plan(turn: TurnRecord) -> bool:
    return turn.outcome == "ok" and turn.action.partition(" ")[0] not in LOOKS


def hash_of(texts: Iterable[str]) -> int:
    """A number for a list of texts, the same in every process."""
    digest = hashlib.blake2b(digest_size=8)
    for text in texts:
        digest.update(text.encode("utf-8", "replace") + b"\0")
    return int.from_bytes(digest.digest(), "big")
