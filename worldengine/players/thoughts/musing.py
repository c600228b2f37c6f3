"""Thoughts of a player that acts on beliefs: what it makes of things, and what it means to do.

In: an `Intention`, the view. Out: one to four sentences, put together from independent parts
(see `musings`): what the last turn gave, what speaks for the command, the command, what may
come after. What is said of the world was read, and is named with where; what is hoped for is
worded as a hope; what a plan is believed to take is told as a reckoning. Only a deliberate
mistake is thought as if it were right.
"""

from __future__ import annotations

from itertools import islice
from random import Random

from worldengine.players.shown.wording import (
    bleak,
    brief,
    capital,
    doing,
    mentions,
    more,
    news,
    quoted,
    reason,
    telling,
)
from worldengine.players.thoughts import pools
from worldengine.players.thoughts.claims import (
    evidence,
    figure_read,
    hope,
    number_claim,
    unseen,
)
from worldengine.players.thoughts.correcting import correction
from worldengine.players.thoughts.gaps import act, places_seen, thing_of
from worldengine.players.thoughts.intention import Intention
from worldengine.players.thoughts.recall import (
    DROPPING,
    TAKING,
    Memory,
    first_shown,
    lasting,
    memories,
    place,
    places,
    shown,
    took,
)
from worldengine.players.thoughts.spinning import Pool
from worldengine.players.thoughts.voice import Voice
from worldengine.players.view import Phrase, View

REMEMBERED = 4
SINCE = ("since", "as", "because")


class Musing(Voice):
    """The wording of one episode."""

    def __init__(self, random: Random, mode: str) -> None:
        super().__init__(random)
        self._mode = mode
        self._noted: set[str] = set()

    def about(self, intention: Intention, view: View) -> str:
        """Why the player says `intention.command` now; "" where it does not think aloud."""
        if self._mode == "none":
            return ""
        phrase = view.phrase(intention.named)
        parts = [self._reaction(intention, view)]
        claim = self._claim(intention, view, phrase, parts[0])
        if claim:
            parts += [claim, self._intent(intention, view, phrase)]
        elif self._mode == "full":
            parts += self._reasoned(intention, view, phrase)
            if self._chance(0.3):
                parts.append(self._outlook(intention, view, phrase))
        else:
            parts.append(self._intent(intention, view, phrase))
        return " ".join(filter(None, parts))

    # -- parts ---------------------------------------------------------------------------

    def _reaction(self, intention: Intention, view: View) -> str:
        """What the last turn gave."""
        if not view.turns:
            goal = brief(view.goal)
            if not goal or not self._chance(0.6):
                return ""
            return self._spun(
                pools.GOAL_PART if more(view.goal) else pools.GOAL_WHOLE, {"goal": goal}
            )
        last = view.turns[-1]
        if intention.why == "repeat":
            return self._spun(pools.INSIST)
        if last.refused:
            return self._refused(intention, view)
        if self._mode == "brief":
            return ""
        if intention.surprised and self._chance(0.35):
            return self._spun(pools.SURPRISED)
        here, before = places(view)
        if here and here != before and self._chance(0.5):
            known = any(place(view, turn) == here for turn in range(-1, len(view.turns) - 2))
            return self._spun(pools.BACK if known else pools.ARRIVED, {"place": here})
        fresh = self._fresh(last.observation) if self._chance(0.35) else ""
        if fresh and first_shown(view, fresh) == len(view.turns) - 1:
            self._noted.add(fresh)
            pool = pools.TELLING if telling(fresh, view.goal) else pools.NOTED
            return self._spun(pool, {"quote": quoted(fresh)})
        did = view.phrase(last.reply.command)
        if did.travel or not intention.pleased or bleak(last.observation) or not self._chance(0.5):
            return ""
        if did.things and did.do.partition(" ")[0] in TAKING:
            return self._spun(pools.GOT, thing_of(view, did.things[0]))
        return self._spun(pools.FINE, {"deed": doing(did.do)})

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
            new = intention.learnt and first_shown(view, words) == len(view.turns) - 1
            pool = pools.QUOTED_NEW if new and not intention.mistake else pools.QUOTED
            said = self._spun(pool, {"quote": quoted(words)})
        else:
            said = self._spun(pools.PLAINLY)
        if intention.learnt and self._chance(0.6):
            said = f"{said} {self._spun(pools.LEARNT)}"
        return said

    def _corrected(self, wrong: str, intention: Intention) -> str:
        """What was wrong with the words of the last command, if the right ones come now."""
        right = "" if intention.mistake else intention.command
        pool, gaps = correction(wrong, right)
        return self._spun(pool or pools.WORDED, gaps)

    def _claim(self, intention: Intention, view: View, phrase: Phrase, said: str) -> str:
        """What has to be said with a command: that a number is a guess, or what it follows
        from; what was read that decides what to do."""
        found = None if intention.why == "repeat" else number_claim(view, intention.named)
        if found is not None:
            return self._spun(*found)
        clue = intention.evidence
        if not clue or self._mode != "full" or intention.mistake not in ("", "slip"):
            return ""
        cited = f"{phrase.do}\n{clue}"
        quoted_before = clue in self._noted or clue in said
        if not self._chance(0.3 if cited in self._noted else 0.5 if quoted_before else 0.9):
            return ""
        self._noted |= {clue, cited}
        return self._spun(*evidence(view, clue, quoted_before))

    def _reasoned(self, intention: Intention, view: View, phrase: Phrase) -> list[str]:
        """What speaks for the command, and the command."""
        if not intention.mistake and intention.why == "plan" and self._chance(0.7):
            hopes = [
                hope
                for hope in intention.hopes
                if not shown(view, hope[0]) and (phrase.travel or hope[0] in phrase.things)
            ]
            if hopes and self._chance(0.35):
                return [self._hope(hopes, view), self._intent(intention, view, phrase)]
            read = figure_read(view, phrase.do)
            if read is not None and read[1]["quote"] not in self._noted and self._chance(0.6):
                self._noted.add(read[1]["quote"])
                return [self._spun(*read), self._intent(intention, view, phrase)]
            found = self._reason(view, phrase)
            if found.endswith((".", "!", "?", '"', "”")):
                return [found, self._intent(intention, view, phrase)]
            if found:
                return self._joined(found, intention, view, phrase)
        pool = None if intention.mistake else pools.REASONS.get(intention.why)
        if intention.why == "guess" and phrase.travel:
            pool = pools.GUESS_WAY
        if pool is not None and self._chance(0.7):
            reason = self._spun(pool, {"seen": places_seen(view), **act(phrase.do)})
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
            then = self._clause(pools.AFTERWARDS, act(phrase.do))
            return [f"{capital(clause)}, {then}."]
        said = self._intent(intention, view, phrase)
        return [f"{said.removesuffix('.')}, {self._random.choice(SINCE)} {clause}."]

    def _intent(self, intention: Intention, view: View, phrase: Phrase) -> str:
        last = view.turns[-1] if view.turns else None
        refused = last is not None and last.outcome in ("place", "logic")
        if last is not None and refused and not intention.mistake and self._chance(0.4):
            other = view.phrase(last.reply.command).do != phrase.do
            if other:
                return self._spun(pools.INSTEAD, act(phrase.do))
        pool = pools.WALK if phrase.travel else pools.ONWARD
        return self._spun(pool if view.turns else pools.BEGIN, act(phrase.do))

    def _hope(self, hopes: list[tuple[str, str]], view: View) -> str:
        thing, holder = self._random.choice(hopes)
        return self._spun(*hope(view, thing, holder))

    def _reason(self, view: View, phrase: Phrase) -> str:
        """From what was read before: a clause, or a sentence with a quotation in it; "" if
        nothing comes to mind."""
        if not phrase.things or phrase.do.partition(" ")[0] in DROPPING:
            return ""  # that one has it is no reason to drop it
        told = (
            m
            for m in memories(view, phrase.things)
            if m.sentence not in self._noted and lasting(view, m)
        )
        kinds: dict[str, Memory] = {}
        for memory in islice(told, REMEMBERED):
            kinds.setdefault(memory.kind, memory)
        latest = len(view.turns) - 1  # what was refused just now was said already
        if "refusal" in kinds and kinds["refusal"].turn < latest and self._chance(0.5):
            return self._of(pools.FAILED, view, kinds["refusal"])
        if "said" in kinds and self._chance(0.35):
            return self._of(pools.SAID, view, kinds["said"])
        just = view.phrase(view.turns[-1].reply.command).things if view.turns else ()
        carried = [thing for thing in phrase.things if took(view, thing) and thing not in just]
        if carried and self._chance(0.5):
            return self._clause(pools.CARRIED, thing_of(view, carried[0]))
        named = [thing for thing in phrase.things if mentions(view.goal, thing)]
        if named and self._chance(0.35):
            return self._clause(pools.IN_GOAL, thing_of(view, named[0]))
        if "seen" in kinds and not took(view, kinds["seen"].thing):
            return self._seen_at(view, kinds["seen"])
        return ""

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
            return self._clause(pools.SEEN_AT, {"place": where, **gaps})
        if memory.turn == len(view.turns) - 1:
            return self._clause(pools.SEEN_HERE, gaps)
        did = view.phrase(view.turns[memory.turn].reply.command) if memory.turn >= 0 else None
        if did is None or did.travel or first_shown(view, memory.thing) != memory.turn:
            return self._clause(pools.SEEN_EARLIER, gaps)
        return self._clause(pools.SEEN_AFTER, {"deed": doing(did.do), **gaps})

    def _outlook(self, intention: Intention, view: View, phrase: Phrase) -> str:
        after = view.phrase(intention.later) if intention.later else None
        later = after.do if after else ""
        if after and later != phrase.do and self._chance(0.7):
            pool = pools.LATER_HOPED if unseen(view, after, phrase) else pools.LATER
            return self._spun(pool, {"later": later, "doing later": doing(later)})
        if intention.why == "plan" and view.turns_left > 1 and self._chance(0.3):
            steps = {"steps": str(intention.steps)} if intention.steps > 1 else {}
            return self._spun(pools.RECKON, {"left": str(view.turns_left), **steps})
        return ""
