"""Exploration beside pyperplan's breadth-first search: the same PDDL problems, one run.

Both look at states in breadth-first order until the first goal. What is compared is commands
tried and states kept a second of processor time. Run with `make bench`; the problems stand in
this file, so that nothing else is needed but `pip install pyperplan`.
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
from worldengine.modelcheck.explore import Explored, explore
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.reduced import reduced
from worldengine.resources import shipped_worlds
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


def ours(text: str) -> tuple[Explored, float]:
    """Explored up to the first goal, and the processor time it took."""
    found = import_pddl(Source("domain.pddl", DOMAIN), Source("problem.pddl", text))
    assert found.text is not None
    return explored(compile(found.text), 60)


def explored(machine: Machine, seconds: float, states: int = 10**8) -> tuple[Explored, float]:
    prepared = Problem(reduced(machine))  # as for a verdict
    cone = prepared.cone
    explore(prepared, machine.start(), cone, 100, 1 << 30, clock(60))  # compiled and laid out
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
    seen, spent = benchmark.pedantic(lambda: ours(text), rounds=1)
    steps, carried, time_taken = theirs(text, tmp_path)
    assert seen.plan is not None and len(seen.plan) == steps
    mine, other = seen.transitions / spent, carried / time_taken
    benchmark.extra_info.update(
        transitions_per_second=round(mine),
        pyperplan_per_second=round(other),
        bytes_per_state=round(seen.bytes_per_state, 1),
        states=seen.states,
    )
    if size != "small":  # which is over before either has begun
        assert mine > 4 * other


def test_transitions_of_shipped_worlds(benchmark: Any) -> None:
    """Figures for a small, a middling and a large shipped world; nothing is asserted but that
    keys stay short."""
    for path in shipped_worlds():
        if path.stem not in ("atc_trainee", "plumber", "locksmith"):
            continue
        machine = compile(path.read_text(encoding="utf-8"))
        seen, spent = explored(machine, 3.0, 1_500_000)
        benchmark.extra_info[path.stem] = {
            "variables": len(machine.variables),
            "transitions_per_second": round(seen.transitions / spent),
            "bytes_per_state": round(seen.bytes_per_state, 1),
        }
        assert seen.bytes_per_state < 48
    benchmark.pedantic(lambda: None, rounds=1)
