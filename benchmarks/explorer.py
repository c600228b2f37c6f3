"""How often the player of beliefs wins, by world and by what it takes for known.

    python benchmarks/explorer.py [--worlds DIR] [--rules all|some|none] [--mistakes] [--starts N]

A line a world on standard output and one for all: starts, how they ended, turns of those that
were won, seconds of CPU (cold: nothing is known of a world before its first start). One
episode a start, seed 0; nothing depends on the clock.
"""

from __future__ import annotations

import argparse
import time
from random import Random

from worldengine.compiler import compile_source
from worldengine.explorer.companion import Dial, Follower
from worldengine.inputs import find, read
from worldengine.machine import Machine
from worldengine.players.reply import write
from worldengine.resources import shipped_worlds
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance


def played(machine: Machine, variant: int, dial: Dial) -> Episode:
    """One episode, without thoughts."""
    record = PlayerRecord(name="believer", settings={}, guidance="belief")
    episode = Episode(
        machine,
        Provenance(
            machine_hash=machine.hash, variant=variant, seed=0, episode=0, player=record,
            command_set="known",
        ),
    )  # fmt: skip
    follower = Follower(machine, variant, dial, Random(f"0:{machine.name}:{variant}"))
    while not episode.over:
        episode.play(write("", follower.next(episode.view()).command))
    return episode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--worlds", default="")
    parser.add_argument("--rules", choices=("none", "some", "all"), default="none")
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--starts", type=int, default=1000, help="of every world at most")
    given = parser.parse_args()
    dial = Dial(given.rules, mistakes=given.mistakes)
    paths = find([given.worlds]) if given.worlds else shipped_worlds()
    total: dict[str, int] = {"won": 0, "lost": 0, "truncated": 0}
    refinements = episodes = 0
    spent = 0.0
    for path in paths:
        machine = compile_source(read(path).source).machine
        if machine is None:
            continue
        began = time.process_time()
        done = [
            played(machine, variant, dial)
            for variant in range(min(given.starts, len(machine.variants)))
        ]
        seconds = time.process_time() - began
        spent += seconds
        ends = [str(each.status) for each in done]
        for end in ends:
            total[end] += 1
        refinements += sum(each.counts().refinements for each in done)
        episodes += len(done)
        turns = [each.length for each in done if each.status == "won"]
        print(
            f"{machine.name:20} {ends.count('won'):3} of {len(ends):3} won,"
            f" {ends.count('lost')} lost, {ends.count('truncated')} out of turns;"
            f" {sum(turns) / len(turns) if turns else 0:.0f} turns; {seconds:.1f} s",
            flush=True,
        )
    print(
        f"{'all':20} {total['won']} of {episodes} won ({100 * total['won'] / episodes:.1f}%),"
        f" {total['lost']} lost, {total['truncated']} out of turns;"
        f" {refinements / episodes:.1f} refinements an episode; {spent:.0f} s"
    )


if __name__ == "__main__":
    main()
