"""The explorer's wordings: whole sentences whatever is chosen, in number with what they name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from worldengine.compiler import compile as compile_world
from worldengine.players.reply import Reply
from worldengine.players.shown.wording import balanced, more
from worldengine.players.thoughts import musings
from worldengine.players.thoughts.intention import Intention
from worldengine.players.thoughts.musing import Musing
from worldengine.players.thoughts.spinning import spun
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
    "bad": "grab", "good": "take",
    "number": "41", "sum": "75 less 34 is 41",
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
thing gloves "gloves" plural in hut
container chest "oak chest" in hut { open = true  portable = false }
player in yard
win when held(gloves)
"""


def test_several_things_are_several() -> None:
    machine = compile_world(WORLD)
    origin = Provenance(
        machine_hash=machine.hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="explorer"), command_set="known",
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


REFUSALS = """
world bakery "The {quote} bakery" { goal "Weigh the flour." turns 20 }
use travel, take
place shop "shop" { exit down to cellar  describe "A shop." }
place cellar "cellar" { exit up to shop  describe "Dark." }
thing flour "flour" in shop
thing card "{why} card" in shop
person taiwo "Taiwo" proper in shop
action mix(x: thing reachable) {
  form "mix {x}" require false else "Flour and water need salt." say "."
}
action tap(x: thing reachable) {
  form "tap {x}" require false else "You tap {the x}. The reader stays red. Try: wait." say "."
}
action wave(x: person reachable) { form "wave to {x}" require false else "Taiwo shrugs." say "." }
action add(n: 1..9, x: thing reachable) { form "add {n} (scoops|boxes) of {x}" say "Done." }
player in shop
win when held(flour)
"""


@pytest.fixture(scope="module")
def bakery() -> Episode:
    machine = compile_world(REFUSALS)
    origin = Provenance(
        machine_hash=machine.hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="explorer"), command_set="known",
    )  # fmt: skip
    return Episode(machine, origin)


def after(episode: Episode, command: str) -> list[str]:
    """Thoughts after a refused command, many."""
    played = Episode(episode.machine, episode.provenance)
    played.take(Reply("", command, command))
    view = played.view()
    assert view.turns[-1].outcome == "logic", view.turns[-1]
    again = Intention("go down", "plan", "go down")
    return [Musing(Random(seed), "full").about(again, view) for seed in range(150)]


def test_a_refusal_is_quoted_as_it_stands(bakery: Episode) -> None:
    """Never retold in words of one's own: what was said to `you` is not turned to `me`."""
    for command, words in (("mix flour", "Flour and water need salt."),
                           ("wave to Taiwo", "Taiwo shrugs.")):  # fmt: skip
        said = after(bakery, command)
        assert all(each.count(words) == each.count(f'"{words}"') for each in said)
        assert sum(f'"{words}"' in each for each in said) > 100


def test_the_reason_in_a_second_sentence_is_kept(bakery: Episode) -> None:
    tapped = after(bakery, "tap {why} card")
    assert any('"You tap the {why} card. The reader stays red."' in said for said in tapped)
    for said in tapped:
        assert "Try:" not in said
        assert ("tap the" in said) == ("stays red" in said), said


def test_what_looks_like_a_gap_in_a_world_is_left_alone(bakery: Episode) -> None:
    tapped = after(bakery, "tap {why} card")
    assert any("{why} card" in said for said in tapped)
    assert not any("stays red" in said.partition(" card")[0] for said in tapped)


def test_one_is_one(bakery: Episode) -> None:
    view = bakery.view()
    assert view.phrase("add 1 scoops of flour").do == "add 1 scoop of the flour"
    assert view.phrase("add 1 boxes of flour").do == "add 1 box of the flour"
    assert view.phrase("add 2 scoops of flour").do == "add 2 scoops of the flour"


@pytest.mark.parametrize("why", ["early", "away", "repeat"])
def test_who_does_the_wrong_thing_means_to(bakery: Episode, why: str) -> None:
    wrong = Intention("go up", why, "go down")
    for mode in ("brief", "full"):
        for seed in range(60):
            said = Musing(Random(seed), mode).about(wrong, bakery.view())
            assert re.search(r"\b[gG]o(ing)? up\b", said) and "down" not in said, said


def test_in_a_slip_only_the_words_are_wrong(bakery: Episode) -> None:
    slip = Intention("proceed down", "slip", "go down")
    for seed in range(60):
        said = Musing(Random(seed), "full").about(slip, bakery.view())
        assert re.search(r"\b[gG]o(ing)? down\b", said) and "proceed" not in said, said


def test_what_was_refused_is_tried_again_as_if_it_were_right(bakery: Episode) -> None:
    played = Episode(bakery.machine, bakery.provenance)
    played.take(Reply("", "mix flour", "mix flour"))
    again = Intention("mix flour", "repeat", "go down", learnt=True)
    said = [Musing(Random(seed), "full").about(again, played.view()) for seed in range(60)]
    for thought in said:
        assert "need salt" not in thought and "mix" in thought.lower(), thought
        assert not re.search(r"learnt|know|rule|keep that|bear that|explains|why", thought), thought


ADMITTED = re.compile(r"too soon|know better|stubborn|nothing has changed|no new reason|mistake")


def test_no_mistake_is_admitted_before_it_is_made() -> None:
    assert not [text for text in musings.INSIST if ADMITTED.search(text)]


BACK = re.compile(r"carry on|go on with|move on|leaves|[Nn]ext|, then\b|^Then|On to|Now for")


def test_nothing_is_carried_on_with_on_the_first_turn(bakery: Episode) -> None:
    first = Intention("go down", "plan", "go down")
    for mode in ("brief", "full"):
        for seed in range(200):
            said = Musing(Random(seed), mode).about(first, bakery.view())
            assert not BACK.search(said), said
    played = Episode(bakery.machine, bakery.provenance)
    played.take(Reply("", "look", "look"))
    later = [Musing(Random(seed), "full").about(first, played.view()) for seed in range(200)]
    assert any(BACK.search(said) for said in later)


@pytest.mark.parametrize(
    ("goal", "several"),
    [("Weigh the flour.", False), ("Weigh the flour and the salt.", True),
     ("Weigh the flour, bake it, and eat.", True), ("Weigh the flour (and the bowl).", False),
     ("Settle the ward: clear the alarm, and record it.", False),
     ("Weigh the flour after cleaning the scale. Salt and water are dear.", False)],
)  # fmt: skip
def test_more_is_said_of_goals_that_ask_for_more(goal: str, several: bool) -> None:
    assert more(goal) is several
    machine = compile_world(REFUSALS.replace("Weigh the flour.", goal))
    origin = Provenance(
        machine_hash=machine.hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="explorer"), command_set="known",
    )  # fmt: skip
    view = Episode(machine, origin).view()
    down = Intention("go down", "plan", "go down")
    said = [Musing(Random(seed), "full").about(down, view) for seed in range(200)]
    assert any("and more" in each for each in said) is several
    assert any(each.startswith(("Everything", "All th")) for each in said) is not several


STATES = """
world kettle "The kettle" { goal "Make tea." turns 20 }
use travel, take, read
place shop "shop" { exit down to cellar }
place cellar "cellar" { exit up to shop }
kind pan is thing { level : 0..5 = 0  hot : bool = false }
pan kettle "kettle" in shop
thing card "card" in shop { read "The kettle holds five cups." }
action pour {
  form "pour" set kettle.level = kettle.level + 1
  say "The kettle holds {kettle.level} cups now."
}
action feel { form "feel around" say "The kettle is {if kettle.hot}hot{else}cold{end}." }
action warm(x: pan reachable) { form "warm {x}" set kettle.hot = true say "You warm it." }
player in shop
win when kettle.hot and kettle.level == 5
"""


@pytest.mark.parametrize(
    ("turns", "old", "held"),
    [(("pour", "pour", "feel around"), "holds 1 cups", ""),
     (("pour", "pour"), "holds 1 cups", "holds 2 cups"),
     (("feel around", "warm kettle"), "is cold", ""),
     (("feel around", "look"), "", "is cold"),
     (("feel around", "warm kettle", "feel around", "look"), "is cold", "is hot"),
     (("read card", "feel around", "warm kettle"), "is cold", "holds five cups")],
)  # fmt: skip
def test_no_old_state_of_a_thing_is_quoted(turns: tuple[str, ...], old: str, held: str) -> None:
    machine = compile_world(STATES)
    origin = Provenance(
        machine_hash=machine.hash, variant=0, seed=0, episode=0,
        player=PlayerRecord(name="explorer"), command_set="known",
    )  # fmt: skip
    episode = Episode(machine, origin)
    for command in turns:
        episode.take(Reply("", command, command))
    assert all(turn.outcome == "ok" for turn in episode.view().turns)
    take = Intention("take kettle", "plan", "take kettle")
    said = [Musing(Random(seed), "full").about(take, episode.view()) for seed in range(400)]
    # what the last turn gave is told as such; a memory is told as one
    said = [each for each in said if not each.startswith(("I note", "I keep", "I see", "So much"))]
    assert not old or not any(old in each for each in said)
    assert not held or any(held in each for each in said)
