"""The lines of a household world: kinds, receptacles, things, and the verbs of the style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldengine.generator.families.household_words import SLICEABLE, spelt
from worldengine.generator.words import quoted

if TYPE_CHECKING:
    from worldengine.generator.families.household import _House

_GOING = """
action approach(r: spot anywhere) {
  form "go to {r}"
  require player.at != r else logic "You are at {the r} already."
  set player.at = r
  say "You arrive at {the r}."
  if r is closet and not r.open { say "{The r} is closed." }
  else if any(o: item where o.in == r) { say "You see {list a o: item where o.in == r}." }
  else { say "There is nothing." }
}
action look_around {
  form "look" form "l" form "look around"
  if player.at == none { say "{player.in.describe}" }
  if player.at != none { say "You are at {the player.at}." }
  each r: spot where r == player.at {
    if r is closet and not r.open { say "{The r} is closed." }
    else if any(o: item where o.in == r) { say "You see {list a o: item where o.in == r}." }
    else { say "There is nothing." }
  }
}
before examine(x: spot) { require x == player.at else place "You are not at {the x}." }
before examine(x: item) {
  require x.in == player or x.in == player.at else place "You see no such thing where you are."
}
"""
_TAKING = """
action take(o: item here, r: spot anywhere) {
  form "take {o} from {r}"
  require player.at == r else place "You are not at {the r}."
  require o.in == r else place "There is no such thing at {the r}."
  require not any(x: item where x.in == player) else logic "Your hands are full."
  set o.in = player
  say "You pick up {the o} from {the r}."
}
action move(o: item held, r: spot anywhere) {
  form "move {o} to {r}" form "put {o} (in|on|in/on) {r}"
  require player.at == r else place "You are not at {the r}."
  require not r is closet or r.open else logic "{The r} is closed."
  set o.in = r
  say "You move {the o} to {the r}."
}
"""
_OPENING = """
action open(r: closet anywhere) {
  form "open {r}"
  require player.at == r else place "You are not at {the r}."
  require not r.open else logic "{The r} is open already."
  set r.open = true
  say "You open {the r}."
  if any(o: item where o.in == r) { say "You see {list a o: item where o.in == r}." }
  else { say "There is nothing." }
}
action close(r: closet anywhere) {
  form "close {r}"
  require player.at == r else place "You are not at {the r}."
  require r.open else logic "{The r} is closed already."
  set r.open = false
  say "You close {the r}."
}
"""


def household_lines(house: _House) -> list[str]:
    """Everything but goals, endings and milestones."""
    return [*_kinds(house), *_objects(house), *_actions(house)]


def _kinds(house: _House) -> list[str]:
    lines = [
        "kind spot is thing { portable = false }",
        "kind board is spot, surface",
        f"kind item is thing {{ {' '.join(f'{flag} : bool = false' for flag in _flags(house))} }}",
    ]
    if any(spot.shut for spot in house.spots):
        lines.append("kind closet is spot, container { portable = false }")
    lines += [f"kind {kind} is item" for kind in house.kinds_there()]
    return lines


def _flags(house: _House) -> list[str]:
    kinds = {spot.kind for spot in house.spots}
    flags = []
    if "sinkbasin" in kinds:
        flags.append("clean")
    if "microwave" in kinds:
        flags.append("hot")
    if "fridge" in kinds:
        flags.append("cool")
    if _slices(house):
        flags.append("sliced")
    return flags


def _slices(house: _House) -> list[str]:
    there = house.kinds_there()
    return [kind for kind in there if kind in SLICEABLE] if "butterknife" in there else []


def _also(name: str) -> str:
    """Another name for a thing whose kind the style writes as one word."""
    kind, _, number = name.rpartition(" ")
    return f" aka {quoted(f'{spelt(kind)} {number}')}" if spelt(kind) != kind else ""


def _objects(house: _House) -> list[str]:
    room = house.room.name
    spots = ", ".join(spot.name for spot in house.spots)
    text = f"You are in the middle of {house.room.phrase}. Around you: {spots}. {house.warnings()}"
    lines = [f"place {room} {quoted(room)} {{ describe {quoted(text.strip())} }}"]
    for spot in house.spots:
        kind = "closet" if spot.shut else "board"
        lines.append(f"{kind} {spot.id} {quoted(spot.name)} proper{_also(spot.name)} in {room}")
    flags = "".join(
        f"{{if this.{flag}}} It is {word}.{{end}}"
        for flag, word in (
            ("clean", "clean"),
            ("hot", "hot"),
            ("cool", "cool"),
            ("sliced", "sliced"),
        )
        if flag in _flags(house)
    )
    for kind, name, where in house.items:
        described = quoted(f"There is nothing special about it.{flags}")
        lines.append(
            f"{kind} {name.replace(' ', '_')} {quoted(name)} proper{_also(name)} in {where} {{ describe {described} }}"
        )
    if house.room.lamp:
        stand = house.lamp_at or house.random.choice(house.surfaces())
        lines.append(f'device desklamp_1 "desklamp 1" proper in {stand.id}')
    lines.append(f"player in {room} {{ carries = 1 at : spot? = none }}")
    return lines


def _actions(house: _House) -> list[str]:
    lines = [_GOING, _TAKING]
    if any(spot.shut for spot in house.spots):
        lines.append(_OPENING)
    metal, wired = house.deadly()
    for verb, kind, flag, told, others in (
        ("clean", "sinkbasin", "clean", "You clean {the o} with {the r}.", ()),
        ("heat", "microwave", "hot", "You heat {the o} with {the r}.", ("cool",)),
        ("cool", "fridge", "cool", "You cool {the o} with {the r}.", ("hot",)),
    ):
        spots = [spot.id for spot in house.spots if spot.kind == kind]
        if not spots:
            continue
        undo = " ".join(f"set o.{other} = false" for other in others if other in _flags(house))
        ends = ""
        if verb == "heat" and metal and house.mistakes >= 1:
            ends = _ends("sparks", metal)
        if verb == "clean" and wired and house.mistakes >= 2:
            ends = _ends("drowned", wired)
        lines.append(
            f"""action {verb}(o: item held, r: spot anywhere) {{ form "{verb} {{o}} with {{r}}"
            require player.at == r else place "You are not at {{the r}}."
            require r in {{{", ".join(spots)}}} else logic "You cannot {verb} anything with {{the r}}."
            set o.{flag} = true {undo} {ends} say {quoted(told)} }}"""
        )
    lines += _ending_lines(house, metal, wired)
    if kinds := _slices(house):
        test = " or ".join(f"o is {kind}" for kind in kinds)
        lines.append(
            f"""action slice(o: item here, k: item held) {{ form "slice {{o}} with {{k}}"
            require o.in == player.at else place "There is no such thing where you are."
            require k is butterknife else logic "{{The k}} {{is k}} too blunt for that."
            require {test} else logic "You cannot slice {{the o}}."
            require not o.sliced else logic "It is sliced already."
            set o.sliced = true say "You slice {{the o}} with {{the k}}." }}"""
        )
    if house.room.lamp:
        lines.append(
            """action use(d: device here) { form "use {d}" form "toggle {d}"
            require d.in == player.at else place "{The d} is not where you are."
            if d.on { set d.on = false say "You turn off {the d}." }
            else { set d.on = true say "You turn on {the d}." } }"""
        )
    return lines


def _ends(flag: str, kinds: list[str]) -> str:
    test = " or ".join(f"o is {kind}" for kind in kinds)
    return f"if {test} {{ set {flag}() = true }}"


def _ending_lines(house: _House, metal: list[str], wired: list[str]) -> list[str]:
    there = {spot.kind for spot in house.spots}
    lines = []
    if metal and house.mistakes >= 1 and "microwave" in there:
        lines += [
            "fact sparks",
            'lose when sparks say "Blue sparks, a bang, and the fuse is gone. So is the microwave."',
        ]
    if wired and house.mistakes >= 2 and "sinkbasin" in there:
        lines += ["fact drowned", 'lose when drowned say "It blinks twice and goes dark for good."']
    return lines
