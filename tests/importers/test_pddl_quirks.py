"""Every quirk that was reported somewhere behaves as its note says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.corpus import CORPUS, imported, machine_of, needs_corpus
from worldengine.diagnostics import render_terminal
from worldengine.machine import Machine
from worldengine.runtime import runtime_of

CASES = sorted(path.parent for path in (CORPUS / "pddl_quirks").glob("*/expect.json"))

EITHER = {
    "bare-total-cost-metric": True,
    "derived-predicate": True,
    "dots-and-slashes-in-names": True,
    "fenced-and-repeated-domain": True,
}
"""Where both answers are allowed: all are taken here."""

NAMED = {
    "cyclic-types": ("red", 2),
    "durative-action": (":durative-action", 4),
    "undeclared-predicate": ("spectral", 3),
}
"""What a refusal must name, and in which line."""


def shortest(machine: Machine) -> int:
    """Steps of the shortest way to win, by breadth."""
    runtime = runtime_of(machine)
    level, seen, depth = [machine.start()], {machine.start()}, 0
    while level:
        following = []
        for state in level:
            for action in runtime.applicable(state):
                after = runtime.act(state, action[0])
                if after.status == "won":
                    return depth + 1
                if after.state not in seen:
                    seen.add(after.state)
                    following.append(after.state)
        level, depth = following, depth + 1
    return -1


@needs_corpus
@pytest.mark.parametrize("folder", CASES, ids=lambda path: path.name)
def test_quirk(folder: Path) -> None:
    expected = json.loads((folder / "expect.json").read_text(encoding="utf-8"))
    found = imported(folder / "domain.pddl", folder / "problem.pddl")
    taken = expected["expect"] == "accept" or EITHER.get(folder.name, False)
    assert (found.text is not None) == taken, render_terminal(found.diagnostics)
    if not taken:
        word, line = NAMED[folder.name]
        errors = [item for item in found.diagnostics if item.severity == "error"]
        assert any(
            word in item.message and item.span.source.position(item.span.start)[0] == line
            for item in errors
        ), render_terminal(errors)
        return
    machine = machine_of(found)
    assert isinstance(machine, Machine), machine
    assert shortest(machine) == expected["optimal_plan_length"]


@needs_corpus
def test_what_both_answers_allow_is_told() -> None:
    folder = CORPUS / "pddl_quirks" / "fenced-and-repeated-domain"
    found = imported(folder / "domain.pddl", folder / "problem.pddl")
    assert [item.id for item in found.diagnostics] == ["pddl-twice"]
