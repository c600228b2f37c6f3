"""A trajectory for reading.

In: a trajectory. Out: text: the prompt, then each turn with its thought, its command and what
came of it; refused turns and the turns that set them right are marked.
"""

from __future__ import annotations

from worldengine.rollout.trajectory import Trajectory


def readable(trajectory: Trajectory) -> str:
    """A trajectory as a reader would like to see it."""
    recovered = {pair.recovered: pair.refused for pair in trajectory.refinements}
    lines = [f"{trajectory.world}, start {trajectory.variant}, played by {trajectory.player.name}"]
    lines += ["-" * len(lines[0]), "", trajectory.prompt, "", trajectory.opening]
    for turn in trajectory.turns:
        lines.append("")
        if turn.thought:
            lines.append(f"  {turn.thought}")
        mark = "" if turn.outcome == "ok" else f"   [refused: {turn.outcome}; not trained]"
        if turn.index in recovered:
            mark += f"   [sets turn {recovered[turn.index] + 1} right]"
        lines.append(f"{turn.index + 1:>3} > {turn.command}{mark}")
        lines += [f"      {line}" for line in turn.observation.split("\n")]
    lines += ["", f"{trajectory.status}, progress {trajectory.progress:.2f}"]
    return "\n".join(lines)
