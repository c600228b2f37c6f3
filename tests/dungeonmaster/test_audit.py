"""Masters whose agreement is known: one that is always right, one that always agrees, noise."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from tests.worlds import WIN, lamp
from worldengine.dungeonmaster.audit import AuditError, audit
from worldengine.dungeonmaster.counting import common_words
from worldengine.machine import Machine
from worldengine.models.protocol import Answer, Request
from worldengine.players.models.master import LONGEST, Master, read
from worldengine.players.reply import write
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory
from worldengine.runtime import runtime_of

COMMANDS = ("dance", "go north", *WIN)
"""Refused as parameter, refused as logic or place, then the winning play."""


def play() -> Trajectory:
    machine = lamp()
    origin = Provenance(
        machine_hash=machine.hash,
        variant=0,
        seed=0,
        episode=0,
        player=PlayerRecord(name="by hand"),
        command_set="known",
    )
    episode = Episode(machine, origin)
    for command in COMMANDS:
        episode.take(write("", command))
    return episode.trajectory()


class Fake:
    """A model that answers by a function of the request."""

    name = "fake"
    width = 4
    price: tuple[float, float] | None = (1.0, 2.0)

    def __init__(self, say: Callable[[Request], str]) -> None:
        self._say = say
        self.requests: list[Request] = []

    def unconstrained(self) -> str:
        return ""

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        self.requests += requests
        return [
            Answer(self._say(each), prompt_tokens=100, completion_tokens=10) for each in requests
        ]


def truth_in(machine: Machine) -> Callable[[Request], str]:
    """What a Machine says, by playing the commands of the conversation."""

    def truth(request: Request) -> str:
        runtime = runtime_of(machine)
        state = machine.start(0)
        told = {}
        for message in request.messages:
            if message.role == "user":
                turn = runtime.step(state, message.content.rpartition("Command: ")[2])
                state = turn.state
                told = {
                    "observation": turn.observation,
                    "class": turn.outcome_name,
                    "ending": turn.status,
                }
        return f"Sure! ```json\n{json.dumps(told)}\n``` {{}}"

    return truth


truth = truth_in(lamp())


def agreeing(request: Request) -> str:
    return '{"observation": "You do.", "class": "ok", "ending": "running"}'


@pytest.mark.parametrize("history", ["told", "free"])
def test_a_master_that_is_always_right(history: str) -> None:
    found = audit(lamp(), "the script", [play(), play()], Master(Fake(truth)), history)  # type: ignore[arg-type]
    assert found["turns"] == 2 * len(COMMANDS) and found["readable"] == 1.0
    assert set(found["agreement"].values()) == {1.0}
    assert found["games"] == [{"machine": "won", "master": "won", "games": 2}]
    assert found["cost"]["dollars"] == pytest.approx(found["turns"] * (100 + 2 * 10) / 1e6)
    assert found["cost"]["prompt_tokens"] == 100 * found["turns"]


def test_a_master_that_accepts_everything() -> None:
    found = audit(lamp(), "", [play()], Master(Fake(agreeing)))
    by_class = found["by_class"]
    assert by_class["parameter"]["turns"] == 1 and by_class["parameter"]["agreement"] == 0.0
    assert by_class["ok"]["agreement"] == 1.0
    assert by_class["parameter"]["said"] == {"ok": 1}
    assert found["agreement"]["class"] == len(WIN) / len(COMMANDS)
    assert found["agreement"]["ending"] == (len(COMMANDS) - 1) / len(COMMANDS)
    assert found["agreement"]["same_observation"] == 0.0
    assert found["games"] == [{"machine": "won", "master": "running", "games": 1}]


def test_noise_is_unreadable_and_never_right() -> None:
    found = audit(lamp(), "", [play()], Master(Fake(lambda request: "{{{ I think")))
    assert found["readable"] == found["agreement"]["class"] == found["agreement"]["ending"] == 0.0
    assert found["by_class"]["ok"]["said"] == {"unreadable": len(WIN)}


def test_told_and_free_histories_differ() -> None:
    told, free = Fake(agreeing), Fake(agreeing)
    audit(lamp(), "", [play()], Master(told), "told")
    audit(lamp(), "", [play()], Master(free), "free")
    assert '"class": "parameter"' in told.requests[1].messages[2].content
    assert '"class": "ok"' in free.requests[1].messages[2].content
    assert told.requests[0].messages == free.requests[0].messages


def test_an_unreadable_answer_stays_word_for_word_in_the_masters_own_history() -> None:
    free = Fake(lambda request: "I would rather not.")
    audit(lamp(), "", [play()], Master(free), "free")
    assert free.requests[1].messages[2].content == "I would rather not."


def test_what_failed_is_no_ruling() -> None:
    """A server that fails is counted by itself, and never as a wrong answer."""
    asked = 0

    class Failing(Fake):
        def answer(self, requests: Sequence[Request]) -> list[Answer]:
            nonlocal asked
            asked += 1
            if asked == 3:
                return [Answer("", "failed", failure="busy") for _ in requests]
            return super().answer(requests)

    found = audit(lamp(), "", [play()], Master(Failing(truth)))
    assert (found["turns"], found["failed"], found["failure"]) == (2, 1, "busy")
    assert found["agreement"]["class"] == 1.0 and found["games"] == []
    asked = 2
    with pytest.raises(AuditError, match="fake answered nothing: busy"):
        audit(lamp(), "", [play()], Master(Failing(truth)))


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ('{"observation": "a", "class": "OK", "ending": "Running"}', True),
        ('{"a": 1} {"observation": "a", "class": "place", "ending": "lost"}', True),
        ('{"observation": "a", "class": "error", "ending": "running"}', False),
        ('{"observation": "a", "class": "ok"}', False),
        ('{"class": ["ok"], "ending": "won"}', False),
        ("", False),
        ("{" * 5000, False),
    ],
)
def test_what_can_be_read(text: str, readable: bool) -> None:
    assert read(text).readable is readable


def test_what_is_kept_is_bounded_and_can_be_written() -> None:
    long = read(json.dumps({"observation": "\ud800" + "a" * 9000, "class": "ok", "ending": "won"}))
    assert len(long.observation) == LONGEST and long.observation.startswith("?a")
    assert len(read("b" * 9000).observation) == LONGEST


def test_common_words() -> None:
    assert common_words("You take the lamp.", "you  take the LAMP.") == 1.0
    assert common_words("a b", "b c d e") == pytest.approx(2 / 6)
    assert common_words("", "") == 1.0 and common_words("a", "") == 0.0
