"""Refusals that say nothing: shown so, and recorded as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.worlds import WIN, lamp
from worldengine.evaluation.feedback import NOTHING, Silenced
from worldengine.players.catalogue import make
from worldengine.players.protocol import Each, PlayerError, Settings, Start
from worldengine.players.reply import Reply, write
from worldengine.players.view import View
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.verify import verify


def test_the_player_reads_nothing_and_the_record_has_all(tmp_path: Path) -> None:
    views: list[View] = []

    class Sayer:
        name, guidance = "sayer", ""

        def __init__(self) -> None:
            self.settings: Settings = {}

        def begin(self, start: Start) -> None:
            pass

        def act(self, view: View) -> Reply:
            views.append(view)
            view.choices()
            return write("", ("dance", *WIN)[len(view.turns)])

    rollout([lamp()], Silenced(Each(Sayer)), out=tmp_path / "run")
    assert [turn.observation == NOTHING for turn in views[-1].turns] == [
        turn.refused for turn in views[-1].turns
    ]
    assert views[-1].turns[0].observation == NOTHING
    (row,) = Run(tmp_path / "run").rows()
    assert row.trajectory is not None
    assert row.trajectory.turns[0].observation != NOTHING
    assert row.trajectory.player.settings == {"refusals": "silent"}
    assert not verify(tmp_path / "run").rejected


def test_lessons_would_tell() -> None:
    with pytest.raises(PlayerError, match="lessons would tell"):
        Silenced(make("reflexion:2:random"))
