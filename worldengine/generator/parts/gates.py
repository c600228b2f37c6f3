"""Ways to bar a way, each with what opens it.

In: a draft, one of its gates. The gate gets a door or a condition, and a task that opens it
whose needs lie before it.
"""

from __future__ import annotations

from collections.abc import Callable

from worldengine.generator.draft import Draft, Gate
from worldengine.generator.layout import gate_ends, way_back_is_free
from worldengine.generator.parts.knowing import note
from worldengine.generator.parts.sources import (
    accept_gift,
    obtain,
    obtain_named,
    speak,
)
from worldengine.generator.walker import Walker
from worldengine.generator.words import PLURAL, a, capital, flag, quoted

Bar = Callable[[Draft, Gate], None]


def closed_door(draft: Draft, gate: Gate) -> None:
    draft.use("open")
    draft.mechanics.add("door")
    before, _, _ = gate_ends(draft, gate)
    door, name = _door(draft, "")
    gate.through = door
    gate.task = draft.task(lambda walker: walker.say(f"open {name}"), before)


def locked_door(draft: Draft, gate: Gate) -> None:
    draft.use("open", "unlock")
    draft.mechanics.add("locked door")
    before, _, _ = gate_ends(draft, gate)
    key, getting = obtain(draft, "keys", gate.number, draft.depth)
    door, name = _door(draft, f"locked = true key = {key.id}")
    gate.through = door
    draft.milestone(f"unlocked the {name}", f"not {door}.locked")

    def act(walker: Walker) -> None:
        walker.say(f"unlock {name} with {key.name}")
        walker.say(f"open {name}")

    gate.task = draft.task(act, before, getting)


def _door(draft: Draft, body: str) -> tuple[str, str]:
    name = draft.pick("doors")
    draft.names.show(name)
    ident = draft.names.ident(name)
    draft.add("doors", f"door {ident} {quoted(name)} {{ {body} }}")
    return ident, name


def obstacle(draft: Draft, gate: Gate) -> None:
    """Something in the way that a tool removes."""
    name, tool_name, verb, told = draft.pick("obstacles")
    draft.mechanics.add("tool")
    before, _, direction = gate_ends(draft, gate)
    tool, getting = obtain_named(draft, tool_name, "", gate.number, draft.depth)
    ident = draft.names.ident(name)
    draft.names.show(name)
    are = "are" if name in PLURAL else "is"
    draft.add(
        "things",
        f"thing {ident} {quoted(name)} {flag(name)} in {before.id} {{ portable = false describe "
        + quoted(f"In the way {direction}. {capital(a(tool_name))} would help.")
        + " }",
    )
    action = draft.names.ident(f"{verb} {name}")
    draft.add(
        "actions",
        f"""action {action}(t: thing held) {{ form "{verb} [the] {name} (with|using) {{t}}"
        require here({ident}) else place {quoted(f"There {are} no {name} here.")}
        require t == {tool.id} else logic {quoted("{The t} {is t} no tool for this.")}
        remove {ident} say {quoted(told)} }}""",
    )
    gate.condition = f"{ident}.in == nowhere"
    gate.refusal = f"{capital(f'the {name}')} {are} in the way."
    before.more.append(
        f"{{if {ident}.in != nowhere}}{capital(a(name))} block{'' if are == 'are' else 's'} the way {direction}.{{end}}"
    )
    way_back_is_free(draft, gate)
    draft.milestone(f"cleared the {name}", f"{ident}.in == nowhere")
    gate.task = draft.task(
        lambda walker: walker.say(f"{verb} {name} with {tool.name}"), before, getting
    )


def guard(draft: Draft, gate: Gate) -> None:
    """Somebody who lets one by for a gift."""
    draft.mechanics.add("guard")
    before, _, direction = gate_ends(draft, gate)
    gift, getting = obtain(draft, "goods", gate.number, draft.depth)
    person = _watch(draft, gate)
    accept_gift(
        draft, person, gift,
        f"set {person.id}.lets = true say "
        + quoted(f'"That is worth something," says {person.name}, and steps aside.'),
    )  # fmt: skip
    speak(
        draft, person,
        f"if {person.id}.lets {{ say {quoted(f'{person.name} waves you by.')} }} else {{ say "
        + quoted(f'"Nobody goes {direction} for nothing. {capital(a(gift.name))}, and I have seen nobody."')
        + " }",
    )  # fmt: skip

    def act(walker: Walker) -> None:
        walker.say(f"give {gift.name} to {person.name}")
        walker.release(gift)

    gate.task = draft.task(act, before, getting)


def password(draft: Draft, gate: Gate) -> None:
    """Somebody who lets one by for a word that stands on a paper."""
    draft.mechanics.add("password")
    before, _, _ = gate_ends(draft, gate)
    words = [draft.pick("passwords") for _ in range(4)]
    right = words[0]
    _, reading = note(
        draft,
        draft.theme.one("wordnotes", draft.random).format(word=right),
        gate.number,
        draft.depth,
    )
    person = _watch(draft, gate)
    shuffled = sorted(words)
    draft.once("word", "kinds", "kind watchword")
    idents = {word: draft.names.ident(f"word {word}") for word in shuffled}
    for word in shuffled:
        draft.names.show(word)
        draft.add("people", f"watchword {idents[word]} {quoted(word)}")
    wrong, needed = "", ""
    if draft.spend_mistake():
        draft.mechanics.add("limited tries")
        draft.player.append("wrong_words : 0..2 = 0")
        wrong = "set player.wrong_words += 1 "
        needed = " The second wrong word is the last."
        draft.lose(
            "player.wrong_words == 2", f"{person.name} calls the others, and you are led away."
        )
    draft.add(
        "actions",
        f"""action answer(w: watchword, p: person here) {{ form "(say|answer) {{w}} to {{p}}"
        require p == {person.id} else logic "{{The p}} {{is p}} not waiting for a word."
        require not {person.id}.lets else logic "You may pass already."
        if w == {idents[right]} {{ set {person.id}.lets = true say {quoted(f"{person.name} nods and steps aside.")} }}
        else {{ {wrong}say {quoted(f'"Wrong," says {person.name}.')} }} }}""",
    )
    speak(
        draft, person,
        f"if {person.id}.lets {{ say {quoted(f'{person.name} waves you by.')} }} else {{ say "
        + quoted(f'"The word?" asks {person.name}. "It is one of these: {", ".join(shuffled)}.{needed}"')
        + " }",
    )  # fmt: skip
    gate.task = draft.task(
        lambda walker: walker.say(f"say {right} to {person.name}"), before, reading
    )


def _watch(draft: Draft, gate: Gate):  # type: ignore[no-untyped-def]
    before, _, direction = gate_ends(draft, gate)
    draft.use("talk")
    draft.made.setdefault("peopled", []).append(before)
    name, text = draft.pick("people")
    draft.once("watch", "kinds", "kind watch is person { lets : bool = false }")
    person = draft.thing(
        name, before.id, f"{text} Nobody goes {direction} unseen.", kind="watch", flags="proper",
        section="people",
    )  # fmt: skip
    gate.condition = f"{person.id}.lets"
    gate.refusal = f"{name} stands in the way and shakes a head."
    way_back_is_free(draft, gate)
    draft.milestone(f"got past {name}", f"{person.id}.lets")
    return person


def lever(draft: Draft, gate: Gate) -> None:
    """A switch somewhere else opens the way."""
    draft.mechanics.add("switch")
    draft.use("switch")
    barrier, switch_name = draft.pick("levers")
    _, _, direction = gate_ends(draft, gate)
    place = draft.spot(gate.number)
    switch = draft.thing(switch_name, place.id, f"It works the {barrier}.", kind="device")
    before, _, _ = gate_ends(draft, gate)
    gate.condition = f"{switch.id}.on"
    gate.refusal = f"The {barrier} is shut, and nothing here opens it."
    before.more.append(
        f"{{if not {switch.id}.on}}{capital(a(barrier))} shuts the way {direction}.{{end}}"
    )
    way_back_is_free(draft, gate)
    draft.milestone(f"opened the {barrier}", f"{switch.id}.on")
    gate.task = draft.task(lambda walker: walker.say(f"switch on {switch.name}"), place)
