"""A server plays: its errors, slowness, empty and enormous answers are survived and counted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.players.bad_server import serving
from tests.worlds import lamp
from worldengine.models.server import connect
from worldengine.players.catalogue import UnknownPlayer, make
from worldengine.players.models import wire
from worldengine.players.models.talk import digest
from worldengine.players.protocol import PlayerError
from worldengine.players.reply import LIMIT
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.summary import Summary
from worldengine.rollout.trajectory import Trajectory
from worldengine.rollout.verify import verify

pytest.importorskip("httpx", reason="httpx is an extra")
MACHINE = replace(lamp(), turns=4)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "FIRST_WAIT", 0.01)


def run(url: str, folder: Path, options: str = "", episodes: int = 1) -> Summary:
    player = f"openai:small@{url}{',' if options else ''}{options}"
    return rollout([MACHINE], player, episodes=episodes, out=folder)


def rows(folder: Path) -> list[Trajectory]:
    assert verify(folder).rejected == []
    found = [row.trajectory for row in Run(folder).rows()]
    return [each for each in found if each is not None]


def test_a_conversation_is_sent_and_what_it_took_is_counted(tmp_path: Path) -> None:
    with serving() as server:
        summary = run(server.url, tmp_path, "price_in=2,price_out=4,temperature=0.5")
    (trajectory,) = rows(tmp_path)
    assert [turn.command for turn in trajectory.turns] == ["look"] * 4
    first, last = server.bodies[0], server.bodies[-1]
    assert (first["model"], first["temperature"], first["max_tokens"]) == ("small", 0.5, 256)
    assert [m["role"] for m in first["messages"]] == ["system", "user"]
    assert [m["role"] for m in last["messages"][1:]] == ["user", "assistant"] * 3 + ["user"]
    assert first["messages"][0]["content"] == trajectory.prompt
    told = summary.told()
    assert told["prompt_tokens"] == 400 and told["reply_tokens"] == 40
    assert told["cost"] == pytest.approx(400 * 2e-6 + 40 * 4e-6)
    assert len({body["seed"] for body in server.bodies}) == 4


def test_tokens_are_kept_where_the_server_tells_them(tmp_path: Path) -> None:
    with serving("tokens", "odd_tokens", "good") as server:
        run(server.url, tmp_path, "ids=yes")
    assert all(body["return_token_ids"] is True for body in server.bodies)
    (trajectory,) = rows(tmp_path)
    notes = [turn.notes for turn in trajectory.turns if turn.notes is not None]
    assert [note.ids for note in notes] == [(1, 2, 3), (), (), ()]
    assert [note.context for note in notes] == [digest((5, 6, 7)), "", "", ""]


def test_what_goes_away_is_tried_again_and_counted(tmp_path: Path) -> None:
    deeds = ["error", "busy", "garbage", "odd", "hangup", "good", "enormous", "parts", "good"]
    with serving(*deeds) as server:
        summary = run(server.url, tmp_path)
    (trajectory,) = rows(tmp_path)
    assert [turn.command for turn in trajectory.turns] == ["look"] * 4
    notes = [turn.notes for turn in trajectory.turns]
    assert [note.retries if note else 0 for note in notes] == [5, 1, 0, 0]
    assert summary.told()["retries"] == 6


def test_numbers_that_are_none_are_not_taken_for_some(tmp_path: Path) -> None:
    """A wait of no length that could be waited, counts that no record could hold."""
    with serving("endless", "boastful") as server:
        run(server.url, tmp_path)
    (trajectory,) = rows(tmp_path)
    notes = trajectory.turns[0].notes
    assert notes is not None and notes.retries == 1
    assert (notes.prompt_tokens, notes.reply_tokens) == (0, 0)


@pytest.mark.parametrize("deed", ["silent", "drip"])
def test_slow_answers_have_an_end(tmp_path: Path, deed: str) -> None:
    with serving(deed) as server:
        run(server.url, tmp_path, "timeout=0.4")
    (trajectory,) = rows(tmp_path)
    assert trajectory.turns[0].notes is not None and trajectory.turns[0].notes.retries == 1


def test_empty_and_enormous_replies_are_turns(tmp_path: Path) -> None:
    with serving("empty", "null", "huge") as server:
        summary = run(server.url, tmp_path)
    (trajectory,) = rows(tmp_path)
    assert [turn.outcome for turn in trajectory.turns] == ["parameter"] * 3 + ["ok"]
    notes = [turn.notes for turn in trajectory.turns]
    assert [note.repairs for note in notes if note] == [("empty",), ("empty",), ("no_label",), ()]
    assert notes[2] is not None and notes[2].cut == 300_000 - LIMIT
    assert len(trajectory.turns[2].reply) == LIMIT
    assert (summary.cut_replies, summary.empty_replies) == (1, 2)


def test_an_error_that_stays_stops_the_run_and_it_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with serving(*["good"] * 9, *["error"] * 200) as server:
        with pytest.raises(PlayerError, match=r"status 500.*after 3 tries.*--resume"):
            run(server.url, folder, "retries=2,concurrency=1", episodes=4)
        kept = len(rows(folder))
        assert kept == 2
        server.deeds.clear()
        player = f"openai:small@{server.url},timeout=5,concurrency=2"
        rollout([MACHINE], player, episodes=4, out=folder, resume=True)
    assert len(rows(folder)) == 4


def test_an_error_that_stays_can_count_as_a_turn(tmp_path: Path) -> None:
    with serving("denied", "good", "denied") as server:
        summary = run(server.url, tmp_path, "on_error=count")
    (trajectory,) = rows(tmp_path)
    errors = [turn.notes.error if turn.notes else "" for turn in trajectory.turns]
    assert errors == ["status 401: wrong key", "", "status 401: wrong key", ""]
    assert summary.told()["failed_replies"] == 2


def test_a_conversation_that_is_too_long_loses_its_oldest_turns(tmp_path: Path) -> None:
    with serving("good", "good", "good", "long", "good") as server:
        run(server.url, tmp_path)
    sizes = [len(body["messages"]) for body in server.bodies]
    assert sizes == [2, 4, 6, 8, 4]
    assert "earlier turns are left out" in server.bodies[-1]["messages"][1]["content"]


def test_episodes_are_asked_for_at_once_and_slow_ones_hold_up_no_other(tmp_path: Path) -> None:
    with serving(*["pause"] * 24) as server:
        run(server.url, tmp_path, "concurrency=6", episodes=12)
    assert 3 <= server.most_at_once <= 6
    assert [each.episode for each in rows(tmp_path)] == list(range(12))


def test_the_key_comes_from_the_environment_and_is_written_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "sesame-123")
    with serving("telling") as server:
        run(server.url, tmp_path, "key_env=MY_KEY,on_error=count")
        assert set(server.keys) == {"Bearer sesame-123"}
        for path in tmp_path.rglob("*"):
            assert not path.is_file() or b"sesame" not in path.read_bytes()
        manifest = json.loads((tmp_path / "manifest.json").read_text())
        assert manifest["player"]["name"] == "openai:small"
        assert server.url not in (tmp_path / "manifest.json").read_text()


@pytest.mark.parametrize("key", ["secret\x07bell", "secret key", "sécret", "secret\nx-a: b"])
def test_a_key_that_cannot_be_sent_is_told_without_it(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It once stood in the trajectories: the library that would not send it said it."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with serving() as server:
        with pytest.raises(ValueError, match="OPENAI_API_KEY holds no key") as refused:
            run(server.url, tmp_path / "a", "on_error=count,retries=0")
        assert "cret" not in str(refused.value)
        with pytest.raises(ValueError, match="OPENAI_API_KEY holds no key") as refused:
            connect(f"small@{server.url}", structured="none")
        assert "cret" not in str(refused.value)
        assert server.keys == []
        monkeypatch.setenv("OPENAI_API_KEY", "secret\n")  # as it comes from a file
        run(server.url, tmp_path / "b")
    assert set(server.keys) == {"Bearer secret"}


def test_requests_keep_to_their_pace(tmp_path: Path) -> None:
    import time

    began = time.monotonic()
    with serving() as server:
        run(server.url, tmp_path, "per_minute=1200")
    assert len(server.bodies) == 4 and time.monotonic() - began >= 3 * 0.05 - 0.01


def test_nobody_there_and_wrong_addresses(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"at 127\.0\.0\.1:9: no connection.* after 2 tries"):
        run("http://127.0.0.1:9/v1", tmp_path / "a", "retries=1")
    with pytest.raises(PlayerError, match="after 1 try;"):
        run("http://127.0.0.1:9/v1", tmp_path / "b", "retries=0")
    for address in ("http://", "http:///v1", "http://h:99999", "http://h:x/v1", "http://[::1/v1",
                    "http://a b/v1"):  # fmt: skip
        with pytest.raises(UnknownPlayer, match="is no address of a server"):
            make(f"openai:small@{address}")
    with pytest.raises(UnknownPlayer, match="lacks the server's address"):
        make("openai:small")
    with pytest.raises(UnknownPlayer, match="no address"):
        make("openai:small@ftp://x")
    with pytest.raises(UnknownPlayer, match="MODEL@URL"):
        make("openai:")
