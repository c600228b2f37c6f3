"""What is kept of earlier plays changes no play, and costs less than thinking anew."""

from __future__ import annotations

from random import Random

import pytest

from tests.explorer.test_belief import hiding, world
from worldengine.explorer.believing import hypotheses
from worldengine.explorer.believing.turnsleft import Left, Span
from worldengine.explorer.companion import Dial, Follower
from worldengine.explorer.deciding import mind
from worldengine.explorer.deciding.mind import Mind
from worldengine.explorer.slips.forms import MAKERS, slips
from worldengine.machine import Machine
from worldengine.players.reply import write
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance

Play = tuple[tuple[str, str, bool], ...]


def episode(machine: Machine, number: int, dial: Dial) -> Play:
    """What is commanded and why, and whether a plan broke."""
    variant = number % len(machine.variants)
    play = Episode(
        machine,
        Provenance(
            machine_hash=machine.hash, variant=variant, seed=0, episode=number,
            player=PlayerRecord(name="explorer", settings={}, guidance="belief"),
            command_set="known",
        ),
    )  # fmt: skip
    follower = Follower(machine, variant, dial, Random(number))
    found: list[tuple[str, str, bool]] = []
    while not play.over:
        intention = follower.next(play.view())
        found.append((intention.command, intention.why, intention.surprised))
        play.play(write("", intention.command))
    return tuple(found)


def forgetful(patch: pytest.MonkeyPatch) -> None:
    """From here on nothing of a world is kept but what it is made of."""
    minds: dict[str, Mind] = {}
    tables: list[dict[tuple[object, ...], hypotheses.Hypotheses]] = [{}]
    patch.setattr(mind, "mind_of", lambda machine: minds.setdefault(machine.hash, Mind(machine)))
    patch.setattr(hypotheses, "table_of", lambda machine: tables[0])


@pytest.mark.parametrize(
    ("name", "dial", "many"),
    [
        ("", Dial(), 16),
        ("", Dial("all"), 16),
        ("thesis_shell", Dial("all"), 8),
        ("tide_clock", Dial("some"), 8),
        ("night_nurse", Dial(), 8),
    ],
)
def test_plays_are_equal_whatever_was_played_before(
    name: str, dial: Dial, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = world(name) if name else hiding()
    numbers = list(range(many))
    in_turn = {number: episode(machine, number, dial) for number in numbers}
    forgetful(monkeypatch)
    backwards = {number: episode(machine, number, dial) for number in reversed(numbers)}
    anew: dict[int, Play] = {}
    for number in numbers:
        forgetful(monkeypatch)
        anew[number] = episode(machine, number, dial)
    assert in_turn == backwards == anew
    assert len(set(in_turn.values())) > 1


def test_what_was_asked_of_turns_bounds_for_which_it_holds() -> None:
    span = Span(20)
    left = Left(span)
    assert left > 10 and left - 5 >= 3 and not left < 12 and left <= 30 and not left + 2 >= 40
    assert (span.low, span.high) == (12, 31)
    for turns in range(span.low, span.high):
        other = Left(Span(turns))
        assert other > 10 and other - 5 >= 3 and not other < 12 and other <= 30
        assert not other + 2 >= 40
    assert (left - 3).more(left - 4) and not (left - 4).more(left - 3)
    assert (span.low, span.high) == (12, 31), "two that are compared tell of neither"


def test_a_slip_that_teaches_nothing_is_thought_about_once() -> None:
    """The same belief with fewer turns left is the same thought."""
    machine = hiding()
    begun = mind.begin(machine, 0, 0, "all")
    slipped = begun.then("frobnicate the letter")
    assert slipped.left == begun.left - 1
    command = begun.decision().command
    assert slipped.decision().command == command
    assert slipped.then(command).thought is begun.then(command).thought


def test_words_that_mean_nothing_are_followed_as_if_they_were_played() -> None:
    """They are not played in mind: what follows is what playing them would give."""
    machine = world("night_nurse")
    now = mind.begin(machine, 0, 0)
    means, chance, tried = mind.mind_of(machine).means, Random(0), 0
    for _ in range(20):
        decision = now.decision()
        names = tuple(sorted(name for _, name in now.belief.names.names))
        for kind in MAKERS:
            for wrong in slips(kind, decision.command, names, chance):
                if means(wrong):
                    continue
                tried += 1
                truth, stand = mind._follow(now.thought.stand, now.truth, decision, wrong)
                then = now.then(wrong)
                assert then.truth is truth and then.thought.stand == stand, wrong
        now = now.then(decision.command)
    assert tried > 200
