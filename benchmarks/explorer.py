"""How often the player of beliefs wins, what it does wrong, and how varied its thoughts are.

    python benchmarks/explorer.py [NAME...] [--worlds DIR] [--rules all|some|none] [--mistakes]
        [--daring N] [--episodes N] [--seed N] [--keep DIR] [--thoughts] [--beside RUN...]

A line a world on standard output and one for all: how the plays ended, turns of those that were
won, seconds of CPU (cold: nothing is known of a world before its first start). Then what went
wrong by kind, which mistakes were made on purpose and what was wrong with the words of slips,
and what was set right. One play a start, or `--episodes` of every world, start after start.

`--keep` writes the plays of each world to a file of that folder, and reads those that are
there already: an interrupted run is taken up, worlds may be played one by one. `--thoughts`
has the player think aloud, and tells how varied its thoughts are; `--beside` runs that
`import trajectories` wrote, and how varied as many of theirs are. Nothing but the seconds
depends on the clock.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from random import Random

from worldengine.compiler import compile_source
from worldengine.curation.mistakes import AGENTREFINE
from worldengine.curation.statistics import Statistics
from worldengine.explorer.companion import Dial, Follower
from worldengine.inputs import find, read
from worldengine.machine import Machine
from worldengine.players.explorer import Explorer
from worldengine.players.protocol import Start
from worldengine.resources import shipped_worlds
from worldengine.rollout.episode import Episode
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory

SAMPLE = 100_000
"""Thoughts that are looked at."""


def played(machine: Machine, number: int, dial: Dial, seed: int, thoughts: str) -> Trajectory:
    """One play; starts take turns."""
    variant = number % len(machine.variants)
    record = PlayerRecord(name="explorer", settings={}, guidance="belief")
    episode = Episode(
        machine,
        Provenance(
            machine_hash=machine.hash, variant=variant, seed=seed, episode=number, player=record,
            command_set="known",
        ),
    )  # fmt: skip
    chance = Random(f"{seed}:{machine.name}:{number}")
    player = Explorer({"thoughts": thoughts})
    player.begin(Start(episode.view(), chance, Follower(machine, variant, dial, chance)))
    while not episode.over:
        episode.play(player.act(episode.view()))
    return episode.trajectory()


def plays_of(
    machine: Machine, many: int, dial: Dial, given: argparse.Namespace
) -> list[Trajectory]:
    """The plays of one world, read if they were kept."""
    thoughts = "full" if given.thoughts else "none"
    setting = f"{dial.rules}-{'yes' if dial.mistakes else 'no'}-{dial.daring}-{thoughts}"
    kept = None
    if given.keep:
        kept = Path(given.keep) / f"{machine.name}-{setting}-{given.seed}-{many}.jsonl"
        if kept.exists():
            lines = kept.read_text(encoding="utf-8").splitlines()
            return [Trajectory.model_validate_json(line) for line in lines]
    found = [played(machine, number, dial, given.seed, thoughts) for number in range(many)]
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        part = kept.with_suffix(".part")
        part.write_text("".join(f"{each.line()}\n" for each in found), encoding="utf-8")
        part.replace(kept)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="worlds to play; all of them without")
    parser.add_argument("--worlds", default="", help="a folder of worlds; the shipped without")
    parser.add_argument("--rules", choices=("none", "some", "all"), default="none")
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--daring", type=int, default=Dial().daring)
    parser.add_argument("--episodes", type=int, default=0, help="of every world; 0: one a start")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", default="", help="a folder for the plays of every world")
    parser.add_argument("--thoughts", action="store_true", help="think aloud, say how varied")
    parser.add_argument("--beside", nargs="*", default=[], help="runs with thoughts of others")
    given = parser.parse_args()
    dial = Dial(given.rules, mistakes=given.mistakes, daring=given.daring)
    every = Statistics(SAMPLE)
    done: list[Trajectory] = []
    spent = 0.0
    for path in find([given.worlds]) if given.worlds else shipped_worlds():
        if given.names and path.stem not in given.names:
            continue
        machine = compile_source(read(path).source).machine
        if machine is None:
            continue
        began = time.process_time()
        plays = plays_of(machine, given.episodes or len(machine.variants), dial, given)
        seconds = time.process_time() - began
        spent += seconds
        for each in plays:
            every.add(each)
        done += plays
        print(f"{machine.name:20} {_endings(plays)}; {seconds:.1f} s", flush=True)
    if done:
        print(f"{'all':20} {_endings(done)}; {spent:.0f} s\n{_mix(done)}\n{_marked(every)}")
        if given.thoughts:
            _varied(every, given.beside)


def _endings(done: list[Trajectory]) -> str:
    """How plays ended, the turns of those that were won, the starts that lost any."""
    ends = [str(each.status) for each in done]
    won = [each.counts.turns for each in done if each.status == "won"]
    starts = sorted({each.variant for each in done if each.status != "won"})
    return (
        f"{len(won):3} of {len(ends):3} won ({100 * len(won) / len(ends):.1f}%),"
        f" {ends.count('lost')} lost, {ends.count('truncated')} out of turns;"
        f" {sum(won) / len(won) if won else 0:.0f} turns"
        + (f"; not from starts {', '.join(map(str, starts))}" if starts and len(done) < 200 else "")
    )


def _mix(done: list[Trajectory]) -> str:
    """What went wrong by kind, and how often it was set right."""
    counts = [each.counts for each in done]
    turns = sum(each.turns for each in counts)
    kinds = {
        "parameter": sum(each.parameter for each in counts),
        "place": sum(each.place for each in counts),
        "logic": sum(each.logic for each in counts),
    }
    refused = sum(kinds.values())
    shares = ", ".join(
        f"{100 * many / max(refused, 1):.0f}% {kind}" for kind, many in kinds.items()
    )
    pairs = [len(each.refinements) for each in done]
    two = [len(each.refinements) >= 2 for each in done if each.status == "won"]
    return (
        f"refused: {100 * refused / turns:.0f}% of turns, {refused / len(done):.1f} a play;"
        f" {shares}\nset right: {sum(pairs) / len(done):.1f} a play;"
        f" two or more in {100 * sum(two) / max(len(two), 1):.0f}% of the won"
        f" (AgentRefine asks for {AGENTREFINE['refinements_wanted']}, and publishes no mix)"
    )


def _marked(every: Statistics) -> str:
    """Mistakes made on purpose; of the slips, what was wrong with the words."""
    found = every.mistakes
    marked = sum(found.turns.values())
    if not marked:
        return f"no mistake on purpose; {found.unmarked} refusals that were none"
    kinds = ", ".join(f"{100 * n / marked:.1f}% {mark}" for mark, n in found.turns.most_common())
    right = sum(found.mended.values())
    slips = sum(found.slips.values())
    words = ", ".join(f"{100 * n / slips:.1f}% {kind}" for kind, n in found.slips.most_common())
    return (
        f"on purpose: {marked}, {100 * right / marked:.0f}% of them set right: {kinds};"
        f" {found.unmarked} refusals besides\nslips that were set right, {slips}: {words}"
    )


def _varied(every: Statistics, beside: list[str]) -> None:
    """How varied thoughts are; as many of the one as of the others, where there are others."""
    theirs = Statistics(SAMPLE)
    for folder in beside:
        for row in Run(Path(folder)).rows():
            if row.trajectory is not None:
                theirs.add(row.trajectory)
    most = theirs.thoughts().measured
    samples = [("thoughts", every, None), ("as many", every, most), ("beside", theirs, most)]
    for name, source, limit in samples if most else samples[:1]:
        told = source.thoughts(limit)
        distinct = "/".join(f"{each:.3f}" for each in told.distinct)
        print(
            f"{name:9} {told.measured} of {told.of}: {told.words:.1f} words, distinct-1/2/3"
            f" {distinct}, compression {told.compression:.2f}, repeated templates"
            f" {100 * told.repeated:.1f}%, sentences of frames that come five times"
            f" {100 * told.frames:.1f}%"
        )


if __name__ == "__main__":
    main()
