"""How much a player's thoughts differ from one another.

In: thoughts. Out: figures between 0 and 1. Words are lower-cased; nothing is embedded, so that
anybody can check a figure by counting.

- `distinct_1`, `distinct_2`: different words (pairs of neighbouring words) / all of them (Li
  et al., 2016, arXiv 1510.03055). They fall with the amount of text, so they are taken over
  the first WORDS words only, and compare texts of that length.
- `unique`: different thoughts / thoughts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

WORDS = 2000


def diversity(thoughts: Sequence[str]) -> dict[str, float | int | None]:
    """See the module; None where there is nothing to count."""
    words: list[str] = []
    pairs: list[tuple[str, str]] = []
    for thought in thoughts:
        said = thought.lower().split()[: WORDS - len(words)]
        words += said
        pairs += pairwise(said)
        if len(words) >= WORDS:
            break
    return {
        "thoughts": len(thoughts),
        "words": sum(len(thought.split()) for thought in thoughts),
        "counted_words": len(words),
        "unique": _share(thoughts),
        "distinct_1": _share(words),
        "distinct_2": _share(pairs),
    }


def _share(items: Sequence[object]) -> float | None:
    return len(set(items)) / len(items) if items else None
