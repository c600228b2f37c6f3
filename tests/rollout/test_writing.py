"""Runs that are killed, run out of disk, are damaged: nothing lost, doubled or broken."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.rollout.test_storage import MACHINE, made, manifest
from tests.worlds import lamp
from worldengine.rollout import shards
from worldengine.rollout.runner import rollout
from worldengine.rollout.shards import Packing
from worldengine.rollout.storage import Run, RunError
from worldengine.rollout.verify import verify
from worldengine.rollout.writing import Writer

ROOT = Path(__file__).resolve().parents[2]


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a run but its lock."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def packings() -> list[Packing]:
    return ["plain", "zstd", "parquet"]


def need(packing: Packing) -> None:
    if packing != "plain":
        name = {"zstd": "zstandard", "parquet": "pyarrow"}[packing]
        pytest.importorskip(name, reason=f"{name} is an extra")


@pytest.mark.parametrize("packing", packings())
def test_full_shards_are_packed_and_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packing: Packing
) -> None:
    need(packing)
    monkeypatch.setattr(shards, "SHARD_ROWS", 4)
    rollout([lamp()], "random", episodes=10, out=tmp_path / "run", packing=packing)
    names = [path.name for path in Run(tmp_path / "run").shards()]
    suffix = shards.SUFFIX[packing]
    assert names == [f"trajectories-0000{n}{suffix}" for n in (0, 1)] + ["trajectories-00002.jsonl"]
    assert verify(tmp_path / "run").trajectories == 10
    monkeypatch.undo()
    rollout([lamp()], "random", episodes=10, out=tmp_path / "plain", packing="plain")
    whole = [row.trajectory for row in Run(tmp_path / "run").rows()]
    assert whole == [row.trajectory for row in Run(tmp_path / "plain").rows()]


@pytest.mark.parametrize("packing", packings())
def test_a_shard_that_was_taken_away_is_filled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packing: Packing
) -> None:
    need(packing)
    monkeypatch.setattr(shards, "SHARD_ROWS", 4)
    run = tmp_path / "run"
    rollout([lamp()], "random", episodes=14, out=run, packing=packing)
    expected = files(run)
    Run(run).shards()[1].unlink()
    summary = rollout([lamp()], "random", episodes=14, out=run, packing=packing, resume=True)
    assert (summary.resumed, summary.episodes) == (10, 14)
    assert files(run) == expected


@pytest.mark.parametrize("packing", ["zstd", "parquet"])
@pytest.mark.parametrize("harm", ["cut", "flip", "empty", "noise"])
def test_a_damaged_shard_is_told_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packing: Packing, harm: str
) -> None:
    need(packing)
    monkeypatch.setattr(shards, "SHARD_ROWS", 4)
    run = tmp_path / "run"
    rollout([lamp()], "random", episodes=9, out=run, packing=packing)
    shard = Run(run).shards()[0]
    data = bytearray(shard.read_bytes())
    if harm == "flip":
        data[len(data) // 2] ^= 0xFF
    data = {"cut": data[: len(data) // 2], "empty": bytearray(), "noise": bytearray(b"x" * 99)}.get(
        harm, data
    )
    shard.write_bytes(bytes(data))
    result = verify(run)
    assert result.rejected and "damaged" in result.rejected[0].reason
    assert result.trajectories - len(result.rejected) >= 5, "the other shards are read"
    with pytest.raises(RunError, match=r"trajectories-00000.*damaged.*nothing was changed"):
        rollout([lamp()], "random", episodes=9, out=run, packing=packing, resume=True)
    assert shard.read_bytes() == bytes(data)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is an extra")
    monkeypatch.setattr(shards, "LINE_LIMIT", 100_000)
    run = tmp_path / "run"
    rollout([lamp()], "random", episodes=1, out=run)
    (run / "trajectories-00001.jsonl.zst").write_bytes(
        zstandard.ZstdCompressor().compress(b"x" * (1 << 28))
    )
    began = time.process_time()
    result = verify(run)
    assert result.trajectories == 2 and result.rejected[0].reason == "the line is too long"
    assert time.process_time() - began < 30


LIMITED = """
import resource, signal, sys
from pathlib import Path
from tests.worlds import lamp
from worldengine.rollout.runner import rollout
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    rollout([lamp()], "random", episodes=20, out=Path(sys.argv[1]), packing="plain")
except ValueError as error:
    print(error)
"""


def script(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.mark.parametrize("room", [0, 1, 90_000, 140_001])
def test_a_full_disk_is_told_and_the_run_goes_on(tmp_path: Path, room: int) -> None:
    rollout([lamp()], "random", episodes=20, out=tmp_path / "whole", packing="plain")
    run = tmp_path / "run"
    told = script(LIMITED, run, room).stdout
    assert f"cannot write to {run}: " in told and "--resume" in told
    kept = run / "trajectories-00000.jsonl"
    if kept.exists() and room > 1:
        assert kept.read_bytes().endswith(b"\n"), "whole lines are left"
        assert verify(run).rejected == []
    rollout([lamp()], "random", episodes=20, out=run, packing="plain", resume=True)
    assert files(run) == files(tmp_path / "whole")


def closed(path: Path, *_: object, **__: object) -> None:
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


def test_a_folder_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "closed"
    place.mkdir(mode=0o555)
    with monkeypatch.context() as patch:
        if os.geteuid() == 0:  # nothing is closed to root: the system's answer is put in
            patch.setattr(Path, "mkdir", closed)
        with pytest.raises(RunError, match=r"cannot write to .*Permission denied"):
            rollout([lamp()], "random", episodes=2, out=place / "run")
    (tmp_path / "file").write_text("x")
    with pytest.raises(RunError, match="is a file"):
        rollout([lamp()], "random", episodes=2, out=tmp_path / "file")


def test_the_packing_of_a_run_is_kept_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rollout([lamp()], "random", episodes=2, out=tmp_path / "run", packing="plain")
    with pytest.raises(RunError, match='packing "plain", here "zstd"'):
        rollout([lamp()], "random", episodes=3, out=tmp_path / "run", packing="zstd", resume=True)
    rollout([lamp()], "random", episodes=3, out=tmp_path / "run", resume=True)
    assert Run(tmp_path / "run").manifest.packing == "plain"


EPISODES = 200


def played(folder: Path, packing: Packing) -> None:
    """All episodes that a run lacks, of some kilobytes each."""
    plan = manifest(EPISODES).model_copy(update={"packing": packing})
    with Writer(folder, plan, (MACHINE,)) as writer:
        for episode in range(EPISODES):
            if (MACHINE.hash, episode) not in writer.done:
                writer.append(made(episode, f"{episode} " * 3000).line())


def child(folder: Path, packing: Packing) -> int:
    """The same in a process of its own; its id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        played(folder, packing)
        os._exit(0)
    except BaseException:
        os._exit(1)


@pytest.mark.parametrize("packing", ["plain", "zstd"])
def test_killed_at_a_hundred_moments_then_resumed_equals_undisturbed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packing: Packing
) -> None:
    """One run is killed again and again: each time it goes on from where the kill left it.
    Whenever it is finished, shards are taken away, and it goes on from there."""
    need(packing)
    monkeypatch.setattr(shards, "SHARD_ROWS", 7)
    played(tmp_path / "whole", packing)
    expected = files(tmp_path / "whole")
    chance = random.Random(11)
    run = tmp_path / "run"
    kills = {"opening": 0, "under way": 0}
    while sum(kills.values()) < 100:
        pid = child(run, packing)
        time.sleep(chance.choice((0.001, 0.01, 0.05, 0.2)) * chance.random())
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        assert os.WIFSIGNALED(status) or os.waitstatus_to_exitcode(status) == 0
        if os.WIFSIGNALED(status):
            kills["under way" if (run / "manifest.json").exists() else "opening"] += 1
        if (run / "manifest.json").exists():
            seen = [row.trajectory for row in Run(run).rows()]
            ids = [each.id for each in seen if each is not None]
            assert len(set(ids)) == len(ids) >= len(seen) - 1, "at most one line is torn"
        if os.WIFEXITED(status) or kills["under way"] % 20 == 19:
            for path in sorted(run.glob("trajectories-*"))[chance.randrange(20) :]:
                path.unlink()
    assert kills["under way"] > 50
    played(run, packing)
    assert files(run) == expected


RUNNER = """
import sys
from pathlib import Path
from tests.worlds import lamp
from worldengine.rollout.runner import rollout
if __name__ == "__main__":
    there = (Path(sys.argv[1]) / "manifest.json").exists()
    print("going", flush=True)
    rollout([lamp()], "explorer", episodes=60, out=sys.argv[1], resume=there,
            workers=int(sys.argv[2]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_rollout_killed_at_any_moment_goes_on_to_equal_bytes(
    tmp_path: Path, workers: int
) -> None:
    rollout([lamp()], "explorer", episodes=60, out=tmp_path / "whole")
    code = tmp_path / "runner.py"
    code.write_text(RUNNER)
    chance = random.Random(5)
    run = tmp_path / "run"
    for _ in range(8):
        process = subprocess.Popen(
            [sys.executable, str(code), str(run), str(workers)],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.random() * (0.4 if workers == 1 else 3.0))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    resume = (run / "manifest.json").exists()
    rollout([lamp()], "explorer", episodes=60, out=run, resume=resume)
    assert files(run) == files(tmp_path / "whole")
    assert verify(run).rejected == []


@pytest.mark.parametrize("packing", ["zstd", "parquet"])
def test_a_run_is_read_while_it_is_written(
    packing: Packing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shard may be packed between the moment it is listed and the moment it is opened."""
    pytest.importorskip("zstandard" if packing == "zstd" else "pyarrow")
    rollout([lamp()], "random", episodes=4, out=tmp_path / "run", packing=packing)
    run = Run(tmp_path / "run")
    reading = run.rows()
    (listed,) = run.shards()
    shards.pack(listed, packing)
    assert not listed.exists()
    monkeypatch.setattr(Run, "shards", lambda self: (listed,))
    assert [row.trajectory is not None for row in reading] == [True] * 4
    (tmp_path / "run" / listed.with_suffix(shards.SUFFIX[packing]).name).unlink()
    with pytest.raises(FileNotFoundError):
        list(run.rows())
