"""PDDL problems with 10³ to 10⁴ ground actions become Machines; pyperplan beside it.

    pytest benchmarks/test_import.py

The problems are made here, so that nothing needs to be fetched: a robot that moves balls
between the rooms of a ring. pyperplan parses and grounds the same files where it can be
imported (say, with PYTHONPATH pointing into its own environment). Peak memory is measured
apart from time, with tracemalloc, and printed as `extra_info`.
"""

from __future__ import annotations

import tracemalloc
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from worldengine.compiler import compile_source
from worldengine.importers.pddl import import_pddl
from worldengine.machine import Machine
from worldengine.source import Source

Benchmark = Any

DOMAIN = """(define (domain ring) (:requirements :strips :typing)
  (:types room ball hand)
  (:predicates (next ?a ?b - room) (here ?a - room) (at ?o - ball ?a - room)
               (free ?h - hand) (carries ?h - hand ?o - ball))
  (:action walk :parameters (?from ?to - room)
    :precondition (and (here ?from) (next ?from ?to))
    :effect (and (here ?to) (not (here ?from))))
  (:action lift :parameters (?o - ball ?a - room ?h - hand)
    :precondition (and (at ?o ?a) (here ?a) (free ?h))
    :effect (and (carries ?h ?o) (not (at ?o ?a)) (not (free ?h))))
  (:action lay :parameters (?o - ball ?a - room ?h - hand)
    :precondition (and (carries ?h ?o) (here ?a))
    :effect (and (at ?o ?a) (free ?h) (not (carries ?h ?o)))))
"""


def problem(rooms: int, balls: int) -> str:
    names = [f"r{index}" for index in range(rooms)]
    ring = " ".join(f"(next {a} {b})" for a, b in zip(names, names[1:] + names[:1], strict=True))
    objects = " ".join(f"b{index}" for index in range(balls))
    places = " ".join(f"(at b{index} r{index % rooms})" for index in range(balls))
    goal = " ".join(f"(at b{index} r0)" for index in range(balls))
    return (
        f"(define (problem ring-{rooms}-{balls}) (:domain ring)"
        f" (:objects {' '.join(names)} - room {objects} - ball left right - hand)"
        f" (:init (here r0) (free left) (free right) {ring} {places})"
        f" (:goal (and {goal})))"
    )


def made(text: str) -> Machine:
    found = import_pddl(Source("domain.pddl", DOMAIN), Source("problem.pddl", text))
    assert found.text is not None
    machine = compile_source(Source("ring.world", found.text)).machine
    assert machine is not None
    return machine


SIZES = [(20, 20), (40, 60), (60, 50)]
"""About 2,000, 10,000 and 12,000 ground actions."""


@pytest.mark.benchmark(group="import")
@pytest.mark.parametrize("rooms, balls", SIZES)
def test_import(benchmark: Benchmark, rooms: int, balls: int) -> None:
    text = problem(rooms, balls)
    machine = benchmark.pedantic(made, args=(text,), rounds=1, iterations=1)
    tracemalloc.start()
    made(text)
    benchmark.extra_info["operators"] = len(machine.operators)
    benchmark.extra_info["peak_mib"] = round(tracemalloc.get_traced_memory()[1] / 2**20, 1)
    tracemalloc.stop()
    assert benchmark.stats.stats.max < 10


@pytest.mark.benchmark(group="import")
@pytest.mark.parametrize("rooms, balls", SIZES)
def test_pyperplan(benchmark: Benchmark, tmp_path: Path, rooms: int, balls: int) -> None:
    pytest.importorskip("pyperplan", reason="pyperplan is not importable here")
    parser = import_module("pyperplan.pddl.parser").Parser
    ground = import_module("pyperplan.grounding").ground
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    files[0].write_text(DOMAIN)
    files[1].write_text(problem(rooms, balls))

    def work() -> Any:
        reader = parser(*map(str, files))
        return ground(reader.parse_problem(reader.parse_domain()))

    task = benchmark.pedantic(work, rounds=1, iterations=1)
    benchmark.extra_info["operators"] = len(task.operators)
