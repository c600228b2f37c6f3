"""Planning: a win found without the script's own proof.

In: a `Problem`, a variant, a clock. Out: `Planned`: a plan in commands, or what ran out. A
portfolio of searches shares the time, two at a time; the first win ends them all. A plan is
shortened by leaving out what it does not need and then played in the interpreter; nothing
leaves this module that the interpreter has not won with.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event

from worldengine.machine.schema import Machine, State
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.planning.greedy import Greed, Pairs, searched
from worldengine.modelcheck.planning.trimming import trimmed
from worldengine.modelcheck.planning.width import Choice, Found
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.wording.speech import said_from, spoken_from
from worldengine.proof import replays

CORES = 2
"""Searches that run side by side."""

PORTFOLIO: tuple[tuple[Choice | Greed, float], ...] = (
    (Greed(), 0.35),
    (Choice(width=3, guided=1), 0.35),
    (Greed(milestones=True), 0.3),
    (Greed(weight=2, width=2), 0.3),
    (Choice(width=2, clocks=0), 0.4),
    (Greed(helpful=True, clocks=0), 0.4),
    (Choice(width=3, guided=3), 0.5),
    (Choice(width=2), 1.0),
    (Choice(width=3, clocks=2), 1.0),
)
"""Ways to search and the share of the time left that each may use. All but the last take states
that differ in the turn alone for one; where that leaves nothing to search the last one tells them
apart, since a win may need nothing but that time passes."""
TRIES = 20
"""Searches for one start: an operator that could not be said where it was needed is left out of
the next."""


@dataclass(frozen=True, slots=True)
class Planned:
    """`plan` has been replayed; without one, `stopped_by` says what ran out."""

    plan: tuple[str, ...] | None
    stopped_by: str
    nodes: int
    pairs: Pairs = ()


def plan_for(
    problem: Problem,
    machine: Machine,
    variant: int,
    clock: Clock,
    memory: int,
    ways: tuple[Pairs, ...] = (),
) -> Planned:
    """A plan for a variant of a Machine, if one is found in time. The problem may be of the
    Machine with operators left out (see `reduced`). `ways` are plans of other starts, which
    mostly need little to fit."""
    if problem.relaxed is None:
        return Planned(None, "", 0)
    start = machine.start(variant)
    nodes, stopped = 0, "seconds"
    mute: set[int] = set()
    for _ in range(TRIES):
        for found in _portfolio(problem, start, clock, memory, ways, frozenset(mute)):
            nodes += found.nodes
            if found.plan is None:
                stopped = found.stopped if found.stopped != "nothing left" else stopped
                continue
            pairs = trimmed(problem, start, found.plan)
            plan, unsaid = said_from(machine, start, pairs)
            if unsaid is None and replays(machine, variant, plan):
                return Planned(plan, "", nodes, pairs)
            if unsaid is None:
                return Planned(None, stopped, nodes)
            mute.add(unsaid)
            break
        else:
            break
    return Planned(None, stopped, nodes)


def _portfolio(
    problem: Problem,
    start: State,
    clock: Clock,
    memory: int,
    ways: tuple[Pairs, ...],
    mute: frozenset[int],
) -> list[Found]:
    """Every search's result, the last of them a win if there is one."""
    stop = Event()
    results: list[Found] = []
    with ThreadPoolExecutor(CORES) as pool:
        running: set[Future[Found]] = set()
        for choice, share in PORTFOLIO:
            if len(running) == CORES and _collect(running, results):
                break
            if clock.left <= 0:
                break
            seconds = clock.left * share
            given = problem, start, choice, seconds, memory // CORES, stop, ways, mute
            running.add(pool.submit(searched, *given))
        while running and not any(found.plan for found in results):
            _collect(running, results)
        stop.set()
    return sorted(results, key=lambda found: found.plan is not None)


def _collect(running: set[Future[Found]], results: list[Found]) -> bool:
    """Wait for one of the searches; whether it has won."""
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    running -= done
    results.extend(each.result() for each in done)
    return any(found.plan for found in results)


def spoken(machine: Machine, variant: int, plan: Pairs) -> tuple[str, ...] | None:
    """The plan in commands that mean it, where each is given. None if some action cannot
    be said there, because another action answers to all its forms."""
    return spoken_from(machine, machine.start(variant), plan)
