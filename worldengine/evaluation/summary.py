"""Figures of many episodes: means and rates with their intervals.

In: the figures of episodes. Out: one plain dictionary, the same for the same episodes. Rates
of won episodes have Wilson's interval, which takes episodes for independent; `ci_by_world`
has the cluster bootstrap beside it, which does not. A figure that nothing tells is None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from worldengine.evaluation.diversity import diversity
from worldengine.evaluation.intervals import Interval, bootstrap, clustered, wilson
from worldengine.evaluation.metrics import CLASSES, Figures
from worldengine.evaluation.paired import mean


def summary(episodes: Sequence[Figures]) -> dict[str, Any]:
    """With the keys that others rely on: success, progress, grounding, loops, episodes, ci."""
    count = len(episodes)
    won = sum(each.won for each in episodes)
    turns = sum(each.turns for each in episodes)
    refused = sum(each.refused for each in episodes)
    recovered = sum(each.recovered for each in episodes)
    loops = sum(each.loop for each in episodes)
    progress = [each.progress for each in episodes]
    grounded = [each for each in episodes if each.grounding is not None]
    grounding = [each.grounding for each in grounded if each.grounding is not None]
    return {
        "episodes": count,
        "worlds": len({each.machine_hash for each in episodes}),
        "starts": len({each.start for each in episodes}),
        "won": won,
        "lost": sum(each.status == "lost" for each in episodes),
        "truncated": sum(each.status == "truncated" for each in episodes),
        "success": won / count if count else None,
        "progress": mean(progress),
        "grounding": mean(grounding),
        "loops": loops / count if count else None,
        "repeats": _share(sum(each.repeats for each in episodes), turns),
        "refusals": {
            name: sum(each.refusals[at] for each in episodes) for at, name in enumerate(CLASSES)
        },
        "refused": _share(refused, turns),
        "recovery": _share(recovered, refused),
        "recovery_turns": _share(sum(each.recovery_turns for each in episodes), recovered),
        "turns": mean([float(each.turns) for each in episodes]),
        "turns_when_won": mean([float(each.turns) for each in episodes if each.won]),
        "prompt_tokens": sum(each.prompt_tokens for each in episodes),
        "reply_tokens": sum(each.reply_tokens for each in episodes),
        "diversity": diversity([thought for each in episodes for thought in each.thoughts]),
        "ci": {
            "success": wilson(won, count),
            "progress": bootstrap(progress),
            "grounding": bootstrap(grounding),
            "loops": wilson(loops, count),
            "recovery": wilson(recovered, refused),
        },
        "ci_by_world": {
            "success": _by_world(episodes, lambda each: float(each.won)),
            "progress": _by_world(episodes, lambda each: each.progress),
            "grounding": _by_world(grounded, lambda each: each.grounding or 0.0),
        },
    }


def grouped(
    episodes: Iterable[Figures], key: Callable[[Figures], str]
) -> dict[str, dict[str, Any]]:
    """A summary for each group, in the order of their names, numbers in them by size."""
    groups: dict[str, list[Figures]] = {}
    for each in episodes:
        groups.setdefault(key(each), []).append(each)
    return {name: summary(groups[name]) for name in sorted(groups, key=_by_size)}


def _by_size(name: str) -> list[tuple[int, str]]:
    """`plan 6-10` before `plan 11-20`: runs of digits compare as numbers of any length."""
    pieces = re.split(r"([0-9]+)", name)
    whole = [piece.lstrip("0") if at % 2 else piece for at, piece in enumerate(pieces)]
    return [(len(p) if at % 2 else 0, p) for at, p in enumerate(whole)] + [(0, name)]


def best_of(episodes: Sequence[Figures], most: int) -> dict[str, dict[str, Any]]:
    """For k = 1 … `most`: the share of starts won at least once in k plays drawn from those
    that were made, without replacement (the estimator of Chen et al., 2021, arXiv
    2107.03374). Starts played fewer than `most` times are left out."""
    plays: dict[tuple[str, int], list[bool]] = {}
    for each in episodes:
        plays.setdefault(each.start, []).append(each.won)
    kept = {start: wins for start, wins in plays.items() if len(wins) >= most}
    found: dict[str, dict[str, Any]] = {}
    for k in range(1, most + 1):
        values = [_at_least_once(len(wins), sum(wins), k) for wins in kept.values()]
        found[str(k)] = {"success": mean(values), "starts": len(values), "ci": bootstrap(values)}
    return found


def _at_least_once(plays: int, won: int, k: int) -> float:
    missed = 1.0
    for at in range(k):
        missed *= max(0, plays - won - at) / (plays - at)
    return 1.0 - missed


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _by_world(episodes: Sequence[Figures], value: Callable[[Figures], float]) -> Interval | None:
    return clustered([value(each) for each in episodes], [each.machine_hash for each in episodes])
