"""The long run: every step of the engine beside the reference, a hundred million of them.

    python -m tests.batch.long_run --steps 100000000 --out long_run.jsonl

A shard is seven random machines and one world that ships, a million steps of random applicable
and inapplicable actions, garbage among them; most are stepped side by side, some a few at a
time. After every turn state, outcome, what failed, progress, status and text of every row are
compared. The reference is a function, so it is asked once for every state and action that a
shard meets and its answer is compared with every row that asks the same again. Each shard that
is done is a line of `--out`; those that are there are not played again. Any difference ends the
run with status 1 and says where.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.batch.differences import compare, start_states
from tests.batch.random_machines import random_machine
from worldengine.batch import Engine, tables_of
from worldengine.batch.arrays import Integers
from worldengine.batch.rows import Step
from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.resources import shipped_worlds

RANDOM, ROWS, TURNS, FEW = 7, 32_768, 32, 256
"""Random machines a shard, rows, turns, and how many rows are stepped a few at a time."""
GUIDED, AGAIN = 0.5, 1 / 16
"""Shares of applicable actions and of rows that begin again at every turn."""


@dataclass
class Known:
    """What the reference has said in a shard: one row a state and action."""

    rows: dict[bytes, int] = field(default_factory=dict)
    after: list[Integers] = field(default_factory=list)
    rest: list[tuple[int, int, float, int]] = field(default_factory=list)


def shard_machines(shard: int) -> list[Machine]:
    """Its random machines and its world."""
    worlds = shipped_worlds()
    world = compile(worlds[shard % len(worlds)].read_text(encoding="utf-8"))
    return [*(random_machine(50_000 + RANDOM * shard + i) for i in range(RANDOM)), world]


def actions(
    engine: Engine, which: Integers, states: Integers, chance: np.random.Generator
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """An operator and a number a row, many of them applicable, some of no kind at all."""
    counts = np.array([len(machine.operators) for machine in engine.tables.machines])[which]
    operators = chance.integers(-1, counts + 1)
    mask = engine.mask(which, states)
    offered = (chance.random(mask.shape, np.float32) * mask).argmax(1)
    operators = np.where(chance.random(len(which)) < GUIDED, offered, operators)
    return operators.astype(np.int32), chance.integers(-1, 5, len(which)).astype(np.int32)


def step(
    engine: Engine, which: Integers, states: Integers, operators: Integers, numbers: Integers
) -> Step:
    """One turn, in place: the last rows a few at a time, the others side by side."""
    edges = [0, *range(max(0, len(which) - FEW), len(which), 8), len(which)]
    parts = []
    for begin, end in pairwise(edges):
        rows = states[begin:end]
        parts.append(engine.step(which[begin:end], rows, operators[begin:end], numbers[begin:end]))
    fields = ("outcomes", "failed", "texts", "progress")
    return Step(*(np.concatenate([getattr(part, name) for part in parts]) for name in fields))


def judge(
    engine: Engine, known: Known, which: Integers, before: Integers, after: Integers,
    operators: Integers, numbers: Integers, done: Step,
) -> None:  # fmt: skip
    """AssertionError unless every row did what the reference does."""
    asked = np.stack([which, operators, numbers], 1).astype(np.int32).view(np.uint8)
    keys = np.ascontiguousarray(np.concatenate([asked, before.view(np.uint8)], 1))
    packed = keys.view(np.dtype((np.void, keys.shape[1]))).ravel()
    found, first, same = np.unique(packed, return_index=True, return_inverse=True)
    places = np.empty(len(found), np.int64)
    for at, (key, row) in enumerate(zip(found.tolist(), first.tolist(), strict=True)):
        place = known.rows.get(key)
        if place is None:
            index = int(which[row])
            state = tuple(before[row, : len(engine.tables.machines[index].variables)].tolist())
            action = int(operators[row]), int(numbers[row])
            compare(engine, index, row, state, action, after[row].tolist(), done)
            place = known.rows[key] = len(known.after)
            known.after.append(after[row].copy())
            known.rest.append(
                (done.outcomes[row], done.failed[row], done.progress[row], done.texts[row])
            )
        places[at] = place
    expected = np.array([known.after[place] for place in places.tolist()])[same]
    outcomes, failed, progress, texts = zip(*(known.rest[p] for p in places.tolist()), strict=True)
    differ = (expected != after).any(1)
    differ |= np.array(outcomes)[same] != done.outcomes
    differ |= np.array(failed)[same] != done.failed
    differ |= np.array(progress)[same] != done.progress
    differ |= np.array(texts, np.int64)[same] != done.texts
    if differ.any():
        row = int(np.argmax(differ))
        action = int(operators[row]), int(numbers[row])
        name = engine.tables.machines[int(which[row])].name
        raise AssertionError(f"{name}: {action} on {before[row].tolist()} is not always the same")


def play(shard: int, rows: int = ROWS, turns: int = TURNS) -> dict[str, int]:
    """One shard: steps compared, and how many states and actions were distinct."""
    chance, draw = np.random.default_rng(shard), random.Random(shard)
    engine, known = Engine(tables_of(shard_machines(shard))), Known()
    machines = engine.tables.machines
    which = np.sort(chance.integers(0, len(machines), rows)).astype(np.int32)
    variants = [draw.randrange(len(machines[index].variants)) for index in which.tolist()]
    starts = start_states(engine.tables, which.tolist(), variants)
    status = np.array([machine.status for machine in machines])[which]
    states, steps = starts.copy(), 0
    for _ in range(turns):
        over = (states[np.arange(rows), status] != 0) | (chance.random(rows) < AGAIN)
        states[over] = starts[over]
        operators, numbers = actions(engine, which, states, chance)
        before = states.copy()
        done = step(engine, which, states, operators, numbers)
        judge(engine, known, which, before, states, operators, numbers, done)
        steps += rows
    return {"shard": shard, "steps": steps, "distinct": len(known.after)}


def lines(path: Path) -> Iterator[dict[str, int]]:
    """The shards that are done; a last line cut short by an end of the process is none."""
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                yield json.loads(line)


def main(given: list[str] | None = None) -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description="every engine step beside the reference")
    parser.add_argument("--steps", type=int, default=100_000_000, help="steps in all")
    parser.add_argument("--out", type=Path, required=True, help="a line a shard; goes on there")
    parser.add_argument("--rows", type=int, default=ROWS, help="rows of a shard")
    options = parser.parse_args(given)
    finished = list(lines(options.out))
    text = "".join(json.dumps(line) + "\n" for line in finished)
    options.out.write_text(text, encoding="utf-8")
    done, shard = {line["shard"] for line in finished}, 0
    steps, began = sum(line["steps"] for line in finished), time.monotonic()
    while steps < options.steps:
        if shard not in done:
            try:
                line = play(shard, options.rows)
            except AssertionError as difference:
                print(f"shard {shard}: {difference}", file=sys.stderr)
                return 1
            with options.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            steps += line["steps"]
            spent = time.monotonic() - began
            print(f"{steps:,} of {options.steps:,} steps, {spent:,.0f} s", file=sys.stderr)
        shard += 1
    print(json.dumps({"steps": steps, "differences": 0}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
