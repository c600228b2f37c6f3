"""What an experiment showed: arms beside one another, with the unit it is about.

In: the figures of every arm, seed and split. Out: plain dictionaries and one table. The unit
is the world: a world's value is its mean over starts and seeds, and worlds are drawn for the
intervals. Differences are taken start by start and seed by seed against the first arm, and
then by worlds. What shows no difference stands in the same table as what does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from worldengine.evaluation.intervals import clustered, wilson
from worldengine.evaluation.metrics import Figures
from worldengine.evaluation.paired import chance, exact, mean
from worldengine.evaluation.summary import summary

BySeed = Mapping[int, Sequence[Figures]]
KEPT = ("episodes", "worlds", "success", "progress", "grounding", "loops", "recovery", "turns")


def outcome(by_seed: BySeed) -> dict[str, Any]:
    """One arm in one split, all seeds together."""
    episodes = [each for seed in sorted(by_seed) for each in by_seed[seed]]
    told = summary(episodes)
    worlds = [each.machine_hash for each in episodes]
    found = {name: told[name] for name in KEPT}
    found["won"] = told["won"]
    found["by_seed"] = {
        str(seed): mean([float(each.won) for each in by_seed[seed]]) for seed in sorted(by_seed)
    }
    found["ci"] = {
        "success": clustered([float(each.won) for each in episodes], worlds),
        "success_wilson": wilson(told["won"], len(episodes)),
        "progress": clustered([each.progress for each in episodes], worlds),
    }
    return found


def against(first: BySeed, second: BySeed) -> dict[str, Any]:
    """Second minus first on the same starts and seeds. `p` is a sign test over worlds: of
    those in which the two differ, in how many the second did better. `by_seed` is the difference
    in success of each seed: intervals draw worlds, and say nothing of other seeds."""
    gains: list[float] = []
    steps: list[float] = []
    worlds: list[str] = []
    by_seed: dict[str, float | None] = {}
    for seed in sorted(set(first) & set(second)):
        before = len(gains)
        there = {each.start: each for each in first[seed]}
        for each in second[seed]:
            other = there.get(each.start)
            if other is not None:
                gains.append(float(each.won) - float(other.won))
                steps.append(each.progress - other.progress)
                worlds.append(each.machine_hash)
        by_seed[str(seed)] = mean(gains[before:])
    by_world: dict[str, float] = {}
    for world, gain in zip(worlds, gains, strict=True):
        by_world[world] = by_world.get(world, 0.0) + gain
    better = sum(gain > 0 for gain in by_world.values())
    worse = sum(gain < 0 for gain in by_world.values())
    return {
        "pairs": len(gains),
        "worlds": len(by_world),
        "success": mean(gains),
        "success_ci": clustered(gains, worlds),
        "progress": mean(steps),
        "progress_ci": clustered(steps, worlds),
        "by_seed": by_seed,
        "worlds_better": better,
        "worlds_worse": worse,
        "p": exact(worse, better),
    }


def table(results: dict[str, Any]) -> str:
    """Everything in one table of Markdown, and of how many different worlds it speaks."""
    head = (
        "split", "matched by", "arm", "seeds", "trained tokens", "success", "95% by worlds",
        "progress", "grounding", "loops", "difference in success", "95%", "p",
    )  # fmt: skip
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for row in results["rows"]:
        told, other = row["outcome"], row.get("against")
        cells = [
            row["split"],
            row["match"],
            row["arm"],
            str(row["seeds"]),
            _tokens(row["trained_tokens"]),
            number(told["success"]),
            interval(told["ci"]["success"]),
            number(told["progress"]),
            number(told["grounding"]),
            number(told["loops"]),
            signed(other["success"]) if other else "",
            interval(other["success_ci"], signs=True) if other else "",
            chance(other["p"]) if other else "",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    told = [
        f"{name}: {each['worlds']} worlds of {each['shapes']} "
        f"{'shape' if each['shapes'] == 1 else 'shapes'}"
        for name, each in results.get("worlds", {}).items()
    ]
    if told:
        lines += ["", "; ".join(told) + ". Worlds of one shape differ in words alone."]
    return "\n".join(lines) + "\n"


def _tokens(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}"


def number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.3f}"


def interval(value: Sequence[float] | None, signs: bool = False) -> str:
    """`0.41 to 0.58`."""
    if value is None:
        return "-"
    shape = "+.3f" if signs else ".3f"
    return f"{value[0]:{shape}} to {value[1]:{shape}}"
