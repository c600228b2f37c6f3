"""What a turn is for, and what it came to: as far as whoever plays can tell.

In: a belief, a decision, the belief after it. Out: a later step that depends on this one;
whether what was wanted came true; whether something is not as it was supposed. All of it is told
by imagined worlds and known rules, never by what the world is in truth.
"""

from __future__ import annotations

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.deciding.exploring import nameable
from worldengine.explorer.deciding.standing import Decision, spoken
from worldengine.explorer.knowing.insight import insight_of
from worldengine.explorer.knowing.quieting import LIGHT

AHEAD = 6
"""Steps of a plan among which one that is meant for later is looked for."""
PLANNED = ("plan", "guess")


def purpose(belief: Belief, decision: Decision) -> str:
    """The command of the first later step that would be refused if this one were left out, ""
    for none. The purpose of going somewhere is never to go on from there."""
    if decision.why != "plan":
        return ""
    insight = insight_of(belief.machine)
    replayer, moves = insight.replayer, insight.moves
    moving = decision.action[0] in moves
    ahead = decision.plan[decision.at + 1 : decision.at + 1 + AHEAD]
    for step, fine in zip(ahead, replayer.accepted(decision.expected, ahead), strict=True):
        if not fine and not (moving and step[0] in moves) and nameable(belief, step):
            return spoken(belief, step)
    return ""


def came_true(before: Belief, decision: Decision, now: Belief) -> bool:
    """Whether an accepted step changed what it was meant to change, and that is known; or an
    answer that was asked for left fewer starts."""
    if decision.why == "ask":
        return len(now.starts) < len(before.starts)
    if decision.why not in PLANNED:
        return False
    machine = now.machine
    aside = insight_of(machine).counters | {machine.objects[machine.player].location}
    meant, old, known, state = _meant(decision), decision.expected, now.fit.known, now.state
    return any(
        meant[each] != old[each]
        and known[each]
        and state[each] == meant[each]
        and each not in aside
        and variable.role not in LIGHT
        for each, variable in enumerate(machine.variables)
    )


def surprising(decision: Decision, now: Belief, accepted: bool) -> bool:
    """Whether something is known to be otherwise than it was supposed. Who looks or asks to
    find out is told what it wanted to know, whatever that is."""
    machine = now.machine
    insight = insight_of(machine)
    if decision.why not in PLANNED or decision.action[0] in insight.quiet:
        return False
    meant = _meant(decision) if accepted else decision.expected
    known, state = now.fit.known, now.state
    return any(
        known[each]
        and state[each] != meant[each]
        and each not in insight.counters
        and variable.role not in LIGHT
        for each, variable in enumerate(machine.variables)
    )


def _meant(decision: Decision) -> tuple[int, ...]:
    """The world as it is supposed to be after the step."""
    return decision.outlook.expected(decision.start, decision.at + 1)
