"""Commands that nothing typed means, and those that only an article tells from others."""

from __future__ import annotations

import pytest

from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.reductions.unspoken import unspoken
from worldengine.modelcheck.relaxation.abstract import reach
from worldengine.modelcheck.verdicts.decide import decide

ARTICLES = ("the", "a", "an", "some", "my")


def cup(*texts: str) -> Machine:
    """A world that is won by taking a cup, where an action of its own answers these texts."""
    forms = " ".join(f'form "{text}"' for text in texts)
    return compile(
        f"""
        world w "W" {{ goal "Win." turns 9 }}
        use take
        place hall "hall"
        thing cup "cup" in hall
        thing jug "jug" in hall {{ full : bool = false portable = false }}
        player in hall
        action own {{ {forms} set jug.full = true say "It is stuck." }}
        win when held(cup) say "Won."
        """
    )


def verbs(noun: str) -> tuple[str, ...]:
    return tuple(text.format(noun) for text in ("take {}", "get {}", "pick up {}", "pick {} up"))


def test_an_article_is_enough_to_mean_it() -> None:
    machine = cup(*verbs("cup"))
    assert machine.step(machine.start(0), "take cup").status != "won"
    assert machine.step(machine.start(0), "take the cup").status == "won"
    (decided,) = decide(machine, Budget(seconds=60), proofs=False).variants
    assert decided.status == "winnable"
    assert decided.plan == ("take the cup",)


@pytest.mark.parametrize("left_out", ["", *ARTICLES])
def test_only_what_nothing_means_is_left_out(left_out: str) -> None:
    nouns = ["cup", *(f"{article} cup" for article in ARTICLES if article != left_out)]
    machine = cup(*(text for noun in nouns for text in verbs(noun)))
    takes = [o for o, each in enumerate(machine.operators) if each.arguments]
    dumb = unspoken(machine, reach(machine, [machine.start(0)]))
    assert any(o in dumb for o in takes) == (left_out == "")
