"""Nothing is won by guessing at the start: names and answers need what they rest on."""

from __future__ import annotations

import pytest

from worldengine.compiler import compile
from worldengine.generator import Settings, generate, mixed
from worldengine.generator.draft import Draft
from worldengine.generator.parts import questions
from worldengine.generator.proving import Unproven
from worldengine.generator.walker import Walker
from worldengine.machine import Machine
from worldengine.proof import won_within
from worldengine.runtime import Transition, runtime_of


def played(machine: Machine, variant: int, *commands: str) -> Transition:
    runtime, state = runtime_of(machine), machine.start(variant)
    for command in commands:
        turn = runtime.step(state, command)
        state = turn.state
    return turn


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_name_is_heard_only_with_the_evidence(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixed, "GOALS", ((questions.accuse, ("mysteries",)),))
    machine = compile(generate(seed, Settings(plan=(8, 30))).text)
    names = {proof[-1] for proof in machine.proofs}
    assert len(names) == len(machine.variants) > 1, "who it was differs by start"
    for variant, proof in enumerate(machine.proofs):
        name = proof[-1]
        person = name.removeprefix("name ")
        assert played(machine, variant, *proof).status == "won"
        for needed in ("talk to ", "read ", f"examine {person}"):
            without = [c for c in proof if not c.startswith(needed)]
            refused = played(machine, variant, *without)
            assert refused.refusal is not None and refused.status == "running", needed
        assert won_within(machine, variant, 3) is None


def test_an_answer_needs_the_lines_it_rests_on() -> None:
    machine = compile(generate(1, Settings(family="retrieval", plan=(6, 12))).text)
    answer = next(c for c in machine.proofs[0] if c.startswith("answer "))
    refused = played(machine, 0, answer)
    assert "look it up first" in refused.observation and refused.status == "running"
    assert played(machine, 0, *machine.proofs[0]).status == "won"


def test_a_long_proof_of_a_world_that_is_won_at_once_is_no_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def easy(draft: Draft) -> None:
        here = draft.places[0]
        draft.thing("glass bell", here.id)

        def act(walker: Walker) -> None:
            for _ in range(8):
                walker.say("look")
            walker.say("take glass bell")

        draft.goal("Take the bell.", "glass_bell.in == player", draft.task(act, here))

    monkeypatch.setattr(mixed, "GOALS", ((easy, ()),))
    with pytest.raises(Unproven, match="it is won in 1 of 9 commands: take glass bell"):
        generate(1, Settings(plan=(9, 9), places=2, mistakes=0, distractors=0))


WORLD = """world bell "Bell" {{ goal "Set the dial." turns {turns} }}
use travel, take
place hall "hall" {{ exit east to yard }}
place yard "yard" {{ exit west to hall }}
thing dial "dial" in yard {{ at : 0..9 = 0 portable = false }}
player in hall
action set_to(n: 1..9) {{ form "set dial to {{n}}" require here(dial) else place "No dial here."
  set dial.at = n say "It clicks." }}
win when dial.at == 7
"""


def test_a_win_soon_is_found_with_its_numbers_and_within_its_bounds() -> None:
    machine = compile(WORLD.format(turns=9))
    assert won_within(machine, 0, 2) == ("go east", "set dial to 7")
    assert won_within(machine, 0, 1) is None
    assert won_within(machine, 0, 2, steps=4) is None
    assert won_within(compile(WORLD.format(turns=1)), 0, 2) is None
