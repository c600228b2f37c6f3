"""The app in a real terminal: tmux types a winning play of three worlds."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.proof import winning_plan
from worldengine.resources import shipped_world

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]


class Terminal:
    """One window of a tmux server of its own."""

    def __init__(self, socket: Path, command: str, cwd: Path) -> None:
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(socket)]
        size = ["-x", "100", "-y", "30"]
        self._run("new-session", "-d", *size, "-c", str(cwd), command)

    def _run(self, *arguments: str) -> str:
        done = subprocess.run([*self._tmux, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    def screen(self) -> str:
        return self._run("capture-pane", "-p")

    def enter(self, text: str) -> None:
        self._run("send-keys", "-l", text)
        self._run("send-keys", "Enter")

    def press(self, key: str) -> None:
        self._run("send-keys", key)

    def wait_for(self, text: str) -> str:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            screen = self.screen()
            if text in screen:
                return screen
            time.sleep(0.1)
        raise AssertionError(f"{text!r} never came:\n{self.screen()}")

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], capture_output=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path


@pytest.mark.parametrize("world", ["bakery", "lighthouse", "thesis_shell"])
def test_typing_a_winning_play(world: str, folder: Path) -> None:
    path = shipped_world(world)
    assert path is not None
    machine = compile_source(read(path).source).machine
    assert machine is not None
    plan = winning_plan(machine, 0)
    assert plan is not None
    command = f"env PYTHONPATH={ROOT} {sys.executable} -m worldengine play {path}"
    terminal = Terminal(folder / "tmux", command, folder)
    try:
        terminal.wait_for(f"turn 0/{machine.turns}")
        for turn, line in enumerate(plan, 1):
            terminal.enter(line)
            terminal.wait_for(f"turn {turn}/{machine.turns}")
        screen = terminal.wait_for("✓ won")
        assert "1.00" in screen
        terminal.press("F4")
        terminal.wait_for("[F4 Map]")
        terminal.press("C-q")
    finally:
        terminal.close()
