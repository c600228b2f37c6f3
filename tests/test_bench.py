"""The figures of peers: rates are read, anything else is left out or told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from worldengine import bench
from worldengine.bench import peers
from worldengine.bench.figure import Figure
from worldengine.cli import main

RATE = '{"peer": "other 1.0", "measure": "steps", "unit": "steps/s", "median": 9, "per_cpu_s": 12}'
TIME = '{"peer": "other 1.0", "measure": "start", "unit": "ms", "median": 1024.0}'


def test_rates_of_peers_beside_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.setenv("PEERS_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="set PEERS_HOME to a folder"):
        list(peers(4.0))
    (tmp_path / "out" / "other.jsonl").write_text(f"{TIME}\n{RATE}\n", "utf-8")
    (figure,) = peers(4.0)
    assert (figure.engine, figure.steps_per_second, figure.ratio) == ("other 1.0", 12.0, 3.0)
    assert Figure("numba", "masks", 12.0, None, "").document()["ratio"] is None
    (tmp_path / "out" / "other.jsonl").write_text(f'{RATE}\n{{"unit": "steps/s"}}\n', "utf-8")
    with pytest.raises(ValueError, match=r"line 2 holds no figure"):
        list(peers(4.0))


def test_what_it_cannot_measure_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "wrong.world"
    script.write_text("world wrong {\n", "utf-8")
    assert main(["bench", str(script)]) != 0
    assert f"{script}:1:1" in capsys.readouterr().err, "where the mistake is"
    monkeypatch.setattr(bench, "figures", too_many)
    assert main(["bench", "tide_clock", "--batch", "1000000000000"]) == 2
    assert "no room for 1,000,000,000,000 slots" in capsys.readouterr().err


def too_many(*_: object) -> Iterator[Figure]:
    raise MemoryError
    yield
