"""Worlds decided without their proofs: which, how, and in how long.

    python benchmarks/stripped.py [NAME...] [--worlds DIR] [--seconds 30]

Every `proof` of a world is left out before it is decided. A line a world: the verdict, how many
of its starts are won, wall and processor seconds (compiling of the searches' own functions left
out of neither, so the first world of a first use takes longer). One world at a time; the searches
use what cores there are. The last line counts the worlds that are unknown.
"""

from __future__ import annotations

import argparse
import time

from worldengine.compiler import compile_source
from worldengine.inputs import find, read
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.modelcheck.verdicts.verdict import WINNABLE
from worldengine.resources import shipped_worlds


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="worlds; all of them without")
    parser.add_argument("--worlds", default="", help="a folder of worlds; the shipped without")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each world")
    given = parser.parse_args()
    unknown, every = 0, 0
    for path in find([given.worlds]) if given.worlds else shipped_worlds():
        if given.names and path.stem not in given.names:
            continue
        machine = compile_source(read(path).source).machine
        if machine is None:
            print(f"{path.stem:22} does not compile", flush=True)
            continue
        wall, cpu = time.perf_counter(), time.process_time()
        verdict = decide(machine, Budget(seconds=given.seconds), proofs=False)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        won = sum(each.status == WINNABLE for each in verdict.variants)
        starts = f"{won:3} of {len(verdict.variants):3} starts won"
        print(f"{path.stem:22} {verdict.status:10} {starts}  {wall:6.1f} s, {cpu:6.1f} s of CPU",
              flush=True)  # fmt: skip
        every, unknown = every + 1, unknown + (verdict.status == "unknown")
    print(f"{unknown} of {every} unknown")


if __name__ == "__main__":
    main()
