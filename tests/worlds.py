"""Worlds for tests of players, rollouts and the command line."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from tests.build_machine import lamp_world
from worldengine.machine import Machine

WIN = ("take red key", "unlock oak door with red key", "go north", "take emerald")


@cache
def lamp() -> Machine:
    """The lamp world with a winning play."""
    return replace(lamp_world(), name="lamp", proofs=(WIN,))


TINY = """world tiny "A tiny flat" {
  persona "Someone who has mislaid a letter"
  intro "You stand in your flat."
  goal "Put the letter into the post box."
  turns 30
}
use travel, take, open, unlock
place hall "hall" { exit east to study  exit north to street through front_door }
place study "study" { exit west to hall }
place street "street" { exit south to hall through front_door }
door front_door "front door" { locked = true  key = latch_key }
container drawer "desk drawer" aka "drawer" in study { open = false  portable = false }
thing latch_key "latch key" in drawer
thing letter "white letter" aka "letter" in hall
thing umbrella "umbrella" in hall
container box "post box" in street { open = true  portable = false }
player in hall
vary letter.in among hall, study
milestone out "out of the door" when player.in == street
win when letter.in == box say "Done."
lose when umbrella.in == box say "That was the umbrella."
proof "take letter", "go east", "take letter", "open drawer", "take latch key", "go west",
  "unlock front door with latch key", "open front door", "go north", "put letter in post box"
"""
"""A world as text, with two starts, small enough to know by heart."""
