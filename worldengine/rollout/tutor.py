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

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple

from worldengine.explorer.slips import slips
from worldengine.machine import Machine
from worldengine.machine.schema import LOGIC, PARAMETER, PLACE
from worldengine.memo import by_machine
from worldengine.players.view import Itinerary, Leg
from worldengine.proof import winning_plan
from worldengine.rollout.charts import chart_of
from worldengine.rollout.sense import Point, done_already, step_waited_for
from worldengine.rollout.showing import Known
from worldengine.runtime import Transition

PROOF = "proof"
"""The guidance of players that are handed an itinerary."""

MISTAKES = (2, 2, 3, 3, 3, 4)
LOOKS = (0, 1, 1, 2, 2, 3)
TRIES = 60
NEARBY = 3.0
"""How many steps too soon a mistake typically is."""
INSISTS = 0.1
"""How often a refused command is said once more, as models do."""


class Mistake(NamedTuple):
    """`target` is the point whose command sets it right, `needed` the one that makes true what
    it was refused for, -1 for a slip."""

    command: str
    purpose: str
    target: int
    needed: int = -1


def itinerary(machine: Machine, variant: int, random: Random) -> Itinerary:
    """The whole episode as commands; () where no proof wins the variant."""
    if winning_plan(machine, variant) is None:
        return ()
    path = _revealing(machine, variant)
    wanted = min(random.choice(MISTAKES), machine.turns - len(path.points))
    spare = machine.turns - len(path.points) - wanted
    for _ in range(min(random.choice(LOOKS), spare)):
        path = _with_a_look(path, random)
    return _legs(machine, path.points, _mistakes(machine, path, wanted, random), random)


# -- the accepted commands --------------------------------------------------------------


class Path:
    """Accepted commands that win; what was shown by each of them is read when it is asked for."""

    __slots__ = ("_known", "points")

    def __init__(self, points: Sequence[Point], known: Iterable[Known]) -> None:
        self.points = points
        self._known = list(known)

    def known(self, at: int) -> Known:
        """What has been shown before a point."""
        known = self._known
        for point in self.points[len(known) - 1 : at]:
            known.append(known[-1].turned(point.transition))
        return known[at]

    def with_look(self, at: int, command: str) -> Path | None:
        """The path with one look more before a point; None unless it still wins, all accepted."""
        points = self.points
        here = points[at].here
        turn, after = here.take(command)
        transition = turn.transition
        if transition.refusal is not None:
            return None
        fresh = [*points[:at], Point(command, "look", here, transition, after)]
        here = after
        for place, (said, purpose, before, _, _) in enumerate(points[at:], start=at):
            if here is before:  # from here on all is as it was
                fresh += points[place:]
                break
            if transition.status != "running":
                return None
            turn, after = here.take(said)
            transition = turn.transition
            if transition.refusal is not None:
                return None
            fresh.append(Point(said, purpose, here, transition, after))
            here = after
        if fresh[-1].transition.status != "won":
            return None
        return Path(fresh, self._known[: at + 1])


def _walk(machine: Machine, variant: int, commands: Iterable[str]) -> Path:
    """The path of a plan that wins."""
    chart = chart_of(machine)
    here = chart.start(variant)
    points: list[Point] = []
    for command in commands:
        turn, after = here.take(command)
        points.append(Point(command, "plan", here, turn.transition, after))
        here = after
    return Path(points, [chart.known(variant)])


def _revealing(machine: Machine, variant: int) -> Path:
    """The plan, with a look before a step that names what has not been shown yet. It stays as
    long as the states that it leads through."""
    paths: dict[int, Path] = chart_of(machine).paths
    if variant not in paths:
        paths[variant] = _revealed(machine, variant)
    return paths[variant]


def _revealed(machine: Machine, variant: int) -> Path:
    plan = winning_plan(machine, variant)
    assert plan is not None
    path = _walk(machine, variant, plan)
    at = 0
    while at < len(path.points):
        if not _shown(machine, path.known(at), path.points[at].transition):
            for command in path.known(at).looks:
                if len(path.points) >= machine.turns:
                    break
                better = path.with_look(at, command)
                if better is None:
                    continue
                if _shown(machine, better.known(at + 1), better.points[at + 1].transition):
                    path, at = better, at + 1
                    break
        at += 1
    return path


def _shown(machine: Machine, known: Known, transition: Transition) -> bool:
    """Whether everything that an action is about has been shown to the player."""
    return all(known.name(value) is not None for value in _about(machine, transition.operator))


@by_machine(20_000)
def _about(machine: Machine, operator: int) -> tuple[int, ...]:
    """The objects that an action is about."""
    ground = machine.operators[operator]
    parameters = machine.schemas[ground.schema].parameters
    return tuple(
        value
        for parameter, value in zip(parameters, ground.arguments, strict=True)
        if parameter.type == "object" and machine.objects[value].role != "concept"
    )


def _with_a_look(path: Path, random: Random) -> Path:
    """One more look somewhere, if one is found after which the plan still wins."""
    points = path.points
    said = {point.command for point in points}
    for _ in range(6):
        at = random.randrange(len(points))
        options = [c for c in path.known(at).looks if c not in said]
        if not options:
            continue
        better = path.with_look(at, random.choice(options))
        if better is not None:
            return better
    return path


# -- the mistakes -----------------------------------------------------------------------


def _mistakes(machine: Machine, path: Path, wanted: int, random: Random) -> dict[int, Mistake]:
    """Mistakes by the point before which they are made; no point has two, nor is set right
    twice, nor is anything tried twice too soon."""
    found: dict[int, Mistake] = {}
    for attempt in range(TRIES):
        if len(found) >= wanted:
            break
        at = random.randrange(len(path.points))
        early = not found or random.random() < 0.6
        if early and attempt < TRIES // 2:
            target = at + 1 + int(random.expovariate(1 / NEARBY))
            mistake = None if at in found else _too_soon(machine, path, at, target)
        else:
            mistake = _slip(machine, path, at, random)
        if mistake is None or at in found:
            continue
        if all(
            mistake.target != other.target and mistake.command != other.command
            for other in found.values()
        ):
            found[at] = mistake
    return found


def _too_soon(machine: Machine, path: Path, at: int, target: int) -> Mistake | None:
    """A later step of the plan that would be refused here, on things already shown."""
    points = path.points
    if target >= len(points) or points[target].purpose != "plan":
        return None
    later = points[target]
    if _numbered(machine, later.transition):
        return None
    if not _shown(machine, path.known(at), later.transition):
        return None
    transition = points[at].here.take(later.command)[0].transition
    refused = transition.refusal
    if refused is None or refused.refusal not in (PLACE, LOGIC):
        return None
    if done_already(machine, points, at, target, transition.observation):
        return None
    needed = step_waited_for(points, at, target, refused)
    return Mistake(later.command, "early", target, needed) if needed >= 0 else None


def _numbered(machine: Machine, transition: Transition) -> bool:
    """A number may be what the player has yet to find out."""
    schema = machine.schemas[machine.operators[transition.operator].schema]
    return any(parameter.type == "number" for parameter in schema.parameters)


def _slip(machine: Machine, path: Path, at: int, random: Random) -> Mistake | None:
    """The step of this point in a form that is refused as this very action's `parameter`."""
    here = path.points[at]
    if here.purpose != "plan":
        return None
    schema = machine.operators[here.transition.operator].schema
    for wrong in slips(here.command, path.known(at).said, random):
        refused = here.here.take(wrong)[0].transition.refusal
        if refused is not None and refused.refusal == PARAMETER and refused.schema == schema:
            return Mistake(wrong, "slip", at)
    return None


def _legs(
    machine: Machine, points: Sequence[Point], mistakes: dict[int, Mistake], random: Random
) -> Itinerary:
    """Points and mistakes in the order in which they are said. Where turns are left, what
    was refused is sometimes tried once more before it is given up."""
    legs: list[Leg] = []
    mends: dict[int, tuple[int, int]] = {}
    places: list[int] = []
    spare = machine.turns - len(points) - len(mistakes)
    for at, point in enumerate(points):
        if at in mistakes:
            mistake = mistakes[at]
            mends[mistake.target] = len(legs), mistake.needed
            legs.append(Leg(mistake.command, mistake.purpose))
            if spare > 0 and len(mistakes) > 1 and random.random() < INSISTS:
                legs.append(Leg(mistake.command, "repeat"))
                spare -= 1
        places.append(len(legs))
        failed, needed = mends.get(at, (-1, -1))
        helped = places[needed] if needed >= 0 else -1
        legs.append(Leg(point.command, point.purpose, failed, helped))
    return tuple(legs)
