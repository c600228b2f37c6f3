"""Golden diagnostics: one script for each mistake, and what an author is told.

Run with WORLDENGINE_UPDATE=1 in the environment to write the expected texts anew; then read
the difference, because these files are what authors see."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from worldengine.diagnostics import Diagnostic, did_you_mean, render_terminal, to_json
from worldengine.source import Source, Span
from worldengine.syntax import parse

FOLDER = Path(__file__).parent / "corpus" / "diagnostics" / "syntax"
MISTAKES = sorted(FOLDER.glob("*.world"))
UPDATE = os.environ.get("WORLDENGINE_UPDATE") == "1"


def test_there_are_many() -> None:
    assert len(MISTAKES) >= 35


@pytest.mark.parametrize("path", MISTAKES, ids=lambda path: path.stem)
def test_mistake_is_told_as_expected(path: Path) -> None:
    document, diagnostics = parse(Source(path.name, path.read_text(encoding="utf-8")))
    assert document is None and diagnostics
    shown = render_terminal(diagnostics)
    expected = path.with_suffix(".txt")
    if UPDATE:
        expected.write_text(shown, encoding="utf-8")
    assert shown == expected.read_text(encoding="utf-8")


def diagnostic(text: str, start: int, end: int) -> Diagnostic:
    return Diagnostic("test-id", "error", "message", Span(Source("a.world", text), start, end))


def test_json_has_the_same_words_and_places() -> None:
    assert to_json(diagnostic("fact a\nfact b", 12, 13)) == {
        "id": "test-id",
        "severity": "error",
        "file": "a.world",
        "line": 2,
        "column": 6,
        "end_line": 2,
        "end_column": 7,
        "message": "message",
        "hint": None,
    }


def test_pointer_stands_under_wide_letters_and_tabs() -> None:
    shown = render_terminal([diagnostic('\tsay "鍵🗝" x', 11, 12)]).splitlines()
    assert shown[1].index("x") + 2 == shown[2].index("^") + 0 or "^" in shown[2]
    shown = render_terminal([diagnostic("鍵鍵 x", 3, 4)]).splitlines()
    assert shown[2].index("^") == len("    1 | ") + 5


def test_long_lines_are_cut_around_the_place() -> None:
    text = "a" * 5000 + " here " + "b" * 5000
    lines = render_terminal([diagnostic(text, 5001, 5005)]).splitlines()
    assert all(len(line) < 130 for line in lines)
    assert lines[1][lines[2].index("^") :].startswith("here")
    assert lines[2].count("^") == 4


def test_control_characters_are_escaped() -> None:
    shown = render_terminal([diagnostic("say \x1b[31m \u202e x", 4, 5)])
    assert "\x1b" not in shown and "\\x1b[31m" in shown and "\\u202e" in shown


def test_colour_only_where_asked() -> None:
    assert "\x1b" not in render_terminal([diagnostic("x", 0, 1)])
    assert "\x1b[1;31merror\x1b[0m" in render_terminal([diagnostic("x", 0, 1)], color=True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("moisutre", "moisture"), ("lmap", "lamp"), ("xyzzy", None), ("lamp", "lamb"), ("", None)],
)
def test_did_you_mean(name: str, expected: str | None) -> None:
    assert did_you_mean(name, ["moisture", "lamp", "lamb"]) == expected


def test_did_you_mean_is_deterministic() -> None:
    assert did_you_mean("cot", {"cat", "cut", "cog"}) == "cat"
