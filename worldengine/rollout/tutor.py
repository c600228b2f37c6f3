"""The tutor: an itinerary for a player that leans on a world's proof.

In: a Machine, a variant, a generator. Out: commands in order, each with its purpose: the
plan's own steps, looks around, and natural mistakes. A mistake is something a player who
knows only what was shown might well try: a later step too soon, a step on a thing that is
elsewhere, a wrong word for the right action, now and then what failed just now once more.
Every mistake is refused where it stands (so it costs a turn and changes nothing) and set
right later, and a step tried too soon is one that was never done before and that waits for
another step of the plan. Looks are accepted commands and
move the world's clock: one is kept only if the plan still wins after it.

The tutor sees states; the player it writes for does not, and gets words alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from worldengine.explorer.slips import slips
from worldengine.machine import Machine
from worldengine.machine.schema import LOGIC, PARAMETER, PLACE
from worldengine.memo import by_machine
from worldengine.players.view import Itinerary, Leg
from worldengine.proof import winning_plan
from worldengine.rollout.sense import Point, done_already, step, waits_for_a_step
from worldengine.rollout.showing import first_knowledge, learnt
from worldengine.runtime import Knowledge, Transition, runtime_of

PROOF = "proof"
"""The guidance of players that are handed an itinerary."""

MISTAKES = (2, 2, 3, 3, 3, 4)
LOOKS = (0, 1, 1, 2, 2, 3)
TRIES = 60
NEARBY = 3.0
"""How many steps too soon a mistake typically is."""
INSISTS = 0.1
"""How often a refused command is said once more, as models do."""
LOOKABLE = frozenset({"thing", "person", "door", "place"})


@dataclass(frozen=True, slots=True)
class Mistake:
    """`target` is the point whose command sets it right."""

    command: str
    purpose: str
    target: int


def itinerary(machine: Machine, variant: int, random: Random) -> Itinerary:
    """The whole episode as commands; () where no proof wins the variant."""
    if winning_plan(machine, variant) is None:
        return ()
    points = _revealing(machine, variant)
    wanted = min(random.choice(MISTAKES), machine.turns - len(points))
    spare = machine.turns - len(points) - wanted
    for _ in range(min(random.choice(LOOKS), spare)):
        points = _with_a_look(machine, variant, points, random)
    return _legs(machine, points, _mistakes(machine, points, wanted, random), random)


# -- the accepted commands --------------------------------------------------------------


@by_machine(256)
def _opening(machine: Machine, variant: int) -> str:
    return runtime_of(machine).opening(machine.start(variant))


def _walk(
    machine: Machine, variant: int, commands: Sequence[tuple[str, str]]
) -> tuple[Point, ...] | None:
    """The points of (command, purpose) pairs; None unless all are accepted and the last wins."""
    state = machine.start(variant)
    knowledge = first_knowledge(machine, _opening(machine, variant))
    points: list[Point] = []
    for command, purpose in commands:
        if points and points[-1].transition.status != "running":
            return None
        transition = step(machine, state, command)
        if not transition.accepted:
            return None
        points.append(Point(command, purpose, state, knowledge, transition))
        state = transition.state
        knowledge = learnt(machine, knowledge, transition)
    return tuple(points) if points and points[-1].transition.status == "won" else None


@by_machine(4096)
def _revealing(machine: Machine, variant: int) -> tuple[Point, ...]:
    """The plan, with a look before a step that names what has not been shown yet."""
    plan = winning_plan(machine, variant)
    assert plan is not None
    pairs = [(command, "plan") for command in plan]
    points = _walk(machine, variant, pairs)
    assert points is not None
    at = 0
    while at < len(points):
        if not _shown(machine, points[at].knowledge, points[at].transition):
            for command in _looks(machine, points[at].knowledge):
                trial = [*pairs[:at], (command, "look"), *pairs[at:]]
                better = _walk(machine, variant, trial) if len(trial) <= machine.turns else None
                if better is None:
                    continue
                now = better[at + 1]
                if _shown(machine, now.knowledge, now.transition):
                    pairs, points, at = trial, better, at + 1
                    break
        at += 1
    return points


def _shown(machine: Machine, knowledge: Knowledge, transition: Transition) -> bool:
    """Whether everything that an action is about has been shown to the player."""
    operator = machine.operators[transition.operator]
    parameters = machine.schemas[operator.schema].parameters
    for parameter, value in zip(parameters, operator.arguments, strict=True):
        if parameter.type != "object" or machine.objects[value].role == "concept":
            continue
        if knowledge.name(machine, value) is None:
            return False
    return True


@by_machine(4096)
def _looks(machine: Machine, knowledge: Knowledge) -> tuple[str, ...]:
    """Ways to learn something, by what has been shown."""
    names = (
        knowledge.name(machine, index)
        for index, item in enumerate(machine.objects)
        if item.role in LOOKABLE
    )
    return ("look", "inventory", *(f"examine {name}" for name in names if name is not None))


def _with_a_look(
    machine: Machine, variant: int, points: tuple[Point, ...], random: Random
) -> tuple[Point, ...]:
    """One more look somewhere, if one is found after which the plan still wins."""
    said = {point.command for point in points}
    for _ in range(6):
        at = random.randrange(len(points))
        options = [c for c in _looks(machine, points[at].knowledge) if c not in said]
        if not options:
            continue
        command = random.choice(options)
        if not step(machine, points[at].state, command).accepted:
            continue
        pairs = [(point.command, point.purpose) for point in points]
        better = _walk(machine, variant, [*pairs[:at], (command, "look"), *pairs[at:]])
        if better is not None:
            return better
    return points


# -- the mistakes -----------------------------------------------------------------------


def _mistakes(
    machine: Machine, points: tuple[Point, ...], wanted: int, random: Random
) -> dict[int, Mistake]:
    """Mistakes by the point before which they are made; no point has two, nor is set right
    twice, nor is anything tried twice too soon."""
    found: dict[int, Mistake] = {}
    for attempt in range(TRIES):
        if len(found) >= wanted:
            break
        at = random.randrange(len(points))
        early = not found or random.random() < 0.6
        if early and attempt < TRIES // 2:
            mistake = _too_soon(machine, points, at, random)
        else:
            mistake = _slip(machine, points, at, random)
        if mistake is None or at in found:
            continue
        if all(
            mistake.target != other.target and mistake.command != other.command
            for other in found.values()
        ):
            found[at] = mistake
    return found


def _too_soon(
    machine: Machine, points: tuple[Point, ...], at: int, random: Random
) -> Mistake | None:
    """A later step of the plan that would be refused here, on things already shown."""
    target = at + 1 + int(random.expovariate(1 / NEARBY))
    if target >= len(points) or points[target].purpose != "plan":
        return None
    later, here = points[target], points[at]
    if _numbered(machine, later.transition):
        return None
    if not _shown(machine, here.knowledge, later.transition):
        return None
    transition = step(machine, here.state, later.command)
    refused = transition.refusal
    if refused is None or refused.refusal not in (PLACE, LOGIC):
        return None
    if done_already(machine, points, at, target, transition.observation):
        return None
    if not waits_for_a_step(machine, points, at, target, refused):
        return None
    return Mistake(later.command, "early", target)


def _numbered(machine: Machine, transition: Transition) -> bool:
    """A number may be what the player has yet to find out."""
    schema = machine.schemas[machine.operators[transition.operator].schema]
    return any(parameter.type == "number" for parameter in schema.parameters)


def _slip(machine: Machine, points: tuple[Point, ...], at: int, random: Random) -> Mistake | None:
    """The step of this point in a form that is refused as this very action's `parameter`."""
    here = points[at]
    if here.purpose != "plan":
        return None
    schema = machine.operators[here.transition.operator].schema
    names = tuple(
        sorted(
            name for index, name in here.knowledge.names if machine.objects[index].role in LOOKABLE
        )
    )
    for wrong in slips(here.command, names, random):
        refused = step(machine, here.state, wrong).refusal
        if refused is not None and refused.refusal == PARAMETER and refused.schema == schema:
            return Mistake(wrong, "slip", at)
    return None


def _legs(
    machine: Machine, points: tuple[Point, ...], mistakes: dict[int, Mistake], random: Random
) -> Itinerary:
    """Points and mistakes in the order in which they are said. Where turns are left, what
    was refused is sometimes tried once more before it is given up."""
    legs: list[Leg] = []
    mends: dict[int, int] = {}
    spare = machine.turns - len(points) - len(mistakes)
    for at, point in enumerate(points):
        if at in mistakes:
            mistake = mistakes[at]
            mends[mistake.target] = len(legs)
            legs.append(Leg(mistake.command, mistake.purpose))
            if spare > 0 and len(mistakes) > 1 and random.random() < INSISTS:
                legs.append(Leg(mistake.command, "repeat"))
                spare -= 1
        legs.append(Leg(point.command, point.purpose, mends.get(at, -1)))
    return tuple(legs)
