"""Thoughts in words: why this command, now.

In: a leg, the itinerary so far, the view. Out: one to three sentences: what the last turn
gave, what speaks for the command, the intention. A reason is a memory of something shown
earlier, named with the turn it comes from; what is said of the future is a guess or a
wish, worded as one. Facts told to the player are put in the first person or quoted whole.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from random import Random

from worldengine.players import phrases
from worldengine.players.correcting import correction, meant
from worldengine.players.recall import (
    ASKING,
    TAKING,
    Memory,
    elsewhere,
    first_shown,
    memories,
    place,
    telling,
    took,
    went_before,
)
from worldengine.players.view import Itinerary, Leg, Phrase, Shown, View
from worldengine.players.wording import (
    brief,
    capital,
    doing,
    first_person,
    mentions,
    quoted,
    sentences,
    told,
    whole,
)

LOOKAHEAD = 6
"""Legs within which a walk has a purpose."""
REMEMBERED = 6
_GAP = re.compile(r"\{([A-Za-z]+)\}")
RESTS = 24
"""Wordings after which one may be used again."""


class Thoughts:
    """The wording of one episode. A phrase rests for a while after it was used."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._chances, self._bits = random.random, random.getrandbits
        self._used: deque[str] = deque()
        self._resting: dict[str, int] = {}
        self._repeated: set[str] = set()

    def about(self, leg: Leg, legs: Itinerary, view: View) -> str:
        """Why the player says `leg.command` now."""
        phrase = view.phrase(meant(leg, legs, len(view.turns)))
        last = view.turns[-1] if view.turns else None
        if leg.purpose == "repeat":
            return self._say(phrases.AGAIN, phrase)
        if last is not None and last.refused:
            return self._after_refusal(leg, legs, view, phrase, last)
        if leg.mends >= 0 and leg.mends < len(view.turns):
            return self._redo(leg.mends, legs, view, phrase)
        if leg.purpose == "early":
            why = "" if elsewhere(view, phrase.things) else self._reason(view, phrase)
            return self._joined(why, self._say(phrases.EARLY, phrase))
        if leg.purpose == "look":
            why = self._say(phrases.LOOK, phrase) if self._chance(0.7) else ""
            return self._joined(why, self._say(phrases.INTENT, phrase))
        if leg.purpose == "try":
            return self._joined(self._reaction(view), self._say(phrases.TRY, phrase))
        if last is None:
            return self._opening(view, phrase)
        if phrase.do == "wait":
            return self._say(phrases.WAITING, phrase)
        return self._step(legs, view, phrase)

    # -- the kinds of thought ------------------------------------------------------------

    def _opening(self, view: View, phrase: Phrase) -> str:
        goal = brief(view.goal)
        pool = phrases.OPENING if goal and self._chance(0.6) else phrases.OPENING_PLAIN
        return self._say(pool, phrase, goal=goal, left=str(view.turns_left))

    def _step(self, legs: Itinerary, view: View, phrase: Phrase) -> str:
        """Sometimes the bare intention, mostly with what came before it or speaks for it."""
        style = self._chances()
        if view.phrase(view.turns[-1].reply.command).do == phrase.do:
            return f"{self._say(phrases.ONE_MORE, phrase)} {self._say(phrases.INTENT, phrase)}"
        reaction = self._reaction(view) if style < 0.35 or style > 0.8 else ""
        reason = ""
        if style > 0.25:
            reason = self._walk(legs, view) if phrase.travel else self._reason(view, phrase)
        if not reaction and not reason and self._chance(0.08) and view.turns_left > 1:
            reason = self._say(phrases.COUNTING, phrase, left=str(view.turns_left))
        return self._joined(reaction, reason, self._say(phrases.INTENT, phrase))

    def _after_refusal(
        self, leg: Leg, legs: Itinerary, view: View, phrase: Phrase, last: Shown
    ) -> str:
        if leg.mends >= 0 and legs[leg.mends].purpose in ("slip", "repeat"):
            return self._corrected(last.reply.command, leg.command, view)
        words = told(last.observation)
        answer = self._with(phrases.REFUSED, phrase, words) if words else ""
        if leg.purpose == "try":
            return self._joined(answer, self._say(phrases.OTHERWISE, phrase))
        if leg.purpose == "slip":
            return self._joined(answer, self._say(phrases.WRONG_WAY, phrase))
        if any(mentions(words, thing) for thing in phrase.things) and leg.purpose == "plan":
            return self._joined(answer, self._say(phrases.THIS_HELPS, phrase))
        pool = phrases.THEN_WHERE if last.outcome == "place" else phrases.THEN_FIRST
        return self._joined(answer, self._say(pool, phrase))

    def _corrected(self, wrong: str, right: str, view: View) -> str:
        pool, gaps = correction(wrong, right)
        return self._say(pool, view.phrase(right), **gaps)

    def _redo(self, mends: int, legs: Itinerary, view: View, phrase: Phrase) -> str:
        """What is done at last: the latest step since, no look, is what may have helped."""
        failed, now = view.turns[mends], len(view.turns)
        since = [legs[at].command for at in range(mends, now) if legs[at].purpose == "plan"]
        deed = doing(view.phrase(since[-1]).do) if since else ""
        return self._with(phrases.REDO, phrase, told(failed.observation), deed=deed)

    # -- the parts of a thought ----------------------------------------------------------

    def _reaction(self, view: View) -> str:
        """What the last turn gave."""
        if not view.turns or view.turns[-1].refused:
            return ""
        last = view.turns[-1]
        done = view.phrase(last.reply.command)
        if done.travel:
            where = place(view, len(view.turns) - 1)
            pool = phrases.ARRIVED
            return capital(self._say(pool, done, place=where)) if where else ""
        verb = done.do.partition(" ")[0]
        if verb in TAKING and done.things and took(view, done.things[0]):
            return self._say(phrases.GOT, done, it=view.noun(done.things[0]) or done.things[0])
        told_now = [s for s in sentences(last.observation) if self._worth_noting(s, view)]
        if told_now and self._chance(0.55 if verb in ASKING else 0.25):
            sentence = self._one_of(told_now)
            self._repeated.add(sentence)
            return self._say(phrases.NOTED, done, quote=quoted(sentence))
        return self._say(phrases.WORKED, done, deed=doing(done.do))

    def _reason(self, view: View, phrase: Phrase) -> str:
        """What speaks for a command, from what was shown before."""
        if not phrase.things:
            verb = phrase.do.partition(" ")[0]
            wanted = len(verb) > 3 and mentions(view.goal, verb)
            return self._say(phrases.GOAL_VERB, phrase) if wanted and self._chance(0.5) else ""
        recalled = (m for m in memories(view, phrase.things) if m.sentence not in self._repeated)
        found = list(islice((m for m in recalled if telling(view, m, phrase)), REMEMBERED))
        kinds = [memory.kind for memory in found]
        if "refusal" in kinds and self._chance(0.7):
            return self._of_memory(view, phrase, found[kinds.index("refusal")])
        if "said" in kinds and self._chance(0.5):
            return self._of_memory(view, phrase, found[kinds.index("said")])
        just = view.phrase(view.turns[-1].reply.command).things if view.turns else ()
        carried = [t for t in phrase.things if t not in just and took(view, t)]
        if carried and not phrase.do.startswith("drop ") and self._chance(0.5):
            return self._say(phrases.CARRIED, phrase, it=_noun(view, carried[0]))
        named = [thing for thing in phrase.things if mentions(view.goal, thing)]
        if named and self._chance(0.3):
            return self._say(phrases.IN_GOAL, phrase, it=_noun(view, named[0]))
        if "seen" in kinds and not took(view, found[kinds.index("seen")].thing):
            return self._of_memory(view, phrase, found[kinds.index("seen")])
        return ""

    def _of_memory(self, view: View, phrase: Phrase, memory: Memory) -> str:
        it = _noun(view, memory.thing)
        source = view.turns[memory.turn].reply.command if memory.turn >= 0 else ""
        deed = view.phrase(source) if source else phrase
        if memory.sentence:
            self._repeated.add(memory.sentence)
        if memory.kind == "refusal":
            return self._with(phrases.FAILED_OVER, phrase, memory.sentence, did=deed.do)
        if memory.kind == "said":
            looked = deed.travel or deed.do.startswith(("look", "examine"))
            pool: tuple[str, ...] = phrases.SAW_AFTER if looked else phrases.SAID_AFTER
            said = pool if source else phrases.SAID_BEFORE
            return self._say(said, phrase, quote=quoted(memory.sentence), deed=doing(deed.do))
        if memory.turn == len(view.turns) - 1:
            return self._say(phrases.SEEN_HERE, phrase, it=it)
        where = place(view, memory.turn)
        here = place(view, len(view.turns) - 1)
        if where and where != here:
            return self._say(phrases.SEEN_AT, phrase, it=it, place=where)
        found_out = source and not deed.travel and first_shown(view, memory.thing) == memory.turn
        pool = phrases.SEEN_AFTER if found_out else phrases.SEEN_EARLIER
        return self._say(pool, phrase, it=it, deed=doing(deed.do))

    def _walk(self, legs: Itinerary, view: View) -> str:
        """Where a walk leads, if to something that was shown already."""
        now = len(view.turns)
        for leg in legs[now + 1 : now + 1 + LOOKAHEAD]:
            phrase = view.phrase(leg.command)
            if leg.purpose != "plan" or phrase.travel:
                continue
            thing = phrase.things[0] if phrase.things else ""
            known = thing and all(any(memories(view, (each,))) for each in phrase.things)
            away = known and not took(view, thing) and not mentions(view.last, thing)
            if not away or self._chance(0.3):
                break
            return self._say(phrases.ON_THE_WAY, phrase, next=phrase.do, it=_noun(view, thing))
        if self._chance(0.5):
            return ""
        known_way = went_before(view, legs[now].command)
        return self._say(phrases.KNOWN_WAY if known_way else phrases.ONWARD, view.phrase("look"))

    # -- wording -------------------------------------------------------------------------

    def _with(self, pool: tuple[str, ...], phrase: Phrase, words: str, **gaps: str) -> str:
        """A phrase about what was told: as a fact where that can be said, else quoted. A
        phrase with neither is taken where nothing can be repeated."""
        fact = first_person(words)
        quote = quoted(words) if words else ""
        fits = tuple(
            text
            for text in pool
            if ("{fact}" not in text or fact) and ("{quote}" not in text or quote)
            and ("{deed}" not in text or gaps.get("deed"))
        )  # fmt: skip
        return self._say(fits, phrase, fact=fact, quote=quote, **gaps) if fits else ""

    def _say(self, pool: Sequence[str], phrase: Phrase, **gaps: str) -> str:
        resting, used = self._resting, self._used
        text = self._one_of([text for text in pool if text not in resting] or pool)
        used.append(text)
        resting[text] = resting.get(text, 0) + 1
        if len(used) > RESTS:
            rested = used.popleft()
            if resting[rested] == 1:
                del resting[rested]
            else:
                resting[rested] -= 1
        return _worded(text, phrase.do, tuple(gaps.items()))

    def _one_of(self, pool: Sequence[str]) -> str:
        """As `Random.choice`, with the same draws."""
        count = len(pool)
        bits = count.bit_length()
        at = self._bits(bits)
        while at >= count:
            at = self._bits(bits)
        return pool[at]

    def _worth_noting(self, sentence: str, view: View) -> bool:
        """News, as a statement or speech; not what the world says of the player's own doing."""
        return _notable(sentence) and first_shown(view, sentence) == len(view.turns) - 1

    def _chance(self, share: float) -> bool:
        return self._chances() < share

    def _joined(self, *parts: str) -> str:
        return " ".join(part for part in parts if part)


@lru_cache(maxsize=8192)
def _notable(sentence: str) -> bool:
    """Whether a sentence is worth repeating if it is new."""
    if " " not in sentence or not whole(sentence):
        return False
    if sentence.startswith(("You see", "In ", "On ", "Also here", "Exits")):
        return False
    low = sentence.lower()
    about_me = low.startswith("you") or " you" in low
    return not about_me or '"' in sentence or "“" in sentence


@lru_cache(maxsize=1024)
def _pieces(text: str) -> tuple[str, ...]:
    """A wording cut at its gaps: words, the name of a gap, words …"""
    return tuple(_GAP.split(text))


@lru_cache(maxsize=16_384)
def _worded(text: str, do: str, gaps: tuple[tuple[str, str], ...]) -> str:
    """A wording with its gaps filled; a name with a capital asks for one."""
    pieces = list(_pieces(text))
    filled = dict(gaps)
    for at in range(1, len(pieces), 2):
        gap = pieces[at]
        if gap in ("do", "doing", "Doing"):
            act = do if gap == "do" else doing(do)
            pieces[at] = capital(act) if gap == "Doing" else act
        else:
            pieces[at] = filled[gap] if gap in filled else capital(filled[gap.lower()])
    return capital("".join(pieces))


def _noun(view: View, thing: str) -> str:
    return view.noun(thing) or thing
