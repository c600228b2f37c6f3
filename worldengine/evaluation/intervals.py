"""How sure a figure is: 95% intervals.

In: counts, or values with the world each comes from. Out: (low, high). Rates of independent
episodes get Wilson's interval. Means get a percentile bootstrap. Where episodes share worlds
they are not independent, and whole worlds are drawn (a cluster bootstrap). Draws come from a
generator of a fixed seed: the same values give the same interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

Interval = tuple[float, float]
Z = 1.959963984540054
"""The 0.975 quantile of the normal distribution."""
DRAWS = 2000


def wilson(successes: int, trials: int) -> Interval | None:
    """Wilson's score interval (1927) for a rate; None without trials."""
    if trials == 0:
        return None
    rate = successes / trials
    scale = 1 + Z * Z / trials
    middle = (rate + Z * Z / (2 * trials)) / scale
    half = Z * math.sqrt(rate * (1 - rate) / trials + Z * Z / (4 * trials * trials)) / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def bootstrap(values: Sequence[float], seed: int = 0) -> Interval | None:
    """The percentile interval of the mean (Efron, 1979); None without values."""
    return clustered(values, list(range(len(values))), seed)


def clustered(
    values: Sequence[float], clusters: Sequence[int | str], seed: int = 0
) -> Interval | None:
    """The same with whole clusters drawn: the mean over all values of the drawn clusters.
    With one cluster nothing can be said of others, and there is no interval."""
    names = sorted(set(clusters), key=str)
    if not values or (len(names) < 2 and len(values) > 1):
        return None
    at = {name: index for index, name in enumerate(names)}
    sums = np.zeros(len(names))
    counts = np.zeros(len(names))
    for value, cluster in zip(values, clusters, strict=True):
        sums[at[cluster]] += value
        counts[at[cluster]] += 1
    random = np.random.default_rng(seed)
    drawn = random.integers(0, len(names), size=(DRAWS, len(names)))
    means = sums[drawn].sum(1) / counts[drawn].sum(1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
