"""Numbers of steps that nobody has told: whether there are any, and what would tell them.

In: a belief, a step, what is imagined. Out: whether its number was read, and what may be
read first. What would be read is judged in the world that is supposed.
"""

from __future__ import annotations

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.deciding.exploring import Harmless, possible
from worldengine.explorer.knowing.insight import insight_of
from worldengine.explorer.ways import Action
from worldengine.machine.schema import State
from worldengine.players.shown.figures import numbers


def told(belief: Belief, action: Action) -> bool:
    """Whether the number of an action, if it has one, was read."""
    machine = belief.machine
    parameters = machine.schemas[machine.operators[action[0]].schema].parameters
    return action[1] in belief.figures or all(each.type != "number" for each in parameters)


def telling_number(
    belief: Belief, imagined: State, action: Action, harmless: Harmless
) -> Action | None:
    """What would tell the number of an action, here and now, as the world is supposed to be,
    and stands in the way of nothing."""
    insight = insight_of(belief.machine)
    here = belief.place()
    there = [
        each
        for each, _ in possible(insight, belief, imagined)
        if each[0] in insight.quiet and (*each, here) not in belief.done
    ]
    texts = insight.replayer.told(imagined, there)
    fits = [each for each, text in zip(there, texts, strict=True) if action[1] in numbers(text)]
    return next(iter(harmless(fits)), None)
