"""Replies as text: what was written can be read back, and no text is a trap."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldengine.players.reply import read, write


@given(st.text(), st.text())
def test_what_is_written_reads_back(thought: str, command: str) -> None:
    reply = write(thought, command)
    assert read(reply.text) == reply


@given(st.text())
def test_any_text_is_a_reply(text: str) -> None:
    reply = read(text)
    assert reply.text == text
    assert "\n" not in reply.command


@pytest.mark.parametrize(
    ("text", "thought", "command"),
    [
        ("Thought: I go.\nAction: go north", "I go.", "go north"),
        ("Action: look", "", "look"),
        ("Thought: a\nb\nAction: look\nObservation: made up\nAction: win", "a\nb", "look"),
        ("no form at all", "no form at all", ""),
        ("", "", ""),
        ("Thought: x\n  Action:   take key  ", "x", "take key"),
        ("Action:", "", ""),
        ("Thought: Action: look", "Action: look", ""),
    ],
)
def test_forms(text: str, thought: str, command: str) -> None:
    reply = read(text)
    assert (reply.thought, reply.command) == (thought, command)


@pytest.mark.parametrize("piece", [" ", "\n", "Thought:", "Action", "Action:\n", "\t\n "])
def test_long_replies_take_linear_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.perf_counter()
    read(text)
    assert time.perf_counter() - began < 1.0
