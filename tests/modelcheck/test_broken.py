"""Worlds with one fault each: found, named, and placed on the line marked `//!`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.telling.report import check_file

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "broken"
FILES = sorted(FOLDER.glob("*.world"))


def test_there_are_enough() -> None:
    assert len(FILES) >= 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_fault_is_found_where_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    expected = re.search(r"expect: (\S+)", text)
    assert expected is not None
    lines = [number for number, line in enumerate(text.split("\n"), 1) if "//!" in line]
    report = check_file(path, Budget(seconds=60))
    found = [(item["id"], item["line"]) for item in report.document["diagnostics"]]
    assert (expected[1], lines[0]) in found
