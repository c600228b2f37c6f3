"""The kernel in Triton beside the numba engine, in Triton's own interpreter, few rows.

Where no GPU is at hand that shows what it means, not how it runs there. `benchmarks/gpu.py` counts
differences over a million steps on a device.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.worlds import lamp
from worldengine.batch import tables_of

torch = pytest.importorskip("torch", reason="torch is not installed: the torch engine is untested")
pytest.importorskip("triton", reason="triton is not installed: its kernel is untested")


def play(kind: str, seed: int, rows: int, turns: int) -> None:
    """AssertionError unless the engines agree; see `fused_runs`."""
    command = [sys.executable, "-m", "tests.batch.fused_runs", kind, *map(str, (seed, rows, turns))]
    done = subprocess.run(
        command, env={**os.environ, "TRITON_INTERPRET": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_a_machine_without_derived_variables() -> None:
    play("trial", 0, 6, 2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_random_machines_are_equal(seed: int) -> None:
    play("random", seed, 6, 1)


@pytest.mark.slow
def test_shipped_worlds_are_equal() -> None:
    play("shipped", 0, 4, 1)


def test_a_device_that_has_no_such_kernel_is_told() -> None:
    from worldengine.batch.tensors.engine import TorchEngine

    with pytest.raises(ValueError, match="needs a CUDA device, not cpu"):
        TorchEngine(tables_of([lamp()]), kernel="triton")
