"""How fast the engines are here: the figures behind `worldengine bench`.

In: Machines. Out: one `Figure` a measure, each with its ratio to the reference interpreter on
the same work, so that a busy machine changes the figures and hardly the ratios. Time is the
time this thread was given, not the time that passed. Commands are drawn from those that are
applicable, with a fixed seed: refused ones would be cheaper.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from worldengine.batch import BatchEnv
from worldengine.batch.single import MEMORY
from worldengine.bench.figure import Figure
from worldengine.bench.shape import trial_shape
from worldengine.bench.walks import single_turns, timed
from worldengine.machine.schema import Machine, State, Step, Test
from worldengine.runtime import Runtime


def figures(machines: Sequence[Machine], batch: int = 10_000, rounds: int = 10) -> Iterator[Figure]:
    """All measures on these worlds, one after the other."""
    slow = [reference(machine) for machine in machines[:4]]
    base = sum(slow) / len(slow)
    yield Figure("reference", "state steps", base, 1.0, "written to be read")
    for count in dict.fromkeys((1, min(10, len(machines)), len(machines))):
        speed = state_steps(machines[:count], batch, rounds)
        what = f"state steps, {count} world{'s' * (count > 1)}, batch {batch:,}"
        yield Figure("numba", what, speed, speed / base, "branches that nobody can foresee")
    tests = tests_per_turn(machines[0]) * state_steps(machines[:1], batch, rounds)
    yield Figure("numba", "guard tests, 1 world", tests, 0.0, "as state steps")
    speed = masks(machines[:1], batch)
    yield Figure("numba", "masks (environments)", speed, 0.0, "one program an operator in scope")
    speed = text_turns(machines[:1], batch, rounds)
    yield Figure("numba", "text turns in batch", speed, speed / base, "a dictionary a command")
    for applicable in (False, True):
        for memory in (MEMORY, 0):
            speed, met = single_turns(machines[:4], applicable, memory)
            what = "text turns, one environment" + ", applicable list" * applicable
            what += ", nothing kept" * (memory == 0)
            limit = f"calls from Python; {met:.0%} of the turns met before"
            yield Figure("numba", what, speed, speed / base, limit)
    shape = trial_shape()
    speed = state_steps([shape], batch, rounds)
    yield Figure("numba", "state steps, trial shape", speed, 0.0, "loading and keeping states")


def reference(machine: Machine, turns: int = 150) -> float:
    """Turns a second of the interpreter on applicable actions of one world."""
    runtime, spent = Runtime(machine), 0.0

    def act(state: State, operator: int, number: int) -> State:
        nonlocal spent
        begin = time.thread_time()
        state = runtime.act(state, operator, number).state
        spent += time.thread_time() - begin
        return state

    _walk(runtime, turns, act)
    return turns / max(spent, 1e-9)


def _walk(runtime: Runtime, turns: int, act: Callable[[State, int, int], State]) -> None:
    """Turns at random among what is applicable, from the start again where nothing is."""
    chance, state = random.Random(1), runtime.machine.start()
    for _ in range(turns):
        actions = runtime.applicable(state)
        if not actions:
            state = runtime.machine.start()
            continue
        operator, numbers = chance.choice(actions)
        state = act(state, operator, numbers[0][0] if numbers else 0)


def _env(machines: Sequence[Machine], batch: int, texts: bool) -> BatchEnv:
    env = BatchEnv(machines, size=batch, texts=texts, autoreset="next_step")
    env.reset(seed=0)
    env.step(np.zeros(batch, np.int32))  # compiled, and all memory met
    return env


def _choice(env: BatchEnv, chance: np.random.Generator) -> tuple[NDArray[np.int32], ...]:
    """An applicable operator a slot, and a number it is accepted with or its lowest."""
    mask = env.applicable_mask()
    operators = (chance.random(mask.shape, np.float32) * mask).argmax(1).astype(np.int32)
    numbers = np.zeros(env.size, np.int32)
    pairs = dict.fromkeys(zip(env.worlds.tolist(), operators.tolist(), strict=True), 0)
    for world, operator in pairs:
        machine = env.tables.machines[world]
        for parameter in machine.schemas[machine.operators[operator].schema].parameters:
            if parameter.type == "number":
                pairs[world, operator] = parameter.low
    for row, pair in enumerate(zip(env.worlds.tolist(), operators.tolist(), strict=True)):
        numbers[row] = pairs[pair]
    return operators, numbers


def state_steps(machines: Sequence[Machine], batch: int, rounds: int) -> float:
    """State steps a second of the numba engine, one thread, texts left out."""
    env, chance = _env(machines, batch, False), np.random.default_rng(0)
    spent = 0.0
    for _ in range(rounds):
        operators, numbers = _choice(env, chance)
        spent += timed(lambda o=operators, n=numbers: env.step(o, n))  # type: ignore[misc]
    return batch * rounds / spent


def text_turns(machines: Sequence[Machine], batch: int, rounds: int) -> float:
    """Turns a second from a typed command to a string read, one thread."""
    env, chance = _env(machines, batch, True), np.random.default_rng(0)
    names = [Runtime(machine).matcher for machine in machines]
    spent = 0.0
    operators, numbers = _choice(env, chance)
    for _ in range(rounds):
        if batch > 1:
            operators, numbers = _choice(env, chance)
        picked = zip(env.worlds.tolist(), operators.tolist(), numbers.tolist(), strict=True)
        commands = [names[world].canonical(operator, number) for world, operator, number in picked]
        before = env.snapshot()
        env.texts(env.step_texts(commands).texts)  # met once, as in a run of any length
        env.restore(before)
        spent += timed(lambda c=commands: env.texts(env.step_texts(c).texts))  # type: ignore[misc]
    return batch * rounds / spent


def masks(machines: Sequence[Machine], batch: int) -> float:
    """Environments a second whose applicable operators are worked out."""
    env = _env(machines, batch, False)
    return batch / min(timed(env.applicable_mask) for _ in range(3))


class _Counted(tuple[Test, ...]):
    """The tests of a step, counted as they are tried."""

    tried = 0

    def __iter__(self) -> Iterator[Test]:
        for test in super().__iter__():
            _Counted.tried += 1
            yield test


def tests_per_turn(machine: Machine, turns: int = 100) -> float:
    """How many tests the reference tries in a turn."""

    def counted(program: tuple[Step, ...]) -> tuple[Step, ...]:
        return tuple(step._replace(tests=_Counted(step.tests)) for step in program)

    watched = replace(
        machine,
        derived=tuple(replace(item, program=counted(item.program)) for item in machine.derived),
        operators=tuple(replace(item, program=counted(item.program)) for item in machine.operators),
        blocks=tuple(replace(item, program=counted(item.program)) for item in machine.blocks),
        rules=tuple(replace(item, program=counted(item.program)) for item in machine.rules),
    )
    runtime, tried = Runtime(watched), 0

    def act(state: State, operator: int, number: int) -> State:
        nonlocal tried
        before = _Counted.tried
        state = runtime.act(state, operator, number).state
        tried += _Counted.tried - before
        return state

    _walk(runtime, turns, act)
    return tried / turns
