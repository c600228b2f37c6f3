"""Replies as text: what was written can be read back, and no text is a trap."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import Lark, UnexpectedInput

from worldengine import resources
from worldengine.players.replies import tolerant
from worldengine.players.reply import LIMIT, read, strict, write

CASES = json.loads((Path(__file__).parent / "replies.json").read_text(encoding="utf-8"))
GRAMMAR = resources.read("grammars", "react.lark")
PARSER = Lark(GRAMMAR, parser="lalr")
PIECES = (
    "Thought:",
    "Action:",
    "\n",
    " ",
    "look",
    "a b",
    "Thought",
    ":",
    "é",
    "\r",
    "\t",
    ">",
    "`",
)


@given(st.text(), st.text())
def test_what_is_written_reads_back(thought: str, command: str) -> None:
    reply = write(thought, command)
    assert read(reply.text) == reply


@given(st.text(alphabet="abc: \t", min_size=1), st.text(alphabet="abcxyz 019", min_size=1))
def test_plain_words_come_back_as_they_were(thought: str, command: str) -> None:
    reply = write(thought, command)
    assert reply.command == command.strip()
    assert reply.thought == " ".join(thought.split())
    assert reply.repairs == (() if command.strip() else ("empty",))


@given(st.text())
@example("Thought: \x00\nAction: {" + '"a":[' * 5000)
@example("<think>" * 3000)
@example("`" * 16_000)
def test_any_text_is_a_reply(text: str) -> None:
    reply = read(text)
    assert reply.text == text[:LIMIT]
    assert "\n" not in reply.command
    assert set(reply.repairs) <= set(tolerant.REPAIRS)
    assert ("empty" in reply.repairs) <= (reply.command == "")


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["what"]))
def test_what_models_write(case: dict[str, str | list[str]]) -> None:
    reply = read(str(case["text"]))
    assert (reply.thought, reply.command) == (case["thought"], case["command"])
    assert list(reply.repairs) == case["repairs"]


def test_every_repair_has_a_case() -> None:
    assert {name for case in CASES for name in case["repairs"]} == set(tolerant.REPAIRS)


@given(st.lists(st.sampled_from(PIECES)).map("".join))
@example("Thought:\nAction:")
@example("Action: look\n\n")
@example("Thought: a\n\nAction: look")
def test_the_strict_form_is_the_grammar(text: str) -> None:
    try:
        tree = PARSER.parse(text)
    except UnexpectedInput:
        assert strict(text) is None
        return
    said = ["", ""]
    for part in tree.iter_subtrees():
        if part.data in ("thought", "action"):
            said[part.data == "action"] = str(part.children[0]) if part.children else ""
    assert strict(text) == tuple(said)


def test_a_decoder_held_to_the_grammar_writes_the_strict_form() -> None:
    llguidance = pytest.importorskip("llguidance", reason="llguidance is an extra")
    grammar = llguidance.LLMatcher.grammar_from_lark(GRAMMAR)
    assert not llguidance.LLMatcher.validate_grammar(grammar)


@pytest.mark.parametrize("length", [LIMIT + 1, 5_000_000])
def test_an_enormous_reply_is_cut_and_counted(length: int) -> None:
    reply = read("x" * length)
    assert len(reply.text) == LIMIT and reply.cut == length - LIMIT
    thought = read("Thought: " + "y" * length + "\nAction: look")
    assert thought.command == "" and thought.cut > 0


TRAPS = [" ", "\n", "Thought:", "Action", "Action:\n", "\t\n ", "<think>", "</think>", "```\n"]
TRAPS += ["{", "`", "(", "Action: {", "> "]


@pytest.mark.parametrize("piece", TRAPS)
def test_long_replies_take_linear_time(piece: str) -> None:
    """Eight times the text takes some eight times the work; sixty-four times would be a square.
    Work is this process's own time, the least of several: other processes cost it nothing."""
    short, long = (_seconds(piece * (LIMIT // share // len(piece))) for share in (8, 1))
    assert long < 30 * short


def _seconds(text: str) -> float:
    least = 10.0
    for _ in range(5):
        began = time.process_time()
        tolerant.read(text)
        least = min(least, time.process_time() - began)
    return max(least, 2e-5)


def test_random_bytes_of_models_never_raise() -> None:
    chance = random.Random(7)
    pieces = [
        *PIECES,
        *tolerant.TOKENS,
        "<think>",
        "</think>",
        "```json",
        "{",
        "}",
        '"action"',
        "[",
    ]
    for _ in range(3000):
        read("".join(chance.choices(pieces, k=chance.randrange(30))))
