"""Harmful turns: judged by searching forward from every state, by other means than the code's."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import worldengine
from tests.worlds import lamp
from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.resources import shipped_worlds
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.tuning.export import export
from worldengine.tuning.harm import Harm
from worldengine.tuning.masks import mask
from worldengine.tuning.sources import Options, machines_of

NEVER = 10**6


def turns_to_win(machine: Machine, state: State) -> int:
    """Breadth first with the reference interpreter alone."""
    if machine.step(state, "look").status == "won":
        return 0
    waiting, seen = deque([(state, 0)]), {state}
    while waiting:
        here, turns = waiting.popleft()
        for command in machine.applicable(here):
            turn = machine.step(here, command)
            if turn.status == "won":
                return turns + 1
            if turn.status == "running" and turn.state not in seen:
                seen.add(turn.state)
                waiting.append((turn.state, turns + 1))
    return NEVER


def test_marks_are_those_of_a_plain_search(tmp_path: Path) -> None:
    rollout([lamp()], "random", episodes=12, seed=3, out=tmp_path / "run")
    run = Run(tmp_path / "run")
    harm = Harm(machines_of([run]))
    distances: dict[State, int] = {}
    marked = plain = 0
    for row in run.rows():
        assert row.trajectory is not None
        found = harm.turns(row.trajectory)
        state = lamp().start(row.trajectory.variant)
        visited, shown = {state}, {row.trajectory.opening}
        for turn in row.trajectory.turns:
            after = lamp().step(state, turn.command)
            idle = after.state in visited and turn.observation in shown
            if after.accepted and after.status == "running":
                for each in (state, after.state):
                    distances.setdefault(each, turns_to_win(lamp(), each))
                away = distances[after.state] > distances[state]
                assert (turn.index in found) is (away or idle)
                marked += turn.index in found
                plain += turn.index not in found
            elif not after.accepted:
                assert turn.index not in found
            state = after.state
            visited.add(state)
            shown.add(turn.observation)
    assert harm.unknown == 0 and marked > 5 and plain > 5


def test_harmful_turns_are_masked_when_asked(tmp_path: Path) -> None:
    rollout([lamp()], "random", episodes=12, seed=3, out=tmp_path / "run")
    both: dict[str, int] = {}
    for text in ("refused", "refused,harmful", "harmful"):
        options = Options(include="verified", mask=mask(text))
        summary = export(tmp_path / "run", options, tmp_path / "x.jsonl")
        both[text] = summary.trained_turns
        assert summary.unjudged == 0
    assert both["refused,harmful"] < both["refused"]


def test_what_is_not_known_is_counted(tmp_path: Path) -> None:
    """A world of too many states: only turns that lead back are told."""
    (path,) = (each for each in shipped_worlds() if each.stem == "tide_clock")
    machine = worldengine.compile(path.read_text(encoding="utf-8"))
    rollout([machine], "explorer", episodes=2, seed=3, out=tmp_path / "run")
    summary = export(tmp_path / "run", Options(mask=mask("refused,harmful")), tmp_path / "x.jsonl")
    assert summary.unjudged > 10 and summary.told()["turns_unjudged"] == summary.unjudged
