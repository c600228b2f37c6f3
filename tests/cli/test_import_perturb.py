"""`import` and `perturb` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from worldengine.cli import main

CANAL = Path(__file__).parents[1] / "importers" / "canal"
FILES = [str(CANAL / "domain.pddl"), str(CANAL / "problem.pddl")]


def test_import_writes_the_world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "canal.world"
    assert main(["import", "pddl", *FILES, "-o", str(out), "--json"]) == 0
    assert out.read_text(encoding="utf-8") == (CANAL / "canal.world").read_text(encoding="utf-8")
    report = json.loads(capsys.readouterr().out)
    assert report["ok"] and report["counts"]["objects"] == 5
    assert set(report) == {"file", "ok", "hash", "diagnostics", "verdict", "counts"}


def test_import_refuses_with_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "domain.pddl"
    text = (CANAL / "domain.pddl").read_text(encoding="utf-8")
    broken.write_text(text.replace("(:action salute", "(:durative-action salute"))
    assert main(["import", "pddl", str(broken), FILES[1]]) == 1
    told = capsys.readouterr()
    assert told.out == "" and "domain.pddl:34:3: error[pddl-construct]" in told.err


def test_import_agentrefine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "shell.json"
    script.write_text('{"Goal": "List it.", "Available Actions": {"ls": {"parameters": {}}}}')
    assert main(["import", "agentrefine", str(script)]) == 0
    told = capsys.readouterr()
    assert 'form "ls"' in told.out and "warning[hole]" in told.err


def test_import_needs_its_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "pddl", FILES[0]]) == 2
    assert "takes DOMAIN and PROBLEM" in capsys.readouterr().err


def test_perturb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "other.world"
    wanted = ["perturb", str(CANAL / "canal.world"), "--kind", "verbs", "-o", str(out), "--json"]
    assert main(wanted) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["isomorphic"] is True and set(report) == {"kind", "renamed", "isomorphic"}
    assert main(["check", "--fast", str(out)]) == 0


@pytest.mark.parametrize("rest", [[], ["--kind", "nonsense"], ["--table", "nowhere.json"]])
def test_perturb_usage(rest: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perturb", "tide_clock", *rest]) == 2
    assert "worldengine: " in capsys.readouterr().err
