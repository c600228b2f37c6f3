"""Episodes and runs: outcomes never mix, equal requests give equal bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.worlds import TINY, WIN, lamp
from worldengine.cli import main
from worldengine.compiler import compile as compiled
from worldengine.players.catalogue import UnknownPlayer
from worldengine.players.reply import write
from worldengine.rollout.episode import Episode
from worldengine.rollout.runner import rollout
from worldengine.rollout.seeds import NoStarts, generator, starts_in, variant_of
from worldengine.rollout.storage import Run, RunError
from worldengine.rollout.trajectory import PlayerRecord, Provenance
from worldengine.rollout.verify import verify
from worldengine.rollout.workers import WHOLE, by_world
from worldengine.runtime.types import EpisodeOver


def episode(turns: int = 50, timeout: str = "") -> Episode:
    machine = replace(lamp(), turns=turns, timeout=timeout)
    return Episode(
        machine,
        Provenance(
            machine_hash=machine.hash,
            variant=0,
            seed=0,
            episode=0,
            player=PlayerRecord(name="human"),
            command_set="known",
        ),
    )


def shards(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in Run(folder).shards())


def test_a_won_episode_has_progress_one_and_takes_no_more() -> None:
    play = episode()
    for command in WIN:
        play.take(write("", command))
    trajectory = play.trajectory()
    assert (trajectory.status, trajectory.progress, trajectory.score) == ("won", 1.0, 1.0)
    with pytest.raises(EpisodeOver):
        play.take(write("", "look"))


def test_running_out_of_turns_is_truncation_and_neither_won_nor_lost() -> None:
    play = episode(turns=3, timeout="The bell rings.")
    for _ in range(3):
        turn = play.take(write("", "look"))
    trajectory = play.trajectory()
    assert trajectory.status == turn.status == "truncated"
    assert trajectory.score == 0.0 and trajectory.progress < 1.0
    assert turn.observation.endswith("The bell rings.")
    with pytest.raises(EpisodeOver):
        play.take(write("", "look"))


def test_winning_with_the_last_turn_is_winning() -> None:
    play = episode(turns=4, timeout="Too late.")
    for command in WIN:
        turn = play.take(write("", command))
    assert play.trajectory().status == "won"
    assert "Too late" not in turn.observation


def test_refused_turns_count_and_are_not_trained() -> None:
    play = episode(turns=2)
    refused = play.take(write("", "take emerald"))
    assert refused.outcome == "place" and not refused.train
    assert refused.refusal is not None and refused.refusal.refusal == "place"
    play.take(write("", "frobnicate"))
    assert play.trajectory().status == "truncated"
    assert play.trajectory().counts.accepted == 0


def test_refinements_pair_a_refusal_with_what_sets_it_right() -> None:
    play = episode()
    commands = ["unlock oak door with red key", "go north", "grab red key", "take red key"]
    for command in [*commands, *WIN[1:]]:
        play.take(write("", command))
    pairs = [(pair.refused, pair.recovered) for pair in play.trajectory().refinements]
    assert (0, 3) in pairs, "held after the key was taken"
    assert (1, 4) in pairs, "the door is open after it was unlocked"
    assert play.trajectory().wanted


def test_a_player_never_holds_the_state() -> None:
    view = episode().view()
    assert not {"state", "machine", "knowledge"} & set(dir(view))


def test_variants_come_in_turn_and_generators_differ() -> None:
    drawn = [variant_of(3, "ab", episode, tuple(range(5))) for episode in range(10)]
    assert sorted(drawn[:5]) == sorted(drawn[5:]) == list(range(5))
    seen = {generator(seed, "ab", e).random() for seed in range(5) for e in range(50)}
    assert len(seen) == 250
    assert generator(1, "ab", 2).random() == generator(1, "ab", 2).random()


@pytest.mark.parametrize("player", ["random", "explorer"])
def test_equal_seeds_give_equal_bytes_whatever_the_workers(tmp_path: Path, player: str) -> None:
    first = rollout([lamp()], player, episodes=20, seed=5, out=tmp_path / "one")
    rollout([lamp()], player, episodes=20, seed=5, out=tmp_path / "three", workers=3)
    assert shards(tmp_path / "one") == shards(tmp_path / "three")
    assert first.episodes == 20 == first.won + first.lost + first.truncated
    rollout([lamp()], player, episodes=20, seed=6, out=tmp_path / "other")
    assert shards(tmp_path / "one") != shards(tmp_path / "other")


def test_a_world_that_is_not_alone_goes_to_one_worker_whole(tmp_path: Path) -> None:
    worlds = [replace(lamp(), turns=turns) for turns in range(20, 30)]
    rollout(worlds, "explorer", episodes=40, seed=5, out=tmp_path / "one")
    rollout(worlds, "explorer", episodes=40, seed=5, out=tmp_path / "two", workers=2)
    assert shards(tmp_path / "one") == shards(tmp_path / "two")
    tasks = [(world.hash, episode) for world in worlds for episode in range(WHOLE + 1)]
    batches = list(by_world(tasks, WHOLE))
    assert [each for batch in batches for each in batch] == tasks
    assert [len(batch) for batch in batches] == [WHOLE, 1] * len(worlds)


HASHED = """
import sys
from tests.worlds import lamp
from worldengine.rollout.runner import rollout
rollout([lamp()], "explorer", episodes=10, seed=1, out=sys.argv[1])
rollout([lamp()], "random", episodes=10, seed=1, out=sys.argv[1] + "r")
"""


def test_equal_bytes_under_any_hash_seed(tmp_path: Path) -> None:
    seen = set()
    for seed in ("0", "1", "4242"):
        folder = tmp_path / seed
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "."}
        subprocess.run([sys.executable, "-c", HASHED, folder], check=True, env=environment)
        seen.add(shards(folder) + shards(tmp_path / f"{seed}r"))
    assert len(seen) == 1


def test_a_stopped_run_resumed_equals_an_undisturbed_one(tmp_path: Path) -> None:
    rollout([lamp()], "explorer", episodes=12, seed=2, out=tmp_path / "whole")
    expected = shards(tmp_path / "whole")
    folder = tmp_path / "stopped"
    rollout([lamp()], "explorer", episodes=12, seed=2, out=folder)
    (shard,) = Run(folder).shards()
    for keep in (0, 1, len(expected) // 3, len(expected) // 2, len(expected) - 1):
        shard.write_bytes(expected[:keep])
        again = rollout([lamp()], "explorer", episodes=12, seed=2, out=folder, resume=True)
        assert shards(folder) == expected
        assert again.episodes == 12


def test_ctrl_c_leaves_a_usable_run(tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    folder = tmp_path / "run"
    summary = rollout([lamp()], "explorer", episodes=9, out=folder, progress=stop)
    assert summary.interrupted and summary.episodes == 4
    assert verify(folder).trajectories == 4
    rollout([lamp()], "explorer", episodes=9, out=folder, resume=True)
    rollout([lamp()], "explorer", episodes=9, out=tmp_path / "whole")
    assert shards(folder) == shards(tmp_path / "whole")


def test_a_run_is_not_mixed_with_another(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    rollout([lamp()], "random", episodes=2, out=folder)
    with pytest.raises(RunError, match="--resume"):
        rollout([lamp()], "random", episodes=2, out=folder)
    with pytest.raises(RunError, match="another run"):
        rollout([lamp()], "random", episodes=2, seed=1, out=folder, resume=True)
    more = rollout([lamp()], "random", episodes=5, out=folder, resume=True)
    assert more.episodes == 5 and more.resumed == 2
    before = contents(folder)
    with pytest.raises(RunError, match="--episodes 5 or more"):
        rollout([lamp()], "random", episodes=3, out=folder, resume=True)
    assert contents(folder) == before
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    with pytest.raises(RunError, match="not empty"):
        rollout([lamp()], "random", out=tmp_path / "full")


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"seed": 1}, "another run: seed 0, here 1. Ask"),
        ({"variant": 0}, "another run: variant any, here 0. Ask"),
        ({"starts": 1}, 'another run: starts "all", here 1. Ask'),
        ({"packing": "parquet"}, 'another run: packing "plain", here "parquet". Ask'),
        ({"command_set": "scoped"}, 'another run: commands "known", here "scoped". Ask'),
        ({"player": "random"}, 'another run: player "explorer", here "random". Ask'),
        ({"player": "explorer,rules=all"}, 'another run: rules "none", here "all". Ask'),
        ({"machines": [lamp(), compiled(TINY)]}, "another run: not its world tiny. Ask"),
        (
            {"machines": [compiled(TINY)]},
            "not its world tiny; its world, not named here: lamp. Ask",
        ),
        ({"machines": [replace(lamp(), persona="Another")]}, "the world lamp has been changed"),
    ],
)
def test_how_a_request_differs_is_said(other: dict[str, Any], words: str, tmp_path: Path) -> None:
    asked: dict[str, Any] = {"machines": [lamp()], "player": "explorer", "packing": "plain"}
    rollout(**asked, out=tmp_path / "run")
    before = contents(tmp_path / "run")
    with pytest.raises(RunError) as refused:
        rollout(**asked | other, out=tmp_path / "run", resume=True)
    assert words in str(refused.value)
    assert contents(tmp_path / "run") == before


def test_no_run_is_put_into_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rollout([lamp()], "random", out=tmp_path / "run")
    asked = ["rollout", "tide_clock", "--player", "random", "--out"]
    assert main([*asked, str(tmp_path / "run" / "more")]) == 2
    assert "lies inside the run" in capsys.readouterr().err
    assert not (tmp_path / "run" / "more").exists()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert main([*asked, str(tmp_path / "link")]) == 2
    assert "is a link that leads nowhere" in capsys.readouterr().err


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_a_run_stopped_early_may_be_made_shorter(tmp_path: Path) -> None:
    rollout([lamp()], "random", episodes=3, out=tmp_path / "run")
    path = tmp_path / "run" / "manifest.json"
    path.write_text(path.read_text().replace('"episodes": 3', '"episodes": 100'))
    done = rollout([lamp()], "random", episodes=4, out=tmp_path / "run", resume=True)
    assert (done.episodes, done.resumed) == (4, 3)
    rollout([lamp()], "random", episodes=4, out=tmp_path / "whole")
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_a_run_that_holds_nothing_is_begun_anew(tmp_path: Path) -> None:
    rollout([lamp()], "random", episodes=0, out=tmp_path / "run")
    rollout([lamp()], "explorer", episodes=2, seed=7, out=tmp_path / "run")
    rollout([lamp()], "explorer", episodes=2, seed=7, out=tmp_path / "whole")
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_unknown_players_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnknownPlayer, match="no player"):
        rollout([lamp()], "wizard", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_records_name_no_place_and_no_time(tmp_path: Path) -> None:
    folder = tmp_path / "a_very_special_folder"
    rollout([lamp()], "explorer", episodes=2, out=folder)
    for path in folder.rglob("*.json*"):
        assert b"a_very_special_folder" not in path.read_bytes()


@pytest.mark.parametrize("command_set", ["known", "scoped", "applicable"])
def test_every_command_set_is_named_in_the_record(tmp_path: Path, command_set: str) -> None:
    folder = tmp_path / "run"
    rollout([lamp()], "random", episodes=3, out=folder, command_set=command_set)  # type: ignore[arg-type]
    rows = [row.trajectory for row in Run(folder).rows() if row.trajectory]
    assert {row.command_set for row in rows} == {command_set}
    if command_set == "applicable":
        assert all(turn.outcome == "ok" for row in rows for turn in row.turns)
    assert verify(folder).rejected == []


def test_every_start_is_in_one_part_whatever_the_run() -> None:
    parts = [starts_in(part, "shape", 200) for part in ("train", "validation", "test")]
    assert sorted(sum(parts, ())) == list(starts_in("all", "shape", 200)) == list(range(200))
    assert 110 < len(parts[0]) < 170 and 8 < len(parts[1]) < 35 and 22 < len(parts[2]) < 60
    assert starts_in("train", "shape", 1) == (0,)


def test_a_part_without_starts_is_said(tmp_path: Path) -> None:
    machine = lamp()
    assert len(machine.variants) == 1
    with pytest.raises(NoStarts, match="1 start and none is kept for test"):
        rollout([machine], "random", out=tmp_path / "run", part="test")
