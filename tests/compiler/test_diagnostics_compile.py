"""Golden diagnostics of the compiler: one script for each mistake, and what an author is told.

Run with WORLDENGINE_UPDATE=1 in the environment to write the expected texts anew; then read
the difference, because these files are what authors see."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

from worldengine.compiler import compile_source
from worldengine.diagnostics import render_terminal, to_json
from worldengine.source import Source

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "corpus" / "diagnostics" / "compile"
MISTAKES = sorted(FOLDER.glob("*.world"))
UPDATE = os.environ.get("WORLDENGINE_UPDATE") == "1"
ID = re.compile(r"[a-z]{2,}(-[a-z]+)+")
NOT_IDS = {"utf-8"}
MADE = {"{kind}-twice": ("rule-twice", "milestone-twice")}
"""Ids that are put together when they are reported."""


def test_there_are_many() -> None:
    assert len(MISTAKES) >= 120


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_mistake_is_told_as_expected(path: Path) -> None:
    result = compile_source(Source(path.name, path.read_text(encoding="utf-8")))
    assert result.diagnostics
    errors = [item for item in result.diagnostics if item.severity == "error"]
    assert (result.machine is None) == bool(errors)
    for item in result.diagnostics:
        assert item.span.source.name == path.name, "an author is shown the author's own text"
        assert to_json(item)["message"] == item.message
    shown = render_terminal(result.diagnostics)
    expected = path.with_suffix(".txt")
    if UPDATE:
        expected.write_text(shown, encoding="utf-8")
    assert shown == expected.read_text(encoding="utf-8")


def ids_in_source() -> set[str]:
    """What the compiler may report: every string of the shape of an id."""
    found: set[str] = set()
    for path in sorted((ROOT / "worldengine" / "compiler").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and ID.fullmatch(value):
                found.add(value)
    return (found - NOT_IDS) | {id for ids in MADE.values() for id in ids}


def test_every_id_has_a_golden_case() -> None:
    shown = "".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt")))
    told = set(re.findall(r"(?:error|warning|note)\[([a-z-]+)\]", shown))
    assert sorted(ids_in_source() - told) == []
