"""Thoughts in words: why this command, now.

In: a leg, the itinerary so far, the view. Out: one to three sentences: what the last turn
gave, what speaks for the command, the intention. A reason is a memory of something shown
earlier, named with the turn it comes from; what is said of the future is a guess or a
wish, worded as one. What was told to the player is quoted whole. That a step is what a refusal
had asked for is said only where the itinerary knows it (`Leg.helped`).
"""

from __future__ import annotations

from functools import lru_cache
from random import Random

from worldengine.players import phrases
from worldengine.players.correcting import correction, meant
from worldengine.players.recall import (
    ASKING,
    TAKING,
    Memory,
    elsewhere,
    memories,
    remembers,
    telling,
    went_before,
)
from worldengine.players.trail import Trail
from worldengine.players.view import Itinerary, Leg, Phrase, Shown, View
from worldengine.players.voice import Voice
from worldengine.players.wording import (
    brief,
    doing,
    mentions,
    quoted,
    sentences,
    told,
    whole,
)

LOOKAHEAD = 6
"""Legs within which a walk has a purpose."""
REMEMBERED = 6


class Thoughts:
    """The thoughts of one episode."""

    def __init__(self, random: Random) -> None:
        voice = Voice(random)
        self._chances, self._say, self._one_of = random.random, voice.say, voice.one_of
        self._repeated: set[str] = set()
        self._trail = Trail()

    def about(self, leg: Leg, legs: Itinerary, view: View) -> str:
        """Why the player says `leg.command` now."""
        self._trail = view.trail.of(view)
        now, purpose = len(view.turns), leg.purpose
        slipped = purpose == "slip" or purpose == "repeat"
        phrase = view.phrase(meant(leg, legs, now) if slipped else leg.command)
        if purpose == "repeat":
            return self._say(phrases.AGAIN, phrase)
        if now and view.turns[-1].outcome != "ok":
            return self._after_refusal(leg, legs, view, phrase, view.turns[-1])
        if 0 <= leg.mends < now:
            return self._redo(leg, view, phrase)
        if purpose == "early":
            why = "" if elsewhere(view, phrase.things) else self._reason(view, phrase)
            return _joined(why, self._say(phrases.EARLY, phrase))
        if purpose == "look":
            why = self._say(phrases.LOOK, phrase) if self._chances() < 0.7 else ""
            return _joined(why, self._say(phrases.INTENT, phrase))
        if purpose == "try":
            return _joined(self._reaction(view), self._say(phrases.TRY, phrase))
        if not now:
            return self._opening(view, phrase)
        if phrase.do == "wait":
            return self._say(phrases.WAITING, phrase)
        return self._step(legs, view, phrase)

    # -- the kinds of thought ------------------------------------------------------------

    def _opening(self, view: View, phrase: Phrase) -> str:
        goal = brief(view.goal)
        pool = phrases.OPENING if goal and self._chances() < 0.6 else phrases.OPENING_PLAIN
        return self._say(pool, phrase, goal=goal, left=str(view.turns_left))

    def _step(self, legs: Itinerary, view: View, phrase: Phrase) -> str:
        """Sometimes the bare intention, mostly with what came before it or speaks for it."""
        style = self._chances()
        if self._trail.phrases[-1].do == phrase.do:
            return f"{self._say(phrases.ONE_MORE, phrase)} {self._say(phrases.INTENT, phrase)}"
        reaction = self._reaction(view) if style < 0.35 or style > 0.8 else ""
        reason = ""
        if style > 0.25:
            reason = self._walk(legs, view) if phrase.travel else self._reason(view, phrase)
        if not reaction and not reason and self._chances() < 0.08 and view.turns_left > 1:
            reason = self._say(phrases.COUNTING, phrase, left=str(view.turns_left))
        return _joined(_joined(reaction, reason), self._say(phrases.INTENT, phrase))

    def _after_refusal(
        self, leg: Leg, legs: Itinerary, view: View, phrase: Phrase, last: Shown
    ) -> str:
        if leg.mends >= 0 and legs[leg.mends].purpose in ("slip", "repeat"):
            return self._corrected(last.reply.command, leg.command, view)
        words = told(last.observation)
        answer = self._with(phrases.REFUSED, phrase, words) if words else ""
        if leg.purpose == "try":
            return _joined(answer, self._say(phrases.OTHERWISE, phrase))
        if leg.purpose == "slip":
            return _joined(answer, self._say(phrases.WRONG_WAY, phrase))
        pool: tuple[str, ...] = phrases.THEN_FIRST
        if _helps(legs, len(view.turns)):
            named = any(mentions(words, thing) for thing in phrase.things)
            pool = phrases.THIS_HELPS if named else phrases.THEN_HELPS
        elif last.outcome == "place":
            pool = phrases.THEN_WHERE
        return _joined(answer, self._say(pool, phrase))

    def _corrected(self, wrong: str, right: str, view: View) -> str:
        pool, gaps = correction(wrong, right)
        return self._say(pool, view.phrase(right), **gaps)

    def _redo(self, leg: Leg, view: View, phrase: Phrase) -> str:
        """What is done at last, after the step that helped."""
        failed = view.turns[leg.mends]
        helped = view.turns[leg.helped].reply.command if leg.helped >= 0 else ""
        deed = doing(view.phrase(helped).do) if helped else ""
        return self._with(phrases.REDO, phrase, told(failed.observation), deed=deed)

    # -- the parts of a thought ----------------------------------------------------------

    def _reaction(self, view: View) -> str:
        """What the last turn gave."""
        if not view.turns or view.turns[-1].refused:
            return ""
        last, done, trail = view.turns[-1], self._trail.phrases[-1], self._trail
        if done.travel:
            where = trail.place(len(view.turns) - 1)
            return self._say(phrases.ARRIVED, done, place=where) if where else ""
        verb = done.do.partition(" ")[0]
        if verb in TAKING and done.things and trail.took(done.things[0]):
            return self._say(phrases.GOT, done, it=_noun(view, done.things[0]))
        before = len(view.turns) - 1
        news = [s for s in _notable(last.observation) if trail.first_shown(s) == before]
        if news and self._chances() < (0.55 if verb in ASKING else 0.25):
            sentence = self._one_of(news)
            self._repeated.add(sentence)
            return self._say(phrases.NOTED, done, quote=quoted(sentence))
        return self._say(phrases.WORKED, done, deed=doing(done.do))

    def _reason(self, view: View, phrase: Phrase) -> str:
        """What speaks for a command, from what was shown before."""
        things = phrase.things
        if not things:
            verb = phrase.do.partition(" ")[0]
            wanted = len(verb) > 3 and mentions(view.goal, verb)
            wanted = wanted and self._chances() < 0.5
            return self._say(phrases.GOAL_VERB, phrase) if wanted else ""
        kinds = self._recalled(view, phrase)
        refusal, said, seen = kinds.get("refusal"), kinds.get("said"), kinds.get("seen")
        if refusal is not None and self._chances() < 0.7:
            return self._of_memory(view, phrase, refusal)
        if said is not None and self._chances() < 0.5:
            return self._of_memory(view, phrase, said)
        trail = self._trail
        just = trail.phrases[-1].things if trail.phrases else ()
        carried = next((t for t in things if t not in just and trail.took(t)), "")
        if carried and not phrase.do.startswith("drop ") and self._chances() < 0.5:
            return self._say(phrases.CARRIED, phrase, it=_noun(view, carried))
        named = next((thing for thing in things if mentions(view.goal, thing)), "")
        if named and self._chances() < 0.3:
            return self._say(phrases.IN_GOAL, phrase, it=_noun(view, named))
        if seen is not None and not trail.took(seen.thing):
            return self._of_memory(view, phrase, seen)
        return ""

    def _recalled(self, view: View, phrase: Phrase) -> dict[str, Memory]:
        """The newest memory of each kind among the newest few that may explain a command."""
        found: dict[str, Memory] = {}
        left, repeated = REMEMBERED, self._repeated
        for memory in memories(view, phrase.things):
            if memory.sentence not in repeated and telling(view, memory, phrase):
                found.setdefault(memory.kind, memory)
                left -= 1
                if not left:
                    break
        return found

    def _of_memory(self, view: View, phrase: Phrase, memory: Memory) -> str:
        it, trail = _noun(view, memory.thing), self._trail
        source = view.turns[memory.turn].reply.command if memory.turn >= 0 else ""
        deed = trail.phrases[memory.turn] if source else phrase
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
        where = trail.place(memory.turn)
        if where and where != trail.place(len(view.turns) - 1):
            return self._say(phrases.SEEN_AT, phrase, it=it, place=where)
        found_out = source and not deed.travel and trail.first_shown(memory.thing) == memory.turn
        pool = phrases.SEEN_AFTER if found_out else phrases.SEEN_EARLIER
        return self._say(pool, phrase, it=it, deed=doing(deed.do))

    def _walk(self, legs: Itinerary, view: View) -> str:
        """Where a walk leads, if to something that was shown already."""
        now = len(view.turns)
        for leg in legs[now + 1 : now + 1 + LOOKAHEAD]:
            if leg.purpose != "plan":
                continue
            phrase = view.phrase(leg.command)
            if phrase.travel:
                continue
            thing = phrase.things[0] if phrase.things else ""
            away = thing and not self._trail.took(thing) and not mentions(view.last, thing)
            away = away and all(remembers(view, each) for each in phrase.things)
            if not away or self._chances() < 0.3:
                break
            return self._say(phrases.ON_THE_WAY, phrase, next=phrase.do, it=_noun(view, thing))
        if self._chances() < 0.5:
            return ""
        known_way = went_before(view, legs[now].command)
        return self._say(phrases.KNOWN_WAY if known_way else phrases.ONWARD, view.phrase("look"))

    # -- wording -------------------------------------------------------------------------

    def _with(self, pool: tuple[str, ...], phrase: Phrase, words: str, **gaps: str) -> str:
        """A phrase about what was told, quoted as it stands: words turned to `I` and `me` come
        out wrong too easily. A phrase without is taken where nothing can be repeated."""
        quote = quoted(words) if words else ""
        fits = tuple(
            text
            for text in pool
            if ("{quote}" not in text or quote) and ("{deed}" not in text or gaps.get("deed"))
        )
        return self._say(fits, phrase, quote=quote, **gaps) if fits else ""


def _helps(legs: Itinerary, now: int) -> bool:
    """Whether leg `now` makes true what the turn before it was refused for."""
    failed = now - 1
    while failed > 0 and legs[failed].purpose == "repeat":
        failed -= 1
    return any(leg.mends == failed and leg.helped == now for leg in legs[now + 1 :])


def _joined(first: str, then: str) -> str:
    return f"{first} {then}" if first and then else first or then


@lru_cache(maxsize=8192)
def _notable(text: str) -> tuple[str, ...]:
    """The sentences of a text that are worth repeating if they are news: statements or speech;
    not what the world says of the player's own doing."""
    found: list[str] = []
    for sentence in sentences(text):
        spoken = '"' in sentence or "“" in sentence
        listed = sentence.startswith(("You see", "In ", "On ", "Also here", "Exits"))
        low = sentence.lower()
        about_me = low.startswith("you") or " you" in low
        if " " in sentence and whole(sentence) and not listed and (spoken or not about_me):
            found.append(sentence)
    return tuple(found)


def _noun(view: View, thing: str) -> str:
    return view.noun(thing) or thing
