"""The tasks of the science family that are about matter: states, heat, electricity, mixing."""

from __future__ import annotations

from worldengine.generator.families.science import Lab, Task, wrong_box
from worldengine.generator.families.science_current import circuit, conductivity
from worldengine.generator.families.science_life import (
    find,
    grow,
    incline,
    life_stages,
    lifespan,
)
from worldengine.generator.words import capital, quoted, the

SUBSTANCES = {  # melts at, boils at, in degrees
    "water": (0, 100), "orange juice": (-2, 101), "butter": (32, 150), "chocolate": (30, 160),
    "candle wax": (55, 170), "gallium": (30, 200), "ethanol": (-114, 78), "milk": (-1, 100),
    "glycerine": (18, 180), "coconut oil": (24, 177), "apple juice": (-2, 102), "soap": (45, 170),
}  # fmt: skip
PAINTS = (
    ("orange", "red", "yellow"), ("green", "blue", "yellow"), ("violet", "red", "blue"),
    ("pink", "red", "white"), ("grey", "black", "white"), ("sky blue", "blue", "white"),
)  # fmt: skip
MIXTURES = (
    ("salt water", "salt", "tap water"), ("sugar syrup", "sugar", "tap water"),
    ("fizzing foam", "baking soda", "vinegar"), ("oatmeal", "oats", "warm milk"),
    ("plaster paste", "plaster", "tap water"), ("lemonade", "lemon juice", "sparkling water"),
    ("dough", "flour", "tap water"), ("soap suds", "soap flakes", "warm water"),
)  # fmt: skip


def change_state(lab: Lab) -> None:
    """Boil, melt or freeze what stands in a pot."""
    name = lab.random.choice(sorted(SUBSTANCES))
    melts, boils = SUBSTANCES[name]
    wish = lab.random.choice(["boil", "freeze"] if melts < 15 else ["melt", "boil"])
    if wish == "freeze" and melts < -20:
        wish = "boil"
    state = {"boil": "boiling", "melt": "liquid", "freeze": "solid"}[wish]
    start = "liquid" if melts < 15 else "solid"
    heat_room = lab.random.choice(lab.rooms)
    pot_room = lab.room()
    device = (
        "freezer"
        if wish == "freeze"
        else lab.random.choice(["stove", "hot plate", "bunsen burner"])
    )
    step = 10 if device == "freezer" else 20
    lab.kind("vessel", "kind vessel is container { open = true  portable = true }")
    lab.kind(
        "substance",
        "kind substance is thing { portable = false temp : -40..240 = 20 phase : solid | liquid | boiling = liquid }",
    )
    pot = lab.thing(
        lab.random.choice(["metal pot", "tin cup", "glass beaker"]), pot_room, kind="vessel"
    )
    pot_name = pot.replace("_", " ")
    stuff = lab.thing(
        name, pot, f"phase = {start}", "It is {this.phase}.", "substance",
    )  # fmt: skip
    if device == "freezer":
        heater = lab.thing(
            device,
            heat_room,
            "portable = false open = true",
            "It hums. It is cold inside.",
            "container",
        )
        condition = f"{pot}.in == {heater}"
    else:
        lab.kind("plate", "kind burner is device, surface")
        heater = lab.thing(
            device, heat_room, "", "{if this.on}It glows.{else}It is off.{end}", "burner"
        )
        condition = f"{pot}.in == {heater} and {heater}.on"
        _activation(lab)
    sign = "-" if device == "freezer" else "+"
    lab.sheet.add(
        f"rule {lab.names.ident('heating')} {{ when {condition} set {stuff}.temp {sign}= {step} "
        f"if {stuff}.temp >= {boils} and {stuff}.phase != boiling {{ set {stuff}.phase = boiling say {quoted(f'The {name} boils.')} }} "
        f"else if {stuff}.temp >= {melts} and {stuff}.temp < {boils} and {stuff}.phase == solid {{ set {stuff}.phase = liquid say {quoted(f'The {name} melts.')} }} "
        f"else if {stuff}.temp < {melts} and {stuff}.phase == liquid {{ set {stuff}.phase = solid say {quoted(f'The {name} freezes.')} }} }}"
    )
    lab.may_focus(stuff)
    lab.sheet.goals.append(
        f"{capital(wish)} the {name}: first focus on it, then bring it to that state."
    )
    lab.player.append("reached : bool = false")
    lab.sheet.add(
        f"rule {lab.names.ident('reaching')} {{ when focused({stuff}) and {stuff}.phase == {state} "
        "set player.reached = true }"
    )
    lab.wins.append("player.reached")
    lab.milestone(f"focused on the {name}", f"focused({stuff})")
    lab.milestone(f"brought the {name} to the {device}", condition)
    lab.go(pot_room)
    lab.do(f"focus on {name}", f"pick up {pot_name}")
    lab.go(heat_room)
    if device == "freezer":
        lab.do(f"put {pot_name} in {device}")
        turns = -(-(20 - melts + 1) // step) - 1
    else:
        lab.do(f"put {pot_name} on {device}", f"activate {device}")
        turns = -(-((boils if wish == "boil" else melts) - 20) // step) - 1
    lab.do(*["wait"] * max(0, turns))


def _activation(lab: Lab) -> None:
    lab.kind(
        "activation",
        """action activate(d: device reachable) { form "activate {d}" form "turn on {d}"
        require not d.on else logic "{The d} {is d} on already." set d.on = true say "{The d} {is d} now on." }
        action deactivate(d: device reachable) { form "deactivate {d}" form "turn off {d}"
        require d.on else logic "{The d} {is d} off already." set d.on = false say "{The d} {is d} now off." }""",
    )


def measure(lab: Lab) -> None:
    """A thermometer decides in which box something goes."""
    name = lab.random.choice(
        ["unknown liquid B", "sealed flask", "grey powder", "blue jelly", "ingot"]
    )
    degrees = lab.random.randint(-10, 160)
    limit = max(0, min(150, degrees + lab.random.choice([-40, -20, -10, 10, 20, 40])))
    if limit == degrees:
        limit += 5
    warm, cold = lab.random.sample(["red box", "blue box", "green box", "orange box"], 2)
    box_room, room, tool_room = lab.room(), lab.room(), lab.room()
    item = lab.thing(name, room, "", "One cannot tell by looking how warm it is.")
    tool = lab.thing("thermometer", tool_room, "", "From minus fifty to two hundred.")
    boxes = [
        lab.thing(box, box_room, "open = true portable = false", kind="container")
        for box in (warm, cold)
    ]
    right = boxes[0] if degrees > limit else boxes[1]
    wrong = boxes[1] if degrees > limit else boxes[0]
    flag = lab.names.ident("measured")
    lab.player.append(f"{flag} : bool = false")
    lab.sheet.add(
        f"""action {lab.names.ident("use_thermometer")}(x: thing reachable) {{ form "use thermometer on {{x}}"
        require held({tool}) else place "You are not holding the thermometer."
        if x == {item} {{ set player.{flag} = true say {quoted(f"The thermometer measures {degrees} degrees.")} }}
        else {{ say "The thermometer measures 20 degrees." }} }}"""
    )
    lab.sheet.goals.append(
        f"Measure the temperature of {the(name)} with the thermometer. If it is above {limit} degrees, put it in the {warm}, else in the {cold}."
    )
    lab.wins.append(f"player.{flag} and {item}.in == {right}")
    lab.milestone(f"measured the {name}", f"player.{flag}")
    wrong_box(lab, f"{item}.in == {wrong}", "That was the wrong box.")
    lab.go(tool_room)
    lab.do("pick up thermometer")
    lab.go(room)
    lab.do(f"use thermometer on {name}", f"pick up {name}")
    lab.go(box_room)
    lab.do(f"put {name} in {warm if degrees > limit else cold}")


def mix_paint(lab: Lab) -> None:
    _mix(lab, [tuple(f"{word} paint" for word in row) for row in PAINTS], "jug")


def chemistry(lab: Lab) -> None:
    _mix(lab, list(MIXTURES), "bowl")


def _mix(lab: Lab, recipes: list[tuple[str, ...]], vessel: str) -> None:
    """Two things poured together and mixed give a third."""
    product, first, second = lab.random.choice(recipes)
    third = lab.random.choice(
        sorted({name for row in recipes for name in row[1:]} - {first, second})
    )
    bench = lab.room()
    bowl = lab.thing(f"mixing {vessel}", bench, "open = true portable = false", kind="container")
    made = lab.thing(product, "nowhere", "portable = false", f"{capital(product)}, well mixed.")
    lab.kind("liquid", "kind supply is thing { poured : container? = none }")
    rooms = {}
    for name in (first, second, third):
        rooms[name] = lab.room()
        lab.thing(f"cup of {name}", rooms[name], "portable = true", f"Full of {name}.", "supply")
    cups = {name: f"cup_of_{name.replace(' ', '_')}" for name in (first, second, third)}
    lab.kind(
        "pouring",
        """action pour(x: supply held, c: container here) { form "pour {x} (into|in) {c}"
        require x.poured == none else logic "It is empty." set x.poured = c say "You pour {the x} into {the c}." }""",
    )
    good = f"{cups[first]}.poured == {bowl} and {cups[second]}.poured == {bowl} and {cups[third]}.poured != {bowl}"
    lab.sheet.add(
        f"""action {lab.names.ident(f"mix {vessel}")} {{ form "mix mixing {vessel}"
        require here({bowl}) else place "There is no mixing {vessel} here."
        require any(x: supply where x.poured == {bowl}) else logic "It is empty."
        require {made}.in == nowhere else logic "It is mixed already."
        if {good} {{ set {made}.in = {bowl} say {quoted(f"It becomes {product}.")} }} else {{ say "It is no more than it was." }} }}"""
    )
    lab.may_focus(made)
    lab.sheet.goals.append(
        f"Make {product} in the mixing {vessel}, out of {first} and {second} and nothing else, and focus on it."
    )
    lab.wins.append(f"focused({made})")
    lab.milestone(f"made {product}", f"{made}.in != nowhere")
    for name in (first, second):
        lab.go(rooms[name])
        lab.do(f"pick up cup of {name}")
    lab.go(bench)
    lab.do(*(f"pour cup of {name} into mixing {vessel}" for name in (first, second)))
    lab.do(f"mix mixing {vessel}", f"focus on {product}")
    _rinse(lab, bowl, vessel, [cups[name] for name in cups])


def _rinse(lab: Lab, bowl: str, vessel: str, cups: list[str]) -> None:
    """A wrong mixture can be thrown away: the cups are filled again."""
    resets = " ".join(f"set {cup}.poured = none" for cup in cups)
    lab.sheet.add(
        f"""action {lab.names.ident(f"empty {vessel}")} {{ form "empty mixing {vessel}"
        require here({bowl}) else place "There is no mixing {vessel} here."
        {resets} say "You rinse it, and fill the cups again from the big bottles." }}"""
    )


TASKS: dict[str, Task] = {
    "change-state": change_state,
    "measure-temperature": measure,
    "circuit": circuit,
    "conductivity": conductivity,
    "mix-paint": mix_paint,
    "chemistry": chemistry,
    "find": find,
    "grow": grow,
    "lifespan": lifespan,
    "life-stages": life_stages,
    "inclined-plane": incline,
}
