"""`write` and `diversity`: what they refuse, and that a refusal leaves nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_cli import worldengine
from tests.worlds import TINY


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ("--family nope", "no family 'nope'"),
        ("--theme nope", "no theme 'nope'"),
        ("--family grid --theme nope", "no theme 'nope'"),
        ("--family adventure --theme nope", "no theme 'nope'"),
        ("--family household --task nope", "no task 'nope'"),
        ("--family planning --task lights --plan 50-60", "50"),
        ("--instances 1000001", "at most 1,000,000"),
        ("--expand tide_clock --theme nope", "--theme"),
        ("--expand tide_clock --change nope", "nope"),
    ],
)
def test_a_refusal_leaves_no_folder(tmp_path: Path, asked: str, complaint: str) -> None:
    out = tmp_path / "worlds"
    done = worldengine("write", *asked.split(), "--workers", "1", "--out", out)
    assert done.returncode == 2 and complaint in done.stderr.decode(), done.stderr.decode()
    assert done.stderr.count(b"\n") == 1 and not out.exists()
    done = worldengine("write", "--family", "grid", "--workers", "1", "--out", out)
    assert done.returncode == 0


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    done = worldengine("write", "--out", path)
    assert done.returncode == 2 and b"name a folder" in done.stderr
    assert path.read_text() == "mine"


def test_one_world_is_not_compared(tmp_path: Path) -> None:
    path = tmp_path / "tiny.world"
    path.write_text(TINY)
    for named in ([path], [path, path]):
        done = worldengine("diversity", *named)
        assert done.returncode == 2 and done.stdout == b""
        assert b"is one world" in done.stderr
    assert b"1 script named more than once" in done.stderr
    done = worldengine("diversity", path, "tide_clock", path)
    assert done.returncode == 0 and b"1 script named more than once" in done.stderr
    assert b"2 worlds" in done.stdout
