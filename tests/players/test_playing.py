"""Seats, attempts and plain players: what they share, and what they must not."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.worlds import WIN, lamp
from worldengine.players.protocol import Ending, PlayerError, Settings, Start
from worldengine.players.reply import LIMIT, Reply, read, write
from worldengine.players.view import View
from worldengine.rollout.batching import play_many
from worldengine.rollout.episode import MOST_WRITTEN, THEN, Episode
from worldengine.rollout.runner import rollout
from worldengine.rollout.shards import LINE_LIMIT
from worldengine.rollout.storage import Run, RunError
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory
from worldengine.rollout.verify import verify


def shards(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in Run(folder).shards())


@pytest.mark.parametrize("player", ["explorer", "random", "best_of:2:random"])
def test_the_number_of_seats_changes_nothing(tmp_path: Path, player: str) -> None:
    for batch in (1, 3, 16):
        rollout([lamp()], player, episodes=20, seed=2, out=tmp_path / str(batch), batch=batch)
    assert shards(tmp_path / "1") == shards(tmp_path / "3") == shards(tmp_path / "16")


class Scripted:
    """Plays given commands; what it does at an attempt depends on the attempt alone."""

    name, guidance, width = "scripted", "", 4

    def __init__(self, *attempts: Sequence[str]) -> None:
        self.settings: Settings = {}
        self._attempts = attempts
        self._now: dict[int, int] = {}
        self.most = 0

    def reset(self, starts: Sequence[Start]) -> None:
        for start in starts:
            self._now[start.slot] = start.attempt

    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        self.most = max(self.most, len(views))
        said = [self._attempts[self._now[view.slot]] for view in views]
        return [
            write("", plan[len(view.turns)] if len(view.turns) < len(plan) else "look")
            for view, plan in zip(views, said, strict=True)
        ]

    def again(self, endings: Sequence[Ending]) -> Sequence[str | None]:
        return ["a lesson" if each.attempt + 1 < len(self._attempts) else None for each in endings]


def played(player: Scripted, episodes: int = 6, turns: int = 8) -> list[Trajectory]:
    machine = replace(lamp(), turns=turns)
    jobs = [
        (
            machine,
            Provenance(
                machine_hash=machine.hash,
                variant=0,
                seed=0,
                episode=number,
                player=PlayerRecord(name="scripted"),
                command_set="known",
            ),
        )
        for number in range(episodes)
    ]
    return list(play_many(player, jobs))


def test_the_best_attempt_is_kept_with_the_record_of_all() -> None:
    player = Scripted(WIN[:2], WIN, ["look"], WIN)
    found = played(player)
    assert [each.episode for each in found] == list(range(6)) and player.most == 4
    for each in found:
        assert each.status == "won" and len(each.turns) == len(WIN)
        ends = [(a.status, a.turns, a.lesson) for a in each.attempts]
        assert ends == [
            ("truncated", 8, "a lesson"),
            ("won", len(WIN), "a lesson"),
            ("truncated", 8, "a lesson"),
            ("won", len(WIN), ""),
        ]


def test_a_claim_of_the_best_attempt_is_checked(tmp_path: Path) -> None:
    rollout([lamp()], "best_of:2:random", episodes=3, out=tmp_path / "run")
    assert verify(tmp_path / "run").rejected == []
    (shard,) = Run(tmp_path / "run").shards()
    text = shard.read_text().replace(
        '"attempts":[{"status":"truncated"', '"attempts":[{"status":"won"'
    )
    assert text != shard.read_text()
    shard.write_text(text)
    assert any("attempts" in each.reason for each in verify(tmp_path / "run").rejected)


class Mute(Scripted):
    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        return []


def test_a_player_must_answer_every_view() -> None:
    with pytest.raises(PlayerError, match="0 replies to 4 views"):
        played(Mute(WIN))


def test_an_expert_needs_a_plan(tmp_path: Path) -> None:
    machine = replace(lamp(), proofs=())
    with pytest.raises(RunError, match=r"no proof of its own wins start 0.*worldengine solve"):
        rollout([machine], "expert", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_somebody_at_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = "\nhelp\nThought: I need the key.\n" + "\n".join(WIN) + "\nquit\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    with pytest.raises(PlayerError, match="--resume"):
        rollout([lamp()], "human", episodes=2, out=tmp_path / "run")
    (row,) = Run(tmp_path / "run").rows()
    assert row.trajectory is not None and row.trajectory.status == "won"
    assert row.trajectory.turns[0].thought == "I need the key."
    shown = capsys.readouterr()
    assert shown.out == "" and "take red key" in shown.err and "turns left" in shown.err


def test_a_line_stays_bounded_whatever_is_written() -> None:
    machine = replace(lamp(), turns=400)
    origin = Provenance(
        machine_hash=machine.hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="x"), command_set="known",
    )  # fmt: skip
    play = Episode(machine, origin)
    while not play.over:
        play.play(read("Thought: " + "\x01" * (LIMIT - 30) + "\nAction: look"))
    line = play.line()
    assert len(line.encode()) < LINE_LIMIT
    assert line == play.trajectory().line()
    last = play.turns[-1]
    assert len(last.reply) == THEN and last.notes is not None and last.notes.cut == LIMIT - 8 - THEN
    assert sum(len(turn.reply) for turn in play.turns) < MOST_WRITTEN + 400 * THEN + LIMIT
