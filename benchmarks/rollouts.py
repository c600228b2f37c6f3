"""How fast episodes are played, written and verified, and how that grows.

    python benchmarks/rollouts.py [--worlds DIR] [--player explorer] [--sizes 1000,10000]

One JSON line a measure on standard output. *Cold*: every world is played once by a fresh
process. *Warm*: the same worlds again and again, as a run of many episodes does; sizes are
of whole runs, each in a process of its own, with the memory it took and the bytes it left.
Seconds are of this process and its workers (CPU), and of the wall.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from worldengine.compiler import compile_source
from worldengine.inputs import find, read
from worldengine.machine import Machine
from worldengine.resources import shipped_worlds
from worldengine.rollout.runner import rollout
from worldengine.rollout.verify import verify


def machines(folder: str) -> list[Machine]:
    """The worlds of a folder, or those that ship."""
    paths = find([folder]) if folder else shipped_worlds()
    found = [compile_source(read(path).source).machine for path in paths]
    return [machine for machine in found if machine is not None]


def cpu() -> float:
    """Seconds of this process and of its children that have ended."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(
        resource.RUSAGE_CHILDREN
    )  # fmt: skip
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def measured(arguments: argparse.Namespace, what: str, episodes: int) -> dict[str, Any]:
    """One run, played and verified."""
    worlds = machines(arguments.worlds)
    each = max(episodes // len(worlds), 1)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        began, spent = time.perf_counter(), cpu()
        done = rollout(worlds, arguments.player, episodes=each, out=out, workers=arguments.workers)
        wall, used = time.perf_counter() - began, cpu() - spent
        began, spent = time.perf_counter(), cpu()
        checked = verify(out)
        verified = cpu() - spent
        size = sum(path.stat().st_size for path in out.glob("trajectories-*"))
    most = max(
        resource.getrusage(who).ru_maxrss
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return {
        "what": what,
        "player": arguments.player,
        "worlds": len(worlds),
        "workers": arguments.workers,
        "episodes": done.episodes,
        "turns": done.turns,
        "accepted": checked.accepted,
        "rejected": len(checked.rejected),
        "wall_seconds": round(wall, 2),
        "cpu_seconds": round(used, 2),
        "episodes_per_cpu_second": round(done.episodes / used, 1),
        "accepted_per_cpu_second": round(done.accepted / used, 1),
        "turns_per_cpu_second": round(done.turns / used),
        "verified_per_cpu_second": round(checked.trajectories / verified, 1),
        "bytes_per_episode": round(size / done.episodes, 1),
        "most_memory_mib": most // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--worlds", default="", metavar="DIR", help="a folder; else as shipped")
    parser.add_argument("--player", default="explorer")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--sizes", default="1000,10000", help="episodes of the warm runs")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one is not None:
        what, _, episodes = arguments.one.partition(":")
        print(json.dumps(measured(arguments, what, int(episodes))), flush=True)
        return
    asked = ["cold:1", *(f"warm:{size}" for size in arguments.sizes.split(","))]
    for one in asked:  # each in a process of its own, so that nothing is warm by accident
        command = [sys.executable, __file__, "--one", one, "--worlds", arguments.worlds]
        command += ["--player", arguments.player, "--workers", str(arguments.workers)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
