"""How many accepted trajectories are left of many generated worlds, and what they cost.

    python benchmarks/corpus.py [--instances 1000] [--episodes 66] [--player explorer]

Every step is the command a user would give, in a process of its own: `write` (unless --worlds
names a folder), `rollout`, `verify`, `curate` (repetitions word by word, then near ones). One JSON
line a step on standard output: wall and processor seconds of the process and those it started,
the largest memory of any of them, and what the command says itself. The last line sums up:
accepted trajectories after curation, the distinct Machines of the run and those of which anything
was left, bytes.
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

COMMAND = [sys.executable, "-m", "worldengine"]


def measured(step: str, arguments: list[str]) -> dict[str, Any]:
    """One command with --json: what it says, and what it took. Ends the program if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run([*COMMAND, *arguments, "--json"], capture_output=True, text=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{step} ended with status {done.returncode}: {done.stderr[-2000:]}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = json.loads(done.stdout.splitlines()[-1] if step == "rollout" else done.stdout)
    line = {
        "step": step,
        "wall_seconds": round(wall, 1),
        "cpu_seconds": round(spent, 1),
        "most_memory_mib_so_far": after.ru_maxrss // 1024,
        "told": {
            key: value for key, value in told.items() if isinstance(value, int | float | dict)
        },
    }
    print(json.dumps(line), flush=True)
    return {**line, "told": told}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--instances", type=int, default=1000, help="worlds to be written")
    parser.add_argument("--worlds", metavar="DIR", help="worlds that are there already")
    parser.add_argument("--episodes", type=int, default=66, help="of each world")
    parser.add_argument("--player", default="explorer")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", metavar="DIR", help="keep everything in this new folder")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        base = Path(asked.out or scratch)
        base.mkdir(parents=True, exist_ok=True)
        worlds = asked.worlds or str(base / "worlds")
        seed, workers = ["--seed", str(asked.seed)], ["--workers", str(asked.workers)]
        if not asked.worlds:
            count = ["--instances", str(asked.instances)]
            measured("write", ["write", *count, *seed, *workers, "--out", worlds])
        run, picked = str(base / "run"), base / "picked.jsonl"
        play = ["--player", asked.player, "--episodes", str(asked.episodes)]
        played = measured("rollout", ["rollout", worlds, *play, *seed, *workers, "--out", run])
        checked = measured("verify", ["verify", run])
        curated = measured("curate", ["curate", run, "--out", str(picked)])
        shards = sum(path.stat().st_size for path in Path(run).glob("trajectories-*"))
        with picked.open() as file:
            rows = [json.loads(line) for line in file]
        kept = [row for row in rows if "machine_hash" in row]
        line = {
            "step": "all",
            "player": asked.player,
            "episodes": played["told"]["episodes"],
            "accepted": checked["told"]["accepted"],
            "rejected": len(checked["told"]["rejected"]),
            "kept": len(kept),
            "machines": len(list(Path(run, "machines").glob("*.json"))),
            "worlds": len({row["machine_hash"] for row in kept}),
            "left_out": curated["told"].get("left_out", {}),
            "run_bytes": shards,
            "bytes_per_episode": round(shards / max(played["told"]["episodes"], 1), 1),
        }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
