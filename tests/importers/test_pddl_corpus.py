"""Real domains and problems: each becomes a world, or is refused by name; plans reach the goal."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.importers.corpus import (
    CORPUS,
    domain_of,
    first_pairs,
    identity,
    imported,
    machine_of,
    needs_corpus,
    pairs,
    plans,
    steps,
)
from worldengine.importers.pddl import Imported
from worldengine.machine import Machine
from worldengine.runtime import runtime_of

FOLDERS = ("pddl", "pddl_quirks_real")
BUDGETS = {"budget-operators", "budget-work", "budget-cells", "budget-derived", "budget-objects"}
REFUSED = {"pddl-construct", "pddl-section"}
"""What puts a file outside of the fragment."""
BROKEN = {"pddl-object-unknown", "pddl-predicate-unknown", "pddl-arity", "pddl-variable-unknown"}
"""What is wrong with files that are in the corpus because something is wrong with them."""


def check(domain: Path, problem: Path, compiled: bool) -> str:
    found = imported(domain, problem)
    if found.text is None:
        errors = [item for item in found.diagnostics if item.severity == "error"]
        broken = "quirks_real" in str(problem) and {item.id for item in errors} <= BROKEN
        assert broken or REFUSED & {item.id for item in errors}, errors
        assert all(item.span.source.text and "`" in item.message for item in errors)
        return "refused"
    if not compiled:
        return "imported"
    machine = machine_of(found)
    assert isinstance(machine, Machine) or machine in BUDGETS, machine
    return "compiled" if isinstance(machine, Machine) else machine


@needs_corpus
@pytest.mark.parametrize("domain, problem", first_pairs(*FOLDERS), ids=identity)
def test_one_problem_of_each_domain(domain: Path, problem: Path) -> None:
    check(domain, problem, compiled=False)


@needs_corpus
@pytest.mark.slow
def test_every_problem_compiles_or_is_refused_by_name() -> None:
    found = Counter(check(domain, problem, compiled=True) for domain, problem in pairs(*FOLDERS))
    assert found["compiled"] > 0.8 * (found.total() - found["refused"]), found


# --- plans ----------------------------------------------------------------------------------


def replay(found: Imported, machine: Machine, plan: str) -> str:
    """The status after the plan's steps, each typed as a command; none may be refused."""
    state = machine.start()
    for number, (name, arguments) in enumerate(steps(plan)):
        command = found.command(name, arguments)
        turn = machine.step(state, command)
        assert turn.accepted, f"step {number}: {command}: {turn.observation}"
        state = turn.state
    return runtime_of(machine).status(state)


def rows(every: bool) -> list[dict[str, str]]:
    """The plans of plans.tsv, or the first of each domain."""
    found: dict[str, dict[str, str]] = {}
    for row in plans():
        found.setdefault(row["path"] if every else row["path"].rsplit("/", 1)[0], row)
    return list(found.values())


def reaches_the_goal(row: dict[str, str]) -> bool:
    problem = CORPUS / row["path"]
    domain = domain_of(problem)
    assert domain is not None
    found = imported(domain, problem)
    assert found.text is not None
    machine = machine_of(found)
    if isinstance(machine, str):
        assert machine in BUDGETS
        return False
    assert replay(found, machine, row["plan"]) == "won"
    return True


SMALL = ("agentboard", "pddlgym", "planbench", "ai-planning-pddl", "unified-planning")


@needs_corpus
@pytest.mark.parametrize(
    "row",
    [row for row in rows(every=False) if row["path"].split("/")[1] in SMALL],
    ids=lambda row: row["path"],
)
def test_a_plan_of_each_domain(row: dict[str, str]) -> None:
    if not reaches_the_goal(row):
        pytest.skip("more ground actions than a world may have")


@needs_corpus
@pytest.mark.slow
def test_every_plan_reaches_the_goal() -> None:
    found = [reaches_the_goal(row) for row in rows(every=True)]
    assert sum(found) > 0.9 * len(found)
