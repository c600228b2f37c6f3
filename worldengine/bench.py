"""How fast the engines are here: the figures behind `worldengine bench`.

In: Machines. Out: one `Figure` a measure, each with its ratio to the reference interpreter on
the same work, so that a busy machine changes the figures and hardly the ratios. Time is the
time this thread was given, not the time that passed. Commands are drawn from those that are
applicable, with a fixed seed: refused ones would be cheaper.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from worldengine.batch import BatchEnv, Single
from worldengine.machine.schema import (
    CONST,
    EQ,
    GE,
    LE,
    Assign,
    Form,
    Machine,
    Operator,
    Schema,
    Step,
    Test,
    Variable,
    Variant,
)
from worldengine.runtime import Runtime


@dataclass(frozen=True)
class Figure:
    """One measure. `ratio` is to the reference on the same work, 0 where there is none."""

    engine: str
    measure: str
    steps_per_second: float
    ratio: float
    limit: str

    def document(self) -> dict[str, str | float]:
        """Keys as `bench --json` prints them."""
        return {
            "engine": self.engine,
            "measure": self.measure,
            "steps_per_second": round(self.steps_per_second, 1),
            "ratio": round(self.ratio, 2),
            "limit": self.limit,
        }


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
        speed = single_turns(machines[0], applicable)
        what = "text turns, one environment" + ", applicable list" * applicable
        yield Figure("numba", what, speed, speed / base, "calls from Python")
    shape = trial_shape()
    speed = state_steps([shape], batch, rounds)
    yield Figure("numba", "state steps, trial shape", speed, 0.0, "loading and keeping states")


def reference(machine: Machine, turns: int = 150) -> float:
    """Turns a second of the interpreter on applicable actions of one world."""
    runtime, chance = Runtime(machine), random.Random(1)
    state, spent = machine.start(), 0.0
    for _ in range(turns):
        actions = runtime.applicable(state)
        if not actions:
            state = machine.start()
            continue
        operator, numbers = chance.choice(actions)
        begin = time.thread_time()
        state = runtime.act(state, operator, numbers[0][0] if numbers else 0).state
        spent += time.thread_time() - begin
    return turns / max(spent, 1e-9)


def _timed(work: Callable[[], object]) -> float:
    begin = time.thread_time()
    work()
    return time.thread_time() - begin


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
        spent += _timed(lambda o=operators, n=numbers: env.step(o, n))  # type: ignore[misc]
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
        spent += _timed(lambda c=commands: env.texts(env.step_texts(c).texts))  # type: ignore[misc]
    return batch * rounds / spent


def single_turns(machine: Machine, applicable: bool, turns: int = 3_000) -> float:
    """Turns a second of one player, text in and text out."""
    game, chance = Single(machine), random.Random(0)
    spent = 0.0
    game.reset()
    for _ in range(turns):
        if game.over:
            game.reset()
        command = chance.choice(game.applicable())
        spent += _timed(lambda: (game.step(command), applicable and game.applicable()))  # noqa: B023
    return turns / spent


def masks(machines: Sequence[Machine], batch: int) -> float:
    """Environments a second whose applicable operators are worked out."""
    env = _env(machines, batch, False)
    return batch / min(_timed(env.applicable_mask) for _ in range(3))


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
    runtime, chance, state, tried = Runtime(watched), random.Random(1), machine.start(), 0
    for _ in range(turns):
        actions = runtime.applicable(state)
        if not actions:
            state = machine.start()
            continue
        operator, numbers = chance.choice(actions)
        before = _Counted.tried
        state = runtime.act(state, operator, numbers[0][0] if numbers else 0).state
        tried += _Counted.tried - before
    return tried / turns


def trial_shape(seed: int = 0, variables: int = 48, operators: int = 300) -> Machine:
    """A machine of the shape that array engines are compared on: up to 8 comparisons and 4
    assignments an operator, no rules, no texts."""
    chance = random.Random(seed)
    status = variables

    def acts(index: int) -> Operator:
        tests = tuple(
            Test(chance.randrange(variables), chance.choice((EQ, GE, LE)), -1, chance.randrange(4))
            for _ in range(chance.randint(1, 8))
        )
        assigns = tuple(
            Assign(chance.randrange(variables), CONST, -1, -1, chance.randrange(4))
            for _ in range(chance.randint(1, 4))
        )
        return Operator(index, (), (), 0, (Step(tests, assigns, -1, (), -1, 0, 1, 1),), -1)

    numbers = tuple(
        Variable(f"v{index}", "int", "attribute", 0, 3, (), chance.randrange(4), -1)
        for index in range(variables)
    )
    state = (*numbers, Variable("status", "int", "status", 0, 2, (), 0, -1))
    forms = tuple(Form((f"act {i}",), (f"act {i}",), "", 4) for i in range(operators))
    return Machine(
        name="trial shape", title="", persona="", intro="", goal="", timeout="", turns=10**6,
        variables=state, derived=(), tables=(), texts=(), strings=(), symbols=(), objects=(),
        exits=(), scopes=(),
        schemas=tuple(Schema(f"act{i}", True, (), (forms[i],), -1) for i in range(operators)),
        operators=tuple(acts(index) for index in range(operators)), blocks=(), opening=-1,
        rules=(), variants=(Variant((), ()),), proofs=((),), player=-1, status=status, turn=-1,
        milestones=(), spans=(),
    )  # fmt: skip


def peers(base: float) -> Iterator[Figure]:
    """The rates that the peers measured, from the folder `PEERS_HOME` after its `run_all.sh`;
    their ratio is to `base`, the reference's rate here. What is no rate (milliseconds, memory)
    is left out. FileNotFoundError with what to do where there is none, ValueError where a
    file holds something else."""
    for path in peer_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                record = json.loads(line)
                if not str(record.get("unit", "")).endswith("/s"):
                    continue
                speed = float(record.get("per_cpu_s") or record["median"])
                yield Figure(record["peer"], record["measure"], speed, speed / base, "")
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}, line {number} holds no figure: {error}") from None


def peer_files() -> list[Path]:
    """The files the peers' scripts wrote; FileNotFoundError with what to do if there is none."""
    home = os.environ.get("PEERS_HOME", "")
    found = sorted(Path(home, "out").glob("*.jsonl")) if home else []
    if not found:
        raise FileNotFoundError(
            "no figures of peers: set PEERS_HOME to the folder that the peers' README makes,"
            " and run its run_all.sh"
        )
    return found
