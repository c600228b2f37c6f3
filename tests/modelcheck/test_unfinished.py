"""What a check left out is said: in JSON, in lines, and only where it is so."""

from __future__ import annotations

from dataclasses import replace

from tests.modelcheck.test_distance import machine_of
from worldengine.modelcheck.budget import Budget, clock
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.telling.report import judge
from worldengine.modelcheck.telling.unfinished import unfinished
from worldengine.modelcheck.verdicts.deadends import ALL, NOTHING, PARTLY, dead_ends, to_document
from worldengine.modelcheck.verdicts.verdict import UNKNOWN, Decided, Verdict
from worldengine.modelcheck.wording.speech import shortened
from worldengine.proof import winning_plan


def test_dead_ends_without_time_are_told_to_be_open() -> None:
    machine = machine_of("titration")
    plans = [winning_plan(machine, variant) for variant in range(len(machine.variants))]
    ends = dead_ends(Problem(machine), plans, [None] * len(plans), clock(0), "states")
    assert ends.searched == PARTLY
    document = to_document(ends)
    assert document["dead_end_search"] == "partly"
    assert document["dead_end_stopped_by"] == "seconds"
    won = tuple(Decided(i, "winnable", plan) for i, plan in enumerate(plans))
    gap = next(g for g in unfinished(Verdict(machine, won, ends=ends)) if g.stage == "dead_ends")
    assert (gap.searched, gap.stopped_by) == ("partly", "seconds")
    assert "not searched to the end" in gap.text and "--budget" in gap.text


def test_what_is_not_known_to_be_winnable_is_told() -> None:
    machine = machine_of("tide_clock")
    count = len(machine.variants)
    unknown = tuple(Decided(i, UNKNOWN, stopped_by="seconds") for i in range(count))
    stages = {gap.stage: gap for gap in unfinished(Verdict(machine, unknown), numbers=False)}
    assert set(stages) == {"verdict", "dead_ends", "guesses", "numbers"}
    assert stages["dead_ends"].searched == stages["guesses"].searched == "no"


def test_where_all_was_seen_nothing_is_told() -> None:
    machine = machine_of("tide_clock")
    machine = replace(machine, variants=machine.variants[:1])
    verdict = judge(machine, Budget(seconds=60))
    if verdict.ends is not None and verdict.ends.searched == ALL:
        assert unfinished(verdict) == ()
    assert unfinished(replace(verdict, ends=NOTHING))[0].searched == "no"


def test_long_ways_are_shortened() -> None:
    assert shortened(("a", "b")) == "a, b"
    way = ("south", "north") * 25
    assert shortened(way).count("south") == 4 and "… 42 more" in shortened(way)
