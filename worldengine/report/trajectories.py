"""Trajectories for reading: what was shown, thought and done, masked turns marked as such.

In: a run. Out: its episodes' figures, and a few of them in full: a won one with refinements,
a lost one, a truncated one, the first of each.
"""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.evaluation.metrics import Figures, figures
from worldengine.report.markup import Markup, joined, tag
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory, TurnRecord

SHOWN = 4
LONGEST = 120
"""Turns of one trajectory that are printed."""


def read(run: Run) -> tuple[list[Figures], list[Trajectory], int]:
    """All figures, the trajectories to show, and how many lines could not be read."""
    found: list[Figures] = []
    shown: dict[str, Trajectory] = {}
    broken = 0
    for row in run.rows():
        trajectory = row.trajectory
        if trajectory is None:
            broken += 1
            continue
        found.append(figures(trajectory))
        kind = f"{trajectory.status} {bool(trajectory.refinements)}"
        if kind not in shown and len(shown) < SHOWN:
            shown[kind] = trajectory
    return found, list(shown.values()), broken


def ruled(run: Run) -> bool:
    """Whether a model was the Dungeon Master of the first episode that can be read."""
    for row in run.rows():
        if row.trajectory is not None:
            notes = [turn.notes for turn in row.trajectory.turns[:1]]
            return any(note is not None and note.ruling is not None for note in notes)
    return False


def readable(trajectory: Trajectory) -> Markup:
    """One trajectory, folded until it is opened."""
    mends = {pair.recovered: pair.refused for pair in trajectory.refinements}
    turns = trajectory.turns[:LONGEST]
    rest = len(trajectory.turns) - len(turns)
    head = (
        f"{trajectory.world}, start {trajectory.variant}: {trajectory.status} after "
        f"{len(trajectory.turns)} turns, {len(trajectory.refinements)} refinements"
    )
    return tag(
        "details",
        tag("summary", head),
        tag("details", tag("summary", "the prompt"), tag("pre", trajectory.prompt)),
        tag("pre", trajectory.opening),
        tag("ol", *(_turn(turn, mends) for turn in turns), class_="turns"),
        tag("p", f"… and {rest} more turns") if rest else "",
    )


def _turn(turn: TurnRecord, mends: dict[int, int]) -> Markup:
    marks: list[Markup] = []
    if not turn.train:
        why = "refused: " + turn.outcome if turn.outcome != "ok" else "masked"
        marks.append(tag("span", f"{why}, not trained", class_="mark"))
    if turn.index in mends:
        marks.append(tag("span", f"sets turn {mends[turn.index] + 1} right", class_="good"))
    thought = tag("p", turn.thought, class_="thought") if turn.thought else ""
    return tag(
        "li",
        thought,
        tag("p", tag("code", turn.command or "(no command)"), " ", joined(_spaced(marks))),
        _master(turn),
        tag("pre", turn.observation),
        class_=None if turn.train else "masked",
    )


def _master(turn: TurnRecord) -> Markup | str:
    """What a model in the Dungeon Master's chair said; what stands below it is the Machine's."""
    ruling = None if turn.notes is None else turn.notes.ruling
    if ruling is None:
        return ""
    said = f"{ruling.outcome}, {ruling.ending}" if ruling.outcome else "no ruling"
    return joined(
        [
            tag("p", "The player was told by the model: ", tag("code", said)),
            tag("pre", ruling.observation, class_="master"),
            tag("p", f"The Machine, {turn.outcome}:"),
        ]
    )


def _spaced(marks: Iterable[Markup]) -> Iterable[Markup | str]:
    for mark in marks:
        yield mark
        yield " "
