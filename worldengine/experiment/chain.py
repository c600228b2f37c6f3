"""A second small family, of which nothing is trained: a key, a box, another key, a chest.

In: a seed and a number. Out: that many scripts with the verbs of `stash`, its names and its
rooms around a hall, but a chain of two locks: the box holds the key of the chest. The key, the
box, the chest and one thing of no use may be in any room, which makes 81 starts of three rooms.
A model that was trained on `stash` alone knows all the words, and has never seen the task.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from worldengine.experiment.stash import (
    CHESTS,
    HALLS,
    KEYS,
    OTHERS,
    PRIZES,
    ROOM_COUNT,
    ROOMS,
    VERBS,
    WAYS,
    put,
)

TURNS = 26


def script(seed: int, number: int, plain: bool = False) -> str:
    """World `number` of the family of a seed; `plain` as in `stash`."""
    random = Random(f"chain|{seed}|{number}")
    there = [random.choice(pair) for pair in random.sample(WAYS, len(WAYS))]
    back = {one: other for pair in WAYS for one, other in (pair, pair[::-1])}
    ways = there[:ROOM_COUNT]
    places = random.sample(ROOMS[:ROOM_COUNT] if plain else ROOMS, ROOM_COUNT)
    hall = HALLS[0] if plain else random.choice(HALLS)
    box, chest = random.sample(CHESTS[:2] if plain else CHESTS, 2)
    first, second = random.sample(KEYS[:2] if plain else KEYS, 2)
    prize = PRIZES[0] if plain else random.choice(PRIZES)
    other = OTHERS[0] if plain else random.choice(OTHERS)
    among = ", ".join(places)
    lines = [
        f'world chain_{seed}_{number:03d} "The {prize.capitalize()}" {{',
        f'  goal "Find the {prize}. It is locked in the {chest}, whose key is in the {box}."',
        f"  turns {TURNS}",
        "}",
        VERBS,
        f'place the_hall "{hall}" {{',
        *(f"  exit {way} to {place}" for way, place in zip(ways, places, strict=True)),
        "}",
        *(
            f'place {place} "{place}" {{ exit {back[way]} to the_hall }}'
            for way, place in zip(ways, places, strict=True)
        ),
        f'container box "{box}" in {places[0]} {{ portable = false locked = true key = one }}',
        f'container chest "{chest}" in {places[0]} {{ portable = false locked = true key = two }}',
        f'thing one "{first}" in {places[0]}',
        f'thing two "{second}" in box',
        f'thing prize "{prize}" in chest',
        f'thing other "{other}" in {places[0]}',
        "player in the_hall",
        *(f"vary {name}.in among {among}" for name in ("one", "box", "chest", "other")),
        'milestone has_key "found the first key" when held(one)',
        'milestone opened_box "opened the box" when not box.locked',
        'milestone opened_chest "opened the chest" when not chest.locked',
        "win when held(prize)",
    ]
    steps = (
        [f"take {first}"],
        [f"unlock {box} with {first}", f"take {second}"],
        [f"unlock {chest} with {second}", f"take {prize}"],
    )
    lines += [f"proof {proof}" for proof in _proofs(ways, back, steps)]
    return "\n".join(lines) + "\n"


def _proofs(ways: list[str], back: dict[str, str], steps: tuple[list[str], ...]) -> list[str]:
    """One play for each choice of the three rooms, the shortest first."""
    found: list[list[str]] = []
    count = len(ways)
    for choice in range(count ** len(steps)):
        rooms = [choice // count**at % count for at in range(len(steps))]
        play = [f"go {ways[rooms[0]]}", *steps[0]]
        for before, room, step in zip(rooms[:-1], rooms[1:], steps[1:], strict=True):
            if room != before:
                play += [f"go {back[ways[before]]}", f"go {ways[room]}"]
            play += step
        found.append(play)
    found.sort(key=len)
    return [", ".join(f'"{command}"' for command in play) for play in found]


def write(folder: Path, count: int, seed: int, plain: bool = False) -> tuple[Path, ...]:
    """The first worlds as files; what is there already stays as it is."""
    texts = {
        f"chain_{seed}_{number:03d}.world": script(seed, number, plain) for number in range(count)
    }
    return put(folder, texts)
