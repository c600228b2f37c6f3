"""Compiled code of older revisions goes when a newer one comes, and nothing else does."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from worldengine.batch.compiling.keeping import UNUSED, folder_for

OLD = f"kernels-{'a' * 16}"
NEW = f"kernels-{'b' * 16}"


def made(base: Path, name: str, age: float) -> Path:
    folder = base / name
    folder.mkdir()
    (folder / "step-0123456789abcdef").write_bytes(b"code")
    os.utime(folder, (time.time() - age,) * 2)
    return folder


def test_only_folders_of_ours_that_were_not_used_for_long_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = tmp_path / "cache"
    base.mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(base))
    gone = [made(base, OLD, 2 * UNUSED), made(base, f"search-{'c' * 16}", UNUSED + 60)]
    stays = [made(base, f"kernels-{'d' * 16}", UNUSED - 3600)]
    for name in ("kernels-mine", f"kernels-{'e' * 15}", f"{OLD}.bak", f"my{OLD}", "notes"):
        stays.append(made(base, name, 2 * UNUSED))
    elsewhere = made(tmp_path, OLD, 2 * UNUSED)
    link = base / f"search-{'f' * 16}"
    link.symlink_to(elsewhere, target_is_directory=True)
    assert folder_for(NEW) == base / NEW
    assert not any(folder.exists() for folder in gone)
    assert all((folder / "step-0123456789abcdef").exists() for folder in [*stays, link])


def test_what_is_used_stays_and_is_cleared_by_new_folders_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    used = made(tmp_path, OLD, 2 * UNUSED)
    assert folder_for(OLD) == used  # it is used today
    other = made(tmp_path, f"search-{'c' * 16}", 2 * UNUSED)
    assert folder_for(OLD) == used and other.exists(), "nothing new has come"
    assert folder_for(NEW) and used.exists() and not other.exists()
