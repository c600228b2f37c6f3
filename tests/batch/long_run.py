"""The long run: every step of the engine beside the reference, a hundred million of them.

    python -m tests.batch.long_run --steps 100000000 --out long_run.jsonl

A shard is fifteen random machines and one world that ships, a million steps of random applicable
and inapplicable actions, garbage among them, from starts and from states drawn within the domains
of all variables; most are stepped side by side, some a few at a time. After every turn state,
outcome, what failed, progress, status and text of every row are compared, and what the mask said
of the operator with what became of it. The reference is a function, so it is asked once for every
state and action that a shard meets and its answer is compared with every row that asks the same
again; one row in a hundred is asked of it all the same. Each shard that is done is a line of
`--out`; those that are there are not played again. Any difference ends the run with status 1 and
says where.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.batch.answers import Answers, Turn, ask
from tests.batch.differences import start_states
from tests.batch.random_machines import random_machine
from worldengine.batch import Engine, tables_of
from worldengine.batch.rows import Step, blank_step
from worldengine.batch.tables.arrays import Integers
from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.processes import worker_pool
from worldengine.resources import shipped_worlds

RANDOM, ROWS, TURNS = 15, 32_768, 32
"""Random machines a shard, rows, turns."""
FEW = ((128, 8), (512, 64))
"""How many rows are stepped how many at a time; the others all together."""
GUIDED, AGAIN, STRAY, ASKED = 0.5, 1 / 16, 0.1, 0.01
"""Shares of applicable actions, of rows that begin again at every turn, of those that do so in a
state that is drawn, and of rows that the reference is asked about whatever it has said."""
Column = NDArray[np.int32]


@cache
def world(position: int) -> Machine:
    """One of the worlds that ship."""
    return compile(shipped_worlds()[position].read_text(encoding="utf-8"))


def shard_machines(shard: int) -> list[Machine]:
    """Its random machines and its world."""
    drawn = (random_machine(50_000 + RANDOM * shard + i) for i in range(RANDOM))
    return [*drawn, world(shard % len(shipped_worlds()))]


class Starts:
    """Where rows begin: at starts of their machines, or anywhere in the domains."""

    def __init__(self, engine: Engine, which: Column, draw: random.Random) -> None:
        machines = engine.tables.machines
        variants = [draw.randrange(len(machines[index].variants)) for index in which.tolist()]
        self._starts = start_states(engine.tables, which.tolist(), variants)
        self._rows = [np.flatnonzero(which == index) for index in range(len(machines))]
        self._machines = machines
        self._which = which

    def begin(self, states: Integers, over: NDArray[np.bool_], chance: np.random.Generator) -> None:
        """Put the rows that are `over` (n,) at a start."""
        states[over] = self._starts[over]
        strays = over & (chance.random(len(over)) < STRAY)
        for index, machine in enumerate(self._machines):
            rows = self._rows[index]
            rows = rows[strays[rows]]
            often = chance.random(len(rows))  # some are near a start, some are nowhere
            for place, variable in enumerate(machine.variables):
                if place == machine.status:
                    continue
                values = variable.domain or range(variable.low, variable.high + 1)
                picked = chance.integers(0, len(values), len(rows)).tolist()
                drawn = np.array([values[pick] for pick in picked], states.dtype)
                changed = chance.random(len(rows)) < often
                states[rows[changed], place] = drawn[changed]


class Commands:
    """Draws operators and numbers."""

    def __init__(self, engine: Engine) -> None:
        machines = engine.tables.machines
        self.engine = engine
        self.counts = np.array([len(machine.operators) for machine in machines])
        self.ranges = np.zeros((len(machines), engine.tables.operators, 2), np.int64)
        self.takes = np.zeros((len(machines), engine.tables.operators), np.bool_)
        for index, machine in enumerate(machines):
            for at, operator in enumerate(machine.operators):
                for parameter in machine.schemas[operator.schema].parameters:
                    if parameter.type == "number":
                        self.ranges[index, at] = parameter.low, parameter.high
                        self.takes[index, at] = True

    def draw(
        self, which: Column, mask: NDArray[np.uint8], chance: np.random.Generator
    ) -> tuple[Column, Column]:
        """An operator and a number a row, many of them applicable, some of no kind at all."""
        counts = self.counts[which]
        operators = chance.integers(-1, counts + 1)
        offered = (chance.integers(1, 256, mask.shape, np.uint8) * mask).argmax(1)
        operators = np.where(chance.random(len(which)) < GUIDED, offered, operators)
        known = np.clip(operators, 0, counts - 1)
        low, high = np.moveaxis(self.ranges[which, known], 1, 0)
        numbers = chance.integers(low - 1, high + 2)
        odd = chance.random(len(which)) < AGAIN
        numbers = np.where(odd, chance.integers(-9, 10, len(which)), numbers)
        return operators.astype(np.int32), numbers.astype(np.int32)

    def as_masked(self, turn: Turn, mask: NDArray[np.uint8]) -> None:
        """AssertionError if a row's operator was accepted and not offered, or the other way."""
        operators, rows = turn.operators, np.arange(len(turn.which))
        known = (operators >= 0) & (operators < self.counts[turn.which])
        places = np.where(known, operators, 0)
        offered = (mask[rows, places] != 0) & known
        accepted = turn.done.outcomes == 0
        wrong = np.where(self.takes[turn.which, places], accepted & ~offered, accepted != offered)
        assert not wrong.any(), f"a mask is wrong of row {int(np.argmax(wrong))}"


def step(
    engine: Engine, which: Column, states: Integers, operators: Column, numbers: Column
) -> Step:
    """One turn, in place: some rows a few at a time, the others side by side."""
    rows, parts = np.arange(len(which)), []
    for many, together in FEW:
        spread = rows[:: max(1, len(which) // many)][:many]
        parts += [spread[at : at + together] for at in range(0, len(spread), together)]
        rows = np.setdiff1d(rows, spread)
    parts.append(rows)
    done = blank_step(len(which), True)
    for part in parts:
        moved = states[part]
        said = engine.step(which[part], moved, operators[part], numbers[part])
        states[part] = moved
        for name in ("outcomes", "failed", "texts", "progress", "statuses"):
            getattr(done, name)[part] = getattr(said, name)
    return done


def play(shard: int, rows: int = ROWS, turns: int = TURNS) -> dict[str, int]:
    """One shard: steps compared, how many states and actions were distinct (all asked of the
    reference), and how many rows it was asked about all the same."""
    try:
        return _played(shard, rows, turns)
    except AssertionError as difference:
        raise AssertionError(f"shard {shard}: {difference}") from difference


def _played(shard: int, rows: int, turns: int) -> dict[str, int]:
    chance, draw = np.random.default_rng(shard), random.Random(shard)
    engine = Engine(tables_of(shard_machines(shard)))
    machines = engine.tables.machines
    which = chance.integers(0, len(machines), rows).astype(np.int32)
    of = [np.flatnonzero(which == index) for index in range(len(machines))]
    answers = [Answers(engine, index) for index in range(len(machines))]
    starts, commands = Starts(engine, which, draw), Commands(engine)
    status = np.array([machine.status for machine in machines])[which]
    states = np.zeros((rows, engine.tables.width), engine.tables.state_type)
    steps, again = 0, 0
    for at in range(turns):
        over = (states[np.arange(rows), status] != 0) | (chance.random(rows) < AGAIN)
        starts.begin(states, over if at else np.ones(rows, np.bool_), chance)
        mask = engine.mask(which, states)
        operators, numbers = commands.draw(which, mask, chance)
        before = states.copy()
        done = step(engine, which, states, operators, numbers)
        turn = Turn(which, operators, numbers, before, states, done)
        commands.as_masked(turn, mask)
        for index, each in enumerate(answers):
            each.judge(turn, of[index])
        asked = np.flatnonzero(chance.random(rows) < ASKED).tolist()
        for row in asked:
            ask(engine, turn, row)
        steps, again = steps + rows, again + len(asked)
    distinct = sum(map(len, answers))
    return {"shard": shard, "steps": steps, "distinct": distinct, "again": again}


def lines(path: Path) -> Iterator[dict[str, int]]:
    """The shards that are done; a last line cut short by an end of the process is none."""
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                yield json.loads(line)


def played(shards: Iterator[int], rows: int, workers: int) -> Iterator[dict[str, int]]:
    """Shards as they are done, by this process or by so many others."""
    if workers == 1:
        yield from (play(shard, rows) for shard in shards)
        return
    with worker_pool(workers) as pool:
        at_work: set[Future[dict[str, int]]] = set()
        try:
            while True:
                while len(at_work) < workers:
                    at_work.add(pool.submit(play, next(shards), rows))
                finished, at_work = wait(at_work, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in finished)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def main(given: list[str] | None = None) -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description="every engine step beside the reference")
    parser.add_argument("--steps", type=int, default=100_000_000, help="steps in all")
    parser.add_argument("--out", type=Path, required=True, help="a line a shard; goes on there")
    parser.add_argument("--rows", type=int, default=ROWS, help="rows of a shard")
    parser.add_argument("--workers", type=int, default=1, help="processes that play shards")
    options = parser.parse_args(given)
    finished = list(lines(options.out))
    text = "".join(json.dumps(line) + "\n" for line in finished)
    options.out.write_text(text, encoding="utf-8")
    known, began = {line["shard"] for line in finished}, time.monotonic()
    more = played((at for at in count() if at not in known), options.rows, options.workers)
    try:
        while sum(line["steps"] for line in finished) < options.steps:
            finished.append(next(more))
            with options.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(finished[-1]) + "\n")
            steps, spent = sum(line["steps"] for line in finished), time.monotonic() - began
            print(f"{steps:,} of {options.steps:,} steps, {spent:,.0f} s", file=sys.stderr)
    except AssertionError as difference:
        print(f"a difference: {difference}", file=sys.stderr)
        return 1
    finally:
        more.close()  # type: ignore[attr-defined]
    totals = {key: sum(line[key] for line in finished) for key in ("steps", "distinct", "again")}
    print(json.dumps({**totals, "differences": 0}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
