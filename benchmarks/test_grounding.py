"""Grounding of large PDDL problems, beside a known grounder in one run.

Both read the same two texts and stop when every ground action is there: ours as the operators
of a Machine (which also holds forms, texts and refusals), pyperplan's as its list of operators.
Each runs in a process of its own, so that the peak of memory is its own too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

DOMAIN = """(define (domain parcels) (:requirements :strips :typing)
 (:types parcel van town)
 (:predicates (at ?v - van ?t - town) (lies ?p - parcel ?t - town) (in ?p - parcel ?v - van)
   (road ?a ?b - town))
 (:action drive :parameters (?v - van ?a ?b - town)
   :precondition (and (at ?v ?a) (road ?a ?b)) :effect (and (at ?v ?b) (not (at ?v ?a))))
 (:action load :parameters (?p - parcel ?v - van ?t - town)
   :precondition (and (at ?v ?t) (lies ?p ?t)) :effect (and (in ?p ?v) (not (lies ?p ?t))))
 (:action unload :parameters (?p - parcel ?v - van ?t - town)
   :precondition (and (at ?v ?t) (in ?p ?v)) :effect (and (lies ?p ?t) (not (in ?p ?v)))))
"""

OURS = """
import json, resource, sys, time
from worldengine.compiler import compile_source
from worldengine.importers.pddl import import_pddl
from worldengine.source import Source
domain, problem = (Source(name, open(name, encoding="utf-8").read()) for name in sys.argv[1:3])
began = time.process_time()
found = import_pddl(domain, problem)
done = compile_source(Source("w.world", found.text))
count = len(done.machine.operators) if done.machine else 0
why = next((item.id for item in done.diagnostics if item.severity == "error"), "")
print(json.dumps({"seconds": time.process_time() - began, "actions": count, "stopped_by": why,
    "mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
"""

PEER = """
import json, resource, sys, time
from pyperplan.grounding import ground
from pyperplan.pddl.parser import Parser
began = time.process_time()
parser = Parser(sys.argv[1], sys.argv[2])
task = ground(parser.parse_problem(parser.parse_domain()), False, False)
print(json.dumps({"seconds": time.process_time() - began, "actions": len(task.operators),
    "mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}))
"""


def problem(parcels: int, vans: int, towns: int) -> str:
    """A ring of towns; every parcel can be in every town and every van."""
    names = [f"t{n}" for n in range(towns)]
    objects = [f"p{n} - parcel" for n in range(parcels)] + [f"v{n} - van" for n in range(vans)]
    facts = [f"(lies p{n} t{n % towns})" for n in range(parcels)]
    facts += [f"(at v{n} t{n % towns})" for n in range(vans)]
    for here, there in zip(names, [*names[1:], names[0]], strict=True):
        facts += [f"(road {here} {there})", f"(road {there} {here})"]
    goal = " ".join(f"(lies p{n} t0)" for n in range(parcels))
    everything = " ".join([*objects, *(f"{name} - town" for name in names)])
    return (
        f"(define (problem ring) (:domain parcels) (:objects {everything})\n"
        f" (:init {' '.join(facts)})\n (:goal (and {goal})))"
    )


def measured(code: str, *files: Path) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, files)], capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    ("parcels", "vans", "towns"),
    [(10, 3, 10), (25, 6, 16), (40, 10, 20), (50, 10, 25)],
    ids=lambda n: str(n),
)
def test_ground_actions(
    benchmark: Any, tmp_path: Path, parcels: int, vans: int, towns: int
) -> None:
    pytest.importorskip("pyperplan")
    files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    files[0].write_text(DOMAIN, "utf-8")
    files[1].write_text(problem(parcels, vans, towns), "utf-8")
    ours = benchmark.pedantic(lambda: measured(OURS, *files), rounds=1)
    peer = measured(PEER, *files)
    benchmark.extra_info.update(
        wanted=2 * parcels * vans * towns + 2 * vans * towns,
        ours=ours,
        pyperplan=peer,
        times_the_peer=round(ours["seconds"] / max(peer["seconds"], 1e-3), 1),
    )
    assert ours["actions"] or ours["stopped_by"].startswith("budget-"), ours
