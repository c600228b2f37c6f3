"""The tasks of the science family that are about electricity."""

from __future__ import annotations

from worldengine.generator.families.science import Lab, in_words, wrong_box
from worldengine.generator.words import quoted

STUFF = {
    "copper coin": True, "iron nail": True, "glass rod": False, "rubber band": False, "silver fork": True,
    "plastic comb": False, "tin can": True, "wooden block": False, "aluminium foil": True, "chalk": False,
    "brass hinge": True, "wool sock": False, "graphite lead": True, "ceramic tile": False,
}  # fmt: skip


def circuit(lab: Lab) -> None:
    """A closed loop from a battery through a lamp and back."""
    room = lab.room()
    lamp = lab.random.choice(
        ["red light bulb", "electric motor", "electric buzzer", "green light bulb"]
    )
    wires = lab.random.sample(
        ["red wire", "black wire", "blue wire", "yellow wire"], lab.random.randint(2, 3)
    )
    lab.kind("pole", "kind pole is thing { portable = false twin : pole? = none }")
    source = lab.random.choice(["battery", "solar panel", "hand generator"])
    lab.thing(source, room, "portable = false", "It has an anode and a cathode.")
    lab.thing(lamp, room, "portable = false", "{if powered}It works.{else}It does nothing.{end}")
    ends: dict[str, str] = {}
    names = [f"{source} anode", f"{source} cathode"]
    for part in (lamp, *wires):
        names += [f"{part} terminal 1", f"{part} terminal 2"]
    for name in names:
        ends[name] = lab.names.ident(name)
    for name in names:
        one, two = name.removesuffix("1"), name.removesuffix("2")
        twin = f"{one}2" if name.endswith("1") else f"{two}1"
        body = f"twin = {ends[twin]}" if twin in ends else ""
        lab.names.show(name)
        lab.extra_lines.append(
            f"pole {ends[name]} {quoted(name)} in {lab.place_id(room)} {{ {body} }}"
        )
    anode, cathode = ends[names[0]], ends[names[1]]
    left, right = ends[f"{lamp} terminal 1"], ends[f"{lamp} terminal 2"]
    through = f"(p.twin == q and p.twin != none and p != {left} and p != {right})"
    lab.sheet.add(
        "fact joined(a: pole, b: pole)",
        f"derive live(p: pole) = p == {anode} or any(q: pole where live(q) and (joined(p, q) or joined(q, p) or {through}))",
        f"derive back(p: pole) = p == {cathode} or any(q: pole where back(q) and (joined(p, q) or joined(q, p) or {through}))",
        f"derive powered = live({left}) and back({right}) or live({right}) and back({left})",
        f"""action connect(a: pole here, b: pole here) {{ form "connect {{a}} to {{b}}"
        require a != b and a.twin != b else logic "That would short it."
        require not joined(a, b) and not joined(b, a) else logic "They are connected."
        set joined(a, b) = true say "{{The a}} is now connected to {{the b}}."
        if powered {{ say {quoted(f"The {lamp} comes on.")} }} }}""",
        """action disconnect(a: pole here, b: pole here) { form "disconnect {a} from {b}"
        require joined(a, b) or joined(b, a) else logic "They are not connected."
        set joined(a, b) = false set joined(b, a) = false say "{The a} is now apart from {the b}." }""",
    )
    lab.sheet.goals.append(f"Power the {lamp}: build a circuit with the {source} and the wires.")
    lab.wins.append("powered")
    lab.milestone("made a first connection", "any(a: pole where any(b: pole where joined(a, b)))")
    lab.go(room)
    first, *rest = wires
    lab.do(f"connect {source} anode to {first} terminal 1")
    last = first
    for wire in rest[:-1]:
        lab.do(f"connect {last} terminal 2 to {wire} terminal 1")
        last = wire
    lab.do(f"connect {last} terminal 2 to {lamp} terminal 1")
    lab.do(
        f"connect {lamp} terminal 2 to {rest[-1]} terminal 1",
        f"connect {rest[-1]} terminal 2 to {source} cathode",
    )


def conductivity(lab: Lab) -> None:
    """Things are clipped into a circuit; what makes it work goes into one box."""
    count = lab.random.randint(1, 3)
    names = lab.random.sample(sorted(STUFF), count)
    yes, no = lab.random.sample(["yellow box", "purple box", "white box", "brown box"], 2)
    bench, box_room = lab.room(), lab.room()
    items = [(name, lab.thing(name, lab.room()), STUFF[name]) for name in names]
    homes = {line.split('"')[1]: line for line in lab.extra_lines}
    tester = lab.thing(
        "conductivity tester", bench, "portable = false", "Two clips, a battery and a bulb."
    )
    boxes = {
        flag: lab.thing(box, box_room, "open = true portable = false", kind="container")
        for box, flag in ((yes, True), (no, False))
    }
    conducting = [ident for _, ident, flag in items if flag]
    test = f"x in {{{', '.join(conducting)}}}" if conducting else "x == conductivity_tester"
    tested = lab.names.ident("tested")
    lab.player.append(f"{tested} : bool = false")
    lab.sheet.add(
        f"""action clip(x: thing held) {{ form "clip {{x}}" form "test {{x}}" form "connect {{x}} to clips"
        require here({tester}) else place "The tester is not here." set player.{tested} = true
        if {test} {{ say "The bulb lights up: {{the x}} conducts." }} else {{ say "The bulb stays dark." }} }}"""
    )
    lab.sheet.goals.append(
        f"Find out with the conductivity tester whether {in_words(names)} conduct{'s' if count == 1 else ''} electricity. "
        f"What does goes in the {yes}, what does not in the {no}."
    )
    lab.wins.append(
        " and ".join(
            [f"player.{tested}", *(f"{ident}.in == {boxes[flag]}" for _, ident, flag in items)]
        )
    )
    wrongs = " or ".join(f"{ident}.in == {boxes[not flag]}" for _, ident, flag in items)
    lab.milestone("tested something", f"player.{tested}")
    wrong_box(lab, wrongs, "That was the wrong box.")
    for name, _, flag in items:
        room = next(r for r in lab.rooms if f"in {lab.place_id(r)} " in homes[name])
        lab.go(room)
        lab.do(f"pick up {name}")
        lab.go(bench)
        lab.do(f"clip {name}")
        lab.go(box_room)
        lab.do(f"put {name} in {yes if flag else no}")
