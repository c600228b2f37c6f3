"""What models really answer: the script in it, or the name of the reason why there is none."""

from __future__ import annotations

import random
import string
import time
from pathlib import Path

import pytest

from worldengine.authoring.extraction import LONGEST, NOTES, REASONS, extract
from worldengine.compiler import compile

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "answers"


def cases() -> list[list[str]]:
    lines = (FOLDER / "cases.tsv").read_text("utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines]


@pytest.mark.parametrize(("name", "cut", "reason", "notes", "title"), cases())
def test_an_answer(name: str, cut: str, reason: str, notes: str, title: str) -> None:
    found = extract((FOLDER / f"{name}.txt").read_text("utf-8"), cut == "1")
    assert (found.reason, set(found.notes)) == (reason, set(notes.split()))
    assert (found.script is None) == bool(reason)
    if found.script is not None:
        assert compile(found.script).title == title


def test_every_file_is_a_case_and_every_reason_has_one() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {row[0] for row in cases()}
    assert {row[2] for row in cases()} - {""} == set(REASONS) - {"failed", "too_long"}
    assert {note for row in cases() for note in row[3].split()} == set(NOTES) - {"closed"}


def test_a_megabyte_is_refused_at_once() -> None:
    letters = random.Random(1).choices(string.ascii_letters + ' \n{}"', k=1 << 20)
    noise = "".join(letters)
    for text in (
        noise,
        'world w "W" {' + noise,
        "```\n" * (1 << 18),
        '"' * (1 << 20),
        "{" * LONGEST,
    ):
        began = time.process_time()
        found = extract(text)
        assert found.script is None and found.reason in {"too_long", "repetition", "no_script"}
        assert time.process_time() - began < 5


def test_any_text_is_read_without_an_exception() -> None:
    pieces = [
        "world ",
        'w "W" {',
        "```",
        "\n",
        "}",
        '"',
        "// ",
        "<think>",
        "</think>",
        "say ",
        "\\",
    ]
    chance = random.Random(2)
    for _ in range(3000):
        text = "".join(chance.choices(pieces, k=chance.randrange(40)))
        found = extract(text, chance.random() < 0.5)
        assert (found.script is None) == bool(found.reason)
