"""What an explorer says of what came of a turn, and of what a turn is for."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.explorer.test_saying import machine_of, play
from worldengine.explorer.companion import Dial, Follower
from worldengine.explorer.deciding.outcomes import purpose
from worldengine.explorer.knowing.insight import insight_of
from worldengine.players.reply import write
from worldengine.players.shown.wording import BLEAK
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance

CONTENT = re.compile(
    r"\bas I (?:hoped|had hoped|meant it to)\b|That worked|So far, so good"
    r"|One thing less"
)
SURPRISE = re.compile(r"think again|changes what I meant|something else here|reckoned with")


@pytest.mark.parametrize("name", ["salt", "lighthouse"])
def test_content_only_where_what_was_wanted_came_true(name: str) -> None:
    content = 0
    for seed in range(2):
        for view, intention, said, _ in play(machine_of(name), seed, Dial(), 12):
            for thought in said:
                if CONTENT.search(thought):
                    content += 1
                    assert intention.pleased and not view.turns[-1].refused
                    assert not BLEAK.search(view.last)
                if not view.turns or intention.pleased:
                    assert not SURPRISE.search(thought), thought
    assert content


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "You hold it down. Rain. Nothing.",
        "Silence. No path.",
        "The page paints, and it is wrong as before.",
    ],
)
def test_bleak_answers_please_nobody(text: str) -> None:
    assert BLEAK.search(text)
    assert not BLEAK.search("The lamp burns.")


@pytest.mark.parametrize("name", ["salt", "lighthouse"])
def test_what_a_step_is_for_is_refused_without_it(name: str) -> None:
    machine = machine_of(name)
    told = 0
    origin = Provenance(
        machine_hash=machine.hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="explorer", guidance="belief"), command_set="known",
    )  # fmt: skip
    episode = Episode(machine, origin)
    follower = Follower(machine, 0, Dial("all", mistakes=False), Random(0))
    while not episode.over:
        intention = follower.next(episode.view())
        moment = follower._moment
        decision = moment.decision()
        later = purpose(moment.belief, decision)
        assert intention.later in ("", later)
        if later:
            told += 1
            replayer = insight_of(machine).replayer
            row = replayer.rows(decision.expected, 1)[0]
            refused = [
                step
                for step in decision.plan[decision.at + 1 : decision.at + 7]
                if not replayer.tried(row, step)[1]
            ]
            assert refused, (intention.command, later)
        episode.take(write("", intention.command))
    assert told
