"""Sentences for thoughts: whole, balanced, in the player's own person; or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldengine.players.shown.wording import (
    balanced,
    brief,
    doing,
    first_person,
    mentions,
    quoted,
    sentences,
    told,
    whole,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two!", ("One.", "Two!")),
        ('"Oh! I see," says Ines. She smiles.', ('"Oh! I see," says Ines.', "She smiles.")),
        ("RULES. (See 1. and 2.) Go.", ("RULES.", "(See 1. and 2.)", "Go.")),
        ("Ask Mr. Okafor. Wait.", ("Ask Mr. Okafor.", "Wait.")),
        ("Quay\nRain.", ("Quay", "Rain.")),
        ('"Never closed', ('"Never closed',)),
        ("", ()),
    ],
)
def test_sentences(text: str, expected: tuple[str, ...]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet='ab." !?(\n“”)', max_size=60))
def test_what_may_be_repeated_is_balanced(text: str) -> None:
    for sentence in sentences(text):
        assert sentence in " ".join(text.split())
        if whole(sentence):
            assert balanced(quoted(sentence))


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("You need the crank in your hands.", "I need the crank in my hands."),
        ("You are not tall enough.", "I am not tall enough."),
        ("She gives you tea.", "She gives me tea."),
        ("The lamp is out.", "The lamp is out."),
        ('"You!" says Ines.', ""),
        ("What you whittle is your business.", ""),
        ("You have no end", ""),
    ],
)
def test_first_person(said: str, own: str) -> None:
    assert first_person(said) == own


def test_a_refusal_is_told_without_its_hint() -> None:
    assert told("You see no lamp here. Try: take THING.") == "You see no lamp here."
    assert told("Try: take THING.") == ""


@pytest.mark.parametrize(
    ("goal", "short"),
    [
        ("Wind the clock, set it, and ring the bell.", "wind the clock"),
        ("Put the letter into your box.", "put the letter into my box"),
        ("You must hurry.", ""),
        ("Win.", ""),
    ],
)
def test_goals_in_brief(goal: str, short: str) -> None:
    assert brief(goal) == short


@pytest.mark.parametrize(
    ("do", "act"),
    [
        ("take the lamp", "taking the lamp"),
        ("put it down", "putting it down"),
        ("open the tin", "opening the tin"),
        ("read the note", "reading the note"),
        ("tie the boat", "tying the boat"),
        ("wait", "waiting"),
    ],
)
def test_doing(do: str, act: str) -> None:
    assert doing(do) == act


def test_mentions_are_whole_words() -> None:
    assert mentions("A Lamp, lit.", "lamp")
    assert not mentions("lamps", "lamp") and not mentions("clamp", "lamp")
