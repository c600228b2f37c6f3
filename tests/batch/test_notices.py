"""Compiling is said on standard error, terminal or not, once."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from worldengine.batch.compiling import keeping, notices
from worldengine.batch.compiling.notices import Notice, compilation, on_a_list


def test_said_once_and_for_what_is_covered(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLDENGINE_TOLD", "")
    outer = Notice("rooms.checker.", "the checker", "a while", True, ("rooms.engine.",))
    inner = Notice("rooms.engine.", "the engine", "a while", False)
    outer.tell()
    outer.tell()
    assert capsys.readouterr().err == "compiling the checker, once: a while\n"
    monkeypatch.setenv("WORLDENGINE_TOLD", "")
    inner.tell()
    outer.tell()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and "cannot be written" in said[0]


def test_what_is_compiled_is_said_of_each_list_and_of_the_first_beside_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLDENGINE_TOLD", "")
    room = Notice("rooms.engine.", "the engine", "a while", True)
    monkeypatch.setattr(notices, "_COMPILATIONS", notices._Compilations())
    notices.announce(room)
    for kinds in (["int16"], ["int32"], ["int16"]):
        room.tell("about 2 seconds", kinds)
        with on_a_list(), compilation("rooms.engine.step"):
            pass
    for module in ("rooms.engine.mask", "rooms.engine.step", "rooms.other.step"):
        with compilation(module), compilation("rooms.engine.inside"):
            pass
    assert capsys.readouterr().err.splitlines() == [
        "compiling the engine (int16), once: about 2 seconds",
        "compiling the engine (int32), once: about 2 seconds",
        "compiling a part of the engine (mask), once: a while",
    ]


def test_a_folder_that_cannot_be_written_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WORLDENGINE_TOLD", "")
    monkeypatch.setattr(keeping, "_CLOSED", {tmp_path})
    Notice("rooms.engine.", "the engine", "a while", True).tell()
    assert "in every run" in capsys.readouterr().err


def test_workers_say_nothing_of_what_their_parent_has_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Notice("rooms.engine.", "the engine", "a while", True)
    monkeypatch.setattr(multiprocessing, "parent_process", object)
    for told, said in (("rooms.engine.", 0), ("rooms.other.", 1)):
        monkeypatch.setenv("WORLDENGINE_TOLD", told)
        room.tell_of_part("mask")
        assert len(capsys.readouterr().err.splitlines()) == said
