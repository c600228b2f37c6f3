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
    """Ten times the text takes some ten times the work; a hundred times would be a square.
    Work is this process's own time, the least of several: other processes cost it nothing."""
    assert _seconds(piece * (2_000_000 // len(piece))) < 40 * _seconds(
        piece * (200_000 // len(piece))
    )


def _seconds(text: str) -> float:
    least = 10.0
    for _ in range(5):
        began = time.process_time()
        read(text)
        least = min(least, time.process_time() - began)
    return max(least, 1e-4)
