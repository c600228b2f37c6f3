"""Ways that bar themselves: by the hour, by a danger, by the dark. In and out as in `gates`."""

from __future__ import annotations

from worldengine.generator.draft import Draft, Gate
from worldengine.generator.layout import gate_ends, way_back_is_free
from worldengine.generator.parts import perils
from worldengine.generator.parts.gates import locked_door
from worldengine.generator.parts.sources import obtain_named
from worldengine.generator.walker import Walker
from worldengine.generator.words import a, quoted


def timetable(draft: Draft, gate: Gate) -> None:
    """A way that is there at some turns only."""
    draft.mechanics.add("timetable")
    vehicle, away, come = draft.pick("vehicles")
    before, _, direction = gate_ends(draft, gate)
    period = draft.random.randint(3, 5)
    phase = draft.random.randrange(period)
    gate.condition = f"turn % {period} == {phase}"
    gate.refusal = f"{away} Wait for it."
    rule = draft.names.ident(f"{vehicle} comes")
    draft.add(
        "rules",
        f"rule {rule} {{ when player.in == {before.id} and turn % {period} == {phase} say {quoted(come)} }}",
    )
    before.more.append(f"The {vehicle} goes {direction} from here, every {period} turns.")
    way_back_is_free(draft, gate)
    gate.task = draft.task(lambda walker: None, before)

    def board(walker: Walker, way: str) -> None:
        while walker.turn % period != phase:
            walker.say("wait")

    gate.pass_ = board


def hazard(draft: Draft, gate: Gate) -> None:
    """A place that may be entered only in the right clothes."""
    danger, gear, refusal, death = draft.pick("hazards")
    draft.mechanics.add("protection")
    draft.use("wear")
    before, behind, direction = gate_ends(draft, gate)
    suit, getting = obtain_named(draft, gear, "", gate.number, draft.depth)
    draft.extend(suit, "wearable = true")
    behind.more.append(danger)
    strict = draft.spend_mistake()
    if strict:
        draft.mechanics.add("deadly place")
        draft.lose(f"player.in == {behind.id} and not {suit.id}.worn", death)
        before.more.append(
            f"A sign by the way {direction}: no entry without {a(gear)}. It is not a joke."
        )
        gate.condition = ""
    else:
        gate.condition = f"{suit.id}.worn"
        gate.refusal = refusal
    way_back_is_free(draft, gate)
    gate.task = draft.task(lambda walker: walker.say(f"wear {suit.name}"), None, getting)


def darkness(draft: Draft, gate: Gate) -> None:
    """Dark places behind, and a lamp somewhere before."""
    if "lamp" in draft.made:
        locked_door(draft, gate)
        return
    draft.made["lamp"] = True
    draft.mechanics.add("light")
    name, told = draft.pick("lamps")
    lamp, getting = obtain_named(draft, name, "", gate.number, draft.depth)
    draft.extend(lamp, "lit : bool = false")
    for place in draft.places:
        if gate.number in place.gates:
            place.dark = True
    draft.add(
        "actions",
        f"""action kindle(x: thing held) {{ form "light {{x}}"
        require x == {lamp.id} else logic "{{The x}} {{is x}} not made to give light."
        require not {lamp.id}.lit else logic "It is lit already."
        set {lamp.id}.lit = true set {lamp.id}.light = true say {quoted(told)} }}""",
    )
    gate.condition = ""
    draft.milestone(f"lit the {name}", f"{lamp.id}.lit")

    def act(walker: Walker) -> None:
        walker.say(f"light {lamp.name}")
        walker.mark("lit")

    gate.task = draft.task(act, None, getting)
    if draft.spend_mistake():
        if draft.theme.words.get("lurkers") and draft.random.random() < 0.6:
            perils.lurking(draft, lamp.id)
        else:
            _burns_down(draft, lamp.id, name)


def _burns_down(draft: Draft, lamp: str, name: str) -> None:
    """The lamp has fuel for the plan and some more; then it is dark for good."""
    draft.mechanics.add("fuel")
    draft.late["@FUEL@"] = lambda walker: 2 * (walker.turn - walker.marks.get("lit", 0)) + 6
    draft.player.append("fuel : 0..@FUEL@ = @FUEL@")
    rule = draft.names.ident(f"{name} burns")
    draft.add(
        "rules",
        f"rule {rule} {{ when {lamp}.lit set player.fuel -= 1 "
        f"if player.fuel == 5 {{ say {quoted(f'The {name} flickers. It has not long to go.')} }} }}",
    )
    draft.lose("player.fuel == 0", f"The {name} goes out, and you do not find the way in the dark.")
