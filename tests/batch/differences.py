"""Play the same commands on the reference and on a batch engine, and compare everything."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from worldengine.batch.engine import Engine
from worldengine.batch.rows import Step
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.tables import Tables
from worldengine.batch.texts.rendering import renderer
from worldengine.batch.texts.texts import Renderer
from worldengine.machine.schema import CLASS_NAMES, STATUS_NAMES, Machine, State
from worldengine.runtime import EpisodeOver, Transition, runtime_of

Action = tuple[int, int]
_MADE: list[tuple[Tables, Renderer]] = []


def any_action(machine: Machine, chance: random.Random) -> Action:
    """An operator and a number, sometimes of neither kind."""
    operator = chance.randrange(-1, len(machine.operators) + 1)
    if not 0 <= operator < len(machine.operators):
        return operator, chance.randrange(-5, 6)
    for parameter in machine.schemas[machine.operators[operator].schema].parameters:
        if parameter.type == "number":
            return operator, chance.randint(parameter.low - 1, parameter.high + 1)
    return operator, 0


def applicable_action(machine: Machine, state: State, chance: random.Random) -> Action | None:
    """One of the actions that would be accepted now."""
    actions = runtime_of(machine).applicable(state)
    if not actions:
        return None
    operator, intervals = chance.choice(actions)
    if not intervals:
        return operator, 0
    return operator, chance.randint(*chance.choice(intervals))


def start_states(tables: Tables, machines: Sequence[int], variants: Sequence[int]) -> Integers:
    """Rows of start states, as the reference gives them."""
    states = np.zeros((len(machines), tables.width), tables.state_type)
    for row, (index, variant) in enumerate(zip(machines, variants, strict=True)):
        state = tables.machines[index].start(variant)
        states[row, : len(state)] = state
    return states


def expected(machine: Machine, state: State, action: Action) -> Transition | None:
    """The reference's turn; None for an operator that does not exist."""
    if not 0 <= action[0] < len(machine.operators):
        return None
    return runtime_of(machine).act(state, *action)


def _renderer(tables: Tables) -> Renderer:
    """What makes texts for these tables: made once for all comparisons with one engine."""
    if not _MADE or _MADE[0][0] is not tables:
        _MADE[:] = [(tables, renderer(tables))]
    return _MADE[0][1]


def compare(
    engine: Engine,
    machine_index: int,
    row: int,
    state: State,
    action: Action,
    after: Sequence[int],
    step: Step,
) -> State:
    """Assert that one row did what the reference does; gives back the state after it."""
    machine = engine.tables.machines[machine_index]
    try:
        turn = expected(machine, state, action)
    except EpisodeOver:
        raise AssertionError("a finished row was stepped") from None
    got = tuple(after[: len(machine.variables)])

    def where() -> str:
        return f"{machine.name}: {action} on {state}"

    assert step.statuses[row] == got[machine.status], where()
    if turn is None:
        assert got == state, where()
        assert step.outcomes[row] == 1, where()
        return state
    assert CLASS_NAMES[step.outcomes[row]] == turn.outcome_name, where()
    assert got == turn.state, where()
    assert step.progress[row] == turn.progress, where()
    assert STATUS_NAMES[got[machine.status]] == turn.status, where()
    if turn.refusal is not None and turn.refusal.requirement >= 0:
        assert step.failed[row] == turn.refusal.requirement, where()
    elif turn.refusal is not None and turn.refusal.scope is not None:
        scopes = engine.tables.scope_objects[machine_index][action[0]]
        assert scopes[-2 - step.failed[row]] == turn.refusal.scope, where()
    if len(step.texts):
        text = engine.texts.text(int(step.texts[row]), _renderer(engine.tables))
        assert text == turn.observation, (where(), text, turn.observation)
    return turn.state


def play(engine: Engine, rows: int, turns: int, seed: int, guided: float = 0.7) -> int:
    """Play `rows` slots for some turns, every step compared. Gives back the steps played.
    A share of actions is picked among the applicable, the rest from all there are."""
    chance = random.Random(seed)
    tables = engine.tables
    machines = [index % len(tables.machines) for index in range(rows)]
    starts = [chance.randrange(len(tables.machines[index].variants)) for index in machines]
    states = start_states(tables, machines, starts)
    known: list[State] = [
        tables.machines[i].start(v) for i, v in zip(machines, starts, strict=True)
    ]
    which = np.array(machines, np.int32)
    steps = 0
    for _ in range(turns):
        actions = []
        for row, index in enumerate(machines):
            machine = tables.machines[index]
            if known[row][machine.status] != 0:
                known[row] = machine.start(starts[row])
                states[row, : len(known[row])] = known[row]
            action = None
            if chance.random() < guided:
                action = applicable_action(machine, known[row], chance)
            actions.append(action or any_action(machine, chance))
        operators = np.array([action[0] for action in actions], np.int32)
        numbers = np.array([action[1] for action in actions], np.int32)
        step = engine.step(which, states, operators, numbers)
        for row, index in enumerate(machines):
            known[row] = compare(
                engine, index, row, known[row], actions[row], states[row].tolist(), step
            )
            steps += 1
    return steps
