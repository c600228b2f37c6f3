"""The script for a machine with a GPU runs, on the CPU and small: what it says of what it can."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

torch = pytest.importorskip("torch")

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "gpu.py"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, with two slots' worlds instead of sixty-four."""
    spec = importlib.util.spec_from_file_location("gpu_script", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    world = module.shipped(0)
    monkeypatch.setattr(module, "machines", lambda count: [world] * min(count, 2))
    return module


def lines(script: ModuleType, monkeypatch: Any, capsys: Any, *words: str) -> list[dict[str, Any]]:
    """What the script prints."""
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--device", "cpu", *words])
    script.main()
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_engines_are_equal(script: ModuleType) -> None:
    line = script.equality(60, "cpu", 60.0, 2)
    assert line["steps"] >= 60 and line["differing"] == line["reference_differing"] == 0
    assert 0 < line["reference_questions"] <= line["reference_steps"] and line["accepted"] > 0


def test_a_difference_is_counted(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = script.Engine.step

    def wrong(engine, machines, states, *rest):  # type: ignore[no-untyped-def]
        done = honest(engine, machines, states, *rest)
        done.outcomes[3] ^= 1
        return done

    monkeypatch.setattr(script.Engine, "step", wrong)
    line = script.equality(8, "cpu", 60.0, 2)
    assert line["differing"] == 1 and line["reference_differing"] == 1


def test_every_figure_is_a_line(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--batches", "8", "--worlds", "1", "--steps", "8", "--share-batch", "4")
    found = lines(script, monkeypatch, capsys, *words)
    measures = [line["measure"] for line in found]
    assert measures == [*("machine", "prepared", "silence", "equality", "share", "speed", "end")]
    by = dict(zip(measures, found, strict=True))
    assert by["silence"]["asks"] is False
    assert 0 < by["share"]["share"] < 1 and 0 < by["share"]["share_with_texts"] < 1
    for line in found[5:6]:
        assert line["steps_per_second"] > 0 and line["mask_ms_per_10000"] > 0
        assert line["tables_bytes"] > 0 and line["slots_bytes"] > 0 and line["batch"] == 8
    assert by["end"]["left_out"] == []


def test_what_there_is_no_time_for_is_named(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--seconds", "0", "--batches", "20", "--worlds", "1", "--share-batch", "4")
    found = lines(script, monkeypatch, capsys, *words)
    assert found[-1]["left_out"] == [{"kernel": "plain", "worlds": 1, "batch": 20}]
    assert found[-2]["measure"] == "share"


def test_a_batch_too_large_for_memory_is_halved(script: ModuleType) -> None:
    def work(batch: int) -> dict[str, Any]:
        if batch > 100:
            raise torch.cuda.OutOfMemoryError("CUDA out of memory")
        return {"batch": batch}

    line = script.fitting("speed", work, 400, {"worlds": 1})
    assert line["batch"] == 100 and line["halved_from"] == 400 and line["because"] == "memory"

    def broken(batch: int) -> dict[str, Any]:
        raise RuntimeError("something else")

    with pytest.raises(RuntimeError, match="something else"):
        script.fitting("speed", broken, 400, {})


def test_a_batch_is_halved_for_memory_and_for_time_before_it_is_tried(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert script.timed_batch(1, 128, "cpu", "plain", 1e6) == (128, "")
    assert script.timed_batch(1, 512, "cpu", "plain", 1e-6) == (64, "time")
    monkeypatch.setattr(script, "memory_left", lambda device: 200 * script.bytes_a_row(1))
    assert script.timed_batch(1, 512, "cpu", "plain", 1e6) == (128, "memory")


def test_compiling_that_fails_is_a_line(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--device", "cpu", "--batches", "8"])
    given = script.options()
    line = script.compiled(given, 0.01)
    assert "was not done after" in line["error"]
    given.device = "nowhere"
    assert script.compiled(given, 60.0)["error"].startswith("torch.compile failed: ")


def test_a_device_that_is_not_there_is_told(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--device", "cuda"])
    with pytest.raises(SystemExit):
        script.main()
    assert "there is no CUDA device here" in capsys.readouterr().err
