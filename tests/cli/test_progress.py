"""Long commands say how far they are, and leave nothing behind when they are stopped."""

from __future__ import annotations

import io
import re
import signal
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.started import started
from tests.worlds import lamp
from worldengine.cli import main, progress
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run


def test_a_plain_line_is_said_now_and_then_where_no_terminal_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(progress, "EVERY", 0.01)

    def said(word: str) -> bool:
        until = monotonic() + 30
        while word not in stream.getvalue() and monotonic() < until:
            sleep(0.01)
        return word in stream.getvalue()

    with progress.progress_of("episodes") as told:
        assert said("no episodes yet")
        told(1, 8)
        told(5, 8)
        assert said("5/8 episodes, ")
        told(8, 8)
        assert said("8/8 episodes, ")
    whole = stream.getvalue()
    assert "\r" not in whole and "\x1b" not in whole
    sleep(0.05)
    assert stream.getvalue() == whole, "the lines end with the block"


def test_a_line_tells_the_rate_of_what_was_done_here() -> None:
    lines = progress._Lines("episodes")
    assert lines.line(lines._began + 30.0) == "no episodes yet, 30 s"
    lines.told(101, 200)
    lines.told(140, 200)
    assert lines.line(lines._came + 10.0) == "140/200 episodes, 4.0/s, 15 s left"
    lines.told(200, 200)
    assert lines.line(lines._came + 10.0) == "200/200 episodes, 10/s"


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_run_of_several_workers_is_stopped_at_once_and_in_order(
    how: signal.Signals, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    command = ["rollout", "ferry", "--player", "random", "--episodes", "1000000"]
    begun = [sys.executable, "-m", "worldengine", *command, "--workers", "2", "--out", str(run)]
    with started(begun, text=True) as process:
        until = monotonic() + 60
        while monotonic() < until and not any(run.glob("trajectories-*")):
            sleep(0.05)
        sleep(0.2)
        process.send_signal(how)
        _, talk = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped; go on with: --resume" in talk
    assert "leaked" not in talk and "Traceback" not in talk
    assert next(Run(run).rows(), None) is not None


@pytest.fixture
def tiny_run(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    rollout([lamp()], "random", episodes=40, out=folder)
    return folder


def test_what_takes_long_says_how_far_it_is(
    tiny_run: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each command that goes through many things, where no terminal is."""
    monkeypatch.setattr(progress, "EVERY", 0.0005)
    asked = {
        "trajectories": [
            ["verify", str(tiny_run)],
            ["curate", str(tiny_run), "--out", str(tmp_path / "kept.jsonl")],
            ["export", str(tiny_run), "--to", "messages", "--out", str(tmp_path / "rows.jsonl")],
        ],
        "worlds": [["write", "--instances", "2", "--out", str(tmp_path / "worlds")]],
        "episodes": [["rollout", "ferry", "--episodes", "3", "--out", str(tmp_path / "run")]],
    }
    for what, commands in asked.items():
        for command in commands:
            main(command)
            told = capsys.readouterr().err
            assert re.search(rf"^(no {what} yet|\d+/\d+ {what}), ", told, re.MULTILINE), command
