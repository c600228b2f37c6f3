"""The relaxed world: what can still be won is never called lost, and what has to hold together
is asked together."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.modelcheck.brute import brute
from tests.modelcheck.scripts import script
from worldengine.compiler import CompileError, compile
from worldengine.machine import Machine
from worldengine.machine.schema import RUNNING
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.planning.plan import plan_for
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.reduced import reduced
from worldengine.modelcheck.relaxation.landmarks import landmarks
from worldengine.modelcheck.relaxation.relaxed import FAR, Space
from worldengine.modelcheck.verdicts.excluded import excluded

STATES = 1_500

PIPES = """
world pipes "Pipes" {{ goal "Mend the pipe, then let the water run." turns 20 }}
kind pipe is thing {{ open : bool = true cracked : bool = false portable = false }}
place hall "hall"
{pipes}
player in hall {{ done : bool = false }}
fact feeds(a: pipe, b: pipe)
start {{ {feeds} }}
derive wet(p: pipe) = p == {source} or any(q: pipe where feeds(q, p) and q.open and wet(q))
derive leaks = any(p: pipe where p.cracked and wet(p))
action turn(p: pipe here) {{ form "turn {{p}}"
  if p.open {{ set p.open = false }} else {{ set p.open = true }} }}
action mend(p: pipe here) {{ form "mend {{p}}"
  require p.cracked else logic "It is sound."
  require not wet(p) else logic "It is wet."
  set p.cracked = false }}
action sign {{ form "sign"
  require wet({last}) else logic "It is dry."
  require not leaks else logic "It leaks."
  set player.done = true }}
win when player.done say "Done."
"""


def pipes(seed: int, count: int, back: bool = False) -> Machine:
    """Pipes in a row and some more ways between them, perhaps also back; one is cracked."""
    draw = random.Random(seed)
    names = [f"pipe{letter}" for letter in "abcdef"[:count]]
    ways = {(i, i + 1) for i in range(count - 1)}
    for _ in range(count // 2):
        one, other = draw.sample(range(count), 2)
        ways.add((one, other) if back or one < other else (other, one))
    cracked = draw.randrange(1, count)
    text = "\n".join(
        f'pipe {name} "{name}" in hall {{ {"cracked = true" if i == cracked else ""} }}'
        for i, name in enumerate(names)
    )
    feeds = " ".join(f"set feeds({names[a]}, {names[b]}) = true" for a, b in sorted(ways))
    return compile(PIPES.format(pipes=text, feeds=feeds, source=names[0], last=names[-1]))


def never_lost(machine: Machine) -> tuple[int, int]:
    """Running states from which a win can be reached, and those without; the estimate finds a
    way from all of the first."""
    judge = brute(machine, machine.start(0), STATES)
    problem = Problem(machine)
    if judge is None or problem.relaxed is None:
        return 0, 0
    space, lost = Space(problem.relaxed), 0
    for state in judge.reached:
        if state[machine.status] != RUNNING:
            continue
        hopeless = space.estimate(problem.relaxed, state)[1] >= FAR
        assert not (hopeless and state in judge.alive), state
        lost += hopeless
    return len(judge.alive), lost


def test_what_can_be_won_is_never_called_lost() -> None:
    alive = 0
    for seed in range(12):
        alive += never_lost(pipes(seed, 4, back=seed % 2 == 1))[0]
    assert alive > 100


def test_random_scripts_that_can_be_won_are_never_called_lost() -> None:
    alive = lost = 0
    for seed in range(16):
        try:
            machine = compile(script(seed))
        except CompileError:
            continue
        found = never_lost(machine)
        alive, lost = alive + found[0], lost + found[1]
    assert alive > 100 and lost > 0


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(2))
def test_many_random_scripts_that_can_be_won_are_never_called_lost(batch: int) -> None:
    alive = 0
    for seed in range(2_000 + batch * 60, 2_060 + batch * 60):
        try:
            alive += never_lost(compile(script(seed)))[0]
        except CompileError:
            continue
    assert alive > 500


def test_water_that_runs_and_does_not_leak_is_one_condition() -> None:
    """That nothing leaks while the water is off is no way to sign while it runs."""
    machine = pipes(3, 5)
    problem = Problem(reduced(machine))
    assert problem.relaxed is not None
    marks = landmarks(problem.relaxed, machine.start(0))
    names = {(machine.variables[slot].name, value) for slot, value in marks}
    cracked = next(v.name for v in machine.variables if v.name.endswith("cracked") and v.initial)
    assert (cracked, 0) in names
    planned = plan_for(problem, machine, 0, clock(30), 1 << 26)
    assert planned.plan is not None and planned.plan[-1] == "sign"


def test_conditions_that_exclude_one_another_are_told() -> None:
    """What is held is not here: each can be so, but no action asks for both."""
    path = Path(__file__).resolve().parents[3] / "shared/corpus/authored/05_old_rink.world"
    if not path.exists():
        pytest.skip("the worlds written by a model are not here")
    text = path.read_text(encoding="utf-8")
    machine = compile(text)
    reason = excluded(Problem(reduced(machine)), machine, 0)
    assert reason is not None and "`flood` can never come about" in reason.text
    assert reason.location is not None and reason.location.line == 127
    mended = compile(text.replace("require here(hose) and ", "require "))
    assert excluded(Problem(reduced(mended)), mended, 0) is None
