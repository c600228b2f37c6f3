"""Keeping to a plan: what is seen otherwise than it was supposed is mostly no matter.

In: a belief, the paths that were followed. Out: an outlook with the same paths, where every
start that still fits goes on to win by them, nothing refused, and reads what tells it apart
before it is to do something of its own; None where it takes new thought. That is asked with one
play; planning anew takes hundreds.
"""

from __future__ import annotations

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.knowing.insight import insight_of
from worldengine.explorer.planning.outlooks import Before, Outlook, hopes_of
from worldengine.explorer.planning.parting import told_apart
from worldengine.explorer.planning.supposing import suppose


def kept(belief: Belief, before: Before) -> Outlook | None:
    """See the module."""
    if not before.paths or before.told:
        return None
    insight = insight_of(belief.machine)
    paths = {start: path for start, path, _ in before.paths}
    supposed = suppose(belief, before.state, 0)
    if sorted(paths) != sorted(supposed.starts):
        return None
    steps = {action for path in paths.values() for action in path}
    never = any(action in belief.refused or (action[0], -1) in belief.refused for action in steps)
    first = {path[:1] for path in paths.values()}
    if never or () in first or any(path[0] in belief.tired for path in first):
        return None
    if not max(map(len, paths.values())) <= belief.left:
        return None
    paths = {start: paths[start] for start in supposed.starts}
    ways = list(paths.values())
    played = insight.replayer.play_each(supposed.rows.copy(), ways, texts=True)
    through = played.won == [len(way) for way in ways]
    if not through.all() or played.refused.any() or not told_apart(paths, played.texts):
        return None
    states = insight.replayer.states_of_each(supposed.rows, ways)
    hopes, dangers = hopes_of(insight, belief, supposed, paths)
    return Outlook(
        supposed, hopes, paths, dict(zip(paths, states, strict=True)), insight.replayer, dangers,
        {start: goals for start, _, goals in before.paths},
    )  # fmt: skip
