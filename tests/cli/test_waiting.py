"""The bar of long checks: on a terminal only, and out of the way of what is printed."""

from __future__ import annotations

import io
import sys

import pytest

from worldengine.cli.waiting import EVERY, Waiting


class Terminal(io.StringIO):
    """Standard error that says it is one."""

    def isatty(self) -> bool:
        return True


def test_nothing_is_drawn_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with Waiting(2, "worlds", 1.0) as waiting, waiting.aside():
        waiting._stop.wait(2 * EVERY)
    assert stream.getvalue() == ""


def test_the_bar_is_drawn_counts_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Waiting(2, "worlds", 1.0) as waiting:
        while "0/2 worlds" not in stream.getvalue():
            waiting._stop.wait(EVERY)
        with waiting.aside():
            stream.write("a report\n")
        assert waiting.line().startswith("[###############...............] 1/2 worlds")
    drawn = stream.getvalue()
    assert "\r\x1b[Ka report\n" in drawn
    assert drawn.endswith("\r\x1b[K") or drawn.endswith("a report\n")


def test_one_world_is_measured_by_its_time() -> None:
    line = Waiting(1, "worlds", 30.0).line()
    assert line == "[..............................] 0 s of at most about 30 s"
