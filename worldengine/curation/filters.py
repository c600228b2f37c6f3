"""Filters: which trajectories are worth keeping, by what can be read off them.

In: a trajectory, limits. Out: why it is left out, "" if it is kept; the first reason counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.rollout.trajectory import REFINEMENTS_WANTED, Trajectory

KINDS = ("parameter", "place", "logic")
ANY = 1_000_000_000


class FilterError(ValueError):
    """What was asked of the filters cannot be; the message is for people."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds, both ends included. `kinds` names refusals of which one at least must occur,
    `without` those of which none may. `characters` counts all that is said and shown."""

    statuses: tuple[str, ...] = ("won",)
    turns: tuple[int, int] = (0, ANY)
    pairs: tuple[int, int] = (REFINEMENTS_WANTED, ANY)
    progress: float = 0.0
    characters: int = ANY
    kinds: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


def limits(
    *,
    include: str = "accepted",
    turns: tuple[int, int] = (0, ANY),
    pairs: tuple[int, int] | None = None,
    progress: float = 0.0,
    characters: int = ANY,
    kinds: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
) -> Limits:
    """Limits by words: `include` accepted, won or verified sets endings and pairs."""
    for kind in (*kinds, *without):
        if kind not in KINDS:
            raise FilterError(f"there is no refusal {kind!r}; there are: {', '.join(KINDS)}")
    if not 0.0 <= progress <= 1.0:
        raise FilterError(f"progress lies between 0 and 1, not at {progress}")
    least = REFINEMENTS_WANTED if include == "accepted" else 0
    bounds = pairs or (least, ANY)
    for name, (low, high) in (("turns", turns), ("pairs", bounds)):
        if low > high:
            raise FilterError(f"{name}: {low} is more than {high}, so nothing would be kept")
    return Limits(
        statuses=("won", "lost", "truncated", "running") if include == "verified" else ("won",),
        turns=turns,
        pairs=bounds,
        progress=progress,
        characters=characters,
        kinds=kinds,
        without=without,
    )


def unfit(trajectory: Trajectory, wanted: Limits) -> str:
    """The end of `trajectories that …`."""
    counts = trajectory.counts
    by_kind = dict(zip(KINDS, (counts.parameter, counts.place, counts.logic), strict=True))
    pairs = len(trajectory.refinements)
    if trajectory.status not in wanted.statuses:
        return f"are not {' or '.join(wanted.statuses)}"
    if not wanted.turns[0] <= counts.turns <= wanted.turns[1]:
        return "are too short or too long"
    if not wanted.pairs[0] <= pairs <= wanted.pairs[1]:
        return "hold too few or too many refinements"
    if trajectory.progress < wanted.progress:
        return "made too little progress"
    if size(trajectory) > wanted.characters:
        return "hold too many characters"
    if wanted.kinds and not any(by_kind[kind] for kind in wanted.kinds):
        return f"hold no refusal of class {' or '.join(wanted.kinds)}"
    if any(by_kind[kind] for kind in wanted.without):
        return f"hold a refusal of class {' or '.join(wanted.without)}"
    return ""


def size(trajectory: Trajectory) -> int:
    """Characters of all that is said and shown."""
    spoken = sum(len(turn.reply) + len(turn.observation) for turn in trajectory.turns)
    return len(trajectory.prompt) + len(trajectory.opening) + spoken
