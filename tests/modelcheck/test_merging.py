"""States taken for one another, clocks and objects aside: the shortest win is the interpreter's."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.modelcheck.brute import brute
from tests.modelcheck.scripts import Draw, Timely, Twins, script
from worldengine.compiler import CompileError, compile
from worldengine.machine import Machine
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.exploration.explore import Explored, explore
from worldengine.modelcheck.exploration.merging import merging_of
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions import clocks as clocks_module
from worldengine.modelcheck.reductions import symmetry as symmetry_module
from worldengine.modelcheck.reductions.reduced import reduced
from worldengine.resources import shipped_world

STATES = 2_500
"""States up to which the interpreter is the judge."""
CHOICES = ((False, False), (True, False), (False, True), (True, True))
"""Clocks and symmetry, each alone and both."""


@pytest.fixture(autouse=True)
def any_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short worlds have short hours."""
    monkeypatch.setattr(clocks_module, "SHORT", 1)


def seen(problem: Problem, variant: int, clocks: bool, symmetry: bool) -> Explored:
    start = problem.machine.start(variant)
    found = explore(
        problem, start, problem.cone, 10**6, 1 << 28, clock(600), first_win=False,
        clocks=clocks, symmetry=symmetry,
    )  # fmt: skip
    assert found.complete
    return found


def length(found: Explored) -> int | None:
    return None if found.plan is None else len(found.plan)


@dataclass
class Seen:
    """Starts that were judged and can be won; those where each reduction saw fewer states."""

    judged: int = 0
    won: int = 0
    hours: int = 0
    objects: int = 0


def compare(draw: type[Draw], seeds: range) -> Seen:
    """Every start of the worlds of some seeds, with every combination, against the interpreter."""
    found = Seen()
    for seed in seeds:
        try:
            machine = compile(script(seed, draw))
        except CompileError:
            continue
        for variant in range(len(machine.variants)):
            judge = brute(machine, machine.start(variant), STATES)
            if judge is None:
                continue
            found.judged += 1
            found.won += judge.shortest is not None
            for less in (False, True):
                problem = Problem(reduced(machine, less, less))
                states: dict[tuple[bool, bool], int] = {}
                for clocks, symmetry in CHOICES:
                    each = seen(problem, variant, clocks, symmetry)
                    assert length(each) == judge.shortest, (seed, variant, less, clocks, symmetry)
                    states[clocks, symmetry] = each.states
                found.hours += states[True, False] < states[False, False]
                found.objects += states[False, True] < states[False, False]
    return found


def test_clocks_in_random_scripts() -> None:
    found = compare(Timely, range(12))
    assert found.judged > 3 and found.won > 0 and found.hours > 0


def test_objects_that_stand_for_one_another_in_random_scripts() -> None:
    found = compare(Twins, range(8))
    assert found.judged > 3 and found.won > 0 and found.objects > 0


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(4))
def test_many_random_scripts(batch: int) -> None:
    seeds = range(100 + 20 * batch, 120 + 20 * batch)
    many = range(100 + 40 * batch, 140 + 40 * batch)  # most twins are too large for brute force
    timely, twins = compare(Timely, seeds), compare(Twins, many)
    assert timely.judged > 5 and timely.won > 2 and timely.hours > 2
    assert twins.judged > 5 and twins.won > 2 and twins.objects > 2


# -- what these tests are worth: reductions that are wrong, and are caught -------------------


def test_all_objects_alike_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(symmetry_module._Work, "exchanged", lambda self, one, other: True)
    with pytest.raises(AssertionError):
        compare(Twins, range(30))


def test_hours_that_do_not_look_ahead_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def blind(rows: list[object]) -> list[object]:
        return [(row, row) for row in rows[:-1]]

    monkeypatch.setattr(clocks_module, "pairwise", blind)
    with pytest.raises(AssertionError):
        compare(Timely, range(14))


# -- by hand ------------------------------------------------------------------------------


def world(rules: str, actions: str, win: str) -> Machine:
    return compile(f"""
    world small "Small" {{ goal "Do it." turns 20 }}
    use take
    place hall "hall"
    kind log is thing {{ wet : bool = false }}
    thing lamp "lamp" in hall {{ portable = false lit : bool = false oil : 0..9 = 4 }}
    thing bell "bell" in hall {{ portable = false rung : bool = false n : 0..9 = 0 }}
    log one "first log" in hall
    log two "second log" in hall
    log three "third log" in hall
    player in hall {{ carries = 2 }}
    {actions}
    {rules}
    win when {win} say "Won."
    """)


def check(machine: Machine) -> tuple[Problem, int | None]:
    """All four combinations against the interpreter; the length of the shortest win."""
    judge = brute(machine, machine.start(0), 20_000)
    assert judge is not None
    problem = Problem(reduced(machine))
    for clocks, symmetry in CHOICES:
        assert length(seen(problem, 0, clocks, symmetry)) == judge.shortest, (clocks, symmetry)
    return problem, judge.shortest


def clocks_of(problem: Problem) -> set[str]:
    hours = merging_of(problem, problem.cone, problem.machine.start(0), True, False).hours
    return {problem.machine.variables[v].name for v in hours.clocks}


def growing() -> Machine:
    return world(
        "rule grows { when not bell.rung set bell.n += 1 }",
        'action ring { form "ring" set bell.rung = true }',
        "turn >= 12 and bell.n <= 2",
    )


def test_clocks_that_hang_on_play_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clocks_module, "_read", lambda machine, units, unit: frozenset())
    with pytest.raises(AssertionError):
        check(growing())


def test_what_goes_on_only_sometimes_is_no_clock() -> None:
    problem, shortest = check(growing())
    assert shortest == 12
    assert clocks_of(problem) == {"turn"}


def test_a_lamp_that_burns_down_while_one_waits() -> None:
    """Lit at once it is out too soon: the lit state must not be taken for one lit later."""
    machine = world(
        "rule burns { when lamp.lit set lamp.oil -= 1 if lamp.oil == 0 { set lamp.lit = false } }",
        'action light { form "light" require lamp.oil > 0 else logic "No." set lamp.lit = true }',
        "turn == 11 and lamp.lit",
    )
    assert check(machine)[1] == 11


def test_an_hour_that_ends_a_world() -> None:
    machine = world(
        'lose when turn >= 6 and not bell.rung say "Lost."',
        'action ring { form "ring" require bell.n == 9 else logic "No." set bell.rung = true }'
        ' action wind { form "wind" set bell.n += 2 }',
        "bell.rung",
    )
    assert check(machine)[1] == 6


def alike(problem: Problem) -> list[set[str]]:
    objects = problem.machine.objects
    return [{objects[index].id for index in each.objects} for each in problem.alike]


SOAK = 'action soak(l: log held) { form "soak {l}" set l.wet = true }'


def test_logs_are_alike_however_they_are_counted() -> None:
    machine = world("", SOAK, "count(l: log where l.wet) >= 2 and all(l: log where not held(l))")
    problem, shortest = check(machine)
    assert shortest == 6
    assert alike(problem) == [{"one", "two", "three"}]
    assert seen(problem, 0, False, True).states < seen(problem, 0, False, False).states


def test_a_log_that_is_called_by_name_is_not_alike() -> None:
    machine = world("", SOAK, "count(l: log where l.wet) >= 2 and held(three)")
    problem, _ = check(machine)
    assert alike(problem) == [{"one", "two"}]


def test_logs_of_which_one_is_remembered_are_not_alike() -> None:
    machine = compile("""
    world small "Small" { goal "Do it." turns 20 }
    use take
    place hall "hall"
    kind log is thing { wet : bool = false }
    log one "first log" in hall
    log two "second log" in hall
    thing bell "bell" in hall { portable = false last : log? = none }
    player in hall
    action soak(l: log held) { form "soak {l}" set l.wet = true set bell.last = l }
    win when bell.last == two and one.wet and two.wet say "Won."
    """)
    assert alike(check(machine)[0]) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tide_clock", "unix_intern"])
def test_shipped_worlds_keep_their_shortest_wins(name: str) -> None:
    path = shipped_world(name)
    assert path is not None
    problem = Problem(reduced(compile(path.read_text(encoding="utf-8"))))
    found = [
        explore(
            problem, problem.machine.start(0), problem.cone, 2_000_000, 1 << 29, clock(50),
            clocks=merged, symmetry=merged,
        )
        for merged in (False, True)
    ]  # fmt: skip
    plain, merged_ = found
    assert plain.plan is not None and merged_.plan is not None
    assert len(plain.plan) == len(merged_.plan)
    assert merged_.states < plain.states
