"""Two players on the same starts.

In: figures of both, episode by episode. Out: how they differ where both have played the same
start as often. Success is compared by McNemar's exact test, progress by a sign test and a
paired bootstrap that draws worlds. What only one of them played is left out and counted.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from worldengine.evaluation.intervals import Interval, bootstrap, clustered
from worldengine.evaluation.metrics import Figures


@dataclass(frozen=True, slots=True)
class Comparison:
    """`only_first` starts were won by the first player alone, `only_second` by the second.
    Differences are second minus first; `p_success` and `p_progress` are two-sided."""

    pairs: int
    unpaired: int
    only_first: int
    only_second: int
    success_difference: float | None
    success_interval: Interval | None
    p_success: float
    progress_difference: float | None
    progress_interval: Interval | None
    p_progress: float

    def told(self) -> dict[str, object]:
        """For JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def compare(first: Iterable[Figures], second: Iterable[Figures]) -> Comparison:
    """See the module."""
    one, other = _by_play(first), _by_play(second)
    both = sorted(one.keys() & other.keys())
    wins = [(one[key].won, other[key].won) for key in both]
    progress = [other[key].progress - one[key].progress for key in both]
    worlds = [key[0] for key in both]
    success = [float(b) - float(a) for a, b in wins]
    only_first = sum(a and not b for a, b in wins)
    only_second = sum(b and not a for a, b in wins)
    return Comparison(
        pairs=len(both),
        unpaired=len(one) + len(other) - 2 * len(both),
        only_first=only_first,
        only_second=only_second,
        success_difference=mean(success),
        success_interval=_interval(success, worlds),
        p_success=exact(only_first, only_second),
        progress_difference=mean(progress),
        progress_interval=_interval(progress, worlds),
        p_progress=exact(sum(d < 0 for d in progress), sum(d > 0 for d in progress)),
    )


def _by_play(episodes: Iterable[Figures]) -> dict[tuple[str, int, int], Figures]:
    """By start and by how often that start had been played before."""
    times: defaultdict[tuple[str, int], int] = defaultdict(int)
    found: dict[tuple[str, int, int], Figures] = {}
    for each in episodes:
        found[(*each.start, times[each.start])] = each
        times[each.start] += 1
    return found


def _interval(values: Sequence[float], worlds: Sequence[str]) -> Interval | None:
    """By worlds where there are several, else by starts."""
    return clustered(values, worlds) if len(set(worlds)) > 1 else bootstrap(values)


def exact(less: int, more: int) -> float:
    """The two-sided sign test: the chance of a split at least as uneven by a fair coin. On
    pairs of wins and losses this is McNemar's exact test."""
    total = less + more
    if total == 0:
        return 1.0
    tail = sum(math.comb(total, k) for k in range(min(less, more) + 1)) / 2**total
    return min(1.0, 2.0 * float(tail))


def chance(p: float | None) -> str:
    """A p-value for people: two digits that count, and never nought, which no test gives."""
    if p is None:
        return "-"
    return f"{p:.2g}" if p > 0 else "<1e-300"


def mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
