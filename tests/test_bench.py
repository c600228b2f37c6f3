"""The figures of peers: rates are read, anything else is left out or told."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldengine.bench import peers
from worldengine.bench.figure import Figure

RATE = '{"peer": "other 1.0", "measure": "steps", "unit": "steps/s", "median": 9, "per_cpu_s": 12}'
TIME = '{"peer": "other 1.0", "measure": "start", "unit": "ms", "median": 1024.0}'


def test_rates_of_peers_beside_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.setenv("PEERS_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"run_all\.sh"):
        list(peers(4.0))
    (tmp_path / "out" / "other.jsonl").write_text(f"{TIME}\n{RATE}\n", "utf-8")
    (figure,) = peers(4.0)
    assert (figure.engine, figure.steps_per_second, figure.ratio) == ("other 1.0", 12.0, 3.0)
    assert Figure("numba", "masks", 12.0, None, "").document()["ratio"] is None
    (tmp_path / "out" / "other.jsonl").write_text(f'{RATE}\n{{"unit": "steps/s"}}\n', "utf-8")
    with pytest.raises(ValueError, match=r"line 2 holds no figure"):
        list(peers(4.0))
