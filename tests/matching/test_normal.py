"""Normalising: one spelling for everything that people type, whatever it is made of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldengine.matching.normal import normalise, without_article

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("  TAKE   the\tLamp ", "take the lamp"),
        ("say \u201chello\u201d", 'say "hello"'),
        ("Anna\u2019s key", "anna's key"),
        ("ta\u200bke la\u202emp", "take lamp"),
        ("nul\x00l", "null"),
        ("STRASSE straße", "strasse strasse"),
        ("\uff34\uff21\uff2b\uff25", "take"),
        ("cafe\u0301", "caf\u00e9"),
        ("open \ud800", "open \ufffd"),
        ("\u3000\u3000", ""),
        ("\u94a5\u5319", "\u94a5\u5319"),
    ],
)
def test_spellings(typed: str, normal: str) -> None:
    assert normalise(typed) == normal


@given(ANY_TEXT)
def test_normalising_twice_is_normalising_once(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    once.encode("utf-8")
    assert once == " ".join(once.split())


def test_articles() -> None:
    assert without_article("the pass") == "pass"
    assert without_article("the") == "the"
    assert without_article("theatre seat") == "theatre seat"
