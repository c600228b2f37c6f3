"""Plans hold no command, and no two, that the rest wins without."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from worldengine.compiler import compile, compile_source
from worldengine.inputs import read
from worldengine.machine import Machine
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.modelcheck.verdicts.verdict import WINNABLE
from worldengine.proof import replays
from worldengine.resources import shipped_worlds

HOUSE = """
world house "House" { goal "Carry the lamp up to the attic." turns 40 }
use travel, take
place hall "hall" { exit up to attic exit east to shed exit west to cellar }
place shed "shed" { exit west to hall }
place cellar "cellar" { exit east to hall }
place attic "attic" { exit down to hall }
thing lamp "lamp" in shed
thing coal "coal" in cellar
thing bench "bench" in hall { portable = false dust : 0..9 = 0 tidy : bool = false }
player in hall
action wipe { form "wipe bench" set bench.dust += 1 }
action tip { form "tip bench"
  if bench.tidy { set bench.tidy = false } else { set bench.tidy = true } }
win when lamp.in == attic and not bench.tidy say "Light."
proof "wipe bench", "go west", "take coal", "go east", "go east", "take lamp", "drop lamp",
    "take lamp", "go west", "tip bench", "drop coal", "go up", "go down", "tip bench", "go up",
    "drop lamp"
"""


def spare(machine: Machine, variant: int, plan: tuple[str, ...]) -> list[tuple[int, ...]]:
    """The commands, by place, one or two at a time, that the plan wins without."""
    places = range(len(plan))
    left_out = [*combinations(places, 1), *combinations(places, 2)]
    return [
        out
        for out in left_out
        if replays(machine, variant, tuple(c for at, c in enumerate(plan) if at not in out))
    ]


def test_solve_leaves_out_what_a_proof_does_not_need() -> None:
    machine = compile(HOUSE)
    assert spare(machine, 0, machine.proofs[0])
    few = Budget(seconds=1e-9)  # no time to explore
    (decided,) = decide(machine, few, shortest=True).variants
    assert decided.plan is not None and not decided.optimal and decided.by == "proof"
    assert len(decided.plan) == 5 and not spare(machine, 0, decided.plan)
    # The author's own words stay as they are where nobody asks for a shorter plan.
    assert decide(machine, few).variants[0].plan == machine.proofs[0]


def test_a_planned_plan_holds_nothing_that_can_be_left_out() -> None:
    for name in ("plumber", "old_rink"):
        path = next(path for path in shipped_worlds() if path.stem == name)
        machine = compile_source(read(path).source).machine
        assert machine is not None
        machine = replace(machine, proofs=(), variants=machine.variants[-1:])
        (decided,) = decide(machine, Budget(states=2, seconds=60), proofs=False).variants
        assert decided.status == WINNABLE and decided.by == "planning", name
        assert decided.plan is not None and not spare(machine, 0, decided.plan), name
