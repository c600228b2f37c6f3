"""Plans, mistakes and frames, counted by hand; thoughts set beside others of the same number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.worlds import WIN, lamp
from worldengine.cli import main
from worldengine.curation.diversity import Sample, diversity, framed
from worldengine.curation.mistakes import SLIPS, Mistakes, slip_of
from worldengine.curation.plays import Plays
from worldengine.players.reply import Mistake, write
from worldengine.rollout.episode import Episode
from worldengine.rollout.runner import rollout
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory


def played(*said: str, marks: dict[int, Mistake] | None = None) -> Trajectory:
    origin = Provenance(
        machine_hash=lamp().hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="human"), command_set="known",
    )  # fmt: skip
    episode = Episode(lamp(), origin)
    for at, command in enumerate(said):
        episode.play(write("I think.", command, (marks or {}).get(at, "")))
    return episode.trajectory()


def told(*plays: Trajectory) -> dict[str, Any]:
    found = Plays()
    for each in plays:
        found.add(each)
    return found.told()


def test_looks_and_refusals_make_no_other_plan() -> None:
    one, two = WIN[:2]
    plain = played(one, two)
    looking = played("look", one, "inventory", two)
    refused = played("dance", one, two)
    found = told(plain, looking, refused, played(one))
    assert found["starts"] == 1 and found["plays_a_start"] == 4
    assert found["distinct_plays_a_start"] == 4 and found["repeated_plays"] == 0
    assert found["distinct_plans_a_start"] == 2 and found["repeated_plans"] == 0.5
    assert found["commonest_plan"] == 0.75
    again = told(plain, plain)
    assert again["repeated_plays"] == 0.5 == again["repeated_plans"]
    assert told()["commonest_plan"] is None


@pytest.mark.parametrize(
    ("wrong", "right", "kind"),
    [
        ("grab lamp", "take lamp", "verb"),
        ("unlock door", "unlock door with key", "part left out"),
        ("talk at Ines", "talk to Ines", "preposition"),
        ("take red key", "take brass key", "name"),
        ("dial 70", "dial 7", "number"),
        ("take big key", "take key", "name"),
        ("go to north", "go north", "preposition"),
        ("talk ines", "talk to ines", "preposition"),
        ("take lamp", "take  lamp", "other"),
    ],
)
def test_what_was_wrong_with_a_slip(wrong: str, right: str, kind: str) -> None:
    assert slip_of(wrong, right) == kind and kind in SLIPS


def test_mistakes_are_counted_by_their_marks() -> None:
    found = Mistakes()
    found.add(played("grab lamp", "take lamp", "dance", "dance", marks={0: "slip", 3: "repeat"}))
    result: dict[str, Any] = found.told()
    assert result["marked"] == 2 and result["unmarked"] == 1
    assert result["kinds"]["slip"]["turns"] == 1 and result["kinds"]["slip"]["share"] == 0.5
    assert result["kinds"]["repeat"]["refused"] == 1.0
    assert result["kinds"]["early"]["recovered"] is None


def test_frames_leave_out_what_is_particular() -> None:
    own = "take lamp open door"
    assert framed('I take the lamp. "Lit." Good.', own) == ["I _ the _ .", "“ … ” Good ."]
    sample = Sample(10)
    for number in range(5):
        sample.offer(
            str(number), f"I take the lamp {number} times. Nothing {'x' * number}.", "", own
        )
    found = diversity(sample)
    assert found.sentences == 10 and found.frames == 0.5
    assert diversity(sample, 4).frames == 0.0 and diversity(sample, 4).measured == 4


def test_stats_sets_thoughts_beside_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rollout([lamp()], "explorer", episodes=6, seed=1, out=tmp_path / "a")
    rollout([lamp()], "explorer", episodes=2, seed=2, out=tmp_path / "b")
    assert main(["stats", str(tmp_path / "a"), "--beside", str(tmp_path / "b"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["trajectories"] == 6 and found["beside"]["trajectories"] == 2
    beside = found["beside"]
    assert beside["thoughts"]["measured"] == beside["beside"]["measured"] == beside["measured"]
    assert beside["measured"] < found["thoughts"]["measured"]
    assert found["mistakes"]["marked"] > 0 and found["agentrefine"]["error_mix"] is None
    assert main(["stats", str(tmp_path / "a"), "--beside", str(tmp_path / "b")]) == 0
    text = capsys.readouterr().out
    assert "meant as a mistake" in text and "AgentRefine" in text and "different plans" in text
