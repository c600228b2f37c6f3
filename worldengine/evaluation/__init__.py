"""Evaluation one can believe: what episodes show, how sure that is, and against whom.

In: trajectories, runs, players. Out: figures with intervals, comparisons on the same starts.
The world's own ending decides about success; running out of turns never counts as one.
"""

from __future__ import annotations
