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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
ROOM_COUNT = 3
HALL = -1
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


@dataclass(frozen=True, slots=True)
class Layout:
    """What a world is like beside its words: how many rooms, all at the hall or in a row, how
    many things of no use, how many empty boxes in the hall."""

    rooms: int = ROOM_COUNT
    row: bool = False
    others: int = 2
    boxes: int = 0

    @property
    def turns(self) -> int:
        """The longest proof, and some more."""
        return 20 if self.rooms <= ROOM_COUNT else 26

    @property
    def parents(self) -> tuple[int, ...]:
        """The room before each room on the way from the hall, which is -1."""
        return tuple(number - 1 if self.row else HALL for number in range(self.rooms))


LAYOUTS = tuple(
    Layout(rooms, row, others, boxes)
    for rooms in (3, 4)
    for others in (1, 2, 3, 4)
    for row in (False, True)
    for boxes in (0, 1, 2, 3)
)
"""Each is another shape of world."""
BOXES = ("empty box", "empty crate", "empty basket")
VARIED = 2
"""Things of no use that may be in any room; others stay where they are."""


def layout_of(seed: int, number: int) -> Layout:
    """The layout of world `number` where they vary: all of them come once before one comes
    again."""
    order = list(LAYOUTS)
    Random(f"layouts|{seed}").shuffle(order)
    return order[number % len(order)]


def script(seed: int, number: int, plain: bool = False, layout: Layout = Layout()) -> str:
    """World `number` of the family of a seed. With `plain` all worlds use the same names, and
    differ in which way leads where."""
    random = Random(f"stash|{seed}|{number}")
    there = [random.choice(pair) for pair in random.sample(WAYS, len(WAYS))]
    back = {one: other for pair in WAYS for one, other in (pair, pair[::-1])}
    rooms = layout.rooms
    ways = there[:rooms]
    places = random.sample(ROOMS[:rooms] if plain else ROOMS, rooms)
    hall, chest, key, prize = (
        random.choice(names[:1] if plain else names) for names in (HALLS, CHESTS, KEYS, PRIZES)
    )
    others = random.sample(OTHERS[: layout.others] if plain else OTHERS, layout.others)
    among = ", ".join(places)
    parents = layout.parents
    lines = [
        f'world stash_{seed}_{number:03d} "The {prize.capitalize()}" {{',
        f'  goal "Find the {prize}. It is locked in the {chest}."',
        f"  turns {layout.turns}",
        "}",
        VERBS,
        f'place the_hall "{hall}" {{',
        *_exits(HALL, ways, places, parents),
        "}",
        *_rooms(ways, back, places, parents),
        f'container chest "{chest}" in {places[0]} {{',
        "  portable = false  locked = true  key = the_key",
        "}",
        *(
            f'container box_{at} "{box}" in the_hall {{ portable = false }}'
            for at, box in enumerate(BOXES[: layout.boxes])
        ),
        f'thing the_key "{key}" aka "key" in {places[0]}',
        f'thing prize "{prize}" in chest',
        *(
            f'thing other_{at} "{other}" in {places[0]}'
            + (f"\nvary other_{at}.in among {among}" if at < VARIED else "")
            for at, other in enumerate(others)
        ),
        "player in the_hall",
        f"vary the_key.in among {among}",
        f"vary chest.in among {among}",
        'milestone has_key "found the key" when held(the_key)',
        'milestone unlocked "unlocked it" when not chest.locked',
        "win when held(prize)",
        *(f"proof {proof}" for proof in _proofs(ways, back, parents, chest, key, prize)),
    ]
    return "\n".join(lines) + "\n"


def _exits(
    place: int, ways: Sequence[str], places: Sequence[str], parents: Sequence[int]
) -> list[str]:
    """The exits of a place to the rooms behind it."""
    return [
        f"  exit {ways[number]} to {places[number]}"
        for number, parent in enumerate(parents)
        if parent == place
    ]


def _rooms(
    ways: Sequence[str], back: Mapping[str, str], places: Sequence[str], parents: Sequence[int]
) -> list[str]:
    found: list[str] = []
    for number, place in enumerate(places):
        parent = parents[number]
        home = "the_hall" if parent == HALL else places[parent]
        exit_ = f"exit {back[ways[number]]} to {home}"
        beyond = _exits(number, ways, places, parents)
        if beyond:
            found += [f'place {place} "{place}" {{', f"  {exit_}", *beyond, "}"]
        else:
            found.append(f'place {place} "{place}" {{ {exit_} }}')
    return found


def _route(
    here: int, there: int, ways: Sequence[str], back: Mapping[str, str], parents: Sequence[int]
) -> list[str]:
    """The commands from one place to another: back until both have a way in common, then on."""
    behind = [there]
    while behind[-1] != HALL:
        behind.append(parents[behind[-1]])
    play: list[str] = []
    while here not in behind:
        play.append(f"go {back[ways[here]]}")
        here = parents[here]
    return play + [f"go {ways[number]}" for number in reversed(behind[: behind.index(here)])]


def _proofs(
    ways: Sequence[str],
    back: Mapping[str, str],
    parents: Sequence[int],
    chest: str,
    key: str,
    prize: str,
) -> list[str]:
    """One play for each pair of rooms that hold the key and the chest, the shortest first:
    none of them goes anywhere for what it has not seen."""
    opening = [f"unlock {chest} with {key}", f"take {prize}"]
    found: list[list[str]] = []
    for at_key in range(len(ways)):
        for at_chest in range(len(ways)):
            play: list[str] = []
            here = HALL
            for number in range(max(at_key, at_chest) + 1):
                play += _route(here, number, ways, back, parents)
                here = number
                if number == at_key:
                    play.append(f"take {key}")
            found.append(play + _route(here, at_chest, ways, back, parents) + opening)
    found.sort(key=len)
    return [", ".join(f'"{command}"' for command in play) for play in found]


def write(
    folder: Path,
    count: int,
    seed: int,
    first: int = 0,
    plain: bool = False,
    varied: bool = False,
) -> tuple[Path, ...]:
    """Worlds `first` and following as files; what is there already stays as it is. `varied`
    gives each another layout."""
    texts = {
        f"stash_{seed}_{number:03d}.world": script(
            seed, number, plain, layout_of(seed, number) if varied else Layout()
        )
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
