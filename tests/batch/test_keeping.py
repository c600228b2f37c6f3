"""Files of compiled code: written whole, and whatever stands in the way."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from worldengine.batch.compiling.keeping import Code, keep, kept, path_of

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
