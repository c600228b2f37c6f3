"""Recorded trajectories, to be watched turn by turn.

In: a run's folder. Out: an index of its trajectories and rows for each turn: thought,
command, class of the refusal, whether the turn is trained on or masked. Nothing is executed:
what a file claims is shown, not checked (`worldengine verify` does that).
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory, TurnRecord

from .goals import ENDINGS
from .rows import BLANK, Row, bar, heading, row, rows_of

MOST = 5_000
"""Trajectories of a run that are listed."""

SHORT = {"won": "✓ won", "lost": "✗ lost", "truncated": "✗ late", "running": "… open"}


def is_run(path: Path) -> bool:
    """Whether a path is a folder that `rollout` wrote."""
    return (path / "manifest.json").is_file()


def load(folder: Path) -> tuple[list[Trajectory], list[str]]:
    """The first trajectories of a run, and what could not be read. RunError if it is none."""
    found: list[Trajectory] = []
    problems: list[str] = []
    for record in islice(Run(folder).rows(), MOST):
        if record.trajectory is not None:
            found.append(record.trajectory)
        else:
            problems.append(f"{record.where}: {record.problem}")
    return found, problems


def index_rows(trajectories: list[Trajectory], problems: list[str]) -> list[Row]:
    """One line for each trajectory; choosing one opens it."""
    shown = [heading(f"{len(trajectories)} trajectories", "enter opens one")]
    shown += [row(("✗ ", "bad"), problem, indent=2) for problem in problems[:20]]
    for number, each in enumerate(trajectories):
        _, tone = ENDINGS[each.status]
        counts = each.counts
        refused = counts.parameter + counts.place + counts.logic
        shown.append(
            row(
                (f"{number + 1:>4} ", "muted"),
                (f"{each.world:<15.15} ", "command"),
                (f"start {each.variant:<2} ", "muted"),
                (f"{SHORT[each.status]:<8} ", tone),
                (f"{counts.turns:>4} turns", "muted"),
                (f" {refused:>3} ✗" if refused else "", "muted"),
                action="trajectory",
                value=number,
            )
        )
    return shown


def head_rows(each: Trajectory) -> list[Row]:
    """What comes before the first turn."""
    return [
        heading(each.world, f"start {each.variant}, seed {each.seed}, {each.player.name}"),
        row(("commands offered: ", "muted"), each.command_set),
        BLANK,
        *rows_of(each.opening),
    ]


def turn_rows(each: Trajectory, turn: TurnRecord) -> list[Row]:
    """One turn. A masked one is grey and says so: the loss does not see it."""
    recovered = {pair.recovered: pair.refused for pair in each.refinements}
    masked = not turn.train
    tone = "muted" if masked else ""
    mark = ("┆ masked  ", "muted") if masked else ("▌ trained ", "good")
    shown = [
        BLANK,
        row(mark, (f"turn {turn.index + 1}", "muted"), (_right(turn, recovered), "good")),
    ]
    if turn.thought:
        shown += [row(("  " + line, "muted" if masked else "note"), indent=2)
                  for line in turn.thought.split("\n")]  # fmt: skip
    refused = ((f"  ✗ {turn.outcome}", "bad"),) if turn.outcome != "ok" else ()
    shown.append(row(("› ", "mark"), (turn.command, tone or "command"), *refused, indent=4))
    shown += [row((line, tone), indent=2) for line in turn.observation.split("\n")]
    return shown


def _right(turn: TurnRecord, recovered: dict[int, int]) -> str:
    if turn.index not in recovered:
        return ""
    return f"  sets turn {recovered[turn.index] + 1} right"


def rows(each: Trajectory, turns: int) -> list[Row]:
    """The first `turns` turns, and how it ended once all are shown."""
    shown = head_rows(each)
    for turn in each.turns[:turns]:
        shown += turn_rows(each, turn)
    if turns >= len(each.turns):
        words, tone = ENDINGS[each.status]
        shown += [BLANK, row((f"── {words} after {len(each.turns)} turns ──", tone))]
    return shown


def status_row(each: Trajectory, turns: int) -> Row:
    """Where one is in a trajectory."""
    done = each.turns[turns - 1].progress if turns else 0.0
    left = turns / max(1, len(each.turns))
    return row(
        (f"turn {turns}/{len(each.turns)} ", ""), (bar(left, 12), "muted"),
        ("   progress ", "muted"), (f"{bar(done, 10)} {done:.2f}", "accent"),
    )  # fmt: skip
