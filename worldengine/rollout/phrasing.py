"""Commands as prose: `take lamp` is to `take the lamp`, `aboard` is to `go aboard`.

In: a Machine and a command. Out: a `Phrase`, for the words of a thought. It depends on the
command and on how names are printed alone, never on a state; what it says about a command
is what whoever wrote the command has already named.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

from worldengine.machine import Machine
from worldengine.machine.schema import Object
from worldengine.memo import by_machine
from worldengine.players.view import Phrase

Answer = TypeVar("Answer")
MOST_ASKED = 4096
"""Texts of a kind that the words of a world are remembered for."""

SHELL = frozenset({
    "cat", "cd", "ls", "rm", "cp", "mv", "gzip", "gunzip", "chmod", "df", "du", "grep", "tar",
    "mkdir", "pwd",
})  # fmt: skip
"""Verbs of a computer's command line: no articles there."""
DETERMINERS = frozenset({
    "the", "a", "an", "my", "your", "his", "her", "its", "this", "that", "some", "no", "any",
})  # fmt: skip
PARTICLES = frozenset(
    {"on", "off", "in", "out", "up", "down", "left", "right", "away", "around", "back", "over"}
    | {"all", "everything", "hands", "again", "here", "there", "aside", "ahead", "about", "it"}
)
WORD_OF = {
    "n": "north", "s": "south", "e": "east", "w": "west", "u": "up", "d": "down",
    "ne": "northeast", "nw": "northwest", "se": "southeast", "sw": "southwest",
}  # fmt: skip
SAID = {
    "look": "look around",
    "inventory": "check what I carry",
    "make": "run make",
    "ls": "run ls",
}
TRAVEL = frozenset({"go", "walk", "enter", "climb", "cd"})


def _plain(text: str) -> str:
    """Names and commands as they are compared here: only to find articles."""
    return " ".join(text.casefold().split())


@by_machine(8)
def _names(machine: Machine) -> dict[tuple[str, ...], Object]:
    """Every name as words; where several share one, the thing comes first."""
    found: dict[tuple[str, ...], Object] = {}
    order = ("thing", "person", "door", "place", "concept", "exit")
    for role in order:
        for subject in machine.objects:
            if subject.role == role:
                for name in (subject.name, *subject.aka):
                    found.setdefault(tuple(_plain(name).split()), subject)
    return found


@by_machine(8)
def _exits(machine: Machine) -> frozenset[str]:
    return frozenset(
        _plain(name)
        for subject in machine.objects
        if subject.role == "exit"
        for name in (subject.name, *subject.aka)
    )


def phrase(machine: Machine, command: str) -> Phrase:
    """What a command is to do, in words."""
    words = command.split()
    low = [word.lower() for word in words]
    if not words:
        return Phrase("say nothing", (), False)
    whole = _plain(command)
    if whole in _exits(machine) or whole in WORD_OF:
        return Phrase(f"go {WORD_OF.get(whole, whole)}", (), True)
    verb = low[0]
    if whole in SAID:
        return Phrase(SAID[whole], (), False)
    if verb in SHELL:
        return Phrase(f"run {command}", tuple(words[-1:]), verb == "cd")
    said, things = _with_articles(machine, words, low)
    rest = _plain(" ".join(words[1:]))
    return Phrase(said, things, verb in TRAVEL and rest in _exits(machine))


def _with_articles(
    machine: Machine, words: list[str], low: list[str]
) -> tuple[str, tuple[str, ...]]:
    names = _names(machine)
    longest = max(map(len, names), default=0)
    said, things = [low[0]], []
    at, behind = 1, False
    while at < len(words):
        for length in range(min(longest, len(words) - at), 0, -1):
            subject = names.get(tuple(_plain(" ".join(words[at : at + length])).split()))
            if subject is not None:
                named = _cased(subject, words[at : at + length])
                bare = low[at - 1] in DETERMINERS or not _takes_article(subject, named)
                bare = bare or behind  # `the log fuse`: whoever mixed up two names means one thing
                said.append(named if bare else f"the {named}")
                if subject.role not in ("exit", "concept"):
                    things.append(named)
                at += length
                behind = subject.role not in ("exit", "concept", "person")
                break
        else:
            behind = False
            said.append(_one(words[at]) if low[at - 1] == "1" else words[at])
            at += 1
    if len(words) == 2 and not things and low[1].isalpha() and _is_noun(machine, low[1]):
        said.insert(1, "the")  # a word of the form itself, as in `ring bell`
    return " ".join(said), tuple(dict.fromkeys(things))


def _one(word: str) -> str:
    """A word of a form behind a 1: forms have one wording for all numbers, `add {n} scoops`."""
    low = word.lower()
    several = low.endswith("s") and not low.endswith(("ss", "us", "is", "wards")) and len(low) > 3
    if not several or not low.isalpha():
        return word
    return word[:-2] if low.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


def _is_noun(machine: Machine, word: str) -> bool:
    return word not in PARTICLES and word not in _exits(machine) and (word,) not in _names(machine)


def _cased(subject: Object, words: list[str]) -> str:
    """The words with the capitals of the printed name."""
    capitals = {
        word.lower(): word for name in (*subject.aka, subject.name) for word in name.split()
    }
    return " ".join(capitals.get(word.lower(), word) for word in words)


COUNTED = frozenset({
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
})  # fmt: skip
"""Last words of names that are counted through."""


def _takes_article(subject: Object, named: str) -> bool:
    if subject.proper or subject.numbered or subject.role in ("exit", "concept"):
        return False
    if any(sign in named for sign in "._/-0123456789") and " " not in named:
        return False  # a file, a code
    words = named.split()
    if len(words) > 1 and words[-1].lower() in COUNTED:
        return False  # `room one`
    return not (words[0].lower() in DETERMINERS or words[0][:1].isupper())


def noun(machine: Machine, name: str) -> str:
    """A name with its article; "" for what is no name of the world's."""
    words = name.split()
    subject = _names(machine).get(tuple(_plain(name).split()))
    if subject is None:
        return ""
    named = _cased(subject, words)
    if named.lower().startswith("your "):
        return f"my {named[5:]}"
    return f"the {named}" if _takes_article(subject, named) else named


def plural(machine: Machine, name: str) -> bool:
    """Whether a name is of several things, as `gloves` is."""
    subject = _names(machine).get(tuple(_plain(name).split()))
    return subject is not None and subject.plural


def heading(machine: Machine, text: str) -> str:
    """The name that stands over a text on a line of its own, with its article; "" if none
    does: where the player was shown to be."""
    for line in text.split("\n", 5)[:5]:
        if line and line[-1] not in ".!?:\"'”" and len(line) < 40:
            found = noun(machine, line)
            if found:
                return found
    return ""


class _Remembered(dict[str, Answer], Generic[Answer]):
    """Answers by text: what was asked before costs one look-up."""

    __slots__ = ("_work",)

    def __init__(self, work: Callable[[str], Answer]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, text: str) -> Answer:
        if len(self) >= MOST_ASKED:
            self.clear()
        found = self[text] = self._work(text)
        return found


class Words:
    """The functions above for one world, each answer remembered."""

    def __init__(self, machine: Machine) -> None:
        self.phrase: Callable[[str], Phrase] = _remembered(partial(phrase, machine))
        self.noun: Callable[[str], str] = _remembered(partial(noun, machine))
        self.plural: Callable[[str], bool] = _remembered(partial(plural, machine))
        self.heading: Callable[[str], str] = _remembered(partial(heading, machine))


def _remembered(work: Callable[[str], Answer]) -> Callable[[str], Answer]:
    return _Remembered(work).__getitem__


@by_machine(8)
def words_of(machine: Machine) -> Words:
    """The words of a world."""
    return Words(machine)
