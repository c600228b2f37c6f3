"""Files of compiled code: written whole, and whatever stands in the way."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from worldengine.batch.compiling import keeping
from worldengine.batch.compiling.keeping import (
    Code,
    can_keep,
    folder_for,
    keep,
    kept,
    path_of,
    some_closed,
)

CODE = Code("function", "door", "int64", b"machine code")


def test_what_is_kept_is_found_and_nothing_else_lies_there(tmp_path: Path) -> None:
    path = path_of(tmp_path, "step", ["int32"])
    keep(path, CODE)
    keep(path, CODE)
    assert kept(path) == CODE and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("folder", ["gone", "file"])
def test_a_folder_that_is_none_any_more_is_no_reason_to_end(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    path = path_of(tmp_path / folder, "step", ["int32"])
    keep(path, CODE)
    assert kept(path) is None


def test_no_link_that_others_laid_is_followed(tmp_path: Path) -> None:
    path, theirs = path_of(tmp_path, "step", ["int32"]), tmp_path / "theirs"
    theirs.write_text("precious")
    for name in (path.name, f"{path.name}.{os.getpid()}"):
        (tmp_path / name).symlink_to(theirs)
    keep(path, CODE)
    assert theirs.read_text() == "precious" and kept(path) == CODE and not path.is_symlink()


@pytest.mark.parametrize("at", [0, 40, -1])
def test_a_file_that_was_changed_or_cut_short_is_not_used(tmp_path: Path, at: int) -> None:
    path = path_of(tmp_path, "step", ["int32"])
    keep(path, CODE)
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    assert kept(path) is None
    path.write_bytes(content[: len(content) // 2])
    assert kept(path) is None


@pytest.mark.parametrize("mode", [0o666, 0o664])
def test_a_file_that_others_may_write_is_not_used(tmp_path: Path, mode: int) -> None:
    path = path_of(tmp_path, "step", ["int32"])
    keep(path, CODE)
    path.chmod(mode)
    assert kept(path) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    path = path_of(tmp_path, "step", ["int32"])
    os.mkfifo(path)
    assert kept(path) is None
    keep(path, CODE)
    assert kept(path) == CODE


def test_a_folder_that_can_only_be_read_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(**_: object) -> None:
        raise OSError("read-only file system")

    monkeypatch.setattr(keeping, "_CLOSED", set())
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folder = folder_for("small")
    assert folder is not None and not some_closed()
    path = path_of(folder, "step", ["int32"])
    keep(path, CODE)
    monkeypatch.setattr(tempfile, "TemporaryFile", closed)
    assert folder_for("small") == folder and kept(path) == CODE
    assert some_closed() and not can_keep(path)
    (tmp_path / "a file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a file"))
    assert folder_for("small") is None


def test_a_place_for_caches_that_hangs_on_where_one_stands_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    monkeypatch.chdir(tmp_path)
    assert folder_for("small") == tmp_path / ".cache" / "worldengine" / "small"
