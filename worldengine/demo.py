"""The demo: every world from script to training data, in one go.

In: the shipped worlds. Out: a run, one training file, a table by world and one trajectory
to read. What `make demo` runs; offline, seeded, and again the same. Status 1 if a world
does not compile or fewer trajectories are accepted than promised.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from worldengine.cli import INTERRUPTED
from worldengine.cli.printing import complaints, harmless, out, say, table
from worldengine.cli.progress import progress_of
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.machine import Machine
from worldengine.processes import orderly
from worldengine.resources import shipped_worlds
from worldengine.rollout.reading import readable
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.rollout.verification import Verification
from worldengine.tuning.export import export

PROMISED = 1000


@dataclass(slots=True)
class Tally:
    """One row of the table."""

    episodes: int = 0
    won: int = 0
    accepted: int = 0
    turns: int = 0
    parameter: int = 0
    place: int = 0
    logic: int = 0
    pairs: int = 0
    variants: set[int] = field(default_factory=set)

    def add(self, trajectory: Trajectory) -> None:
        self.episodes += 1
        self.won += trajectory.status == "won"
        self.accepted += trajectory.wanted
        self.turns += trajectory.counts.turns
        self.parameter += trajectory.counts.parameter
        self.place += trajectory.counts.place
        self.logic += trajectory.counts.logic
        self.pairs += trajectory.counts.refinements
        self.variants.add(trajectory.variant)

    def cells(self) -> list[str]:
        numbers = (
            self.episodes,
            len(self.variants),
            self.won,
            self.accepted,
            self.turns,
            self.parameter,
            self.place,
            self.logic,
            self.pairs,
        )
        return [str(number) for number in numbers]


HEAD = ["world", "episodes", "starts", "won", "accepted", "turns", "parameter", "place", "logic"]
HEAD += ["pairs"]


def main(argv: Sequence[str] | None = None) -> int:
    """The whole road once."""
    try:
        with orderly():
            return _main(argv)
    except KeyboardInterrupt:
        say("the demo was stopped; another one begins anew")
        return INTERRUPTED


def _main(argv: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m worldengine.demo", description=__doc__)
    parser.add_argument("--out", default="out/demo", help="folder, replaced (out/demo)")
    parser.add_argument("--episodes", type=int, default=0, help="of each world (as many as needed)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    began = time.perf_counter()
    folder = Path(arguments.out)
    run, rows = folder / "run", folder / "train.jsonl"
    with progress_of("episodes") as progress:  # from the beginning: to compile takes a while too
        machines = _compiled()
        if machines is None or not machines:
            say("the demo needs every shipped world to compile")
            return 1
        shutil.rmtree(run, ignore_errors=True)
        # One in five more than promised: some episodes end with fewer than two refinements.
        episodes = arguments.episodes or -(-PROMISED * 6 // (5 * len(machines)))
        summary = rollout(
            machines,
            episodes=episodes,
            seed=arguments.seed,
            out=run,
            workers=arguments.workers,
            progress=progress,
        )
    if summary.interrupted:
        raise KeyboardInterrupt
    exported = export(run, "messages", rows)
    result = exported.verification
    _report(run, result)
    out(f"\n{exported.rows} accepted trajectories in {rows}: {exported.trained_turns} turns")
    out(f"trained, {exported.masked_turns} refused turns kept in context with their loss masked")
    out(f"{time.perf_counter() - began:.1f} s, {arguments.workers} workers, seed {arguments.seed}")
    enough = exported.rows >= PROMISED or bool(arguments.episodes)
    return 0 if enough and not result.rejected else 1


def _compiled() -> list[Machine] | None:
    machines = []
    for path in shipped_worlds():
        compilation = compile_source(read(path).source)
        if compilation.machine is None:
            complaints(item for item in compilation.diagnostics if item.severity == "error")
            return None
        machines.append(compilation.machine)
    return machines


def _report(run: Path, result: Verification) -> None:
    tallies: dict[str, Tally] = {}
    shown: Trajectory | None = None
    for row in Run(run).rows():
        if row.trajectory is None:
            continue
        tallies.setdefault(row.trajectory.world, Tally()).add(row.trajectory)
        if _nicer(row.trajectory, shown):
            shown = row.trajectory
    total = Tally()
    lines = [HEAD]
    for world, tally in tallies.items():
        lines.append([world, *tally.cells()])
        for name in ("episodes", "won", "accepted", "turns", "parameter", "place", "logic"):
            setattr(total, name, getattr(total, name) + getattr(tally, name))
        total.pairs += tally.pairs
    lines.append(["all", *total.cells()])
    lines[-1][2] = str(sum(len(tally.variants) for tally in tallies.values()))
    if shown is not None:
        out(harmless(readable(shown)) + "\n")
    out(table(lines, right=range(1, len(HEAD))))
    out("parameter, place, logic: refused turns by class; pairs: mistakes set right later on")
    for rejected in result.rejected[:10]:
        out(f"rejected {rejected.id}: {rejected.reason}")
    out(f"\nverified: {result.trajectories} played again, {len(result.rejected)} rejected")


def _nicer(trajectory: Trajectory, shown: Trajectory | None) -> bool:
    """The shortest accepted one with all three classes reads best."""
    classes = {turn.outcome for turn in trajectory.turns}
    if not trajectory.wanted or not {"logic", "place", "parameter"} <= classes:
        return False
    return shown is None or len(trajectory.turns) < len(shown.turns)


if __name__ == "__main__":
    sys.exit(main())
