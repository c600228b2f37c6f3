"""What is looked up is what would be worked out, and runs keep their bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from random import Random

import pytest

from tests.worlds import TINY, lamp
from worldengine.compiler import compile as compile_world
from worldengine.explorer.slips.forms import MAKERS, slips
from worldengine.machine import Machine
from worldengine.proof import winning_plan
from worldengine.resources import shipped_world
from worldengine.rollout import charts
from worldengine.rollout.charts import chart_of
from worldengine.rollout.runner import rollout
from worldengine.runtime import EpisodeOver, runtime_of

GOLDEN = {
    "explorer": "58621823ce337732bdd986b8",
    "expert": "8ee0662054d7883333a5df38",
    "random": "1857e8edc2c22c2442bd2cd7",
}
"""SHA-256 of runs of two small worlds. Where wordings, worlds or records change on purpose,
these change, too (so do the weights of slips); what makes playing faster must leave them alone."""


def small() -> list[Machine]:
    return [lamp(), compile_world(TINY)]


def digest(folder: Path) -> str:
    lines = [path.read_bytes() for path in sorted(folder.glob("trajectories-*"))]
    return hashlib.sha256(b"".join(lines)).hexdigest()[:24]


@pytest.mark.parametrize("player", sorted(GOLDEN))
def test_runs_keep_their_bytes(player: str, tmp_path: Path) -> None:
    rollout(small(), player, episodes=25, seed=7, out=tmp_path / "run", packing="plain")
    assert digest(tmp_path / "run") == GOLDEN[player]


def test_what_is_remembered_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither what was played before nor how often all is forgotten can be told from a run."""
    monkeypatch.setattr(charts, "MOST_TURNS", 30)
    monkeypatch.setattr(charts, "MOST_UNREAD", 3)
    rollout(small(), episodes=25, seed=7, out=tmp_path / "forgetful", packing="plain")
    assert digest(tmp_path / "forgetful") == GOLDEN["explorer"]


@pytest.mark.parametrize("name", ["tide_clock", "unix_intern", "bakery", "tiny"])
def test_a_chart_says_what_the_runtime_says(name: str) -> None:
    """Plans, slips and later steps tried too soon, from every start, in any order."""
    path = shipped_world(name)
    machine = compile_world(path.read_text(encoding="utf-8") if path else TINY)
    chart, runtime, chance = chart_of(machine), runtime_of(machine), Random(4)
    wrong = 0
    for variant in [*range(min(len(machine.variants), 4))] * 2:
        plan = winning_plan(machine, variant)
        assert plan is not None
        here = chart.start(variant)
        for command in plan:
            wrongly = [each for kind in MAKERS for each in slips(kind, command, (), chance)]
            tried = wrongly[:6] + chance.sample(plan, min(3, len(plan)))
            for said in [*tried, "", "x" * 300, command]:
                turn, after = here.take(said)
                expected = runtime.step(here.state, said)
                assert turn.transition == expected and after.state == expected.state
                if expected.refusal is not None:
                    wrong += 1
                    assert here.holds(expected.refusal) == runtime.holds(
                        here.state, expected.refusal
                    )
            here = here.take(command)[1]
        with pytest.raises(EpisodeOver):
            here.take(plan[0])
        with pytest.raises(EpisodeOver):
            here.take("grab the nonsense")
    assert wrong > 20


def test_what_is_forgotten_is_worked_out_again() -> None:
    machine = lamp()
    chart = chart_of(machine)
    here = chart.start(0)
    before = here.take("take red key")
    assert here.take("take red key") is before
    chart.forget()
    again = here.take("take red key")
    assert again is not before and again[0].transition == before[0].transition
    assert chart_of(machine) is chart
