"""Planning: which numbers are tried, and how a plan for one start serves the others."""

from __future__ import annotations

from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.planning.greedy import Greed, Pairs, greedy_search
from worldengine.modelcheck.planning.plan import plan_for
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.reduced import reduced
from worldengine.modelcheck.relaxation.amounts import telling_numbers

MEMORY = 1 << 27

SCALES = """
world scales "Scales" { goal "Write down what the stone weighs, then ring." turns 9 }
use take
place hall "hall"
thing stone "stone" in hall { portable = false weight : 0..400 = 42 written : 0..400 = 0 }
thing purse "purse" in hall { portable = false price : 0..90 = 0 coins : 0..90 = 60
  bell : bool = false }
vary stone.weight among 42, 38, 51
vary purse.price among 20, 28
player in hall
derive least : 0..90 = purse.price * 3 / 4
action write(n: 1..400) { form "write {n}" set stone.written = n }
action offer(n: 1..60) {
  form "offer {n}"
  require n <= purse.coins else logic "Too much."
  set purse.coins -= n
  if n >= least { set purse.bell = true }
}
win when purse.bell and purse.coins >= 39 and stone.written == stone.weight say "Won."
"""


def scales() -> Machine:
    return compile(SCALES)


def number_of(machine: Machine, action: str) -> int:
    return next(
        index
        for index, each in enumerate(machine.operators)
        if machine.schemas[each.schema].name == action
    )


def test_numbers_stand_around_what_they_are_compared_with() -> None:
    machine = scales()
    reach = Problem(reduced(machine)).reach
    assert reach is not None
    assert telling_numbers(reach, number_of(machine, "write")) == frozenset({1, 38, 42, 51, 400})
    offered = telling_numbers(reach, number_of(machine, "offer"))
    assert offered is not None and {14, 15, 16, 20, 21, 22} <= offered
    assert len(offered) < 20


def test_every_start_is_planned_whatever_number_it_draws() -> None:
    machine = scales()
    problem = Problem(reduced(machine))
    for variant in range(len(machine.variants)):
        planned = plan_for(problem, machine, variant, clock(60), MEMORY)
        assert planned.plan is not None and len(planned.plan) == 2, variant


def searched(problem: Problem, variant: int, ways: tuple[Pairs, ...]) -> Pairs | None:
    """With no time but for the ways."""
    start = problem.machine.start(variant)
    return greedy_search(problem, start, Greed(), 0.0, MEMORY, ways=ways).plan


def test_a_plan_of_another_start_is_followed_and_mended() -> None:
    machine = scales()
    problem = Problem(reduced(machine))
    first = plan_for(problem, machine, 0, clock(60), MEMORY).pairs
    assert len(first) == 2
    assert searched(problem, 0, ()) is None
    assert searched(problem, 0, (first,)) == first
    other = next(v for v in range(6) if searched(problem, v, (first,)) not in (None, first))
    assert machine.start(other) != machine.start(0)


WAITING = """
world vigil "Vigil" { goal "Be there when the bell has struck twice." turns 12 }
use take
place hall "hall"
thing tower "tower" in hall { portable = false day : 0..9 = 9 struck : 0..5 = 0 }
thing t0 "bead" in player
player in hall { carries = 2 }
rule wanes { when tower.day > 0 set tower.day -= 1 }
rule strikes { when turn >= 8 set tower.struck += 1 }
win when turn >= 8 and tower.struck == 2 say "Won."
"""


def test_a_win_that_needs_only_time_is_planned() -> None:
    """Searches that take states at different turns for one have nothing to search here."""
    machine = compile(WAITING)
    planned = plan_for(Problem(reduced(machine)), machine, 0, clock(60), MEMORY)
    assert planned.plan is not None and len(planned.plan) == 9
