"""One slip in a good script gives few complaints, and the first stands where the slip is."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from tests.syntax.test_authored import SCRIPTS
from worldengine.source import Source
from worldengine.syntax import parse

TOKENS = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|\w+|[^\w\s]')
SLIPS = 200


def slip(text: str, generator: random.Random) -> tuple[str, int]:
    """The text with one token left out, shortened or doubled, and the place of it."""
    tokens = [match for match in TOKENS.finditer(text) if match.group()[:2] != "//"]
    token = generator.choice(tokens)
    word = token.group()
    written = generator.choice(["", "", word[1:], f"{word} {word}"])
    return text[: token.start()] + written + text[token.end() :], token.start()


@pytest.mark.skipif(not SCRIPTS, reason="the authored scripts are not on this machine")
def test_one_slip_gives_few_complaints_near_it() -> None:
    generator = random.Random(7)
    counts: Counter[int] = Counter()
    near = 0
    for _ in range(SLIPS):
        path = generator.choice(SCRIPTS)
        text, offset = slip(path.read_text(encoding="utf-8"), generator)
        source = Source(path.name, text)
        _, diagnostics = parse(source)
        if not diagnostics:
            continue
        counts[min(len(diagnostics), 9)] += 1
        line = source.position(offset)[0]
        near += abs(source.position(diagnostics[0].span.start)[0] - line) <= 1
    broken = sum(counts.values())
    assert broken > SLIPS // 2
    assert counts[1] > 0.75 * broken
    assert counts[1] + counts[2] > 0.85 * broken
    assert near > 0.9 * broken


def test_conditions_over_several_lines_are_not_cut() -> None:
    text = """\
world w "W" { goal "g" }
derive lit(p: place) = p.dark == false
  or (lamp.stage in {dim, bright} and not lamp.broken
    and lamp.in == p)
win when lit(hall) = true
"""
    _, diagnostics = parse(Source("several lines", text))
    assert [(item.id, item.span.text) for item in diagnostics] == [("syntax-compare-equals", "=")]
