"""Headless play: turns, history, what people type. No terminal anywhere."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.tui.parlour import parlour
from tui.session import Session
from worldengine.runtime import runtime_of

WIN = (
    "take brass key", "unlock glass door with brass key", "open glass door", "north",
    "take letter", "south", "open stove", "put letter in stove",
)  # fmt: skip


def played(*lines: str) -> Session:
    session = Session(parlour())
    for line in lines:
        session.type(line)
    return session


def test_a_play_wins_and_then_takes_nothing_more() -> None:
    session = played(*WIN)
    assert session.at.status == "won" and session.at.progress == 1.0
    reply = session.type("look")
    assert not reply.played and "has been won" in reply.notice
    with pytest.raises(ValueError, match="won"):
        session.play("look")


def test_every_turn_is_what_the_machine_says() -> None:
    session, state = played(*WIN), parlour().start(0)
    for node in session.path:
        turn = runtime_of(parlour()).step(state, node.command)
        assert (node.state, node.text) == (turn.state, turn.observation)
        state = turn.state


def test_turns_run_out_once_and_say_so() -> None:
    session = played(*["look"] * 12)
    assert session.at.status == "truncated"
    assert session.at.text.endswith("The hosts come home.")
    assert "run out of turns" in session.type("look").notice


def test_undo_and_redo_are_exact_at_every_turn() -> None:
    session = played(*WIN)
    way = session.path
    assert session.undo(99) == len(WIN) and session.at is session.history.root
    assert session.redo(99) == len(WIN) and session.path == way
    assert session.undo() == 1 and session.at is way[-2]


def test_another_command_begins_a_branch_and_the_first_is_kept() -> None:
    session = played("take brass key", "undo", "take iron key")
    assert [node.command for node in session.history.root.children] == [
        "take brass key", "take iron key",
    ]  # fmt: skip
    session.jump(session.history.nodes[1])
    assert session.commands == ("take brass key",)
    session.undo()
    session.redo()
    assert session.commands == ("take brass key",), "redo follows where one was last"


def test_the_same_command_again_makes_no_second_branch() -> None:
    session = played("take brass key", "undo", "take brass key")
    assert len(session.history.nodes) == 2


def test_undo_of_a_refusal_takes_one_turn() -> None:
    session = played("take letter")
    assert session.at.transition is not None and session.at.transition.refusal is not None
    assert session.undo() == 1 and session.at.depth == 0


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("x stove", ("x stove",)),
        ("x it", ("examine brass key",)),
        ("EXAMINE THEM", ("examine brass key",)),
        ("g", ("take brass key",)),
        ("l", ("l",)),
        ("z; i", ("z", "i")),  # forms of the world itself
        ("look; x it", ("look", "examine brass key")),
        ("take iron key; drop it", ("take iron key", "drop iron key")),
        (
            "x it; take iron key; drop it; g",
            ("examine brass key", "take iron key", "drop iron key", "drop iron key"),
        ),
        ("dance", ("dance",)),
    ],
)
def test_short_forms(typed: str, commands: tuple[str, ...]) -> None:
    session = played("take brass key")
    reply = session.type(typed)
    assert tuple(node.command for node in reply.played) == commands


def test_a_chain_stops_where_it_has_to_ask() -> None:
    session = Session(parlour())
    reply = session.type("look; take key; drop it")
    assert [node.command for node in reply.played] == ["look"]
    assert reply.question is not None and "1 of the commands were not played" in reply.notice
    assert session.type("1").played[0].command == "take brass key"
    session = Session(parlour())
    assert "not clear" in session.type("look; drop it; wait").notice and session.at.depth == 1


def test_it_without_anything_before_is_asked_about() -> None:
    session = Session(parlour())
    assert "not clear" in session.type("take it").notice
    assert "nothing to do again" in session.type("again").notice
    assert session.at.depth == 0


def test_which_key_is_answered_by_number() -> None:
    session = Session(parlour())
    question = session.type("take key").question
    assert question is not None and question.choices == ("take brass key", "take iron key")
    assert session.at.depth == 0, "asking takes no turn"
    assert [node.command for node in session.type("2").played] == ["take iron key"]
    assert session.question is None


def test_a_number_that_is_not_offered_and_a_command_instead() -> None:
    session = Session(parlour())
    session.type("take key")
    assert "no number 7" in session.type("7").notice
    session.type("take key")
    assert session.type("look").played, "any other command simply goes on"
    assert session.type("1").played[0].command == "1", "no question is open any more"


def test_undo_words_move_in_the_history() -> None:
    session = played("look", "look", "wait")
    assert session.type("undo 2").moved and session.at.depth == 1
    assert session.type("redo").moved and session.at.depth == 2
    assert session.type("restart").moved and session.at.depth == 0
    assert "nothing to undo" in session.type("undo").notice


@pytest.mark.parametrize(
    "text", ["", "   ", "\x1b[31m", "[/red]", "😀" * 600, "\ud800", "x" * 9999]
)
def test_anything_may_be_typed(text: str) -> None:
    session = Session(parlour())
    reply = session.type(text)
    assert reply.notice or reply.played


def test_known_commands_grow_with_what_is_read() -> None:
    session = Session(parlour())
    assert "take letter [0]" not in session.known()
    for line in ("take brass key", "unlock door with brass key", "unlock glass door with brass key",
                 "open glass door", "north"):  # fmt: skip
        session.type(line)
    assert "take letter [0]" in session.known()
    assert "take letter [0]" in session.applicable()


def test_headless_play_loads_no_terminal() -> None:
    rooms = (
        "session", "saves", "skein", "hints", "coverage", "autoplay", "workshop", "desk",
        "verbs", "chart", "goals",
    )  # fmt: skip
    code = f"import sys, {', '.join('tui.' + name for name in rooms)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "textual" not in done.stdout.split()


@pytest.mark.parametrize("text", ["help", "?", "quit", " HELP! "])
def test_who_asks_for_help_is_told_and_loses_no_turn(text: str) -> None:
    session = Session(parlour())
    reply = session.type(text)
    assert session.at.depth == 0 and not reply.played
    assert "F1" in reply.notice or "Nothing" in reply.notice
