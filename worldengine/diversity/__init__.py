"""How alike worlds are: in their words, in what they do, in the mechanics they have.

In: Machines. Out: similarities, clusters, near-duplicates, equal structures. Deterministic:
no order of a set or of a hash of strings reaches a result.
"""

from __future__ import annotations

from worldengine.diversity.comparing import Comparison, alike, compare
from worldengine.diversity.mechanics import mechanics_of
from worldengine.diversity.structure import structure

__all__ = ["Comparison", "alike", "compare", "mechanics_of", "structure"]
