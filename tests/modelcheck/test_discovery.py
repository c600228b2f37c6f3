"""Worlds with several starts: those that tell which, and the same without their clue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from worldengine.cli import main
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.machine.schema import Machine
from worldengine.modelcheck.budget import Budget, clock
from worldengine.modelcheck.exploration.survey import Survey
from worldengine.modelcheck.guessing.discovery import NOTE, discover
from worldengine.modelcheck.guessing.policy import Branch, Policy, wins
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.telling.report import check_file
from worldengine.proof import winning_plan
from worldengine.resources import shipped_world
from worldengine.runtime.types import Transition

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "discovery"
FILES = sorted(FOLDER.glob("*/*.world"))


def machine_of(path: Path) -> Machine:
    machine = compile_source(read(path).source).machine
    assert machine is not None
    return machine


def policy_from(document: dict[str, Any]) -> Policy:
    """A policy from its JSON, as another program would read it."""
    return Policy(
        tuple(document["variants"]),
        tuple(document["commands"]),
        tuple(Branch(each["reads"], policy_from(each)) for each in document["branches"]),
    )


def test_there_are_enough_and_half_lack_the_clue() -> None:
    told = {path.stem for path in FILES if path.parent.name == "discoverable"}
    untold = {path.stem for path in FILES if path.parent.name == "guess"}
    assert told == untold and len(FILES) >= 40


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_told_apart(path: Path) -> None:
    report = check_file(path, Budget(seconds=60))
    verdict = report.document["verdict"]
    assert verdict["status"] == "winnable"
    assert verdict["discovery"] == path.parent.name
    assert verdict["discovery_note"] == NOTE
    ids = [item["id"] for item in report.document["diagnostics"]]
    if path.parent.name == "discoverable":
        assert wins(machine_of(path), policy_from(verdict["policy"]))
        assert verdict["guess"] is None and "needs-guess" not in ids
        return
    guess = verdict["guess"]
    assert verdict["policy"] is None and "needs-guess" in ids
    line = next(i["line"] for i in report.document["diagnostics"] if i["id"] == "needs-guess")
    assert path.read_text(encoding="utf-8").split("\n")[line - 1].startswith("vary")
    assert_costs(machine_of(path), guess)


def assert_costs(machine: Machine, guess: dict[str, Any]) -> None:
    """What is said of the guess is so when it is played."""
    played = {}
    for variant in (guess["right"], guess["wrong"]):
        state = machine.start(variant)
        turns: list[Transition] = []
        for command in guess["plan"]:
            if turns and turns[-1].status != "running":
                break
            turns.append(machine.step(state, command))
            state = turns[-1].state
        played[variant] = turns
    right, wrong = played[guess["right"]], played[guess["wrong"]]
    assert right[-1].status == "won" and len(right) == len(guess["plan"]) <= machine.turns
    alike = guess["until"] - 1
    assert [t.observation for t in right[:alike]] == [t.observation for t in wrong[:alike]]
    assert guess["plan"][guess["turn"] - 1] == guess["command"]
    assert (wrong[guess["turn"] - 1].status == "lost") == (guess["cost"] == "lost")


def test_a_policy_goes_by_words_alone() -> None:
    """A policy that knows what it has not read is not believed."""
    machine = machine_of(FOLDER / "discoverable" / "safe_code.world")
    report = check_file(FOLDER / "discoverable" / "safe_code.world", Budget(seconds=60))
    good = policy_from(report.document["verdict"]["policy"])
    assert wins(machine, good)
    knowing = Policy((0, 1), ("east",), tuple(
        Branch("Vault", Policy((variant,), (f"dial {digit}",)))
        for variant, digit in ((0, 2), (1, 3))
    ))  # fmt: skip
    assert not wins(machine, knowing)
    assert not wins(machine, Policy((0,), good.commands, good.branches))
    assert not wins(machine, Policy((0, 1), ("dial 2",)))


def test_people_are_shown_the_policy(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(FOLDER / "discoverable" / "two_wires.world")]) == 0
    shown = capsys.readouterr().out
    assert "discoverable: one way of playing wins from every start" in shown
    assert 'reads "Red is live." (start 0):' in shown and NOTE in shown
    assert main(["check", str(FOLDER / "guess" / "two_wires.world")]) == 0
    assert "needs a guess: start 0 (red_wire.live = true" in capsys.readouterr().out
    assert main(["check", "--strict", str(FOLDER / "guess" / "two_wires.world")]) == 1


def test_out_of_budget_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    path = FOLDER / "guess" / "last_match.world"
    assert main(["check", "--json", "--budget", "0.01s", str(path)]) in (0, 1)
    verdict = json.loads(capsys.readouterr().out)["verdict"]
    assert verdict["discovery"] in (None, "unknown", "guess")
    if verdict["discovery"] == "unknown":
        assert verdict["discovery_stopped_by"] in ("seconds", "states", "bytes")


@pytest.mark.slow
def test_shipped_worlds_never_need_a_guess() -> None:
    worlds = sorted((FOLDER.parents[2] / "worlds").glob("*.world"))
    found = {}
    for path in worlds:
        if len(machine_of(path).variants) > 1:
            found[path.stem] = check_file(path, Budget()).document["verdict"]["discovery"]
    assert "guess" not in found.values(), found
    assert list(found.values()).count("discoverable") >= len(found) - 3, found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["castle_tape", "tram_city"])
def test_shipped_worlds_that_take_clues_in_their_order(name: str) -> None:
    """Twelve starts whose clues come one after the other; six of which the first to ask decides
    whether there is time to ask the others."""
    path = shipped_world(name)
    assert path is not None
    machine = machine_of(path)
    plans = [winning_plan(machine, variant) for variant in range(len(machine.variants))]
    known = [plan for plan in plans if plan is not None]
    assert len(known) == len(plans)
    nothing: list[Survey | None] = [None] * len(plans)
    found = discover(Problem(machine), known, nothing, 1 << 29, clock(300))
    assert found.policy is not None and wins(machine, found.policy)
