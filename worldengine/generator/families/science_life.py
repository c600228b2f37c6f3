"""The tasks of the science family that are about living things, and about slopes."""

from __future__ import annotations

from worldengine.generator.families.science import Lab
from worldengine.generator.words import a, at, capital, listed, quoted, the

THINGS = {  # class: names
    "animal": ("grey mouse", "goldfish", "canary", "garden snail", "tortoise", "house cat", "honey bee"),
    "plant": ("fern", "tomato plant", "young oak", "dandelion", "cactus", "ivy pot"),
    "non-living thing": ("granite pebble", "silver spoon", "glass bottle", "paper lantern", "brass lamp"),
}  # fmt: skip
LIFESPANS = (  # years, from a book in the house
    ("mayfly", 0), ("house mouse", 2), ("rabbit", 9), ("wolf", 13), ("carp", 40), ("parrot", 60),
    ("elephant", 65), ("giant tortoise", 150),
)  # fmt: skip
STAGES = (
    (
        "apple tree",
        ("apple seed", "apple seedling", "flowering apple tree", "apple tree with fruit"),
    ),
    ("butterfly", ("butterfly egg", "caterpillar", "chrysalis", "butterfly")),
    ("frog", ("frog spawn", "tadpole", "froglet", "grown frog")),
    ("pea plant", ("dry pea", "pea shoot", "pea blossom", "pea pod")),
)


def find(lab: Lab) -> None:
    """Something of a class, focused on, then brought to a box."""
    wanted = lab.random.choice(sorted(THINGS))
    target = lab.random.choice(THINGS[wanted])
    others = [n for kind, names in sorted(THINGS.items()) if kind != wanted for n in names]
    room, box_room = lab.room(), lab.room()
    item = lab.thing(target, room, "", f"{capital(a(target))}.")
    for name in lab.random.sample(others, lab.random.randint(2, 4)):
        lab.thing(name, lab.room(), "", f"{capital(a(name))}.")
    box_name = lab.random.choice(["round box", "tall box", "flat box"])
    box = lab.thing(box_name, box_room, "open = true portable = false", kind="container")
    lab.may_focus(item)
    lab.sheet.goals.append(
        f"Find {a(wanted)}: focus on it, then put it in the {box_name} {at(box_room)}."
    )
    lab.wins.append(f"focused({item}) and {item}.in == {box}")
    lab.milestone(f"focused on {a(wanted)}", f"focused({item})")
    lab.go(room)
    lab.do(f"focus on {target}", f"pick up {target}")
    lab.go(box_room)
    lab.do(f"put {target} in {box_name}")


def grow(lab: Lab) -> None:
    """A seed into soil, water, and time, up to a flower or a fruit."""
    plant, last = lab.random.choice(
        [("orange", "orange tree with fruit"), ("bean", "bean plant with pods"), ("sunflower", "open sunflower"),
         ("avocado", "young avocado tree"), ("marigold", "flowering marigold")]
    )  # fmt: skip
    seed_room, pot_room, jug_room = lab.room(), lab.room(), lab.room()
    seed = lab.thing(f"{plant} seed", seed_room)
    jug = lab.thing("water jug", jug_room)
    lab.kind(
        "bed",
        "kind bed is thing { portable = false stage : empty | sown | sprouting | grown = empty wet : 0..4 = 0 }",
    )
    pot = lab.thing(
        "flower pot",
        pot_room,
        "",
        "It is {this.stage}, and {if this.wet > 0}wet{else}dry{end}.",
        "bed",
    )
    need = lab.random.randint(2, 3)
    result = lab.thing(last, "nowhere", "portable = false")
    lab.sheet.add(
        f"""action {lab.names.ident("sow")} {{ form "(put|plant) {plant} seed in flower pot" form "move {plant} seed to flower pot"
        require here({pot}) else place "The flower pot is not here."
        require held({seed}) else place "You are not holding the seed."
        remove {seed} set {pot}.stage = sown say "You put the seed in the soil." }}
        action {lab.names.ident("pour_water")} {{ form "pour water [jug] (into|in|on) flower pot"
        require here({pot}) else place "The flower pot is not here."
        require held({jug}) else place "You are not holding the water jug."
        require {pot}.wet < {need} else logic "The soil is wet enough."
        set {pot}.wet = {need + 1} say "The soil turns dark." }}
        rule {lab.names.ident("growth")} {{ when {pot}.wet > 0 set {pot}.wet -= 1
        if {pot}.wet == 1 and {pot}.stage == sown {{ set {pot}.stage = sprouting say "A shoot shows." }}
        else if {pot}.wet == 1 and {pot}.stage == sprouting {{ set {pot}.stage = grown set {result}.in = {pot}.in
        say {quoted(f"It is {a(last)} now.")} }} }}"""
    )
    lab.may_focus(result)
    lab.sheet.goals.append(
        f"Grow {a(last)} from the {plant} seed in the flower pot, and focus on it. It wants water twice."
    )
    lab.wins.append(f"focused({result})")
    lab.milestone("sowed the seed", f"{pot}.stage != empty")
    lab.milestone("saw a shoot", f"{pot}.stage in {{sprouting, grown}}")
    lab.go(seed_room)
    lab.do(f"pick up {plant} seed")
    lab.go(jug_room)
    lab.do("pick up water jug")
    lab.go(pot_room)
    lab.do(f"plant {plant} seed in flower pot")
    for _ in range(2):
        lab.do("pour water into flower pot", *["wait"] * (need - 1))
    lab.do(f"focus on {last}")


def lifespan(lab: Lab) -> None:
    """The animal that lives longest, then the one that lives shortest; a book tells."""
    chosen = lab.random.sample(LIFESPANS, lab.random.randint(3, 5))
    chosen.sort(key=lambda row: row[1])
    idents = {
        name: lab.thing(name, lab.room(), "", f"{capital(a(name))}, of no particular age.")
        for name, _ in lab.random.sample(chosen, len(chosen))
    }
    both = lab.random.random() < 0.6
    facts = " ".join(
        f"{capital(name)}: {'less than a year' if years == 0 else f'{years} years'}."
        for name, years in sorted(chosen)
    )
    shelf_room = lab.room()
    if "read" not in lab.sheet.uses:
        lab.sheet.uses.append("read")
    lab.thing("book of lifespans", shelf_room, f"read {quoted(facts)}")
    longest, shortest = chosen[-1][0], chosen[0][0]
    lab.may_focus(idents[longest])
    wish = f"Focus on the animal here that lives longest{', then on the one that lives shortest' if both else ''}: the book of lifespans tells, and among them are {listed(sorted(f'the {n}' for n, _ in chosen))}."
    lab.sheet.goals.append(wish)
    lab.wins.append(f"focused({idents[longest]})")
    lab.milestone("focused on the longest-lived animal", f"focused({idents[longest]})")
    lab.go(shelf_room)
    lab.do("read book of lifespans")
    _focus_on(lab, longest)
    if both:
        lab.may_focus(idents[shortest], f"focused({idents[longest]})")
        lab.wins.append(f"focused({idents[shortest]})")
        _focus_on(lab, shortest)


def _focus_on(lab: Lab, name: str) -> None:
    line = next(line for line in lab.extra_lines if f' "{name}" ' in line)
    lab.go(next(room for room in lab.rooms if f"in {lab.place_id(room)} " in line))
    lab.do(f"focus on {name}")


def life_stages(lab: Lab) -> None:
    """The stages of one living thing, in their order."""
    whole, stages = lab.random.choice(STAGES)
    room = lab.room()
    idents = [
        lab.thing(name, room, "portable = false") for name in lab.random.sample(stages, len(stages))
    ]
    by_name = {ident.replace("_", " "): ident for ident in idents}
    lab.sheet.goals.append(
        f"Focus on the life stages of the {whole}, from the earliest to the latest."
    )
    for number, stage in enumerate(stages):
        ident = by_name[stage]
        lab.may_focus(ident, f"focused({by_name[stages[number - 1]]})" if number else "")
    lab.wins.append(f"focused({by_name[stages[-1]]})")
    lab.milestone(f"focused on the {stages[0]}", f"focused({by_name[stages[0]]})")
    lab.go(room)
    lab.do(*(f"focus on {stage}" for stage in stages))


def incline(lab: Lab) -> None:
    """Two or three slopes: the time a block takes down each tells which is steepest, or slickest."""
    friction = lab.random.random() < 0.5
    names = lab.random.sample(
        ["steel plane", "sandpaper plane", "glass plane", "wooden plane", "waxed plane"] if friction
        else ["plane A", "plane B", "plane C", "plane D"], lab.random.randint(2, 3),
    )  # fmt: skip
    room, block_room = lab.room(), lab.room()
    seconds = lab.random.sample(range(2, 15), len(names))
    planes = [
        lab.thing(name, room, "portable = false", "One cannot see it: it has to be tried.")
        for name in names
    ]
    block = lab.thing("test block", block_room, "", "Smooth, and exactly one kilogram.")
    best = names[seconds.index(min(seconds))]
    cases = " else ".join(
        f"if x == {plane} {{ say {quoted(f'The block takes {time} seconds to the bottom, and you fetch it.')} }}"
        for plane, time in zip(planes, seconds, strict=True)
    )
    lab.sheet.add(
        f"""action {lab.names.ident("slide_block")}(x: thing here) {{ form "slide test block down {{x}}"
        require held({block}) else place "You are not holding the test block."
        require x in {{{", ".join(planes)}}} else logic "Nothing slides down {{the x}}."
        {cases} }}"""
    )
    lab.may_focus(planes[names.index(best)])
    what = "has the least friction" if friction else "is the steepest"
    lab.sheet.goals.append(
        f"Slide the test block down {listed([the(n) for n in sorted(names)])}, and focus on the one that {what}: it is fastest there."
    )
    lab.wins.append(f"focused({planes[names.index(best)]})")
    lab.milestone("held the test block", f"held({block})")
    lab.go(block_room)
    lab.do("pick up test block")
    lab.go(room)
    lab.do(*(f"slide test block down {name}" for name in names), f"focus on {best}")
