"""What a rollout comes to: counts, rates, and what models took.

In: trajectories, one at a time, as small `Told`s that travel between processes. Out: a
`Summary` with the keys that others rely on. Nothing in it grows with the number of episodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

from worldengine.rollout.episode import Episode, Tally
from worldengine.rollout.trajectory import REFINEMENTS_WANTED, Counts, NotesRecord, Trajectory


class Told(NamedTuple):
    """A trajectory's share of the summary. The last ten are of replies."""

    status: str
    accepted: bool
    turns: int
    parameter: int
    place: int
    logic: int
    refinements: int
    repaired: int = 0
    empty: int = 0
    cut: int = 0
    failed: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cost: float = 0.0
    reworded: int = 0
    kept: int = 0


def told_of(trajectory: Trajectory) -> Told:
    """The share of one trajectory."""
    notes = [turn.notes for turn in trajectory.turns if turn.notes is not None]
    return _told(trajectory.status, trajectory.counts, notes)


def told_of_episode(episode: Episode) -> Told:
    """The same of an episode that has just been played, without making its record."""
    return _told(episode.status, episode.counts(), episode.notes())


def _told(status: str, counts: Counts | Tally, notes: Sequence[NotesRecord]) -> Told:
    accepted = status == "won" and counts.refinements >= REFINEMENTS_WANTED
    plain = (
        status, accepted, counts.turns, counts.parameter, counts.place, counts.logic,
        counts.refinements,
    )  # fmt: skip
    if not notes:
        return Told(*plain)
    return Told(
        *plain,
        repaired=sum(note.repairs not in ((), ("empty",)) for note in notes),
        empty=sum("empty" in note.repairs and not note.error for note in notes),
        cut=sum(note.cut > 0 for note in notes),
        failed=sum(note.error != "" for note in notes),
        retries=sum(note.retries for note in notes),
        prompt_tokens=sum(note.prompt_tokens for note in notes),
        reply_tokens=sum(note.reply_tokens for note in notes),
        cost=sum(note.cost for note in notes),
        reworded=sum(note.rewrite == "taken" for note in notes),
        kept=sum(note.rewrite not in ("", "taken") for note in notes),
    )


@dataclass(slots=True)
class Summary:
    """What a rollout did; `seconds` is for people and stands in no file. `resumed` episodes
    were there before, `accepted` ones were won with refinements enough, `left` ones were still
    going on when their player left."""

    episodes: int = 0
    won: int = 0
    lost: int = 0
    truncated: int = 0
    left: int = 0
    accepted: int = 0
    turns: int = 0
    refusals: dict[str, int] = field(
        default_factory=lambda: {"parameter": 0, "place": 0, "logic": 0}
    )
    refinements: int = 0
    resumed: int = 0
    turns_played: int = 0
    seconds: float = 0.0
    interrupted: bool = False
    repaired_replies: int = 0
    empty_replies: int = 0
    cut_replies: int = 0
    failed_replies: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cost: float = 0.0
    thoughts_reworded: int = 0
    thoughts_kept: int = 0
    """Of the thoughts that a model was to reword, those that stayed as they were."""

    def add(self, told: Told) -> None:
        self.episodes += 1
        self.won += told.status == "won"
        self.lost += told.status == "lost"
        self.truncated += told.status == "truncated"
        self.left += told.status == "running"
        self.accepted += told.accepted
        self.turns += told.turns
        self.refusals["parameter"] += told.parameter
        self.refusals["place"] += told.place
        self.refusals["logic"] += told.logic
        self.refinements += told.refinements
        self.repaired_replies += told.repaired
        self.empty_replies += told.empty
        self.cut_replies += told.cut
        self.failed_replies += told.failed
        self.retries += told.retries
        self.prompt_tokens += told.prompt_tokens
        self.reply_tokens += told.reply_tokens
        self.cost += told.cost
        self.thoughts_reworded += told.reworded
        self.thoughts_kept += told.kept

    def told(self) -> dict[str, object]:
        """With the keys that others rely on."""
        speed = self.turns_played / self.seconds if self.seconds > 0 else 0.0
        return asdict(self) | {
            "seconds": round(self.seconds, 3),
            "steps_per_second": round(speed, 1),
            "cost": round(self.cost, 6),
        }
