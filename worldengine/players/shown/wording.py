"""Sentences for thoughts: cutting what was shown into them, and how commands are said.

In: shown text. Out: whole sentences, or none: nothing is ever cut off in the middle, and
quotation marks and brackets always come in pairs.
"""

from __future__ import annotations

import re
from functools import lru_cache

QUOTE_LIMIT = 100
"""Longer sentences are not repeated in a thought."""
REASON_LIMIT = 150
"""Characters of a refusal that is repeated with more than one sentence."""
BRIEF = 64
"""A longer first clause of a goal is not repeated either."""

ABBREVIATIONS = frozenset({"mr.", "mrs.", "ms.", "dr.", "st.", "no.", "vs.", "e.g.", "i.e."})
VERBS_AFTER_YOU = frozenset({
    "are", "were", "have", "had", "need", "see", "cannot", "can", "could", "do", "did", "will",
    "would", "must", "should", "may", "might", "hold", "carry", "know", "want", "take", "get",
    "look", "stand", "lack", "wear", "feel", "hear", "only", "already", "still", "just",
    "never", "first", "also", "put", "open", "close", "find", "keep", "leave",
})  # fmt: skip
BEFORE_OBJECT = frozenset({
    "to", "with", "for", "from", "at", "on", "by", "of", "before", "after", "behind", "near",
    "beside", "past", "around", "over", "under", "about", "against", "like", "gives", "give",
    "tells", "tell", "lets", "let", "shows", "show", "asks", "ask", "sees", "see",
})  # fmt: skip
BLEAK = re.compile(
    r"\A\W*\Z|\b(nothing|nobody|none|no|not|cannot|never|wrong|silence|silent|fails?|failed|still"
    r"|dead|empty|only|bad|badly|too|but)\b|n't\b",
    re.IGNORECASE,
)
"""Words after which nobody says that all went well, and no words at all."""
_WORD = re.compile(r"[A-Za-z]+")
WEIGHTLESS = frozenset({
    "this", "that", "with", "from", "into", "then", "them", "they", "have", "been", "before",
    "after", "your", "there", "here", "where", "what", "which", "when", "will", "must", "than",
    "each", "every", "more", "most", "some", "only", "over", "under", "back", "bring", "find",
    "make", "take", "their", "until", "without",
})  # fmt: skip
"""Words that say nothing of what a sentence is about."""


@lru_cache(maxsize=4096)
def sentences(text: str) -> tuple[str, ...]:
    """The whole sentences of a text, line by line. Headings, lists of what is to be seen and
    exits are lines too, and come as they are."""
    found: list[str] = []
    for line in text.split("\n"):
        found += _of_line(line.strip())
    return tuple(found)


def _of_line(line: str) -> list[str]:
    found: list[str] = []
    words: list[str] = []
    for word in line.split():
        words.append(word)
        bare = word.rstrip("\"'”’)")
        ends = bare.endswith((".", "!", "?", "…")) and word.lower() not in ABBREVIATIONS
        if ends and balanced(" ".join(words)):
            found.append(" ".join(words))
            words = []
    if words:
        found.append(" ".join(words))
    return _joined_speech(found)


def _joined_speech(found: list[str]) -> list[str]:
    """`"Seven!" says Ines.` is one sentence, and so is what goes on in small letters."""
    joined: list[str] = []
    for sentence in found:
        if joined and (sentence[0].islower() or not balanced(joined[-1])):
            joined[-1] = f"{joined[-1]} {sentence}"
        else:
            joined.append(sentence)
    return joined


def balanced(text: str) -> bool:
    """Whether quotation marks and brackets come in pairs."""
    return (
        text.count('"') % 2 == 0
        and text.count("“") == text.count("”")
        and text.count("(") == text.count(")")
        and text.count("[") == text.count("]")
    )


def whole(sentence: str) -> bool:
    """Whether a sentence may be repeated: it has an end, is balanced and short."""
    ended = sentence.rstrip("\"'”’)")[-1:] in (".", "!", "?")
    return ended and balanced(sentence) and 3 < len(sentence) <= QUOTE_LIMIT


@lru_cache(maxsize=16_384)
def news(observation: str) -> tuple[str, ...]:
    """The sentences worth repeating: no list, no heading, nothing of what the player did."""
    return tuple(
        sentence
        for sentence in sentences(observation)
        if whole(sentence)
        and sentence.count(" ") > 1
        and not sentence.startswith(("You see", "In ", "On ", "Also here", "Exits", "You "))
    )


@lru_cache(maxsize=16_384)
def telling(sentence: str, goal: str) -> bool:
    """Whether a sentence may be worth remembering: it has a figure in it, somebody says it, or it
    shares a word with what is asked for."""
    if any(each.isdigit() or each in '"“' for each in sentence):
        return True
    return bool(_weighty(goal) & _weighty(sentence))


def _weighty(text: str) -> set[str]:
    return {each.lower() for each in _WORD.findall(text) if len(each) > 3} - WEIGHTLESS


def echoes(sentence: str, command: str) -> bool:
    """Whether a sentence only says that a command was done: `You take the pin.`"""
    start, *rest = sentence.lower().split()[:2]
    verb = command.lower().partition(" ")[0]
    return start == "you" and bool(verb) and bool(rest) and rest[0].rstrip(".") == verb


def quoted(sentence: str) -> str:
    """A sentence as a quotation. One with speech in it is repeated as it stands."""
    return sentence if '"' in sentence or "“" in sentence else f'"{sentence}"'


def first_person(sentence: str) -> str:
    """What was said to the player, as the player would put it: `You need the crank.` is
    `I need the crank.`; "" where that is not safe, as with speech."""
    if not whole(sentence) or any(mark in sentence for mark in '"“”:'):
        return ""
    words = sentence.split(" ")
    for at, word in enumerate(words):
        core = word.rstrip(".,;!?")
        tail, low = word[len(core) :], core.lower()
        if low in ("your", "yours", "yourself"):
            mine = {"your": "my", "yours": "mine", "yourself": "myself"}[low]
            words[at] = (mine.capitalize() if core[0].isupper() else mine) + tail
        elif low in ("you're", "you've", "you'll"):
            words[at] = {"you're": "I'm", "you've": "I've", "you'll": "I'll"}[low] + tail
        elif low == "you":
            subject = _is_subject(words, at, tail)
            if subject is None:
                return ""
            words[at] = ("I" if subject else "me") + tail
            if subject and at + 1 < len(words):
                words[at + 1] = _agreeing(words[at + 1])
    return " ".join(words)


def _is_subject(words: list[str], at: int, tail: str) -> bool | None:
    """Whether this `you` acts; None where it cannot be told."""
    after = _WORD.match(words[at + 1]) if at + 1 < len(words) else None
    if at == 0 and after is not None:
        return True
    before = words[at - 1].lower()
    if tail or after is None or before in BEFORE_OBJECT:
        return False
    return True if after[0].lower() in VERBS_AFTER_YOU else None


def _agreeing(word: str) -> str:
    """The verb after `I`."""
    core = word.rstrip(".,;!?")
    forms = {"are": "am", "were": "was", "aren't": "am not", "weren't": "wasn't"}
    return forms.get(core, core) + word[len(core) :]


def told(observation: str) -> str:
    """What a refusal says, without its hint."""
    for sentence in sentences(observation):
        if whole(sentence) and not sentence.startswith("Try:"):
            return sentence
    return ""


def reason(observation: str) -> str:
    """All that a refusal says, without its hint: what stands in a second sentence is often why.
    Where that is long, as many of the last sentences as are short enough."""
    found: list[str] = []
    for sentence in reversed(sentences(observation)):
        if whole(sentence) and not sentence.startswith("Try:"):
            if found and sum(map(len, found)) + len(sentence) > REASON_LIMIT:
                break
            found.insert(0, sentence)
    return " ".join(found)


@lru_cache(maxsize=256)
def brief(goal: str) -> str:
    """The first thing a goal asks for, as in `wind the harbour clock`; "" if that is long
    or no order."""
    first = re.split(r"[.,:;(]| and ", goal, maxsplit=1)[0].strip()
    if " between " in first or " both " in first:
        return ""  # what follows the `and` belongs to it
    order = first[:1].isupper() and " " in first and not first.lower().startswith(("you ", "the "))
    if not order or len(first) > BRIEF:
        return ""
    text = first[0].lower() + first[1:]
    return re.sub(r"\byour\b", "my", text) if not re.search(r"\byou\b", text) else ""


@lru_cache(maxsize=256)
def more(goal: str) -> bool:
    """Whether a goal asks for more than its first thing: an `and` follows in its sentence."""
    first = re.split(r"[.,:;(]| and ", goal, maxsplit=1)[0]
    rest = re.split(r"[.(]", goal[len(first) :], maxsplit=1)[0]
    return not rest.startswith(":") and " and " in rest


_DOUBLED = re.compile(r"^(?:[^aeiou]*[aeiou][bdgklmnprt]|(?:ad|com|per|sub)mit|(?:out)?fit)$")
"""Short verbs, and those like `submit`: their last letter comes twice before an ending."""


@lru_cache(maxsize=4096)
def doing(do: str) -> str:
    """`take the lamp` as `taking the lamp`."""
    verb, _, rest = do.partition(" ")
    if verb.endswith("ie"):
        verb = verb[:-2] + "ying"
    elif verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        verb = verb[:-1] + "ing"
    elif _DOUBLED.match(verb):
        verb += verb[-1] + "ing"
    else:
        verb += "ing"
    return f"{verb} {rest}".strip()


def capital(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]


@lru_cache(maxsize=16_384)
def bleak(observation: str) -> bool:
    """Whether there are such words in a text, or none."""
    return BLEAK.search(observation) is not None


@lru_cache(maxsize=16_384)
def mentions(text: str, name: str) -> bool:
    """Whether a text names something, as whole words in any case."""
    low, name = text.lower(), name.lower()
    at = low.find(name)
    while at >= 0:
        end = at + len(name)
        if not (low[at - 1 : at].isalnum() or low[end : end + 1].isalnum()):
            return True
        at = low.find(name, at + 1)
    return False
