"""Runs on disk: torn tails, resuming, bad lines, containment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.build_machine import lamp_world
from worldengine.machine import Machine
from worldengine.rollout import shards
from worldengine.rollout.contradictions import count
from worldengine.rollout.files import cut_torn_tail
from worldengine.rollout.storage import (
    Manifest,
    Run,
    RunError,
    WorldRecord,
)
from worldengine.rollout.trajectory import (
    PlayerRecord,
    Provenance,
    Trajectory,
    TurnRecord,
)
from worldengine.rollout.writing import Writer

MACHINE = lamp_world()


def manifest(episodes: int = 50, seed: int = 0, machine: Machine = MACHINE) -> Manifest:
    return Manifest(
        program="test",
        player=PlayerRecord(name="random"),
        command_set="known",
        seed=seed,
        episodes=episodes,
        variant=None,
        worlds=(WorldRecord(name=machine.name, machine_hash=machine.hash),),
    )


def made(episode: int, text: str = "naïve 日本 \u2028 🧺") -> Trajectory:
    """A well-formed trajectory; its claims are nonsense."""
    player = PlayerRecord(name="random")
    provenance = Provenance(
        machine_hash=MACHINE.hash,
        variant=0,
        seed=0,
        episode=episode,
        player=player,
        command_set="known",
    )
    turn = TurnRecord(
        index=0,
        thought="",
        reply="Action: look",
        command="look",
        action="look",
        outcome="ok",
        observation=text,
        progress=0.0,
        score=0.0,
        status="running",
        refusal=None,
        train=True,
    )
    return Trajectory(
        id=provenance.id,
        world=MACHINE.name,
        machine_hash=MACHINE.hash,
        shape=MACHINE.shape,
        variant=0,
        seed=0,
        episode=episode,
        player=player,
        command_set="known",
        prompt="p",
        opening="o",
        turns=(turn,),
        status="running",
        progress=0.0,
        score=0.0,
        refinements=(),
        counts=count((turn,), 0),
    )


def write(folder: Path, episodes: range) -> None:
    with Writer(folder, manifest(), (MACHINE,)) as writer:
        for episode in episodes:
            trajectory = made(episode)
            if (MACHINE.hash, episode) not in writer.done:
                writer.append(trajectory.line())


def shard_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.jsonl")))


def test_a_line_survives_the_way_through_a_file(tmp_path: Path) -> None:
    write(tmp_path / "run", range(3))
    rows = list(Run(tmp_path / "run").rows())
    assert [row.trajectory for row in rows] == [made(episode) for episode in range(3)]


def test_torn_at_every_byte_of_the_last_line_then_resumed_equals_undisturbed(
    tmp_path: Path,
) -> None:
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    write(whole, range(4))
    expected = shard_bytes(whole)
    last = len(made(3).line().encode()) + 1
    write(torn, range(3))
    kept = shard_bytes(torn)
    assert expected.startswith(kept) and len(expected) == len(kept) + last
    (shard,) = Run(torn).shards()
    for length in range(last):
        shard.write_bytes(expected[: len(kept) + length])
        write(torn, range(4))
        assert shard_bytes(torn) == expected, f"torn after {length} bytes"


def test_resuming_a_finished_run_adds_nothing(tmp_path: Path) -> None:
    write(tmp_path / "run", range(3))
    before = shard_bytes(tmp_path / "run")
    write(tmp_path / "run", range(3))
    assert shard_bytes(tmp_path / "run") == before


def test_shards_roll_over_and_resume_in_the_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "SHARD_ROWS", 3)
    write(tmp_path / "whole", range(8))
    for stop in range(9):
        folder = tmp_path / f"stopped{stop}"
        write(folder, range(stop))
        write(folder, range(8))
        names = [path.name for path in Run(folder).shards()]
        assert names == [path.name for path in Run(tmp_path / "whole").shards()]
        assert shard_bytes(folder) == shard_bytes(tmp_path / "whole")


def test_the_tail_is_cut_whatever_its_length(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for tail in (0, 1, 100, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 200_000):
        for head in (b"", b"\n", b"a\nbc\n"):
            path.write_bytes(head + b"x" * tail)
            assert cut_torn_tail(path) == tail
            assert path.read_bytes() == head


def test_appending_looks_at_nothing_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Writer(tmp_path / "run", manifest(), (MACHINE,)) as writer:
        monkeypatch.setattr(Path, "open", None)
        monkeypatch.setattr(Run, "rows", None)
        for episode in range(50):
            writer.append(made(episode).line())
    monkeypatch.undo()
    assert len(list(Run(tmp_path / "run").rows())) == 50


@pytest.mark.parametrize(
    "bad",
    [
        b"\n",
        b"{}\n",
        b"not json\n",
        b"\xff\xfe\n",
        b'{"format": 2}\n',
        b"[" * 100_000 + b"\n",
        b'{"format": 1, "id": "' + b"0" * 24 + b'"}\n',
    ],
)
def test_bad_lines_are_skipped_and_reported(tmp_path: Path, bad: bytes) -> None:
    write(tmp_path / "run", range(4))
    (shard,) = Run(tmp_path / "run").shards()
    lines = shard.read_bytes().splitlines(keepends=True)
    lines = shard.read_bytes().split(b"\n")
    shard.write_bytes(b"\n".join([*lines[:2], bad.rstrip(b"\n"), *lines[2:]]))
    rows = list(Run(tmp_path / "run").rows())
    assert [row.trajectory is None for row in rows] == [False, False, True, False, False]
    assert rows[2].where == "trajectories-00000.jsonl:3"
    assert rows[2].problem


def test_a_run_with_a_bad_line_is_not_written_to(tmp_path: Path) -> None:
    """What the line held is somebody's to decide on; moved away, the shard is filled again."""
    write(tmp_path / "run", range(4))
    expected = shard_bytes(tmp_path / "run")
    (shard,) = Run(tmp_path / "run").shards()
    data = bytearray(shard.read_bytes())
    data[10] = 0
    shard.write_bytes(bytes(data))
    with pytest.raises(RunError, match=r"trajectories-00000.jsonl:1 .* cannot be read"):
        write(tmp_path / "run", range(4))
    assert shard.read_bytes() == bytes(data)
    shard.rename(tmp_path / "moved.jsonl")
    write(tmp_path / "run", range(4))
    assert shard_bytes(tmp_path / "run") == expected


def test_a_line_without_end_is_read_in_bounded_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "LINE_LIMIT", 10_000)
    write(tmp_path / "run", range(1))
    (shard,) = Run(tmp_path / "run").shards()
    good = shard.read_bytes()
    shard.write_bytes(b"x" * 1_000_000 + b"\n" + good + b"y" * 50_000)
    rows = list(Run(tmp_path / "run").rows())
    assert [row.problem for row in rows] == ["the line is too long", "", "the line is too long"]


def test_only_files_inside_the_folder_are_read(tmp_path: Path) -> None:
    write(tmp_path / "run", range(2))
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(shard_bytes(tmp_path / "run"))
    (tmp_path / "run" / "trajectories-00001.jsonl").symlink_to(outside)
    with pytest.raises(RunError, match="leads out"):
        list(Run(tmp_path / "run").rows())


def test_a_manifest_cannot_name_a_path(tmp_path: Path) -> None:
    write(tmp_path / "run", range(1))
    path = tmp_path / "run" / "manifest.json"
    path.write_text(path.read_text().replace(MACHINE.hash, "../../secret"))
    with pytest.raises(RunError, match="machine_hash"):
        Run(tmp_path / "run")


def test_a_machine_must_be_what_its_name_says(tmp_path: Path) -> None:
    write(tmp_path / "run", range(1))
    other = replace(MACHINE, turns=MACHINE.turns + 1)
    path = tmp_path / "run" / "machines" / f"{MACHINE.hash}.json"
    from worldengine.machine.storage import to_json

    path.write_bytes(to_json(other))
    with pytest.raises(RunError, match="not what its name says"):
        Run(tmp_path / "run").machine(MACHINE.hash)
    path.write_bytes(b"{}")
    with pytest.raises(RunError, match="cannot be read"):
        Run(tmp_path / "run").machine(MACHINE.hash)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    first = Writer(tmp_path / "run", manifest(), (MACHINE,))
    with pytest.raises(RunError, match="another process"):
        Writer(tmp_path / "run", manifest(), (MACHINE,))
    first.close()
    first.close()
    Writer(tmp_path / "run", manifest(), (MACHINE,)).close()


ENDLESS = """
import itertools, sys
from pathlib import Path
from tests.rollout.test_storage import MACHINE, Writer, made, manifest
with Writer(Path(sys.argv[1]), manifest(10**6), (MACHINE,)) as writer:
    for episode in itertools.count():
        writer.append(made(episode, "x" * 200_000).line())
        if episode == 0:
            print("going", flush=True)
"""


def test_killed_while_writing_leaves_whole_lines_after_repair(tmp_path: Path) -> None:
    for delay in (0.0, 0.01, 0.03):
        folder = tmp_path / f"run{delay}"
        process = subprocess.Popen(
            [sys.executable, "-c", ENDLESS, str(folder)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": "."},
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"going\n"
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        seen: list[Trajectory] = []
        Writer(folder, manifest(10**6), (MACHINE,), seen.append).close()
        rows = list(Run(folder).rows())
        assert len(rows) == len(seen) >= 1
        assert all(row.trajectory is not None for row in rows)


def test_a_manifest_that_is_no_object(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[]")
    with pytest.raises(RunError, match="is not valid: it should be an object"):
        Run(tmp_path)
