"""`dm:…` in the Machine's place: what the player sees, when it leaves, what is on record."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import worldengine
from tests.dungeonmaster.test_audit import Fake, agreeing, truth, truth_in
from tests.worlds import TINY, WIN, lamp
from worldengine.cli import main
from worldengine.dungeonmaster.audit import recorded
from worldengine.experiment.stash import script
from worldengine.models.protocol import Answer, Request
from worldengine.players.catalogue import UnknownPlayer, make
from worldengine.players.models.dm import OPTIONS, DungeonMaster
from worldengine.players.models.master import Master
from worldengine.players.options import OptionError, settings
from worldengine.players.protocol import Each, Player, PlayerError, Settings, Start
from worldengine.players.random import RandomPlayer
from worldengine.players.reply import Reply, write
from worldengine.players.view import View
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run, RunError
from worldengine.rollout.verify import verify
from worldengine.tuning.export import export
from worldengine.tuning.sources import Options

SCRIPT = "the script of the lamp"


class Sayer:
    """Says these commands in order, and keeps the views it was shown."""

    name, guidance = "sayer", ""

    def __init__(self, commands: Sequence[str], views: list[View]) -> None:
        self.settings: Settings = {}
        self._commands, self._views = commands, views

    def begin(self, start: Start) -> None:
        self._at = 0

    def act(self, view: View) -> Reply:
        self._views.append(view)
        self._at += 1
        return write("", self._commands[self._at - 1])


def chair(
    say: Callable[[Request], str], inner: Player, model: type[Fake] = Fake
) -> tuple[DungeonMaster, Fake]:
    fake = model(say)
    given = settings("dm", OPTIONS, {})
    return DungeonMaster("dm:fake", Master(fake), inner, given), fake


def said(*commands: str) -> tuple[Player, list[View]]:
    views: list[View] = []
    return Each(lambda: Sayer(commands, views)), views


def played(player: Player, out: Path, episodes: int = 1, **more: Any) -> Run:
    rollout([lamp()], player, episodes=episodes, out=out, scripts={lamp().hash: SCRIPT}, **more)
    return Run(out)


def test_a_master_that_is_always_right_plays_as_the_machine_does(tmp_path: Path) -> None:
    player, fake = chair(truth, said(*WIN)[0])
    run = played(player, tmp_path / "run")
    result = verify(run.folder)
    assert not result.rejected and result.set_aside["few_refinements"] == 1  # it was won
    found = recorded(run)
    assert set(found["agreement"].values()) == {1.0} and found["turns"] == len(WIN)
    assert found["games"] == [{"machine": "won", "master": "won", "games": 1}]
    assert found["cost"]["prompt_tokens"] == 100 * len(WIN)
    assert SCRIPT in fake.requests[0].messages[0].content


def test_the_player_sees_the_masters_words_and_never_the_machines(tmp_path: Path) -> None:
    inner, views = said("dance", *WIN)
    player, _ = chair(agreeing, inner)
    run = played(player, tmp_path / "run")
    assert [turn.observation for turn in views[-1].turns] == ["You do."] * len(WIN)
    assert [turn.outcome for turn in views[-1].turns] == ["ok"] * len(WIN)
    (row,) = run.rows()
    assert row.trajectory is not None and row.trajectory.status == "won"
    first = row.trajectory.turns[0]
    assert first.outcome == "parameter" and "You do." not in first.observation
    assert first.notes is not None and first.notes.ruling is not None
    assert first.notes.ruling.outcome == "ok"
    assert recorded(run)["by_class"]["parameter"]["said"] == {"ok": 1}
    assert not verify(run.folder).rejected


def test_the_player_leaves_when_the_master_says_it_is_over(tmp_path: Path) -> None:
    def early(request: Request) -> str:
        return json.dumps({"observation": "You have won!", "class": "ok", "ending": "won"})

    inner, views = said(*WIN)
    player, fake = chair(early, inner)
    run = played(player, tmp_path / "run", episodes=2)
    assert len(fake.requests) == len(views) == 2
    (row, _) = run.rows()
    assert row.trajectory is not None
    assert (row.trajectory.status, len(row.trajectory.turns)) == ("running", 1)
    assert verify(run.folder).set_aside["running"] == 2 and not verify(run.folder).rejected
    assert recorded(run)["games"] == [{"machine": "running", "master": "won", "games": 2}]
    again = rollout(
        [lamp()], player, episodes=2, out=run.folder, resume=True,
        scripts={lamp().hash: SCRIPT},
    )  # fmt: skip
    assert (again.resumed, again.left, again.turns_played) == (2, 2, 0)


def test_what_cannot_be_read_is_shown_as_it_came_and_counts_against_the_master(
    tmp_path: Path,
) -> None:
    inner, views = said(*WIN)
    player, fake = chair(lambda request: " I am a <teapot>. ", inner)
    run = played(player, tmp_path / "run")
    assert views[1].last == "I am a <teapot>." and views[1].turns[0].refused
    assert fake.requests[1].messages[2].content == "I am a <teapot>."
    found = recorded(run)
    assert found["readable"] == 0.0 and set(found["agreement"].values()) == {0.0}
    assert not verify(run.folder).rejected


def test_what_is_known_follows_from_the_masters_words(tmp_path: Path) -> None:
    """The random player knows of what the master has shown, not of what the Machine shows."""
    north = json.dumps({"observation": "Nothing here.", "class": "ok", "ending": "running"})
    seen: list[set[str]] = []

    class Curious(RandomPlayer):
        def act(self, view: View) -> Reply:
            seen.append({choice.text for choice in view.choices()})
            return write("", WIN[len(view.turns)])

    player, _ = chair(lambda request: north, Each(Curious))
    played(player, tmp_path / "dm")
    told, seen = seen, []
    rollout([lamp()], Each(Curious), episodes=1, out=tmp_path / "machine")
    assert told[0] == seen[0]
    assert told[-1] < seen[-1]


def test_width_changes_nothing(tmp_path: Path) -> None:
    def lines(name: str, batch: int) -> list[bytes]:
        player, _ = chair(agreeing, make("explorer"))
        return [row.line for row in played(player, tmp_path / name, 6, batch=batch).rows()]

    assert lines("one", 1) == lines("four", 4)


def test_a_model_that_fails_stops_the_run_which_goes_on(tmp_path: Path) -> None:
    class Failing(Fake):
        def answer(self, requests: Sequence[Request]) -> list[Answer]:
            if len(self.requests) == 7:
                self.requests.append(requests[0])
                return [Answer("", "failed", failure="busy") for _ in requests]
            return super().answer(requests)

    player, _ = chair(truth, said(*WIN)[0], Failing)
    with pytest.raises(PlayerError, match="dm:fake: busy; what was played is kept"):
        played(player, tmp_path / "run", 3, batch=1)
    kept = list(Run(tmp_path / "run").rows())
    done = rollout(
        [lamp()], player, episodes=3, out=tmp_path / "run", resume=True, batch=1,
        scripts={lamp().hash: SCRIPT},
    )  # fmt: skip
    assert (done.resumed, done.won) == (len(kept), 3) and len(kept) >= 1
    whole = played(chair(truth, said(*WIN)[0])[0], tmp_path / "whole", 3)
    assert [r.line for r in whole.rows()] == [r.line for r in Run(tmp_path / "run").rows()]


def test_runs_before_a_model_are_not_trained_on(tmp_path: Path) -> None:
    player, _ = chair(truth, said(*WIN)[0])
    run = played(player, tmp_path / "run")
    done = export([run.folder], Options(include="won"), tmp_path / "rows.jsonl")
    assert done.rows == 0
    assert [why for _, why in done.left_out()] == [
        "answer the words of a model in the Dungeon Master's chair, not those they hold"
    ]


def test_what_is_refused(tmp_path: Path) -> None:
    player, _ = chair(truth, make("random"))
    with pytest.raises(RunError, match="reads the script of its world, and lamp comes"):
        rollout([lamp()], player, out=tmp_path / "a")
    with pytest.raises(RunError, match="leave --workers at 1"):
        played(player, tmp_path / "b", workers=2)
    with pytest.raises(PlayerError, match="no set of scoped commands"):
        played(player, tmp_path / "c", command_set="scoped")
    with pytest.raises(OptionError, match="plays once, not best_of:2:random"):
        chair(truth, make("best_of:2:random"))
    rollout([lamp()], "random", out=tmp_path / "machine")
    with pytest.raises(RunError, match="with the Machine as Dungeon Master"):
        recorded(Run(tmp_path / "machine"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dm", "is written dm:MODEL@URL"),
        ("dm:small", "write openai:MODEL@URL"),
        ("dm:hf:nowhere", "there is no folder"),
        ("dm:small@http://127.0.0.1:1/v1,player=nobody", "no player 'nobody'"),
        ("dm:small@http://127.0.0.1:1/v1,dtype=float32", "no option 'dtype'"),
        ("dm:small@http://127.0.0.1:1/v1,player=best_of:2:random", "plays once"),
        ("best_of:2:dm:small@http://127.0.0.1:1/v1", "plays once"),
    ],
)
def test_a_text_that_names_no_such_player(text: str, message: str) -> None:
    pytest.importorskip("openai")
    pytest.importorskip("transformers")
    with pytest.raises((UnknownPlayer, PlayerError), match=message):
        make(text)


@pytest.mark.slow
def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder's model with random weights, held to the form."""
    pytest.importorskip("transformers")
    pytest.importorskip("llguidance")
    from tests.models.tiny import save

    run, world = tmp_path / "run", tmp_path / "stash.world"
    world.write_text(script(0, 0, plain=True), encoding="utf-8")
    model = save(tmp_path / "model")
    player = f"dm:hf:{model},constrain=yes,max_tokens=24,player=random"
    common = ["rollout", str(world), "--player", player, "--out", str(run)]
    assert main([*common, "--episodes", "1"]) == 0
    assert "dm:hf:model as Dungeon Master: the Machine's class in" in capsys.readouterr().out
    assert main(["verify", str(run)]) == 0
    capsys.readouterr()
    assert main(["audit-dm", str(run), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (row, *_) = Run(run).rows()
    assert row.trajectory is not None
    assert row.trajectory.player.name == "dm:hf:model"
    assert row.trajectory.player.settings["player"] == "random"
    assert {"model", "scripts", "constrain"} <= set(row.trajectory.player.settings)
    assert found["turns"] > 0 and found["model"] == "dm:hf:model"
    assert main(["audit-dm", str(run), "--model", "hf:x"]) == 2
    assert main(["audit-dm", str(world)]) == 2


def test_behind_a_server_and_in_an_evaluation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A master that is always right changes nothing of how a player fares."""
    pytest.importorskip("openai")
    from tests.models.serving import served

    text = "\n".join(line for line in TINY.splitlines() if not line.startswith("vary"))
    world = tmp_path / "tiny.world"
    world.write_text(text, encoding="utf-8")
    with served(Fake(truth_in(worldengine.compile(text)))) as address:
        players = ["--player", f"dm:{address},player=expert", "--player", "expert"]
        out = str(tmp_path / "out")
        arguments = ["evaluate", str(world), *players, "--part", "all", "--out", out, "--json"]
        assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    before, plain = report["players"]
    assert before["success"] == plain["success"] == 1.0
    assert before["turns"] == plain["turns"]
    runs = (tmp_path / "out").rglob("manifest.json")
    (manifest,) = (path for path in runs if '"dm:small"' in path.read_text(encoding="utf-8"))
    assert main(["audit-dm", str(manifest.parent), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agreement"]["class"] == 1.0 and found["model"] == "dm:small"
