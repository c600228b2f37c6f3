"""Waiting and strolling are left out of paths, and names are guessed only as a last resort."""

from __future__ import annotations

import numpy as np
import pytest

from tests.explorer.test_belief import world
from worldengine.explorer.deciding.exploring import missing, naming
from worldengine.explorer.deciding.mind import begin
from worldengine.explorer.imagining.replaying import Way
from worldengine.explorer.knowing.insight import Insight, insight_of
from worldengine.explorer.planning.hastening import hastened
from worldengine.explorer.planning.outlooks import Outlook
from worldengine.runtime import runtime_of

ROUND = 8
"""Turns that the tram takes round its ring."""


def planned(start: int) -> Outlook:
    """The paths before the first turn in a world with a tram."""
    return begin(world("tram_city"), start, 0, "all").decision().outlook


@pytest.mark.parametrize("start", [0, 1])
def test_needless_waiting_is_left_out(start: int) -> None:
    view = planned(start)
    insight = insight_of(world("tram_city"))
    operators = insight.machine.operators
    pauses = [at for at, each in enumerate(operators) if at in insight.blank and not each.arguments]
    state = view.supposed.of(start)
    way = view.path(start)
    lasting = [
        (pause, 0) for pause in pauses
        if view.replayer.wins(state, ((pause, 0),) * ROUND + way)
    ]  # fmt: skip
    assert lasting
    # once round the ring, so that the rest of the way wins just as before
    longer = (lasting[0],) * ROUND + way
    rows = np.array([state], view.replayer.kind)
    paths = hastened(view.replayer, rows, {start: longer}, insight.blank, insight.moves)
    short = paths[start]
    assert view.replayer.wins(state, short)
    assert len(short) <= len(way)
    assert essential(short, insight) == essential(way, insight)


def essential(way: Way, insight: Insight) -> Way:
    """A way without waiting and walking."""
    aside = insight.blank | insight.moves
    return tuple(step for step in way if step[0] not in aside)


def test_a_path_without_waiting_stays_as_it_is() -> None:
    view = planned(0)
    insight = insight_of(world("tram_city"))
    paths = {0: tuple(dict.fromkeys(view.path(0)))}
    rows = np.array([view.supposed.of(0)], view.replayer.kind)
    assert hastened(view.replayer, rows, paths, insight.blank, insight.moves) is paths


def test_a_name_is_guessed_only_where_all_at_hand_was_read() -> None:
    machine = world("query_budget")
    guesses = 0
    for start in range(len(machine.variants)):
        moment = begin(machine, start, 0, "all")
        runtime = runtime_of(machine)
        for _ in range(machine.turns):
            decision = moment.decision()
            if decision.why == "guess":
                guesses += 1
                wanted = missing(moment.belief, decision.action)
                assert wanted
                assert naming(moment.belief, decision.expected, wanted) is None
            transition = runtime.step(moment.state, decision.command)
            if transition.status != "running":
                break
            moment = moment.then(decision.command)
        assert transition.status == "won"
    assert guesses
