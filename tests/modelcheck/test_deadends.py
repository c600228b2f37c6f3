"""Dead ends: counted as the interpreter counts them, the shortest way, causes, what is open."""

from __future__ import annotations

from collections import Counter, deque
from pathlib import Path

from tests.modelcheck.secret_machines import secret_machine
from tests.modelcheck.test_distance import brute_distances, machine_of
from worldengine.machine.schema import RUNNING, Machine, State
from worldengine.modelcheck.budget import Budget, clock
from worldengine.modelcheck.exploration.survey import survey
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.relaxation.actions import every_action
from worldengine.modelcheck.telling.report import check_file
from worldengine.modelcheck.verdicts.deadends import EXHAUSTION, RELAXATION, dead_ends
from worldengine.modelcheck.verdicts.distance import distance
from worldengine.proof import winning_plan
from worldengine.runtime import runtime_of

BROKEN = Path(__file__).resolve().parents[1] / "corpus" / "broken"


def brute_depths(machine: Machine, start: State) -> dict[State, int]:
    """Turns from the start by state."""
    runtime, actions = runtime_of(machine), every_action(machine)
    found = {start: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for index in range(len(actions) if state[machine.status] == RUNNING else 0):
            after = runtime.act(state, *actions.pair(index)).state
            if after not in found:
                found[after] = found[state] + 1
                queue.append(after)
    return found


def brute_causes(machine: Machine, known: dict[State, int | None]) -> set[str]:
    """Actions that lead from what can still be won into a dead end."""
    runtime, actions = runtime_of(machine), every_action(machine)
    found: Counter[str] = Counter()
    for state, value in known.items():
        for index in range(len(actions) if value and state[machine.status] == RUNNING else 0):
            turn = runtime.act(state, *actions.pair(index))
            if turn.state[machine.status] == RUNNING and known[turn.state] is None:
                found[machine.schemas[machine.operators[turn.operator].schema].name] += 1
    return set(found)


def test_counts_ways_and_causes_equal_the_interpreters() -> None:
    judged = with_some = 0
    for seed in range(120):
        machine = secret_machine(seed)
        start = machine.start(0)
        known = brute_distances(machine, start)
        if known is None or known[start] is None:
            continue
        problem = Problem(machine)
        seen = survey(problem, start, 10**5, 1 << 26, clock(600), reduced=False)
        assert seen is not None
        plans: list[tuple[str, ...] | None] = [()] + [None] * (len(machine.variants) - 1)
        surveys = [seen] + [None] * (len(machine.variants) - 1)
        found = dead_ends(problem, plans, surveys, clock(600))
        running = [state for state in known if state[machine.status] == RUNNING]
        dead = [state for state in running if known[state] is None]
        assert (found.count, found.running) == (len(dead), len(running)), seed
        assert {name for name, _ in found.causes} == brute_causes(machine, known), seed
        judged += 1
        if dead and found.path is not None:
            with_some += 1
            depths = brute_depths(machine, start)
            assert found.shortest and len(found.path) == min(depths[state] for state in dead)
            state = start
            for command in found.path:
                state = machine.step(state, command).state
            assert state in dead
    assert judged > 60 and with_some > 10


def test_in_a_large_world_a_dead_end_is_proven_or_not_told() -> None:
    machine = machine_of("titration")
    plans = [winning_plan(machine, variant) for variant in range(len(machine.variants))]
    found = dead_ends(Problem(machine), plans, [None] * len(plans), clock(20))
    assert found.count is None and found.share is None and not found.shortest
    if found.path is not None:
        assert found.proof == RELAXATION
        state = machine.start(found.variant)
        for command in found.path:
            state = machine.step(state, command).state
        assert distance(machine, state).dead


def test_the_verdict_tells_them() -> None:
    verdict = check_file(BROKEN / "key_thrown_away.world", Budget(seconds=60)).document["verdict"]
    assert verdict["dead_ends"] == 1 and verdict["dead_end_states"] == 3
    assert verdict["dead_end_share"] == round(1 / 3, 6)
    assert verdict["dead_end_path"] == ["take key", "throw key into well"]
    assert verdict["dead_end_proof"] == EXHAUSTION and verdict["dead_end_shortest"]
    assert verdict["dead_end_causes"] == [{"action": "throw", "turns": 1}]
