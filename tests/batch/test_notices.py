"""Compiling is said on standard error, terminal or not, once."""

from __future__ import annotations

import pytest

from worldengine.batch.compiling.notices import Notice


def test_said_once_and_for_what_is_covered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLDENGINE_TOLD", "")
    outer = Notice("rooms.checker.", "the checker", "a while", True, ("rooms.engine.",))
    inner = Notice("rooms.engine.", "the engine", "a while", False)
    outer.tell()
    inner.tell()
    outer.tell()
    assert capsys.readouterr().err == "compiling the checker, once: a while\n"
    monkeypatch.setenv("WORLDENGINE_TOLD", "")
    inner.tell()
    outer.tell()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and "cannot be written" in said[0]
