"""Problems of planning whose answer is known: what is decided here agrees with it.

A problem with a known plan is never called unwinnable, and a plan that is proven shortest has
the length that an optimal planner found. What the budget leaves undecided is counted, not
judged; `python -m tests.modelcheck.test_pddl_agreement SECONDS` prints the table for all.
"""

from __future__ import annotations

import sys
from collections import Counter

import pytest

from tests.importers.corpus import CORPUS, domain_of, imported, machine_of, needs_corpus, plans
from worldengine.machine import Machine
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.verdicts.decide import decide


def rows(every: bool) -> list[dict[str, str]]:
    """The problems with a plan, or the first of each domain."""
    found: dict[str, dict[str, str]] = {}
    for row in plans():
        found.setdefault(row["path"] if every else row["path"].rsplit("/", 1)[0], row)
    return list(found.values())


def judge(row: dict[str, str], seconds: float) -> str:
    """What was decided about one problem; an assertion where it disagrees."""
    problem = CORPUS / row["path"]
    domain = domain_of(problem)
    assert domain is not None
    found = imported(domain, problem)
    if found.text is None:
        return "refused by the importer"
    machine = machine_of(found)
    if not isinstance(machine, Machine):
        return machine
    decided = decide(machine, Budget(seconds=seconds), proofs=False, shortest=True).variants[0]
    assert decided.status != "unwinnable", (row["path"], decided.reason)
    if decided.plan is None:
        return f"unknown ({decided.stopped_by})"
    best = int(row["steps"]) if row["optimal_steps"] == "yes" else 0
    assert not best or len(decided.plan) >= best, (row["path"], decided.plan)
    if not decided.optimal:
        return "a plan"
    assert not best or len(decided.plan) == best, (row["path"], decided.plan, best)
    return "a shortest plan, proven" + ("" if best else "; no optimum is known")


@needs_corpus
@pytest.mark.slow
@pytest.mark.parametrize("row", rows(every=False), ids=lambda row: str(row["path"]))
def test_verdicts_agree_with_known_plans(row: dict[str, str]) -> None:
    judge(row, 4.0)


def main(seconds: float) -> None:
    counts: Counter[str] = Counter()
    for row in rows(every=True):
        outcome = judge(row, seconds)
        counts[outcome] += 1
        print(row["path"], outcome, flush=True)
    for outcome, count in sorted(counts.items()):
        print(f"{count:4}  {outcome}")


if __name__ == "__main__":
    main(float(sys.argv[1]))
