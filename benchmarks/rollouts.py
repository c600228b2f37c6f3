"""How fast episodes are played, written and verified, and how that grows.

    python benchmarks/rollouts.py [--worlds DIR] [--player explorer] [--cold 24]
                                  [--sizes 1000,10000]

One JSON line a measure on standard output. *Cold*: the first episodes of every world, of which
nothing is known before; a line for each world, and one for all. *Run*: a whole run of so many
episodes, each in a process of its own, with the memory it took and the bytes it left; worlds are
met for the first time in it. *Further*: what the later episodes of two such runs took, that is
the larger one less the smaller one: worlds are known then. `--sizes
1000,10000,100000,1000000` shows how it grows. Seconds are of this process and its workers (CPU),
and of the wall; memory is the most of any process at any moment.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldengine.compiler import compile_source
from worldengine.inputs import find, read
from worldengine.machine import Machine
from worldengine.resources import shipped_worlds
from worldengine.rollout.runner import rollout
from worldengine.rollout.shelf import Shelf
from worldengine.rollout.verify import verify


def machines(folder: str) -> Iterator[Machine]:
    """The worlds of a folder, or those that ship."""
    for path in find([folder]) if folder else shipped_worlds():
        machine = compile_source(read(path).source).machine
        if machine is not None:
            yield machine


def cpu() -> float:
    """Seconds of this process and of its children that have ended."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(
        resource.RUSAGE_CHILDREN
    )  # fmt: skip
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def most() -> dict[str, int]:
    """The most memory that this process took so far, and any of its workers that has ended."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    others = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return {"memory_mib": own // 1024, "worker_memory_mib": others // 1024}


def cold(arguments: argparse.Namespace) -> None:
    """The first episodes of every world, one world after the other in one process."""
    total, spent = 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        for at, machine in enumerate(machines(arguments.worlds)):
            before = cpu()
            out = Path(folder) / str(at)
            done = rollout([machine], arguments.player, episodes=arguments.cold, out=out)
            used = cpu() - before
            gc.collect()  # as a run does from time to time
            total, spent = total + done.episodes, spent + used
            told(what="cold", world=machine.name, **rate(done.episodes, used), won=done.won)
    told(what="cold", world="all", **rate(total, spent), **most())


def rate(episodes: int, seconds: float) -> dict[str, float]:
    return {
        "episodes": episodes,
        "cpu_seconds": round(seconds, 2),
        "episodes_per_cpu_second": round(episodes / seconds, 1),
    }


def told(**measure: Any) -> None:
    print(json.dumps(measure), flush=True)


def run(arguments: argparse.Namespace, episodes: int) -> None:
    """One run, played and verified."""
    worlds = Shelf()
    for machine in machines(arguments.worlds):
        worlds.add(machine)
    each = max(episodes // len(worlds), 1)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        began, spent = time.perf_counter(), cpu()
        done = rollout(worlds, arguments.player, episodes=each, out=out, workers=arguments.workers)
        wall, used = time.perf_counter() - began, cpu() - spent
        memory = most()
        spent = cpu()
        checked = verify(out)
        verified = cpu() - spent
        size = sum(path.stat().st_size for path in out.glob("trajectories-*"))
    told(
        what="run",
        player=arguments.player,
        worlds=len(worlds),
        workers=arguments.workers,
        **rate(done.episodes, used),
        turns=done.turns,
        accepted=checked.accepted,
        rejected=len(checked.rejected),
        wall_seconds=round(wall, 2),
        turns_per_cpu_second=round(done.turns / used),
        verified_per_cpu_second=round(checked.trajectories / verified, 1),
        bytes_per_episode=round(size / done.episodes, 1),
        **memory,
    )


def asked(command: list[str]) -> dict[str, Any]:
    """A measure in a process of its own, so that nothing is warm by accident; its last line."""
    last = ""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for last in process.stdout:
            print(last, end="", flush=True)
    if process.returncode:
        sys.exit(process.returncode)
    found: dict[str, Any] = json.loads(last)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--worlds", default="", metavar="DIR", help="a folder; else as shipped")
    parser.add_argument("--player", default="explorer")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--cold", type=int, default=24, help="first episodes; 0 for none")
    parser.add_argument("--sizes", default="1000,10000", help='episodes of runs; "" for none')
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    gc.set_threshold(100_000, 20, 20)  # as the command line does
    if arguments.one == "cold":
        cold(arguments)
        return
    if arguments.one is not None:
        run(arguments, int(arguments.one))
        return
    base = [sys.executable, __file__, "--worlds", arguments.worlds, "--player", arguments.player]
    base += ["--workers", str(arguments.workers), "--cold", str(arguments.cold), "--one"]
    if arguments.cold:
        asked([*base, "cold"])
    before: dict[str, Any] | None = None
    for size in filter(None, arguments.sizes.split(",")):
        now = asked([*base, size])
        if before is not None and now["episodes"] > before["episodes"]:
            more = now["episodes"] - before["episodes"]
            told(
                what="further",
                **rate(more, now["cpu_seconds"] - before["cpu_seconds"]),
                accepted=now["accepted"] - before["accepted"],
            )
        before = now


if __name__ == "__main__":
    main()
