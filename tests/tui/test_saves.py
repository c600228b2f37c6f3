"""Plays on disk: every document comes back equal, or says why it does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tui.parlour import SCRIPT, parlour
from tests.tui.test_session import WIN, played
from tui import saves
from tui.session import Session
from worldengine.compiler import compile_source
from worldengine.machine import Machine
from worldengine.source import Source


def edited(*changes: tuple[str, str]) -> Machine:
    text = SCRIPT.read_text("utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    machine = compile_source(Source("parlour.world", text)).machine
    assert machine is not None
    return machine


def branched() -> Session:
    session = played("take key", "1", "ring bell 2 times", "undo", "x it", "e", "take letter")
    session.undo()
    return session


def test_a_history_comes_back_with_all_its_branches(tmp_path: Path) -> None:
    session = branched()
    saves.write(tmp_path / "a.json", saves.save(session, "text"))
    restored = saves.restore(parlour(), saves.load(tmp_path / "a.json"), "text")
    assert restored.difference is None and restored.lost == 0 and not restored.other_script
    again = restored.session
    assert [n.command for n in again.history.nodes] == [n.command for n in session.history.nodes]
    assert [n.typed for n in again.history.nodes] == [n.typed for n in session.history.nodes]
    assert again.at.id == session.at.id and again.at.state == session.at.state
    assert saves.save(again, "text") == saves.save(session, "text")


def test_restoring_after_every_turn_gives_the_same_play() -> None:
    session = Session(parlour())
    for command in WIN:
        session.play(command)
        again = saves.restore(parlour(), saves.save(session)).session
        assert (again.at.state, again.at.text) == (session.at.state, session.at.text)


def test_an_edit_of_words_is_found_at_its_turn() -> None:
    session = played("take brass key", "ring bell 2 times", "look")
    machine = edited(('say "It rings {n} times."', 'say "Ding, {n}."'))
    found = saves.restore(machine, saves.save(session)).difference
    assert found is not None and (found.turn, found.command) == (2, "ring bell 2 times")
    assert found.text == ("It rings 2 times.", "Ding, 2.")


def test_an_edit_of_rules_changes_the_class() -> None:
    session = played("ring bell 3 times")
    found = saves.restore(edited(("n != 3", "n != 2")), saves.save(session)).difference
    assert found is not None and found.outcome == ("logic", "ok")
    assert "was logic, is now ok" in found.words


def test_what_comes_after_an_earlier_end_is_reported_lost() -> None:
    session = played(*WIN)
    machine = edited(("win when letter.in == stove", "win when held(letter)"))
    restored = saves.restore(machine, saves.save(session))
    assert restored.lost == 3 and restored.session.at.status == "won"
    found = restored.difference
    assert found is not None and found.turn == 5


def test_a_start_is_found_by_its_values() -> None:
    session = Session(parlour(), 1)
    machine = edited(("among pantry, garden", "among well, pantry, garden"))
    assert saves.restore(machine, saves.save(session)).session.variant == 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"world": "other"}, "not 'parlour'"),
        ({"variant": 9, "values": []}, "has 0..1"),
        ({"at": 7}, "stands at a turn"),
        ({"turns": [{"parent": 5, "command": "l", "outcome": "ok", "text": ""}]}, "comes before"),
    ],
)
def test_documents_that_do_not_fit_say_why(change: dict[str, object], words: str) -> None:
    document = json.loads(saves.save(Session(parlour())).model_dump_json()) | change
    with pytest.raises(saves.SaveError, match=words):
        saves.restore(parlour(), saves.Saved.model_validate_json(json.dumps(document)))


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\x80\x04K\x01.", b'{"format": 2}'])
def test_files_that_are_none_say_why(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.json").write_bytes(data)
    with pytest.raises(saves.SaveError, match=r"a\.json"):
        saves.load(tmp_path / "a.json")
    with pytest.raises(saves.SaveError, match="cannot be read"):
        saves.load(tmp_path / "absent.json")


def test_recorded_tests_end_as_the_play_does(tmp_path: Path) -> None:
    for lines, ending in ((WIN, ".win"), (("e", "down"), ".lose"), (("look",), ".fail")):
        file = saves.record(played(*lines), tmp_path, "a world")
        assert file.name == f"a_world{ending}"
        assert saves.parse_test(file.read_text("utf-8")) == (0, lines)
    assert saves.record(played("look"), tmp_path, "a world").name == "a_world-2.fail"
    assert file.read_text("utf-8").splitlines()[0] == "# variant 0"


def test_an_edit_of_the_opening_is_the_first_turn_that_differs() -> None:
    session = played("take brass key", "ring bell 2 times")
    before = session.history.root.text
    goal = next(line for line in SCRIPT.read_text("utf-8").splitlines() if "intro " in line)
    machine = edited((goal, goal.replace('intro "', 'intro "Rain. ')))
    saved = saves.save(session)
    found = saves.restore(machine, saved).difference
    assert found is not None and found.turn == 0 and found.text[0] == before
    assert "Turn 0" in found.words
    older = saved.model_copy(update={"opening": None})  # written before openings were kept
    assert saves.restore(machine, older).difference is None
