"""The whole command: resumable, repeatable, paired over wordings, asked word for word."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import worldengine
from tests.evaluation.transcripts import transcript
from tests.worlds import TINY, lamp
from worldengine.cli import main
from worldengine.evaluation.formats import formatted, prompt
from worldengine.evaluation.metrics import figures
from worldengine.evaluation.paired import chance
from worldengine.evaluation.playing import EvaluationError, Playing, World, play, slug
from worldengine.evaluation.seen import seen
from worldengine.evaluation.summary import grouped
from worldengine.machine import Machine
from worldengine.players.protocol import Settings, Start
from worldengine.players.reply import Reply, read
from worldengine.players.view import View
from worldengine.resources import shipped_worlds
from worldengine.rollout.batching import play_many
from worldengine.rollout.seeds import starts_in
from worldengine.rollout.trajectory import PlayerRecord, Provenance

ARGUMENTS = ("--part", "all", "--player", "explorer", "--player", "random", "--plays", "2")


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "worlds" / "tiny.world"
    path.parent.mkdir()
    path.write_text(TINY, encoding="utf-8")
    return path


def evaluated(tiny: Path, out: Path, *more: str) -> bytes:
    assert main(["evaluate", str(tiny), *ARGUMENTS, "--out", str(out), *more]) == 0
    return (out / "report.json").read_bytes()


def test_equal_seeds_give_equal_reports_and_others_other_ones(tiny: Path, tmp_path: Path) -> None:
    one = evaluated(tiny, tmp_path / "one")
    assert one == evaluated(tiny, tmp_path / "two")
    assert one == evaluated(tiny, tmp_path / "one")  # nothing is played again
    assert one != evaluated(tiny, tmp_path / "three", "--seed", "1")


def test_what_a_report_holds(tiny: Path, tmp_path: Path) -> None:
    told = json.loads(evaluated(tiny, tmp_path / "out", "--perturb", "agentrefine"))
    explorer, random = told["players"]
    for key in ("success", "progress", "grounding", "loops", "episodes", "ci"):
        assert key in explorer
    assert (explorer["success"], explorer["episodes"], explorer["starts"]) == (1.0, 4, 2)
    assert set(explorer["best_of"]) == {"1", "2"} and explorer["best_of"]["2"]["starts"] == 2
    assert list(explorer["by_family"]) == ["worlds"]
    assert list(explorer["by_difficulty"]) == ["plan 6-10"]
    words = explorer["robustness"]["by_words"]
    assert words["agentrefine"]["against_plain"]["pairs"] == 4
    assert told["reply"] == "react"
    (pair,) = told["comparisons"]
    assert pair["pairs"] == 4 and pair["only_first"] - pair["only_second"] == 4 * (
        explorer["success"] - random["success"]
    )
    assert "Reply with exactly two lines" in told["worlds"][0]["prompt"]
    runs = sorted(path.parent for path in (tmp_path / "out").rglob("manifest.json"))
    assert len(runs) == 4 and all(main(["verify", str(run)]) == 0 for run in runs)


def test_parts_without_starts_are_told(tiny: Path, tmp_path: Path) -> None:
    playing = Playing(tmp_path, part="test")
    with pytest.raises(EvaluationError, match="1 start and none is kept for test"):
        play(playing, "random", [World(lamp(), "f")])


def test_worlds_without_a_start_in_the_part_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machines = {
        path.name: worldengine.compile(path.read_text(encoding="utf-8"))
        for path in shipped_worlds()
    }
    there = [p for p in shipped_worlds() if has_tests(machines[p.name])]
    bare = [p for p in shipped_worlds() if not has_tests(machines[p.name])]
    assert there and bare
    out = tmp_path / "out"
    given = ["evaluate", str(bare[0]), str(there[0]), "--player", "expert", "--out", str(out)]
    assert main(given) == 0
    assert "1 world left out: no start kept for test; --part all" in capsys.readouterr().err
    told = json.loads((out / "report.json").read_text())
    assert told["left_out"] == [machines[bare[0].name].name]
    assert [each["name"] for each in told["worlds"]] == [machines[there[0].name].name]
    assert main(["evaluate", str(bare[0]), "--out", str(tmp_path / "none")]) == 2
    assert "--part all" in capsys.readouterr().err


def has_tests(machine: Machine) -> bool:
    return bool(starts_in("test", machine.shape, len(machine.variants)))


def test_figures_read_as_they_should(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluated(tiny, tmp_path / "out")
    text = capsys.readouterr().out
    assert "mean progress" in text and "not trained" not in text
    assert re.search(r"success [+-]\d\.\d{3} \[-?\d\.\d{3}, -?\d\.\d{3}\], McNemar p = ", text)
    assert main(["evaluate", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"\n  {name} " in told for name in ("grounding", "loops", "repeats", "recovery"))


def test_groups_go_by_number_and_small_chances_are_not_nought() -> None:
    some = figures(transcript([("look", "ok", "A room.", 0.0)], "truncated"))
    names = ["no plan known", "plan 1-5", "plan 6-10", "plan 11-20", "plan 21-40", "plan over 40"]
    episodes = [replace(some, world=name) for name in sorted(names)]
    assert sorted(names) != names
    assert list(grouped(episodes, lambda each: each.world)) == names
    assert (chance(7.6e-06), chance(1.0), chance(None)) == ("7.6e-06", "1", "-")
    assert chance(0.0) == "<1e-300"


class Attentive:
    """Notes what it was asked, and looks."""

    name, guidance, width = "attentive", "", 1

    def __init__(self) -> None:
        self.settings: Settings = {}
        self.asked: list[str] = []

    def reset(self, starts: Sequence[Start]) -> None:
        self.asked += [start.view.prompt for start in starts]

    def act(self, views: Sequence[View]) -> Sequence[Reply]:
        self.asked += [view.prompt for view in views]
        return [read("look") for _ in views]


def test_act_only_is_asked_for_word_for_word_and_recorded() -> None:
    inner = Attentive()
    player = formatted(inner, "action")
    assert formatted(inner, "react") is inner
    origin = Provenance(
        machine_hash=lamp().hash,
        variant=0,
        seed=0,
        episode=0,
        player=PlayerRecord(name="x"),
        command_set="known",
    )
    (trajectory,) = play_many(player, [(lamp(), origin)])
    assert set(inner.asked) == {prompt(lamp(), "action")}
    assert "Reply with one command and nothing else." in inner.asked[0]
    assert "Thought" not in inner.asked[0]
    assert dict(player.settings) == {"format": "action"}
    assert trajectory.turns[0].command == "look" and trajectory.turns[0].outcome == "ok"


@pytest.mark.parametrize(
    ("train", "validation", "split"),
    [
        ({"a": [0, 1]}, {"a": [2]}, "unseen starts of worlds that were trained on"),
        ({"a": [0, 5]}, {}, "seen: some of these starts"),
        ({"a": [0]}, {"a": [5]}, "seen: some of these starts"),
        ({"b": [5]}, {}, "unseen worlds"),
    ],
)
def test_claims_are_worded_by_what_was_seen(
    tmp_path: Path, train: object, validation: object, split: str
) -> None:
    record = {"train": train, "validation": validation, "rows_of_unknown_starts": 0}
    (tmp_path / "trained_on.json").write_text(json.dumps(record))
    assert seen(f"hf:{tmp_path},batch=4", [("a", 5)])["split"].startswith(split)
    assert seen(f"best_of:2:hf:{tmp_path}", [("a", 5)])["split"].startswith(split)
    assert seen("openai:m@http://x", [("a", 5)])["split"].startswith("unknown: nothing")
    for built_in in ("explorer", "random", "expert", "best_of:2:explorer"):
        assert seen(built_in, [("a", 5)])["split"] == "not trained"


def test_players_have_folders_of_their_own() -> None:
    assert slug("hf:a/b") != slug("hf:a-b") and "/" not in slug("hf:../../a")
