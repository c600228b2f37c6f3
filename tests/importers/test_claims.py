"""Trajectories from elsewhere against a world: what is claimed and what is so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.worlds import WIN, lamp
from worldengine.cli import main
from worldengine.importers import values
from worldengine.importers.claims import NoClaims, check
from worldengine.importers.values import Unreadable, in_file, in_text
from worldengine.rollout import shards
from worldengine.rollout.runner import rollout
from worldengine.rollout.shards import Packing
from worldengine.rollout.storage import Run
from worldengine.runtime import runtime_of

FLAGS = {"parameter": "parameter_error", "place": "place_error", "logic": "logic_error"}


def turns(commands: list[str]) -> list[dict[str, Any]]:
    """A transcript in which all is as the world says."""
    machine = lamp()
    state = machine.start(0)
    found: list[dict[str, Any]] = []
    for command in commands:
        turn = runtime_of(machine).step(state, command)
        state = turn.state
        found.append({"role": "Player", "Thought": "I act.", "Action": command})
        flags = {flag: turn.outcome_name == name for name, flag in FLAGS.items()}
        found.append({"role": "DM", "Thought": "", "Observation": turn.observation, **flags})
    for number, each in enumerate(found):
        each["turn"] = number
    return found


GOOD = ["unlock oak door with red key", "go north", "grab red key", *WIN]


def told(value: object) -> dict[str, Any]:
    return checked(json.dumps(value))


def checked(text: str) -> dict[str, Any]:
    return check(in_text(text), lamp(), "x.jsonl").told()


def test_what_is_so_is_accepted() -> None:
    result = told({"id": "a", "trajectory": turns(GOOD)})
    assert (result["trajectories"], result["accepted"], result["rejected"]) == (1, 1, [])
    assert result["agentrefine"] == {"error_turns": 3, "accepted": 1}
    assert result["refinements"] >= 2
    assert result["observations"] == {"equal": len(GOOD), "of": len(GOOD)}


@pytest.mark.parametrize(
    ("at", "flag", "said", "how", "words"),
    [
        (1, "place_error", False, "missed", "missed: 'unlock oak door with red key' is place"),
        (7, "logic_error", True, "false_alarm", "false alarm: 'take red key' is ok, said logic"),
        (5, "parameter_error", False, "missed", "missed: 'grab red key' is parameter, said ok"),
    ],
)
def test_missed_errors_and_false_alarms(
    at: int, flag: str, said: bool, how: str, words: str
) -> None:
    said_turns = turns(GOOD)
    said_turns[at][flag] = said
    result = told([said_turns])
    (rejected,) = result["rejected"]
    assert words in rejected["reason"] and rejected["turns"] == at
    assert result["labels"][how] == 1


@pytest.mark.parametrize("harm", ["missing", "surplus", "type", "role"])
def test_keys_are_those_of_algorithm_one(harm: str) -> None:
    said = turns(GOOD)
    if harm == "missing":
        del said[5]["logic_error"]
    elif harm == "surplus":
        said[5]["mood"] = "good"
    elif harm == "type":
        said[5]["logic_error"] = "no"
    else:
        said[5]["role"] = "Narrator"
    (rejected,) = told([said])["rejected"]
    assert rejected["reason"].startswith("keys: turn 6: ") and rejected["turns"] == 5


def test_what_is_no_json_is_a_fault_of_its_line() -> None:
    text = json.dumps(turns(GOOD)) + "\n{broken\n" + json.dumps(turns(list(WIN))) + "\n"
    result = checked(text)
    assert result["trajectories"] == 3 and result["accepted"] == 1
    assert [each["reason"] for each in result["rejected"]] == ["format: this is no JSON"]
    assert result["rejected"][0]["id"] == "2"


def test_lines_of_a_run_are_checked_without_the_run(tmp_path: Path) -> None:
    rollout([lamp()], "explorer", episodes=3, out=tmp_path / "run")
    (shard,) = Run(tmp_path / "run").shards()
    lines = [json.loads(line) for line in shard.read_text().splitlines()]
    lines[1]["turns"][2]["observation"] = "Something else."
    lines[2]["machine_hash"] = "0" * 64
    result = checked("\n".join(map(json.dumps, lines)))
    reasons = [each["reason"] for each in result["rejected"]]
    assert "turns.2.observation is not what playing it again gives" in reasons[0]
    assert "another world" in reasons[1] and result["trajectories"] == 3


def test_turns_after_the_end_and_actions_without_an_answer() -> None:
    said = turns(GOOD)
    (rejected,) = told([[*said, {"role": "Player", "Thought": "", "Action": "look"}]])["rejected"]
    assert "the world had ended: won" in rejected["reason"]
    del said[1]
    (rejected,) = told([said])["rejected"]
    assert "the action before has no answer" in rejected["reason"]


def test_a_file_without_trajectories() -> None:
    with pytest.raises(NoClaims, match="no trajectory to check"):
        checked('{"a": [1, 2]}')


@pytest.fixture
def in_lamp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worldengine.cli.verify.loaded", lambda name: lamp())


@pytest.mark.usefixtures("in_lamp")
def test_all_of_a_large_file_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Once no more than a mebibyte was read, and the rest passed over in silence."""
    one = json.dumps(turns(GOOD))
    count = 3 * (1 << 20) // len(one)
    file = tmp_path / "many.jsonl"
    file.write_text(f"{one}\n" * count + json.dumps(turns(GOOD)[:-1]) + "\n")
    assert main(["verify", str(file), "--world", "lamp", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["trajectories"], told["accepted"]) == (count + 1, count)
    assert told["rejected"][0]["id"] == str(count + 1)


@pytest.mark.usefixtures("in_lamp")
@pytest.mark.parametrize("packing", ["zstd", "parquet", "plain"])
def test_shards_of_a_run_are_read_however_they_are_packed(
    packing: Packing, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    pytest.importorskip({"zstd": "zstandard", "parquet": "pyarrow"}.get(packing, "json"))
    monkeypatch.setattr(shards, "SHARD_ROWS", 3)
    rollout([lamp()], "explorer", episodes=3, out=tmp_path / "run", packing=packing)
    (shard,) = Run(tmp_path / "run").shards()
    assert main(["verify", str(shard), "--world", "lamp", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["trajectories"] == 3


def test_bytes_of_many_kinds() -> None:
    """Marks before the text, line ends of another system, separators within a line."""
    said = turns(GOOD)
    said[0]["Thought"] = "one\u2028two\x85three\x0c"
    one = json.dumps(said, ensure_ascii=False)
    assert checked("\ufeff" + one)["accepted"] == 1
    assert checked("\ufeff" + one + "\r\n" + one + "\r\n")["accepted"] == 2
    assert checked(json.dumps([said, said], indent=1))["accepted"] == 2
    bad = one.replace('"logic_error"', '"place_error": true, "logic_error"')
    (rejected,) = checked(one + "\n" + bad)["rejected"]
    assert rejected["id"] == "2" and '"place_error" stands twice' in rejected["reason"]


def test_lines_nobody_waits_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = json.dumps(turns(GOOD)).encode()
    monkeypatch.setattr(shards, "LINE_LIMIT", 2 * len(one))
    monkeypatch.setattr(values, "MOST_WHOLE", 4 * len(one))
    file = tmp_path / "x.jsonl"
    file.write_bytes(one + b"\n[" + b" " * 9 * len(one) + b"]\n\xff\xfe\n" + one + b"\n")
    result = check(in_file(file), lamp(), "x").told()
    assert (result["trajectories"], result["accepted"]) == (4, 2)
    reasons = [each["reason"] for each in result["rejected"]]  # type: ignore[attr-defined]
    assert "the line is longer than" in reasons[0] and "not UTF-8" in reasons[1]
    file.write_bytes(b"\xff\xfe\n" + one)  # what is wrong with the first line hides no other
    assert check(in_file(file), lamp(), "x").accepted == 1
    file.write_bytes(b"[" + one + b"," + one + b"," + one + b"]")  # one document on one line
    assert check(in_file(file), lamp(), "x").accepted == 3
    with pytest.raises(Unreadable, match="is not a file"):
        list(in_file(tmp_path))


@pytest.mark.parametrize(
    ("harm", "at", "words"),
    [
        ("unanswered", 12, "turn 13: this action has no answer"),
        ("answered twice", 14, "turn 15: an answer, and nothing was done"),
        ("numbers", 6, "turn 7: it says that it is turn 99, and the one before that it is turn 5"),
        ("not finished", 13, "turn 14: said to be not finished, and the world is won"),
        ("finished", 3, "turn 4: said to be finished, and the world is running"),
    ],
)
def test_what_else_is_said_is_held_to_the_world(harm: str, at: int, words: str) -> None:
    said = turns(GOOD)
    if harm == "unanswered":
        said.pop()
    elif harm == "answered twice":
        said.append({**said[-1], "turn": 14})
    elif harm == "numbers":
        said[6]["turn"] = 99
    else:
        said[at]["finished"] = harm == "finished"
    result = told([said])
    (rejected,) = result["rejected"]
    assert words in rejected["reason"] and rejected["turns"] == at
    assert result["accepted"] == 0


def test_endings_that_are_said_rightly() -> None:
    said = turns(GOOD)
    for each in said:
        if each["role"] == "DM":
            each["finished"] = each is said[-1]
    assert told([said])["accepted"] == 1
