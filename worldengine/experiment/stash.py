"""The family on which learning is shown: a key, a locked chest, rooms around a hall.

In: a seed and a number. Out: that many scripts, small enough for a model of a million
weights. Each world has its own names and ways; the key, the chest and two things of no use
may be in any room, which makes 81 starts of three rooms. Nobody can tell the starts apart
without going to look, and the proofs do not: each goes through the rooms in the order in
which the hall lists its exits, takes the key where it finds it, and goes back for the chest
if it came by it too soon. So what a proof does next follows from what has been shown. The
verbs are the world's own, so that the prompt is short.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

ROOMS = (
    "attic", "bakery", "cellar", "chapel", "dairy", "forge", "garden", "gallery", "kitchen",
    "larder", "library", "loft", "nursery", "orchard", "parlour", "pantry", "stable", "studio",
    "tower", "vault",
)  # fmt: skip
HALLS = ("hall", "courtyard", "landing", "lobby", "passage", "yard")
CHESTS = ("box", "cabinet", "casket", "chest", "coffer", "locker", "safe", "trunk")
KEYS = ("brass key", "bone key", "copper key", "iron key", "rusty key", "silver key")
PRIZES = ("crown", "deed", "goblet", "lantern", "medal", "opal", "ring", "sceptre")
OTHERS = ("blanket", "broom", "bucket", "candle", "hammer", "ladle", "rope", "stool")
WAYS = (("north", "south"), ("east", "west"), ("up", "down"), ("northeast", "southwest"))
TURNS = 20
ROOM_COUNT = 3
VERBS = """\
action go(e: exit here) { form "go {e}" set player.in = e.to say "{look}" }
action take(x: thing here) {
  form "take {x}"
  require x.portable else logic "{The x} {is x} too heavy."
  set x.in = player
  say "You take {the x}."
}
action unlock(c: container here, k: thing held) {
  form "unlock {c} with {k}"
  require c.key == k else logic "{The k} does not fit."
  set c.locked = false
  set c.open = true
  say "It opens. In it: {list a x: thing where x.in == c}."
}
"""


def script(seed: int, number: int, rooms: int = ROOM_COUNT, plain: bool = False) -> str:
    """World `number` of the family of a seed. With `plain` all worlds use the same names, and
    differ in which way leads where."""
    random = Random(f"stash|{seed}|{number}")
    there = [random.choice(pair) for pair in random.sample(WAYS, len(WAYS))]
    back = {one: other for pair in WAYS for one, other in (pair, pair[::-1])}
    ways = there[:rooms]
    places = random.sample(ROOMS[:rooms] if plain else ROOMS, rooms)
    hall, chest, key, prize = (
        random.choice(names[:1] if plain else names) for names in (HALLS, CHESTS, KEYS, PRIZES)
    )
    others = random.sample(OTHERS[:2] if plain else OTHERS, 2)
    among = ", ".join(places)
    lines = [
        f'world stash_{seed}_{number:03d} "The {prize.capitalize()}" {{',
        f'  goal "Find the {prize}. It is locked in the {chest}."',
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
        f'container chest "{chest}" in {places[0]} {{',
        "  portable = false  locked = true  key = the_key",
        "}",
        f'thing the_key "{key}" aka "key" in {places[0]}',
        f'thing prize "{prize}" in chest',
        *(
            f'thing other_{at} "{other}" in {places[0]}\nvary other_{at}.in among {among}'
            for at, other in enumerate(others)
        ),
        "player in the_hall",
        f"vary the_key.in among {among}",
        f"vary chest.in among {among}",
        'milestone has_key "found the key" when held(the_key)',
        'milestone unlocked "unlocked it" when not chest.locked',
        "win when held(prize)",
        *(f"proof {proof}" for proof in _proofs(ways, back, chest, key, prize)),
    ]
    return "\n".join(lines) + "\n"


def _proofs(ways: list[str], back: dict[str, str], chest: str, key: str, prize: str) -> list[str]:
    """One play for each pair of rooms that hold the key and the chest, the shortest first:
    none of them goes anywhere for what it has not seen."""
    opening = [f"unlock {chest} with {key}", f"take {prize}"]
    found: list[list[str]] = []
    for at_key in range(len(ways)):
        for at_chest in range(len(ways)):
            play: list[str] = []
            for number in range(max(at_key, at_chest) + 1):
                play += [f"go {back[ways[number - 1]]}"] if number else []
                play.append(f"go {ways[number]}")
                if number == at_key:
                    play.append(f"take {key}")
            if at_chest < at_key:
                play += [f"go {back[ways[at_key]]}", f"go {ways[at_chest]}"]
            found.append(play + opening)
    found.sort(key=len)
    return [", ".join(f'"{command}"' for command in play) for play in found]


def write(
    folder: Path, count: int, seed: int, first: int = 0, plain: bool = False
) -> tuple[Path, ...]:
    """Worlds `first` and following as files; what is there already stays as it is."""
    texts = {
        f"stash_{seed}_{number:03d}.world": script(seed, number, plain=plain)
        for number in range(first, first + count)
    }
    return put(folder, texts)


def put(folder: Path, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """Texts as files of these names; what is there already stays as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Path] = []
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
        found.append(path)
    return tuple(found)
