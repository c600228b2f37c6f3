"""Slips: the right action in a wrong form, as people and models write it.

In: what kind of slip, a command, the names shown so far, a generator. Out: other wordings of
the command, in a seeded order. Whether a wording is refused, and how, only the world knows:
whoever makes one asks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from worldengine.players.thoughts.chance import in_any_order, weighed

SYNONYMS: dict[str, tuple[str, ...]] = {
    "take": ("grab", "collect", "fetch"),
    "get": ("grab", "collect", "fetch"),
    "go": ("head", "run", "proceed"),
    "open": ("pry open", "uncover", "pull open"),
    "close": ("seal", "pull shut"),
    "put": ("stash", "set down", "insert"),
    "drop": ("leave behind", "discard"),
    "give": ("deliver", "pass over"),
    "show": ("present", "display"),
    "unlock": ("undo", "unbolt"),
    "lock": ("bolt", "secure"),
    "read": ("study", "go through"),
    "examine": ("inspect", "check out"),
    "ask": ("question", "interrogate"),
    "talk": ("speak", "chat"),
    "switch": ("flip", "power"),
    "turn": ("rotate", "spin"),
    "push": ("shove", "press on"),
    "pull": ("tug", "yank"),
    "wear": ("don", "slip on"),
    "write": ("scribble", "jot down"),
    "set": ("adjust", "change"),
    "use": ("apply", "employ"),
    "cut": ("slice", "chop"),
    "fill": ("top up", "load"),
    "pour": ("tip", "empty"),
    "clean": ("wipe down", "tidy up"),
    "measure": ("gauge the", "size up"),
    "check": ("look over", "verify the"),
    "add": ("mix in", "toss in"),
    "light": ("ignite", "set fire to"),
}
ANY_VERB = ("try to {}", "quickly {}", "please {}", "i {}")
JOINTS = frozenset({"with", "to", "in", "into", "on", "onto", "from", "about", "at", "for", "over"})
OTHER_JOINTS: dict[str, tuple[str, ...]] = {
    "with": ("using", "by"),
    "to": ("with", "for", "at"),
    "in": ("at", "under"),
    "into": ("onto", "at"),
    "on": ("at", "over"),
    "onto": ("into", "at"),
    "from": ("off", "at"),
    "about": ("for", "on"),
    "at": ("to", "on"),
    "for": ("to", "about"),
    "over": ("across", "at"),
}


INSERTED: dict[str, tuple[str, ...]] = {
    "go": ("to", "towards"),
    "enter": ("into", "in"),
    "examine": ("at", "into"),
    "read": ("in", "from"),
    "search": ("in", "through"),
    "open": ("up", "with"),
    "take": ("up", "from"),
    "get": ("up", "from"),
    "drop": ("off", "down"),
    "push": ("on", "against"),
    "pull": ("at", "on"),
    "ring": ("at", "on"),
    "press": ("on", "down"),
    "use": ("on", "with"),
    "wear": ("on",),
    "eat": ("up", "from"),
    "drink": ("from", "up"),
    "clean": ("up", "off"),
    "check": ("on", "at"),
    "call": ("to", "for"),
    "climb": ("at", "onto"),
}
"""Little words that people put where a verb takes none."""
OTHER_NOUNS: dict[str, tuple[str, ...]] = {
    "lamp": ("lantern", "light"), "lantern": ("lamp", "torch"), "torch": ("flashlight", "lamp"),
    "box": ("case", "crate"), "chest": ("trunk", "box"), "crate": ("box", "case"),
    "case": ("box", "bag"), "tin": ("can", "box"), "jar": ("pot", "glass"),
    "pot": ("pan", "kettle"), "pan": ("pot", "dish"), "bag": ("sack", "pouch"),
    "sack": ("bag", "pouch"), "basket": ("hamper", "bin"), "bucket": ("pail", "tub"),
    "bottle": ("flask", "vial"), "flask": ("bottle", "vial"), "cup": ("mug", "glass"),
    "letter": ("note", "envelope"), "note": ("letter", "memo"), "card": ("ticket", "slip"),
    "book": ("volume", "manual"), "manual": ("handbook", "guide"), "map": ("chart", "plan"),
    "list": ("sheet", "notes"), "sheet": ("page", "form"), "paper": ("document", "sheet"),
    "sign": ("notice", "board"), "notice": ("sign", "note"), "board": ("panel", "sign"),
    "panel": ("console", "board"), "lever": ("handle", "switch"), "switch": ("button", "lever"),
    "button": ("switch", "knob"), "handle": ("lever", "grip"), "crank": ("handle", "winch"),
    "rope": ("cord", "line"), "cord": ("rope", "cable"), "cable": ("wire", "cord"),
    "knife": ("blade", "cutter"), "axe": ("hatchet", "saw"), "spade": ("shovel", "fork"),
    "shovel": ("spade", "scoop"), "hammer": ("mallet", "tool"), "wrench": ("spanner", "pliers"),
    "table": ("desk", "counter"), "desk": ("table", "bureau"), "shelf": ("rack", "cupboard"),
    "cupboard": ("cabinet", "closet"), "cabinet": ("cupboard", "locker"),
    "drawer": ("cabinet", "tray"), "door": ("gate", "doorway"), "gate": ("door", "fence"),
    "stone": ("rock", "pebble"), "coin": ("token", "penny"), "machine": ("device", "unit"),
    "engine": ("motor", "machine"), "tank": ("barrel", "reservoir"), "pipe": ("tube", "hose"),
    "valve": ("tap", "wheel"), "clock": ("watch", "timer"), "coat": ("jacket", "cloak"),
    "file": ("document", "record"), "folder": ("directory", "file"), "key": ("keys", "keycard"),
    "bell": ("gong", "chime"), "stove": ("oven", "burner"), "oven": ("stove", "furnace"),
    "bread": ("loaf", "toast"), "dough": ("batter", "mixture"), "soup": ("broth", "stew"),
    "kit": ("set", "box"), "bin": ("bucket", "container"), "cart": ("trolley", "wagon"),
    "statue": ("sculpture", "figure"), "mirror": ("glass", "window"), "ring": ("band", "circle"),
}  # fmt: skip
"""Words for the same thing, or for one like it, by which a name is remembered wrongly."""
GOING = frozenset({"go", "walk", "run", "head", "enter"})
"""Verbs after which nobody makes up a word: there is no old north."""
INVENTED = ("old", "small", "wooden", "metal", "main", "spare", "large")
"""Words that are put before a name that has none."""


def slips(kind: str, command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    """Wrong forms of `command` of one kind, a key of `MAKERS`, never the command itself."""
    for wrong in MAKERS[kind](command, names, random):
        if wrong != command:
            yield wrong


def _other_verb(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    verb, _, rest = command.partition(" ")
    for other in in_any_order(random.getrandbits, SYNONYMS.get(verb, ())):
        yield f"{other} {rest}".strip()
    for frame in in_any_order(random.getrandbits, ANY_VERB):
        yield frame.format(command)


def _part_left_out(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    """Without what follows the last little word; else the verb alone."""
    words = command.split()
    for position in range(len(words) - 1, 1, -1):
        if words[position] in JOINTS:
            yield " ".join(words[:position])
            return
    if len(words) > 1:
        yield words[0]


def _other_joint(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    """Another little word, none where one belongs, or one where none does."""
    words = command.split()
    found: list[str] = []
    for position in range(len(words) - 2, 0, -1):
        others = OTHER_JOINTS.get(words[position], ())
        if others:
            found += [
                " ".join([*words[:position], other, *words[position + 1 :]]) for other in others
            ]
            found.append(" ".join([*words[:position], *words[position + 1 :]]))
    if not found and len(words) > 1:
        found = [" ".join([words[0], each, *words[1:]]) for each in INSERTED.get(words[0], ())]
    yield from in_any_order(random.getrandbits, found)


def _other_name(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    """A name remembered wrongly or made up: its first word taken from another name, its last
    word for one like it, the last word alone, a word put before it."""
    named = sorted((n for n in names if _says(command, n)), key=len)[::-1]
    given = {name.lower() for name in names}
    makers = [
        (_mixed_up, 4), (_another_noun, 4), (_letters_swapped, 0.3), (_invented, 2), (_short, 2),
    ]  # fmt: skip
    if command.partition(" ")[0] in GOING:
        makers = [each for each in makers if each[0] is not _invented]
    while makers and named:
        at = weighed(random.random, [weight for _, weight in makers])
        maker, _ = makers.pop(at)
        for name in named:
            low = name.lower()
            for wrong in maker(low, names, random):
                if wrong not in given:
                    yield _replaced(command, low, wrong)


def _says(command: str, name: str) -> bool:
    return f" {name.lower()} " in f" {command.lower()} "


def _replaced(command: str, name: str, other: str) -> str:
    """A command that says another name."""
    at = f" {command.lower()} ".index(f" {name} ")
    return command[:at] + other + command[at + len(name) :]


def _mixed_up(name: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    if " " in name:
        rest = name.partition(" ")[2]
        firsts = sorted({n.lower().split()[0] for n in names if " " in n and n.isascii()})
        chosen = [each for each in firsts if each.isalpha()]
        yield from (f"{first} {rest}" for first in random.sample(chosen, min(3, len(chosen))))


def _another_noun(name: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    before, space, last = name.rpartition(" ")
    for other in in_any_order(random.getrandbits, OTHER_NOUNS.get(last, ())):
        yield f"{before}{space}{other}"
    stem, dot, ending = name.rpartition(".")
    if dot and ending.isalpha():
        yield stem
    if "_" in name:
        yield name.replace("_", "-")


def _short(name: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    if " " in name:
        yield name.rpartition(" ")[2]
        yield name.rpartition(" ")[0]


def _invented(name: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    if " " not in name and name.isalpha() and not name.endswith("s"):
        for first in in_any_order(random.getrandbits, INVENTED):
            yield f"{first} {name}"


def _letters_swapped(name: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    words = name.split()
    long = [i for i, word in enumerate(words) if len(word) >= 5 and word.isalpha()]
    if long:
        position = random.choice(long)
        word = words[position]
        at = random.randrange(1, len(word) - 2)
        words[position] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        yield " ".join(words)


def _number_off(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    words = command.split()
    for position, word in enumerate(words):
        if word.isdecimal() and len(word) < 9:
            for wrong in _near(word, names, random):
                yield " ".join([*words[:position], wrong, *words[position + 1 :]])
            return


def _near(word: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    """Numbers one may say for another: its neighbours, two digits in the wrong order, a number
    of another name, one more than the highest of those; a digit too many, of no name's number."""
    number = int(word)
    near = [str(number + 1), *([str(number - 1)] if number > 1 else [])]
    swapped = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)]
    near += [each for each in swapped if each[0] != "0"]
    seen = sorted({int(w) for name in names for w in name.split() if w.isdecimal()})
    if seen:
        near += [*map(str, seen), str(seen[-1] + 1)]
    if number not in seen:
        near += [word + word[-1], word + "0"]
    choices = sorted(set(near) - {word})
    yield from random.sample(choices, len(choices))


MAKERS: dict[str, Callable[[str, tuple[str, ...], Random], Iterator[str]]] = {
    "name": _other_name,
    "preposition": _other_joint,
    "part": _part_left_out,
    "number": _number_off,
    "verb": _other_verb,
}
