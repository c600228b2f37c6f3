"""How often the player of beliefs wins, by world and by what it takes for known.

    python benchmarks/explorer.py [NAME...] [--worlds DIR] [--rules all|some|none] [--mistakes]
        [--daring N] [--starts N] [--seed N]

A line a world on standard output and one for all: starts, how they ended, turns of those that
were won, seconds of CPU (cold: nothing is known of a world before its first start). Then what
went wrong by kind, and the refinements (refused, then set right) of an episode and how many
episodes hold two or more. One episode a start; nothing depends on the clock.
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


def played(machine: Machine, variant: int, dial: Dial, seed: int) -> Episode:
    """One episode, without thoughts."""
    record = PlayerRecord(name="explorer", settings={}, guidance="belief")
    episode = Episode(
        machine,
        Provenance(
            machine_hash=machine.hash, variant=variant, seed=seed, episode=0, player=record,
            command_set="known",
        ),
    )  # fmt: skip
    follower = Follower(machine, variant, dial, Random(f"{seed}:{machine.name}:{variant}"))
    while not episode.over:
        episode.play(write("", follower.next(episode.view()).command))
    return episode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", help="worlds to play; all of them without")
    parser.add_argument("--worlds", default="", help="a folder of worlds; the shipped without")
    parser.add_argument("--rules", choices=("none", "some", "all"), default="none")
    parser.add_argument("--mistakes", action="store_true")
    parser.add_argument("--daring", type=int, default=Dial().daring)
    parser.add_argument("--starts", type=int, default=1000, help="of every world at most")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    dial = Dial(given.rules, mistakes=given.mistakes, daring=given.daring)
    every: list[Episode] = []
    spent = 0.0
    for path in find([given.worlds]) if given.worlds else shipped_worlds():
        if given.names and path.stem not in given.names:
            continue
        machine = compile_source(read(path).source).machine
        if machine is None:
            continue
        began = time.process_time()
        starts = range(min(given.starts, len(machine.variants)))
        done = [played(machine, variant, dial, given.seed) for variant in starts]
        seconds = time.process_time() - began
        spent += seconds
        every += done
        print(f"{machine.name:20} {_endings(done)}; {seconds:.1f} s", flush=True)
    if every:
        print(f"{'all':20} {_endings(every)}; {spent:.0f} s\n{_mix(every)}")


def _endings(done: list[Episode]) -> str:
    """How episodes ended, and the turns of those that were won."""
    ends = [str(each.status) for each in done]
    won = [each.length for each in done if each.status == "won"]
    return (
        f"{len(won):3} of {len(ends):3} won ({100 * len(won) / len(ends):.0f}%),"
        f" {ends.count('lost')} lost, {ends.count('truncated')} out of turns;"
        f" {sum(won) / len(won) if won else 0:.0f} turns"
    )


def _mix(done: list[Episode]) -> str:
    """What went wrong by kind, and how often it was set right."""
    counts = [each.counts() for each in done]
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
    pairs = [each.refinements for each in counts]
    two = [each.counts().refinements >= 2 for each in done if each.status == "won"]
    return (
        f"refused: {100 * refused / turns:.0f}% of turns, {refused / len(done):.1f} an episode;"
        f" {shares}\nset right: {sum(pairs) / len(done):.1f} an episode;"
        f" two or more in {100 * sum(two) / max(len(two), 1):.0f}% of the won"
    )


if __name__ == "__main__":
    main()
