"""Numbers that follow from what was read, instead of those that nothing tells.

In: a belief, a decision whose step has a number that nothing told, numbers that were worked out.
Out: the same decision with one of these, where the paths still win with it as the worlds are
supposed to be; None where none does.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.deciding.standing import Decision, spoken
from worldengine.explorer.imagining.replaying import Action, Way


def reckoned(belief: Belief, decision: Decision, numbers: tuple[int, ...]) -> Decision | None:
    """See the module; the first of the numbers goes before the others."""
    operator, known = decision.action
    machine, view, at = belief.machine, decision.outlook, decision.at
    parameters = machine.schemas[machine.operators[operator].schema].parameters
    bounds = next(each for each in parameters if each.type == "number")
    tried = {(each, number) for each, number, _ in belief.done} | belief.refused | belief.tired
    starts = [
        start for start, _ in belief.starts if view.path(start)[at : at + 1] == (decision.action,)
    ]
    rows = np.array([view.expected(start, at) for start in starts], view.replayer.kind)
    for number in numbers:
        action = operator, number
        if not bounds.low <= number <= bounds.high or number == known or action in tried:
            continue
        ways = [_with(view.path(start)[at:], decision.action, action) for start in starts]
        played = view.replayer.play_each(rows.copy(), ways)
        if starts and played.won.all() and not played.refused.any():
            return _instead(belief, decision, action)
    return None


def _with(way: Way, one: Action, other: Action) -> Way:
    return tuple(other if step == one else step for step in way)


def _instead(belief: Belief, decision: Decision, action: Action) -> Decision:
    """The decision with another number, wherever its paths have this one from here on."""
    view, at = decision.outlook, decision.at
    paths = {
        start: (*path[:at], *_with(path[at:], decision.action, action))
        if path[at : at + 1] == (decision.action,)
        else path
        for start, path in view.paths.items()
    }
    rows = np.array([view.supposed.of(start) for start in paths], view.replayer.kind)
    passed = view.replayer.states_of_each(rows, list(paths.values()))
    outlook = replace(view, paths=paths, states=dict(zip(paths, passed, strict=True)))
    return replace(
        decision,
        action=action,
        command=spoken(belief, action),
        outlook=outlook,
        instead_of=decision.action,
    )
