"""Which mistakes were made: those that players marked, beside what is known of AgentRefine.

In: trajectories, one at a time. Out: counts and shares by mark (`slip`, `early`, `away`,
`repeat`), how many of each were refused and set right, and for slips what was wrong with the
words, told from the wording that set them right.
"""

from __future__ import annotations

from collections import Counter

from worldengine.rollout.trajectory import Trajectory

MARKS = ("slip", "early", "away", "repeat")
SLIPS = ("verb", "part left out", "preposition", "name", "number", "other")
JOINTS = frozenset({
    "with", "to", "in", "into", "on", "onto", "from", "about", "at", "for", "over", "using",
    "by", "inside", "under", "of", "off", "across", "towards", "through", "against", "up", "down",
})  # fmt: skip

AGENTREFINE: dict[str, object] = {
    "refinements_wanted": 2,
    "bytes_per_trajectory": 3898,
    "labels_wrong": [0.06, 0.18],
    "error_mix": None,
}
"""What AgentRefine (ICLR 2025) made known of its data: two error-and-refine pairs are asked for;
the published table of 4,000 trajectories has 15,592,915 bytes; an audit of 50 trajectories found
94% and 82% of two kinds of labels right. The mix of its errors is not published: None."""


class Mistakes:
    """Filled by `add`."""

    def __init__(self) -> None:
        self.turns: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.mended: Counter[str] = Counter()
        self.slips: Counter[str] = Counter()
        self.unmarked = 0
        """Refused turns that nobody marked: errors that were not made on purpose."""
        self.guesses = 0
        """Turns that say what nothing had told their player; refused ones are unmarked, too."""

    def add(self, trajectory: Trajectory) -> None:
        mended = {pair.refused: pair.recovered for pair in trajectory.refinements}
        for turn in trajectory.turns:
            if not turn.mistake or turn.mistake == "guess":
                self.guesses += turn.mistake == "guess"
                self.unmarked += turn.outcome != "ok"
                continue
            self.turns[turn.mistake] += 1
            self.refused[turn.mistake] += turn.outcome != "ok"
            right = mended.get(turn.index)
            self.mended[turn.mistake] += right is not None
            if turn.mistake == "slip" and right is not None:
                self.slips[slip_of(turn.command, trajectory.turns[right].command)] += 1

    def told(self) -> dict[str, object]:
        """With stable keys."""
        marked, slips = sum(self.turns.values()), sum(self.slips.values())
        return {
            "marked": marked,
            "unmarked": self.unmarked,
            "guesses": self.guesses,
            "kinds": {
                mark: {
                    "turns": self.turns[mark],
                    "share": share(self.turns[mark], marked),
                    "refused": share(self.refused[mark], self.turns[mark]),
                    "recovered": share(self.mended[mark], self.turns[mark]),
                }
                for mark in MARKS
            },
            "slips": {kind: share(self.slips[kind], slips) for kind in SLIPS},
        }


def slip_of(wrong: str, right: str) -> str:
    """What was wrong with the words of a command, by the wording that was right."""
    old, new = wrong.lower().split(), right.lower().split()
    if len(old) < len(new) and new[: len(old)] == old:
        return "part left out"
    if old[:1] != new[:1]:
        return "verb"
    bad, good = differing(old, new)
    if not bad and not good:
        return "other"
    if JOINTS.issuperset(bad) and JOINTS.issuperset(good):
        return "preposition"
    return "number" if " ".join(bad).isdecimal() and " ".join(good).isdecimal() else "name"


def differing(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """The words of two lists between those that both begin with and those that both end with."""
    shorter = min(len(old), len(new))
    first = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    last = next((k for k in range(shorter - first) if old[-1 - k] != new[-1 - k]), shorter - first)
    return old[first : len(old) - last], new[first : len(new) - last]


def share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
