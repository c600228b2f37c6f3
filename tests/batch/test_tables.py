"""What tables and slots weigh, compiled code where nothing can be written, a room apart."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from tests.batch.differences import start_states
from tests.batch.random_machines import random_machine
from tests.worlds import lamp
from worldengine.batch import BatchEnv, Engine, tables_of
from worldengine.batch.lanes.sweep import sweep
from worldengine.batch.slots.kernel import run
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.typed import Typed
from worldengine.bench import trial_shape
from worldengine.compiler import compile
from worldengine.machine.schema import ACCEPTED, Machine
from worldengine.resources import shipped_worlds

ROOT = Path(__file__).resolve().parents[2]


def test_rows_are_narrow() -> None:
    report = tables_of([lamp()]).report()
    assert (report["code_type"], report["state_type"]) == ("int16", "int8")
    wide = next(m for m in map(random_machine, range(50)) if m.variables[-1].high and _vast(m))
    assert tables_of([wide]).report()["state_type"] == "int32"


def _vast(machine: Machine) -> bool:
    return any(variable.name == "vast" for variable in machine.variables)


def test_tables_of_several_are_the_sum() -> None:
    one = tables_of([lamp()]).nbytes
    many = tables_of([replace(lamp(), name=f"lamp {index}") for index in range(20)]).nbytes
    assert many <= 20 * one


def test_a_thousand_authored_worlds_take_little() -> None:
    """At most 64 MB, by the worlds that ship: what many steps say or refuse stands there once."""
    machines = [compile(path.read_text(encoding="utf-8")) for path in shipped_worlds()]
    assert tables_of(machines).nbytes * 1_000 <= 64_000_000 * len(machines)


def test_what_many_steps_say_stands_there_once() -> None:
    from worldengine.batch.tables.lowering import lower

    rows = lower(lamp())
    assert len(set(rows.extras)) == len(rows.extras)
    reading = {tuple(rows.arguments[extra[1] : extra[2]]) for extra in rows.extras}
    assert len(rows.arguments) == sum(map(len, reading))


def test_a_slot_of_a_small_world_weighs_little() -> None:
    env = BatchEnv([trial_shape()], size=10_000, texts=False)
    kept = env.snapshot()
    arrays = [value for value in vars(kept).values() if isinstance(value, np.ndarray)]
    assert sum(array.nbytes for array in arrays) <= 150 * env.size


@pytest.mark.parametrize("texts", [False, True])
def test_a_million_slots_take_little_while_they_step(texts: bool) -> None:
    """At most 150 bytes a slot at any moment, what a step gives and keeps for itself included."""
    machine, size = trial_shape(), 1_000_000
    commands = np.arange(size, dtype=np.int32) % (len(machine.operators) + 1)  # the last is none
    _few_turns(BatchEnv([machine], size=10_000, texts=texts), commands[:10_000])  # compiles
    tracemalloc.start()
    env = BatchEnv([machine], size=size, texts=texts)
    moved = _few_turns(env, commands)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert moved and env.states.nbytes >= 48 * size
    assert peak <= 150 * size


@pytest.mark.parametrize(("kernel", "rows"), [(run, 1), (sweep, 600)])
def test_tables_not_made_ready_are_told(kernel: Any, rows: int) -> None:
    """Without its address a kernel raises and calls nothing; with it, it works."""
    tables = tables_of([lamp()])
    engine, column = Engine(tables), np.zeros(rows, np.int32)
    states = start_states(tables, [0] * rows, [0] * rows)
    asked = column, column + 1, column  # of machines, operators and numbers
    done = engine.step(asked[0], states.copy(), *asked[1:])
    address = tables.head[:, kernel.column].copy()
    assert address.all()
    tables.head[:, kernel.column] = 0
    before = states.copy()
    with pytest.raises(RuntimeError, match="not made ready"):
        engine.step(asked[0], states, *asked[1:])
    assert (states == before).all()
    tables.head[:, kernel.column] = address
    assert (engine.step(asked[0], states, *asked[1:]).texts == done.texts).all()


def test_kernels_are_not_called_by_hand() -> None:
    with pytest.raises(TypeError, match="from compiled functions only"):
        cast("Any", run)(0)


def _few_turns(env: BatchEnv, commands: Integers) -> bool:
    """Whether anything was accepted and anything refused in two turns."""
    env.reset(seed=1)
    # Past the check that all operators are some machine's: the last is what nobody understood.
    env._step(Typed(commands, env._no_numbers))
    accepted = env._step(Typed(commands[::-1].copy(), env._no_numbers)).outcomes == ACCEPTED
    return bool(accepted.any() and not accepted.all())


@pytest.mark.slow
def test_nothing_is_needed_of_a_cache(tmp_path: Path) -> None:
    """Where the cache cannot be written, all works, and it is said."""
    blocked = tmp_path / "a file"
    blocked.write_text("", encoding="utf-8")
    code = (
        "from tests.worlds import lamp; from worldengine.batch import BatchEnv; "
        "env = BatchEnv([lamp()]); env.reset(); print(env.step_texts(['look']).outcomes[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(blocked), "WORLDENGINE_TOLD": ""},
    )  # fmt: skip
    assert done.stdout.strip() in {"0", "1", "2", "3"}
    assert "in every run" in done.stderr


def test_importing_the_room_loads_nothing_heavy() -> None:
    code = "import sys, worldengine.batch; print({'numba', 'torch', 'numpy'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "set()"


def test_no_torch_is_loaded_by_the_numba_engine() -> None:
    code = (
        "import sys; from worldengine.batch import BatchEnv; from tests.worlds import lamp; "
        "BatchEnv([lamp()]); print('torch' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "False"
