"""Compiling on first use is not the search's time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from worldengine.batch.compiling.compile_time import begin_compiling, compiling, end_compiling
from worldengine.modelcheck.budget import clock

COLD = """
import sys, time
from worldengine.batch.compiling.compile_time import compiling
from worldengine.compiler import compile
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.resources import shipped_world

machine = compile(shipped_world("tide_clock").read_text(encoding="utf-8"))
begun = time.monotonic()
verdict = decide(machine, Budget(seconds=float(sys.argv[1])), proofs=False)
print(verdict.status, compiling(), time.monotonic() - begun)
"""


def test_a_clock_stands_still_while_something_is_compiled() -> None:
    left, before = clock(0.05), compiling()
    begin_compiling()
    sleep(0.04)
    begin_compiling()  # one that lies in it
    sleep(0.04)
    end_compiling()
    assert left.left > 0, "all that has passed was compiling"
    sleep(0.02)
    end_compiling()
    assert 0.1 <= compiling() - before < 1
    assert left.left > 0
    sleep(0.06)
    assert left.left == 0
    assert clock(0.0).left == 0


@pytest.mark.slow
def test_a_first_run_decides_within_less_than_compiling_takes(tmp_path: Path) -> None:
    """With an empty cache, and then with a full one."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "WORLDENGINE_TOLD": ""}
    compiled: list[float] = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", COLD, "60"],
            env=environment, capture_output=True, text=True, timeout=900, check=True,
        )  # fmt: skip
        status, seconds, _ = done.stdout.split()
        assert status == "winnable"
        compiled.append(float(seconds))
    assert compiled[0] > compiled[1] == 0
