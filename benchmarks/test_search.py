"""Exploration beside pyperplan's breadth-first search: the same PDDL problems, one run.

Both look at states in breadth-first order until the first goal. What is compared is commands
tried and states kept a second of processor time. Run with `make bench`, or with `-s` to read the
figures; the problems stand in this file, so that nothing else is needed but
`pip install pyperplan`.

Every figure says which reductions were on: `verdict` is what verdicts use (folding, dominance,
cone, classes of values), `cone` the cone and the classes alone, as for dead ends and distances,
`none` leaves nothing out.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from worldengine.compiler import compile
from worldengine.importers.pddl import import_pddl
from worldengine.machine import Machine
from worldengine.modelcheck.budget import clock
from worldengine.modelcheck.exploration.explore import Explored, explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reductions.cone import Cone, cone_of, whole
from worldengine.modelcheck.reductions.reduced import reduced
from worldengine.resources import shipped_world
from worldengine.source import Source

pytest.importorskip("pytest_benchmark")

DOMAIN = """(define (domain ferries) (:requirements :strips)
(:predicates (place ?x) (car ?x) (at-ferry ?x) (at ?c ?x) (empty) (on ?c) (apart ?x ?y))
(:action sail :parameters (?from ?to)
 :precondition (and (place ?from) (place ?to) (apart ?from ?to) (at-ferry ?from))
 :effect (and (at-ferry ?to) (not (at-ferry ?from))))
(:action board :parameters (?c ?x)
 :precondition (and (car ?c) (place ?x) (at ?c ?x) (at-ferry ?x) (empty))
 :effect (and (on ?c) (not (at ?c ?x)) (not (empty))))
(:action debark :parameters (?c ?x)
 :precondition (and (car ?c) (place ?x) (on ?c) (at-ferry ?x))
 :effect (and (at ?c ?x) (empty) (not (on ?c)))))"""


def problem(cars: int, places: int) -> str:
    """Every car has to come to the last place."""
    where = [f"p{i}" for i in range(places)]
    what = [f"c{i}" for i in range(cars)]
    init = ["(empty)", "(at-ferry p0)"]
    init += [f"(place {x})" for x in where] + [f"(car {c})" for c in what]
    init += [f"(apart {x} {y})" for x in where for y in where if x != y]
    init += [f"(at {c} p{i % (places - 1)})" for i, c in enumerate(what)]
    goal = " ".join(f"(at {c} p{places - 1})" for c in what)
    return (
        f"(define (problem ferry) (:domain ferries) (:objects {' '.join(where + what)})"
        f" (:init {' '.join(init)}) (:goal (and {goal})))"
    )


SIZES = {"small": (3, 4), "medium": (5, 4), "large": (6, 5)}


REDUCTIONS = ("verdict", "cone", "none")


def lessened(machine: Machine, reductions: str) -> tuple[Problem, Cone]:
    """The problem with some reductions; see the module."""
    if reductions == "verdict":
        return (problem := Problem(reduced(machine))), problem.cone
    return Problem(machine), cone_of(machine) if reductions == "cone" else whole(machine)


def figures(machine: Machine, seen: Explored, spent: float, reductions: str) -> dict[str, Any]:
    """What is kept and printed of one exploration."""
    found = {
        "reductions": reductions,
        "variables": len(machine.variables),
        "variables_kept": len(seen.packing.variables),
        "bits": seen.packing.bits,
        "operators": len(machine.operators),
        "operators_tried": len(set(seen.actions.operators.tolist())),
        "states": seen.states,
        "transitions_per_second": round(seen.transitions / spent),
        "bytes_per_state": round(seen.bytes_per_state, 1),
        "seen_whole": seen.complete,
    }
    print(machine.name, " ".join(f"{key}={value}" for key, value in found.items()))
    return found


def ours(text: str) -> tuple[Machine, Explored, float]:
    """Explored up to the first goal, and the processor time it took."""
    found = import_pddl(Source("domain.pddl", DOMAIN), Source("problem.pddl", text))
    assert found.text is not None
    machine = compile(found.text)
    return machine, *explored(machine, 60, reductions="verdict")


def explored(
    machine: Machine, seconds: float, states: int = 10**8, reductions: str = "verdict"
) -> tuple[Explored, float]:
    prepared, cone = lessened(machine, reductions)
    explore(prepared, machine.start(), cone, 20_000, 1 << 30, clock(60))  # compiled and laid out
    begin = time.thread_time()
    seen = explore(prepared, machine.start(), cone, states, 1 << 31, clock(seconds))
    return seen, time.thread_time() - begin


def theirs(text: str, folder: Path) -> tuple[int, int, float]:
    """Steps of pyperplan's plan, commands it carried out, and its processor time."""
    pytest.importorskip("pyperplan")
    from pyperplan import grounding
    from pyperplan.pddl.parser import Parser
    from pyperplan.search import breadth_first_search

    for name, part in (("domain.pddl", DOMAIN), ("problem.pddl", text)):
        (folder / name).write_text(part, encoding="utf-8")
    parser = Parser(str(folder / "domain.pddl"), str(folder / "problem.pddl"))
    task = grounding.ground(parser.parse_problem(parser.parse_domain()))
    carried = [0]

    class Counted(type(task)):  # type: ignore[misc]
        def get_successor_states(self, state: Any) -> Any:
            found = super().get_successor_states(state)
            carried[0] += len(found)
            return found

    task.__class__ = Counted
    begin = time.thread_time()
    plan = breadth_first_search(task)
    return len(plan), carried[0], time.thread_time() - begin


@pytest.mark.parametrize("size", SIZES)
def test_beside_pyperplan(size: str, benchmark: Any, tmp_path: Path) -> None:
    text = problem(*SIZES[size])
    machine, seen, spent = benchmark.pedantic(lambda: ours(text), rounds=1)
    steps, carried, time_taken = theirs(text, tmp_path)
    assert seen.plan is not None and len(seen.plan) == steps
    mine, other = seen.transitions / spent, carried / time_taken
    benchmark.extra_info.update(figures(machine, seen, spent, "verdict"))
    benchmark.extra_info.update(pyperplan_per_second=round(other))
    print(f"pyperplan {round(other)} a second")
    if size != "small":  # which is over before either has begun
        assert mine > 4 * other


WORLDS = ("tide_clock", "forklift", "atc_trainee", "ferry", "plumber", "locksmith", "convent_bell")


@pytest.mark.parametrize("world", WORLDS)
def test_shipped_worlds(world: str, benchmark: Any) -> None:
    """From small to large, with and without what a verdict leaves out. What is asserted is that
    states stay short."""
    machine = compile(shipped_world(world).read_text(encoding="utf-8"))
    for reductions in REDUCTIONS:
        seen, spent = explored(machine, 3.0, 1_500_000, reductions)
        found = figures(machine, seen, spent, reductions)
        benchmark.extra_info[reductions] = found
        assert seen.states < 100_000 or found["bytes_per_state"] <= 24
    benchmark.pedantic(lambda: None, rounds=1)
