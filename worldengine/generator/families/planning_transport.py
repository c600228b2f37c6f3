"""Puzzles of carrying: two hands between rooms, trucks and a plane between towns."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from worldengine.generator.families.frame import Sheet
from worldengine.generator.families.search import State, shortest
from worldengine.generator.words import listed

ROOMS = ("red room", "blue room", "long room", "round room", "garden room", "tower cell")
LOADS = ("ball", "crate", "barrel", "sack", "parcel", "trunk")
TOWNS = (
    ("Aldern", "Aldern depot", "Aldern airport"), ("Brock", "Brock depot", "Brock airport"),
    ("Corrie", "Corrie depot", "Corrie airport"),
)  # fmt: skip


def gripper(random: Random, sheet: Sheet, target: int) -> bool:
    """Things to other rooms, two hands."""
    rooms = random.sample(ROOMS, random.choice([2, 3, 4]))
    what = random.choice(LOADS)
    count = min(5, max(1, round(target / 4)))
    names = [f"{what} {n}" for n in range(1, count + 1)]
    start: State = (0, *(random.randrange(len(rooms)) for _ in names))
    goal = [random.choice([r for r in range(len(rooms)) if r != at]) for at in start[1:]]
    plan = shortest(start, lambda s: _grips(names, rooms, s), lambda s: list(s[1:]) == goal)
    if not plan:
        return False
    sheet.plan.extend(plan)
    sheet.uses += ["travel", "take"]
    sheet.places = len(rooms)
    ids = [room.replace(" ", "_") for room in rooms]
    for index, room in enumerate(rooms):
        ways = ""
        if index:
            ways += f"exit west to {ids[index - 1]} "
        if index + 1 < len(rooms):
            ways += f"exit east to {ids[index + 1]}"
        sheet.add(f'place {ids[index]} "{room}" {{ {ways} describe "Bare walls." }}')
    for index, name in enumerate(names):
        at = ids[int(str(start[index + 1]))]
        sheet.add(
            f'thing {name.replace(" ", "_")} "{name}" proper in {at} {{ describe "It takes one hand." }}'
        )
    sheet.add(
        f"player in {ids[0]} {{ carries = 2 @PLAYER@ }}",
        "rule counting { when changed(player.in) or any(x: thing where changed(x.in)) @MOVE@ }",
    )
    wins = [
        f"{name.replace(' ', '_')}.in == {ids[at]}" for name, at in zip(names, goal, strict=True)
    ]
    sheet.goals.append(
        f"Bring {listed([f'{name} to the {rooms[at]}' for name, at in zip(names, goal, strict=True)])}. You have two hands."
    )
    sheet.add(
        f'win when {" and ".join(wins)} say "Everything is in its room."',
        f'milestone first "brought a first {what}" when {" or ".join(wins) if count > 1 else f"held({names[0].replace(chr(32), chr(95))})"}',
    )
    return True


def _grips(names: list[str], rooms: list[str], state: State) -> Iterator[tuple[str, State]]:
    """A state: the room of the player, then that of each load, -1 in hand."""
    at = int(str(state[0]))
    for step, word in ((-1, "west"), (1, "east")):
        if 0 <= at + step < len(rooms):
            yield word, (at + step, *state[1:])
    for i, name in enumerate(names, start=1):
        if state[i] == at and state[1:].count(-1) < 2:
            yield f"take {name}", (*state[:i], -1, *state[i + 1 :])
        elif state[i] == -1:
            yield f"drop {name}", (*state[:i], at, *state[i + 1 :])


def logistics(random: Random, sheet: Sheet, target: int) -> bool:
    """Parcels between depots and airports: a truck in each town, one plane."""
    towns = random.sample(TOWNS, 2)
    spots = [spot for _, depot, airport in towns for spot in (depot, airport)]
    count = 1 if target < 13 else random.choice([1, 2, 2, 3])
    names = [f"parcel {n}" for n in range(1, count + 1)]
    trucks = [f"{town} truck" for town, _, _ in towns]
    vehicles = [*trucks, "plane"]
    start: State = (
        random.choice([0, 1]), random.choice([2, 3]), random.choice([1, 3]),
        *(random.randrange(4) for _ in names),
    )  # fmt: skip
    goal = [random.choice([s for s in range(4) if s != at]) for at in start[3:]]
    plan = shortest(
        start, lambda s: _hauls(names, vehicles, spots, s), lambda s: list(s[3:]) == goal
    )
    if not plan:
        return False
    sheet.plan.extend(plan)
    ids = {name: name.lower().replace(" ", "_") for name in (*spots, *vehicles, *names)}
    sheet.add(
        "kind spot is thing { portable = false }",
        "kind vehicle is thing { portable = false at : spot? = none }",
        "kind parcel is thing { portable = false at : spot? = none on : vehicle? = none }",
        'place desk "dispatcher\'s desk" { describe "A map with pins, and a telephone. Look to see where everything is." }',
    )
    for spot in spots:
        sheet.add(f'spot {ids[spot]} "{spot}" proper in desk {{ describe "A pin on the map." }}')
    for index, name in enumerate(vehicles):
        sheet.add(
            f'vehicle {ids[name]} "{name}" {"proper" if index < 2 else ""} in desk {{ at = {ids[spots[int(str(start[index]))]]} describe "It is at {{this.at}}." }}'
        )
    for index, name in enumerate(names):
        sheet.add(
            f'parcel {ids[name]} "{name}" proper in desk {{ at = {ids[spots[int(str(start[3 + index]))]]} describe "{{if this.on == none}}It is at {{this.at}}.{{else}}It is in {{the this.on}}.{{end}}" }}'
        )
    drives = " or ".join(
        f"v == {ids[name]} and s in {{{ids[spots[a]]}, {ids[spots[b]]}}}"
        for name, (a, b) in zip(vehicles, ((0, 1), (2, 3), (1, 3)), strict=True)
    )
    sheet.add(
        "player in desk { @PLAYER@ }",
        f"""action send(v: vehicle here, s: spot here) {{ form "(send|drive|fly) {{v}} to {{s}}"
        require {drives} else logic "{{The v}} cannot go to {{s}}." require v.at != s else logic "It is there already."
        set v.at = s @MOVE@ say "{{The v}} goes to {{s}}." }}
        action load(p: parcel here, v: vehicle here) {{ form "load {{p}} into {{v}}"
        require p.on == none else logic "It is loaded already." require p.at == v.at else logic "They are not in the same place."
        set p.on = v set p.at = none @MOVE@ say "{{The p}} is in {{the v}}." }}
        action unload(p: parcel here, v: vehicle here) {{ form "unload {{p}} from {{v}}"
        require p.on == v else logic "It is not in {{the v}}."
        set p.on = none set p.at = v.at @MOVE@ say "{{The p}} is at {{p.at}}." }}
        action look_at_map {{ form "look" form "l" each v: vehicle {{ say "{{The v}} is at {{v.at}}." }}
        each p: parcel {{ if p.on == none {{ say "{{The p}} is at {{p.at}}." }} else {{ say "{{The p}} is in {{the p.on}}." }} }} }}""",
    )
    wins = [f"{ids[name]}.at == {ids[spots[at]]}" for name, at in zip(names, goal, strict=True)]
    sheet.goals.append(
        f"Deliver {listed([f'{name} to {spots[at]}' for name, at in zip(names, goal, strict=True)])}. Trucks stay in their town; the plane flies between the airports."
    )
    sheet.add(
        f'win when {" and ".join(wins)} say "Delivered."',
        'milestone loaded "loaded a parcel" when any(p: parcel where p.on != none)',
    )
    return True


def _hauls(
    names: list[str], vehicles: list[str], spots: list[str], state: State
) -> Iterator[tuple[str, State]]:
    """A state: where truck, truck and plane are; then each parcel's spot, or 4 + its vehicle."""
    ways = ((0, 1), (2, 3), (1, 3))
    for i, vehicle in enumerate(vehicles):
        for spot in ways[i]:
            if spot != state[i]:
                yield f"send {vehicle} to {spots[spot]}", (*state[:i], spot, *state[i + 1 :])
        for j, name in enumerate(names, start=3):
            if state[j] == state[i]:
                yield f"load {name} into {vehicle}", (*state[:j], 4 + i, *state[j + 1 :])
            elif state[j] == 4 + i:
                yield f"unload {name} from {vehicle}", (*state[:j], state[i], *state[j + 1 :])
