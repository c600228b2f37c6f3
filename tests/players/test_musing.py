"""The believer's wordings: whole sentences whatever is chosen, in number with what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from worldengine.compiler import compile as compile_world
from worldengine.players import musings
from worldengine.players.intention import Intention
from worldengine.players.musing import Musing, spun
from worldengine.players.wording import balanced, inside
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance

POOLS = {name: pool for name, pool in vars(musings).items() if isinstance(pool, tuple)}
CLAUSES = {"AFTERWARDS", "CLAUSES", *(
    name for name, pool in POOLS.items() if pool in musings.CLAUSES
)}  # fmt: skip
GAPS = {
    "do": "take the lamp", "doing": "taking the lamp", "Doing": "Taking the lamp",
    "thing": "the gloves", "Thing": "The gloves", "is": "are", "was": "were",
    "place": "the hall", "holder": "the oak chest", "fact": "I need the key.",
    "why": "I need the key", "quote": '"It is locked."', "deed": "opening the box",
    "goal": "find the key", "left": "7", "steps": "3", "seen": "the hall and the yard",
    "later": "open the door", "doing later": "opening the door", "did": "open the box",
}  # fmt: skip


def expanded(text: str) -> Iterator[str]:
    """Wordings of a pattern: many, by chance."""
    for seed in range(120):
        said = " ".join(spun(text, Random(seed)).split())
        for name, value in GAPS.items():
            said = said.replace("{" + name + "}", value)
        yield said


@pytest.mark.parametrize("name", sorted(set(POOLS) - {"CLAUSES"}))
def test_whatever_is_chosen_is_a_sentence(name: str) -> None:
    found = {said for text in POOLS[name] for said in expanded(text)}
    assert len(found) >= 3
    for said in found:
        assert not set("{}|()") & set(said) and balanced(said), said
        assert not re.search(r"\.\.|,\.|\.,| [.,;:?]|:\.|\b(\w+) \1\b", said), said
        if name not in CLAUSES:
            assert said.endswith((".", "?", '"')) and (said[0].isupper() or said[0] == '"'), said
        else:
            assert said[-1].isalnum(), said


WORLD = """
world shed "The shed" { goal "Wear the gloves." turns 20 }
use travel, take, open
place yard "yard" { exit north to hut  describe "A bare yard." }
place hut "hut" { exit south to yard  describe "Dark." }
thing gloves "gloves" plural in yard
container chest "oak chest" in hut { open = true  portable = false }
player in yard
win when held(gloves)
"""


def test_several_things_are_several() -> None:
    machine = compile_world(WORLD)
    origin = Provenance(
        machine_hash=machine.hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="believer"), command_set="known",
    )  # fmt: skip
    said: list[str] = []
    for seed in range(200):
        view = Episode(machine, origin).view()
        musing = Musing(Random(seed), "full")
        hoping = Intention("take gloves", "plan", "take gloves", hopes=(("gloves", "oak chest"),))
        said.append(musing.about(hoping, view))
    about = [thought for thought in said if "where" in thought]
    assert len(about) > 20
    for thought in said:
        assert not re.search(
            r"(?<!ing the )gloves (is|was|has)\b|is the gloves|where the gloves is", thought
        )
    assert any("where the gloves are" in thought for thought in about)
    one = Intention("take chest", "plan", "take chest", hopes=(("oak chest", "hut"),))
    for seed in range(100):
        thought = Musing(Random(seed), "full").about(one, Episode(machine, origin).view())
        assert not re.search(r"(?<!ing the )chest (are|were)\b|are the oak chest", thought)


@pytest.mark.parametrize(
    ("sentence", "within"),
    [("The door is shut.", "the door is shut"), ("I need it.", "I need it"),
     ("Taiwo waves.", "Taiwo waves")],
)  # fmt: skip
def test_sentences_within_sentences(sentence: str, within: str) -> None:
    assert inside(sentence) == within
