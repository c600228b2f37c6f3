"""The script for a machine with a GPU runs, on the CPU and small, and finds the engines equal."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("torch")

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "gpu.py"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, with one world instead of sixty-four."""
    spec = importlib.util.spec_from_file_location("gpu_script", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    world = module.shipped(0)
    monkeypatch.setattr(module, "machines", lambda count: [world] * min(count, 2))
    return module


def test_engines_are_equal(script: ModuleType) -> None:
    assert script.equality(60, "cpu") == {"steps": 60, "differing": 0}


def test_a_difference_is_counted(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = script.Engine.step

    def wrong(engine, machines, states, *rest):  # type: ignore[no-untyped-def]
        done = honest(engine, machines, states, *rest)
        done.outcomes[3] ^= 1
        return done

    monkeypatch.setattr(script.Engine, "step", wrong)
    assert script.equality(20, "cpu")["differing"] == 1


def test_the_whole_is_one_document(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = script.speed
    monkeypatch.setattr(script, "equality", lambda steps, device: {"steps": 0, "differing": 0})
    monkeypatch.setattr(script, "speed", lambda worlds, batch, device: honest(worlds, 20, device))
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--device", "cpu"])
    script.main()
    report = json.loads(capsys.readouterr().out)
    assert [each["worlds"] for each in report["speed"]] == [1, 64]
    for each in report["speed"]:
        assert each["steps_per_second"] > 0 and each["mask_ms_per_10000"] > 0
    assert 0 < report["share"]["share"] < 1
