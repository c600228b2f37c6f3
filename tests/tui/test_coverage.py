"""Branches and texts of a world: told apart by where they were written."""

from __future__ import annotations

import pytest

from tui.autoplay import autoplay
from tui.coverage import Coverage
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.resources import shipped_worlds
from worldengine.source import Source

SCRIPT = """world dial "Dial" { goal "Set it to three." }
use take
place hall "hall" {
  describe "A hall. {if dial.hour > 2}It is late.{else}It is early.{end}"
}
thing dial "dial" in hall { hour : 1..9 = 1  portable = false }
thing cup "cup" in hall { describe "Chipped." }
player in hall
before take(x: thing) { require dial.hour > 1 else logic "Not yet." }
action turn_to(n: 1..9) {
  form "turn to {n}"
  require n != 5 else logic "Five sticks."
  set dial.hour = n
  if n == 7 {
    say "Click."
  } else if n > 7 and n != 9 {
    say "Clack."
  } else {
    say "Whirr."
  }
  match n {
    1 { say "One." }
    2 { say "Two." }
  }
}
rule chime { when dial.hour == 4  say "Ding." }
win when dial.hour == 3 say "Done."
"""


def measured(*plays: tuple[str, ...]) -> Coverage:
    found = compile_source(Source("dial.world", SCRIPT))
    assert found.machine is not None and found.notes is not None, found.diagnostics
    coverage = Coverage(found.machine, found.notes)
    for play in plays:
        coverage.play(0, play)
    return coverage


def missing(coverage: Coverage, kind: str) -> list[tuple[int, str]]:
    return [
        (part.location.line, part.label)
        for part in coverage.missing(kind)
        if part.location is not None
    ]


def test_every_branch_and_text_stands_at_its_own_line() -> None:
    nothing = measured()
    lines = SCRIPT.split("\n")
    for line, label in missing(nothing, "branches"):
        assert label.split("`")[1] in lines[line - 1]
    assert {line for line, _ in missing(nothing, "branches")} == {4, 14, 16, 22, 23}
    assert {line for line, _ in missing(nothing, "texts")} == {
        4, 7, 9, 12, 15, 17, 19, 22, 23, 26, 27,
    }  # fmt: skip
    for line, words in missing(nothing, "texts"):
        assert words in lines[line - 1]


def test_what_was_played_is_covered_and_nothing_else() -> None:
    coverage = measured(("look", "turn to 8", "turn to 7", "take cup"))
    assert missing(coverage, "branches") == [
        (4, "`dial.hour > 2` never holds"),
        (16, "`n > 7 and n != 9` always holds"),
        (22, "`1` never holds"),
        (23, "`2` never holds"),
    ]
    assert [line for line, _ in missing(coverage, "texts")] == [4, 7, 9, 12, 19, 22, 23, 26, 27]
    coverage.play(0, ("take cup", "turn to 5", "turn to 9", "look", "x cup", "turn to 4"))
    assert [line for line, _ in missing(coverage, "refusals")] == []
    assert (4, "`dial.hour > 2` never holds") not in missing(coverage, "branches")
    assert [line for line, _ in missing(coverage, "texts")] == [22, 23, 27]
    coverage.play(0, ("turn to 1", "turn to 2", "turn to 3"))
    for kind in ("branches", "texts", "rules", "refusals"):
        assert missing(coverage, kind) == [], kind


@pytest.mark.parametrize("name", ["bakery", "tide_clock", "museum"])
def test_shipped_worlds_are_measured(name: str) -> None:
    path = next(path for path in shipped_worlds() if path.stem == name)
    source = read(path).source
    found = compile_source(source)
    assert found.machine is not None and found.notes is not None
    coverage = Coverage(found.machine, found.notes)
    lines = source.text.split("\n")
    for kind in ("branches", "texts"):
        for part in coverage.missing(kind):
            assert part.location is not None and part.location.file == source.name
            assert 1 <= part.location.line <= len(lines)
    before = coverage.counts()
    autoplay(coverage, 0, 10)
    after = coverage.counts()
    assert after["texts"][0] > before["texts"][0] and after["branches"][0] > before["branches"][0]
