"""Texts that cannot stay true, and how each is written so that it can."""

from __future__ import annotations

import pytest

from worldengine.compiler import compile_source
from worldengine.judging.prose import PROSE_LINTS, prose_lints
from worldengine.source import Source

WORLD = """
world mill "The mill" {{
  goal "Grind the corn." turns 9 timeout "{timeout}"
}}
use travel, take, open, give
place yard "yard" {{ exit in to mill_room through gate describe "{yard}" }}
place mill_room "mill room" {{ exit out to yard through gate describe "Stones." }}
door gate "oak gate" {{ describe "Planks." }}
thing bucket "bucket" in yard
thing stone "mill stone" in mill_room {{
  portable = false  running : bool = false  ground : 0..3 = 0  {stone}
}}
thing pin "iron pin" in yard
person miller "miller" in yard
player in yard {{ coins : 0..3 = 0 }}
action pin_it {{
  form "fit pin"
  require held(pin) else place "You have no pin."
  {fitting}
}}
action start {{
  form "start stone"
  require not stone.running else logic "It turns."
  set stone.running = true  set stone.ground += 1
  say "It turns."
}}
after give(x: bucket, p: miller) {{ {thanks} }}
win when stone.running and pin.in != yard say "{won}"
proof "take iron pin", "open oak gate", "in", "fit pin", "start stone"
"""
GOOD = {
    "timeout": "Night falls.",
    "yard": "Cobbles.",
    "stone": 'describe "It {if stone.running}runs{else}stands still{end}."',
    "fitting": 'set pin.in = stone say "The pin clicks home."',
    "thanks": 'set player.coins += 1 say "He hands you a coin."',
    "won": "Flour.",
}


def found(**changes: str) -> list[str]:
    source = Source("mill.world", WORLD.format(**{**GOOD, **changes}))
    compilation = compile_source(source)
    assert compilation.machine is not None, compilation.diagnostics
    assert compilation.document is not None
    return [each.id for each in prose_lints(compilation.document, compilation.machine)]


def test_texts_that_stay_true() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("part", "text", "lint"),
    [
        ("yard", "Cobbles, and a bucket.", "text-names-movable"),
        ("yard", "The oak gate is closed.", "text-frozen"),
        ("stone", 'describe "Still, and white with flour."', "text-frozen"),
        ("stone", 'describe "Nothing moves. It is quiet here."', "text-frozen"),
        ("fitting", 'remove pin say "The pin clicks home."', "text-fits-nothing"),
        ("fitting", 'set pin.in = nowhere say "It slides into place."', "text-fits-nothing"),
        ("thanks", 'say "He hands you a coin."', "text-gives-nothing"),
        ("thanks", 'say "He finds a coin for you."', "text-gives-nothing"),
        ("timeout", "They find you in the yard.", "ending-names-place"),
        ("won", "You stand in the mill room, white all over.", "ending-names-place"),
    ],
)
def test_texts_that_cannot(part: str, text: str, lint: str) -> None:
    assert lint in PROSE_LINTS
    assert found(**{part: text}) == [lint]


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("yard", "Cobbles, and no bucket."),
        ("yard", "If the oak gate is closed, nobody comes."),
        ("yard", "{if gate.open}Wide{else}The oak gate is closed{end}."),
        ("stone", 'describe "Still." describe "A blur." when stone.running'),
        ("fitting", 'remove pin say "The pin is gone for good."'),
        ("thanks", 'say "He gives you a nod."'),
        ("thanks", 'set bucket.in = player say "He hands you the bucket back."'),
        ("won", "The mill room shakes."),
        ("yard", "Cobbles, and an oak gate bolted to the wall, to be opened with care."),
        ("thanks", 'say "Your hands are full, so he thanks you."'),
    ],
)
def test_texts_that_can(part: str, text: str) -> None:
    assert found(**{part: text}) == []
