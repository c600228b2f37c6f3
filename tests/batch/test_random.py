"""Random machines on the numba engine, turn by turn beside the reference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.batch import long_run
from tests.batch.differences import play
from tests.batch.random_machines import random_machine
from worldengine.batch import Engine, tables_of


@pytest.mark.parametrize("seed", range(12))
def test_turns(seed: int) -> None:
    machines = [random_machine(8 * seed + index) for index in range(8)]
    play(Engine(tables_of(machines)), rows=24, turns=40, seed=seed)


def test_the_long_run_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"
    given = ["--rows", "600", "--out", str(out)]
    assert long_run.main(["--steps", "1", *given]) == 0
    first = out.read_text(encoding="utf-8")
    out.write_text(first + '{"shard": 1, "st', encoding="utf-8")  # ended in the middle
    assert long_run.main(["--steps", "20000", *given]) == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["shard"] for line in lines] == [0, 1]
    assert json.dumps(lines[0]) + "\n" == first
    assert all(line["distinct"] > 1_000 for line in lines)


def test_the_long_run_finds_a_difference(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    honest, turns = long_run.step, []

    def wrong(engine, which, states, *rest):  # type: ignore[no-untyped-def]
        done = honest(engine, which, states, *rest)
        turns.append(0)
        if len(turns) == 9:
            states[-1, 0] ^= 1
        return done

    monkeypatch.setattr(long_run, "step", wrong)
    given = ["--rows", "600", "--out", str(tmp_path / "run.jsonl")]
    assert long_run.main(["--steps", "1", *given]) == 1


@pytest.mark.slow
def test_a_million_steps(tmp_path: Path) -> None:
    assert long_run.main(["--steps", "1000000", "--out", str(tmp_path / "run.jsonl")]) == 0
