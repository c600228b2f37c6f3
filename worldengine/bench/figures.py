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

ONE_WORLD = "rules and derived variables, step by step, and fetching what they read"
MANY = "few states an operator: a step of a program costs the same for one as for 64"


def figures(machines: Sequence[Machine], batch: int = 10_000, rounds: int = 10) -> Iterator[Figure]:
    """All measures on these worlds, one after the other."""
    slow = [reference(machine) for machine in machines[:4]]
    base = sum(slow) / len(slow)
    yield Figure("reference", "state steps", base, 1.0, "written to be read")
    for count in dict.fromkeys((1, min(10, len(machines)), len(machines))):
        speed = state_steps(machines[:count], batch, rounds)
        what = f"state steps, {count} world{'s' * (count > 1)}, batch {batch:,}"
        yield Figure("numba", what, speed, speed / base, ONE_WORLD if count == 1 else MANY)
    tests = tests_per_turn(machines[0]) * state_steps(machines[:1], batch, rounds)
    yield Figure("numba", "guard tests, 1 world", tests, None, "as state steps")
    speed = masks(machines[:1], batch)
    yield Figure("numba", "masks (environments)", speed, None, "one program an operator in scope")
    speed = text_turns(machines[:1], batch, rounds)
    yield Figure(
        "numba", "text turns in batch", speed, speed / base, "two look-ups in dictionaries a turn"
    )
    for applicable in (False, True):
        for memory in (MEMORY, 0):
            speed, met = single_turns(machines[:4], applicable, memory)
            what = "text turns, one environment" + ", applicable list" * applicable
            what += ", nothing kept" * (memory == 0)
            limit = f"calls from Python; {met:.0%} of the turns met before"
            yield Figure("numba", what, speed, speed / base, limit)
    shape = trial_shape()
    speed = state_steps([shape], batch, rounds)
    yield Figure(
        "numba", "state steps, trial shape", speed, None, "fetching and putting back variables"
    )


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


REPEATS = 3
"""Times that the same turns are played; the shortest counts, as others may use the machine."""


def state_steps(machines: Sequence[Machine], batch: int, rounds: int) -> float:
    """State steps a second of the numba engine, one thread, texts left out: turns behind one
    another, whose commands were drawn before."""
    env, chance = _env(machines, batch, False), np.random.default_rng(0)
    begun, turns = env.snapshot(), list[tuple[NDArray[np.int32], ...]]()
    for _ in range(rounds):
        turns.append(_choice(env, chance))
        env.step(*turns[-1])

    def played() -> float:
        env.restore(begun)
        return timed(lambda: [env.step(*each) for each in turns])

    return batch * rounds / min(played() for _ in range(REPEATS))


def text_turns(machines: Sequence[Machine], batch: int, rounds: int) -> float:
    """Turns a second from a typed command to a string read, one thread. Every command is a new
    string; what it says was met before, as in a run of any length."""
    env, chance = _env(machines, batch, True), np.random.default_rng(0)
    names = [Runtime(machine).matcher for machine in machines]
    begun, turns = env.snapshot(), list[list[str]]()
    for _ in range(rounds):
        operators, numbers = (each.tolist() for each in _choice(env, chance))
        picked = zip(env.worlds.tolist(), operators, numbers, strict=True)
        turns.append([names[world].canonical(act, number) for world, act, number in picked])
        env.texts(env.step_texts(turns[-1]).texts)

    def played() -> float:
        env.restore(begun)
        typed = [[command[:1] + command[1:] for command in commands] for commands in turns]
        return timed(lambda: [env.texts(env.step_texts(each).texts) for each in typed])

    return batch * rounds / min(played() for _ in range(REPEATS))


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
