"""Trajectories from elsewhere against a world: what is claimed and what is so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.worlds import WIN, lamp
from worldengine.importers.claims import NoClaims, check
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.runtime import runtime_of
from worldengine.source import Source

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
    return check(Source("claims.json", json.dumps(value)), lamp()).told()


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
    result = check(Source("claims.jsonl", text), lamp()).told()
    assert result["trajectories"] == 3 and result["accepted"] == 1
    assert [each["reason"] for each in result["rejected"]] == ["format: this is no JSON"]  # type: ignore[attr-defined]


def test_lines_of_a_run_are_checked_without_the_run(tmp_path: Path) -> None:
    rollout([lamp()], "explorer", episodes=3, out=tmp_path / "run")
    (shard,) = Run(tmp_path / "run").shards()
    lines = [json.loads(line) for line in shard.read_text().splitlines()]
    lines[1]["turns"][2]["observation"] = "Something else."
    lines[2]["machine_hash"] = "0" * 64
    result = check(Source("x.jsonl", "\n".join(map(json.dumps, lines))), lamp()).told()
    reasons = [each["reason"] for each in result["rejected"]]  # type: ignore[attr-defined]
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
        check(Source("x.json", '{"a": [1, 2]}'), lamp())
