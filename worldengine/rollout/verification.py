"""What verification found in a run: counted row by row.

In: rows, and why each is rejected. Out: how many hold, and what becomes of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from worldengine.rollout.storage import Row
from worldengine.rollout.trajectory import REFINEMENTS_WANTED


@dataclass(frozen=True, slots=True)
class Rejected:
    id: str
    reason: str


@dataclass(slots=True)
class Verification:
    """`set_aside` counts what holds and is not accepted, by why."""

    trajectories: int = 0
    accepted: int = 0
    rejected: list[Rejected] = field(default_factory=list)
    refinements: int = 0
    error_turns: int = 0
    plainly_accepted: int = 0
    """AgentRefine's own counts: turns with an error, and won trajectories that hold two."""
    missing: int = 0
    """Episodes that the manifest asks for and the run does not hold (yet)."""
    worlds: set[str] = field(default_factory=set)
    """Hashes of the worlds that were played in."""
    set_aside: dict[str, int] = field(
        default_factory=lambda: {"lost": 0, "truncated": 0, "running": 0, "few_refinements": 0}
    )

    def add(self, row: Row, reason: str) -> None:
        """Counts one row and why it is rejected ("" if it holds)."""
        self.trajectories += 1
        trajectory = row.trajectory
        if reason or trajectory is None:
            self.rejected.append(Rejected(trajectory.id if trajectory else row.where, reason))
            return
        self.refinements += len(trajectory.refinements)
        errors = trajectory.counts.turns - trajectory.counts.accepted
        self.error_turns += errors
        self.plainly_accepted += trajectory.status == "won" and errors >= REFINEMENTS_WANTED
        if trajectory.wanted:
            self.accepted += 1
        else:
            why = "few_refinements" if trajectory.status == "won" else trajectory.status
            self.set_aside[why] += 1

    def told(self) -> dict[str, object]:
        """With the keys that others rely on."""
        return {
            "trajectories": self.trajectories,
            "accepted": self.accepted,
            "rejected": [{"id": item.id, "reason": item.reason} for item in self.rejected],
            "refinements": self.refinements,
            "agentrefine": {"error_turns": self.error_turns, "accepted": self.plainly_accepted},
            "set_aside": self.set_aside,
            "missing": self.missing,
        }
