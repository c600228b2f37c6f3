"""What an explorer says of what it has read: nothing that denies it, and no count through what it
has not seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from tests.explorer.test_belief import hiding, world
from worldengine.compiler import compile as compile_world
from worldengine.explorer.companion import Dial, Follower
from worldengine.machine import Machine
from worldengine.players.reply import write
from worldengine.players.thoughts.intention import Intention
from worldengine.players.thoughts.musing import Musing
from worldengine.players.view import View
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance

SALT = """
world salt "The salt house" { goal "Weigh a full sack." turns 40 }
use travel, take, open, switch
kind sack is thing { fill : empty | half "half full" | full = empty  weighed : bool = false }
place yard "yard" { exit east to store  exit west to loft }
place store "store" { exit west to yard }
place loft "loft" { exit east to yard }
container pot "clay pot" in loft
thing key "rusty key" in pot
thing shovel "wooden shovel" in loft
sack bag "linen sack" in yard
thing heap "heap of salt" in store { portable = false }
device scale "scale" in store
player in yard
vary key.in among pot, loft
action shovel_salt(s: sack held) {
  form "fill {s}"
  require held(shovel) else place "You need the shovel in your hands."
  require held(key) else logic "You need the key."
  require here(heap) else place "There is no salt to shovel here."
  require s.fill != full else logic "{The s} {is s} full."
  set s.fill = next(s.fill)
  say "{The s} {is s} {s.fill} now."
}
action weigh(s: sack held) {
  form "weigh {s}"
  require here(scale) else place "There is no scale here."
  require scale.on else logic "The scale is switched off."
  require s.fill == full else logic "Only a full sack is worth weighing."
  set s.weighed = true
  say "Forty pounds."
}
win when bag.weighed say "Done."
proof "take linen sack", "west", "open pot", "take rusty key", "take wooden shovel", "east",
  "east", "fill linen sack", "fill linen sack", "switch on scale", "weigh linen sack"
"""
DENIALS = tuple(map(re.compile, (
    r"do not know where (.+?) (?:is|are);",
    r"; where (.+?) (?:is|are), I was not told",
    r"(?:told me|been told|find out) where (.+?) (?:is|are)\.",
    r"[Ww]here (?:is|are) (.+?)\?",
    r"is where (.+?) will turn up",
    r"is where to (?:look for|find) (.+?)\.",
    r"is worth a try for (.+?)\.",
    r"(?:would try|start with|hopes in) .+?, (?:to find|looking for) (.+?)\.",
)))  # fmt: skip
COUNTS = re.compile(r"\b(\d+) (?:more|further) steps")
LISTED = re.compile(r"^(?:You see|In [^:\n]+ you see|On |Also here|You are carrying)")
TIMES = 12
"""Thoughts that are asked for at every turn."""
WORLDS = ("salt", "hiding", "lighthouse", "bakery", "tide_clock")


@cache
def machine_of(name: str) -> Machine:
    if name == "hiding":
        return hiding()
    return compile_world(SALT) if name == "salt" else world(name)


def play(
    machine: Machine, seed: int, dial: Dial, times: int = TIMES
) -> Iterator[tuple[View, Intention, list[str], str]]:
    """Every turn: what was read, what is meant, many thoughts of it, what comes of it."""
    variant = seed % max(len(machine.variants), 1)
    origin = Provenance(
        machine_hash=machine.hash, variant=variant, seed=seed, episode=seed,
        player=PlayerRecord(name="explorer", guidance="belief"), command_set="known",
    )  # fmt: skip
    episode = Episode(machine, origin)
    follower = Follower(machine, variant, dial, Random(seed))
    while not episode.over:
        view = episode.view()
        intention = follower.next(view)
        said = [Musing(Random(each), "full").about(intention, view) for each in range(times)]
        episode.take(write(said[0], intention.command))
        yield view, intention, said, episode.trajectory().turns[-1].observation


def listed(view: View) -> str:
    """The lists in what was read."""
    texts = [view.opening, *(turn.observation for turn in view.turns if not turn.refused)]
    lines = [line for text in texts for line in text.split("\n") if LISTED.match(line)]
    return "\n".join(lines).lower()


@pytest.mark.parametrize("rules", ["all", "none"])
@pytest.mark.parametrize("name", WORLDS)
def test_no_thought_denies_what_was_listed(name: str, rules: str) -> None:
    hoped: list[str] = []
    denied: list[str] = []
    for seed in range(2):
        for view, intention, said, _ in play(machine_of(name), seed, Dial(rules)):
            seen = listed(view)
            hoped += [thing for thing, _ in intention.hopes]
            assert not [thing for thing, _ in intention.hopes if f" {thing.lower()}" in seen]
            denied += [
                thought
                for thought in said
                for pattern in DENIALS
                for found in pattern.findall(thought)
                if re.search(rf"\b{re.escape(re.sub('^(the|an?) ', '', found.lower()))}\b", seen)
            ]
    assert not denied
    assert hoped or name != "hiding", "where a named thing is out of sight it is hoped for"


@pytest.mark.parametrize("name", ["salt", "lighthouse", "tide_clock"])
def test_steps_are_counted_only_through_what_was_seen(name: str) -> None:
    """Once a count is said no new place is entered; it is how many steps are left."""
    machine = machine_of(name)
    counted = 0
    for seed in range(2):
        turns = list(play(machine, seed, Dial("all", mistakes=False)))
        for at, (view, intention, said, _) in enumerate(turns):
            counts = {int(each) for thought in said for each in COUNTS.findall(thought)}
            assert counts <= {intention.steps} - {0}
            counted += intention.steps > 1
            if intention.steps:
                read = {view.heading(text) for text in _texts(view)}
                later = {view.heading(text) for _, _, _, text in turns[at:]}
                assert later <= read | {""}
        assert not turns[0][1].steps, "most is unseen at first"
    assert counted


def _texts(view: View) -> list[str]:
    return [view.opening, *(turn.observation for turn in view.turns)]


@pytest.mark.parametrize("name", ["school_library", "mountain_hut"])
def test_nobody_goes_where_there_is_no_exit(name: str) -> None:
    early: list[str] = []
    for seed in range(15):
        for _, intention, _, read in play(machine_of(name), seed, Dial("all"), 1):
            if intention.mistake in ("early", "away"):
                early.append(intention.command)
                assert not read.startswith("You cannot go"), intention.command
    assert len(early) > 5


def test_what_decides_between_starts_is_quoted() -> None:
    """It was read before, and the starts that it ruled out would have had something else done."""
    machine = machine_of("museum")
    cited = 0
    for seed in range(2):
        for view, intention, said, _ in play(machine, seed, Dial("all", mistakes=False), 6):
            clue = intention.evidence
            if clue:
                assert any(clue in turn.observation for turn in view.turns), clue
                cited += sum(clue in thought for thought in said) >= 3
    assert cited >= 3
