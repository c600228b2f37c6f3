"""Slips: the right action in a wrong form, as people and models write it.

In: a command, the names shown so far, a generator. Out: other wordings of it, in a seeded
order. Whether a wording is refused, and how, only the world knows: whoever makes one asks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from worldengine.players.chance import in_any_order, weighed

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


def slips(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    """Wrong forms of `command`, the likelier kinds more often first. Models choose a word the
    world does not know, leave a part out or take another preposition; they hardly ever
    misspell."""
    makers = [
        (_other_verb, 6),
        (_part_left_out, 6),
        (_other_joint, 5),
        (_only_the_verb, 2.5),
        (_name_mixed_up, 0.15),
        (_number_off, 2),
        (_padded, 1),
        (_letters_swapped, 0.4),
    ]
    while makers:
        position = weighed(random.random, [weight for _, weight in makers])
        maker, _ = makers.pop(position)
        for wrong in maker(command, names, random):
            if wrong != command:
                yield wrong


def _other_verb(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    verb, _, rest = command.partition(" ")
    others = SYNONYMS.get(verb, ())
    for other in in_any_order(random.getrandbits, others):
        yield f"{other} {rest}".strip()


def _part_left_out(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    words = command.split()
    for position in range(len(words) - 1, 0, -1):
        if words[position] in JOINTS and position > 1:
            yield " ".join(words[:position])
            return


def _other_joint(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    words = command.split()
    for position in range(len(words) - 2, 0, -1):
        others = OTHER_JOINTS.get(words[position], ())
        for other in in_any_order(random.getrandbits, others):
            yield " ".join([*words[:position], other, *words[position + 1 :]])


def _only_the_verb(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    verb, _, rest = command.partition(" ")
    if rest:
        yield verb


def _name_mixed_up(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    """Another first word for a name of two words or more, taken from a name seen elsewhere."""
    for name in sorted((n for n in names if " " in n and n.lower() in command), key=len)[::-1]:
        head = name.lower().partition(" ")[2]
        firsts = sorted({n.lower().split()[0] for n in names if " " in n})
        for first in random.sample(firsts, min(3, len(firsts))):
            mixed = f"{first} {head}"
            if all(mixed != other.lower() for other in names):
                yield command.replace(name.lower(), mixed)
        return


def _letters_swapped(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    words = command.split()
    long = [i for i, word in enumerate(words) if i > 0 and len(word) >= 5 and word.isalpha()]
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
    """Numbers one may say for another: its neighbours, two digits in the wrong order, a
    number of another name, one more than the highest of those."""
    number = int(word)
    near = [str(number + 1), *([str(number - 1)] if number > 1 else [])]
    swapped = [word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)]
    near += [each for each in swapped if each[0] != "0"]
    seen = sorted({int(w) for name in names for w in name.split() if w.isdecimal()})
    if seen:
        near += [*map(str, seen), str(seen[-1] + 1)]
    choices = sorted(set(near) - {word})
    yield from random.sample(choices, len(choices))


def _padded(command: str, names: tuple[str, ...], random: Random) -> Iterator[str]:
    for frame in in_any_order(random.getrandbits, ANY_VERB):
        yield frame.format(command)
