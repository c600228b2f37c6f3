"""Thoughts of a player that acts on beliefs: what it makes of things, and what it means to do.

In: an `Intention`, the view. Out: one to four sentences, put together from independent parts
(see `musings`): what the last turn gave, what speaks for the command, the command, what may
come after. What is said of the world was read, and is named with where; what is hoped for is
worded as a hope; what a plan is believed to take is told as a reckoning. Only a deliberate
mistake is thought as if it were right.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import islice
from random import Random

from worldengine.players import musings
from worldengine.players.correcting import correction
from worldengine.players.gaps import act, places_seen, thing_of
from worldengine.players.intention import Intention
from worldengine.players.recall import (
    TAKING,
    Memory,
    first_shown,
    lasting,
    memories,
    place,
    shown,
    spoken_of,
    took,
)
from worldengine.players.spinning import Pool
from worldengine.players.view import Phrase, View
from worldengine.players.wording import (
    brief,
    capital,
    doing,
    mentions,
    more,
    news,
    quoted,
    reason,
)

AGAIN = 16
"""Wordings that are not used again, if there is another, until so many others were."""
TRIES = 6
REMEMBERED = 4
NOTHING: Mapping[str, str] = {}
SINCE = ("since", "as", "because")
BEGIN, ONWARD = Pool(*musings.INTENT, *musings.BEGIN), Pool(*musings.INTENT, *musings.ONWARD)
AFTERWARDS, INSTEAD = Pool(*musings.AFTERWARDS), Pool(*musings.INSTEAD)
WORDED, QUOTED, PLAINLY = Pool(*musings.WORDED), Pool(*musings.QUOTED), Pool(*musings.PLAINLY)
INSIST, LEARNT, SURPRISED = Pool(*musings.INSIST), Pool(*musings.LEARNT), Pool(*musings.SURPRISED)
HOPE, UNTOLD = Pool(*musings.HOPE), Pool(*musings.HOPE, *musings.UNTOLD)
LATER, RECKON = Pool(*musings.LATER), Pool(*musings.RECKON)
GOAL_PART = Pool(*musings.GOAL, *musings.GOAL_PART)
GOAL_WHOLE = Pool(*musings.GOAL, *musings.GOAL_WHOLE)
NOTED, ARRIVED = Pool(*musings.NOTED), Pool(*musings.ARRIVED)
FINE, GOT = Pool(*musings.FINE), Pool(*musings.GOT)
SEEN_HERE, SEEN_AT = Pool(*musings.SEEN_HERE), Pool(*musings.SEEN_AT)
SEEN_EARLIER, SEEN_AFTER = Pool(*musings.SEEN_EARLIER), Pool(*musings.SEEN_AFTER)
CARRIED, IN_GOAL = Pool(*musings.CARRIED), Pool(*musings.IN_GOAL)
SAID, FAILED = Pool(*musings.SAID), Pool(*musings.FAILED)
TRY = Pool(*musings.TRY)
REASONS = {"ask": Pool(*musings.ASK), "new": Pool(*musings.NEW), "way": Pool(*musings.WAY)}
REASONS |= {"try": TRY, "again": TRY, "guess": Pool(*musings.GUESS)}
GUESS_WAY = Pool(*musings.GUESS_WAY)


class Musing:
    """The wording of one episode."""

    def __init__(self, random: Random, mode: str) -> None:
        self._random = random
        self._mode = mode
        self._bits = random.getrandbits
        self._used: deque[str] = deque(maxlen=AGAIN + 1)
        self._noted: set[str] = set()

    def about(self, intention: Intention, view: View) -> str:
        """Why the player says `intention.command` now; "" where it does not think aloud."""
        if self._mode == "none":
            return ""
        phrase = view.phrase(_named(intention))
        parts = [self._reaction(intention, view)]
        if self._mode == "full":
            parts += self._reasoned(intention, view, phrase)
            if self._chance(0.3):
                parts.append(self._outlook(intention, view, phrase))
        else:
            parts.append(self._intent(intention, view, phrase))
        return " ".join(part for part in parts if part)

    # -- parts ---------------------------------------------------------------------------

    def _reaction(self, intention: Intention, view: View) -> str:
        """What the last turn gave."""
        if not view.turns:
            goal = brief(view.goal)
            if not goal or not self._chance(0.6):
                return ""
            return self._spun(GOAL_PART if more(view.goal) else GOAL_WHOLE, {"goal": goal})
        last = view.turns[-1]
        if intention.why == "repeat":
            return self._spun(INSIST)
        if last.refused:
            return self._refused(intention, view)
        if self._mode == "brief":
            return ""
        if intention.surprised and self._chance(0.35):
            return self._spun(SURPRISED)
        here = place(view, len(view.turns) - 1)
        before = place(view, len(view.turns) - 2)
        if here and here != before and self._chance(0.5):
            return self._spun(ARRIVED, {"place": here})
        fresh = self._fresh(last.observation)
        if fresh and self._chance(0.35):
            self._noted.add(fresh)
            return self._spun(NOTED, {"quote": quoted(fresh)})
        if not self._chance(0.35):
            return ""
        did = view.phrase(last.reply.command)
        if did.things and did.do.partition(" ")[0] in TAKING:
            return self._spun(GOT, thing_of(view, did.things[0]))
        return self._spun(FINE, {"deed": doing(did.do)})

    def _fresh(self, observation: str) -> str:
        """A sentence worth repeating that was not repeated before, "" if there is none."""
        noted = self._noted
        for sentence in news(observation):
            if sentence not in noted:
                return sentence
        return ""

    def _refused(self, intention: Intention, view: View) -> str:
        last = view.turns[-1]
        words = reason(last.observation)
        if last.outcome == "parameter":
            said = self._corrected(last.reply.command, intention)
        elif words:
            said = self._spun(QUOTED, {"quote": quoted(words)})
        else:
            said = self._spun(PLAINLY)
        if intention.learnt and self._chance(0.6):
            said = f"{said} {self._spun(LEARNT)}"
        return said

    def _corrected(self, wrong: str, intention: Intention) -> str:
        """What was wrong with the words of the last command, if the right ones come now."""
        right = "" if intention.mistake else intention.command
        pool, gaps = correction(wrong, right)
        return self._spun(pool or WORDED, gaps)

    def _reasoned(self, intention: Intention, view: View, phrase: Phrase) -> list[str]:
        """What speaks for the command, and the command."""
        if not intention.mistake and intention.why == "plan" and self._chance(0.7):
            hopes = [hope for hope in intention.hopes if not shown(view, hope[0])]
            if hopes and self._chance(0.35):
                return [self._hope(hopes, view), self._intent(intention, view, phrase)]
            found = self._reason(view, phrase)
            if found.endswith((".", "!", "?", '"', "”")):
                return [found, self._intent(intention, view, phrase)]
            if found:
                return self._joined(found, intention, view, phrase)
        pool = None if intention.mistake else REASONS.get(intention.why)
        if intention.why == "guess" and phrase.travel:
            pool = GUESS_WAY
        if pool is not None and self._chance(0.7):
            reason = self._spun(pool, {"seen": places_seen(view)})
            if self._chance(0.2):
                return [self._intent(intention, view, phrase), reason]
            return [reason, self._intent(intention, view, phrase)]
        return [self._intent(intention, view, phrase)]

    def _joined(self, clause: str, intention: Intention, view: View, phrase: Phrase) -> list[str]:
        """A clause and the command, as two sentences or one."""
        style = self._random.random()
        if style < 0.35:
            return [f"{capital(clause)}.", self._intent(intention, view, phrase)]
        if style < 0.7:
            then = self._clause(AFTERWARDS, act(phrase.do))
            return [f"{capital(clause)}, {then}."]
        said = self._intent(intention, view, phrase)
        return [f"{said.removesuffix('.')}, {self._random.choice(SINCE)} {clause}."]

    def _intent(self, intention: Intention, view: View, phrase: Phrase) -> str:
        last = view.turns[-1] if view.turns else None
        refused = last is not None and last.outcome in ("place", "logic")
        if last is not None and refused and not intention.mistake and self._chance(0.4):
            other = view.phrase(last.reply.command).do != phrase.do
            if other:
                return self._spun(INSTEAD, act(phrase.do))
        return self._spun(ONWARD if view.turns else BEGIN, act(phrase.do))

    def _hope(self, hopes: list[tuple[str, str]], view: View) -> str:
        thing, holder = self._random.choice(hopes)
        where = view.noun(holder) or holder
        pool = HOPE if spoken_of(view, thing, holder) else UNTOLD
        return self._spun(pool, {"holder": where, **thing_of(view, thing)})

    def _reason(self, view: View, phrase: Phrase) -> str:
        """From what was read before: a clause, or a sentence with a quotation in it; "" if
        nothing comes to mind."""
        if not phrase.things:
            return ""
        told = (m for m in memories(view, phrase.things) if self._new(m) and lasting(view, m))
        kinds: dict[str, Memory] = {}
        for memory in islice(told, REMEMBERED):
            kinds.setdefault(memory.kind, memory)
        if "refusal" in kinds and self._chance(0.5):
            return self._of(FAILED, view, kinds["refusal"])
        if "said" in kinds and self._chance(0.35):
            return self._of(SAID, view, kinds["said"])
        carried = [thing for thing in phrase.things if took(view, thing)]
        if carried and self._chance(0.5):
            return self._clause(CARRIED, thing_of(view, carried[0]))
        named = [thing for thing in phrase.things if mentions(view.goal, thing)]
        if named and self._chance(0.35):
            return self._clause(IN_GOAL, thing_of(view, named[0]))
        if "seen" in kinds and not took(view, kinds["seen"].thing):
            return self._seen_at(view, kinds["seen"])
        return ""

    def _new(self, memory: Memory) -> bool:
        return memory.sentence not in self._noted

    def _of(self, pool: Pool, view: View, memory: Memory) -> str:
        self._noted.add(memory.sentence)
        refused = memory.kind == "refusal"
        words = reason(view.turns[memory.turn].observation) if refused else memory.sentence
        gaps = {"quote": quoted(words)}
        if memory.turn >= 0:
            did = view.phrase(view.turns[memory.turn].reply.command).do
            gaps |= {"did": did, "deed": doing(did)}
        return self._spun(pool, gaps)

    def _seen_at(self, view: View, memory: Memory) -> str:
        gaps = thing_of(view, memory.thing)
        where, here = place(view, memory.turn), place(view, len(view.turns) - 1)
        if where and where != here:
            return self._clause(SEEN_AT, {"place": where, **gaps})
        if memory.turn == len(view.turns) - 1:
            return self._clause(SEEN_HERE, gaps)
        did = view.phrase(view.turns[memory.turn].reply.command) if memory.turn >= 0 else None
        if did is None or did.travel or first_shown(view, memory.thing) != memory.turn:
            return self._clause(SEEN_EARLIER, gaps)
        return self._clause(SEEN_AFTER, {"deed": doing(did.do), **gaps})

    def _outlook(self, intention: Intention, view: View, phrase: Phrase) -> str:
        later = intention.later and view.phrase(intention.later).do
        if later and later != phrase.do and self._chance(0.7):
            return self._spun(LATER, {"later": later, "doing later": doing(later)})
        if intention.why == "plan" and view.turns_left > 1 and self._chance(0.3):
            steps = {"steps": str(intention.steps)} if intention.steps > 1 else {}
            return self._spun(RECKON, {"left": str(view.turns_left), **steps})
        return ""

    # -- wording -------------------------------------------------------------------------

    def _spun(self, pool: Pool, gaps: Mapping[str, str] = NOTHING) -> str:
        """One of a pool's wordings, not used lately, with its gaps filled."""
        text = self._clause(pool, gaps)
        return text[:1].upper() + text[1:]

    def _clause(self, pool: Pool, gaps: Mapping[str, str]) -> str:
        """The same, its first letter as it is."""
        fits, count, width = pool.fitting(gaps)
        bits, used = self._bits, self._used
        for _ in range(TRIES):
            at = bits(width)  # as `Random.choice`, with the same draws
            while at >= count:
                at = bits(width)
            said = fits[at].spun(bits)
            if said.text not in used:
                break
        used.append(said.text)
        return said.filled(gaps)

    def _chance(self, share: float) -> bool:
        return self._random.random() < share


def _named(intention: Intention) -> str:
    """The command that a thought is about. In a slip only the words are wrong; who does the
    wrong thing means to do it."""
    return (
        intention.meant or intention.command
        if intention.mistake in ("", "slip")
        else intention.command
    )
