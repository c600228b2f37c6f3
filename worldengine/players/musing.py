"""Thoughts of a player that acts on beliefs: what it makes of things, and what it means to do.

In: an `Intention`, the view. Out: one to four sentences. They are put together from parts
that are chosen independently: every bracket `(one|another)` is a choice of its own, and
brackets stand in brackets. What is said of the world was read; what is hoped for is worded
as a hope; what a plan is believed to take is told as a reckoning. Only a deliberate mistake
is thought as if it were right.
"""

from __future__ import annotations

from random import Random

from worldengine.players.intention import Intention
from worldengine.players.recall import place
from worldengine.players.view import Phrase, View
from worldengine.players.wording import (
    brief,
    capital,
    doing,
    first_person,
    quoted,
    sentences,
    told,
    whole,
)

AGAIN = 12
"""Thoughts for which a wording is not used again, if there is another."""
TRIES = 6

INTENT = (
    "(I|So I|Now I|Then I|This time I) (will|want to|am going to|mean to|should|can) {do}"
    "( now| next| first||)(.|, and see what comes of it.|.|.)",
    "(Let me|Time to|Best to|It is time to|I had better) {do}( now||| at once)(.|.|, then.)",
    "({Doing}|So {doing}|{Doing}, then,) (is|seems|looks|must be) (the|my) "
    "(next|obvious|right|natural|simplest) (step|move|thing to do)( here|| now|).",
    "(My|The) (next|following) (step|move|turn) (is|goes to|will be) {doing}.",
    "(I|So I) (turn to|go for|settle on|decide on|choose|try) {doing}( for now|| this turn|).",
)
REFUSED = (
    "(So|Ah|Right|Well|Hm)(:|,) {fact}( Then that is how it is.|| I see.|| Noted.)",
    "(That|It) (did not work|was refused|failed|got me nowhere)(: {fact}|. {quote})",
    "(I was told|The answer was|What I got was|All I heard was): {quote}",
    "{quote} (So that is the trouble.|That is why.|Fair enough.|I should have thought of it.)",
)
PLAINLY = (
    "(That|It) (did not work|was refused|failed|got me nowhere)( as I said it||).",
    "(Not|No, not) like that( then||, it seems).",
)
WORDED = (
    "(I|So I) (worded|put|said) that (badly|wrongly|in a way nobody here understands).",
    "(Those|My) words (mean nothing|were not understood|do not work) here.",
)
LEARNT = (
    "(I did not know that|That is new to me|A rule I had not known)(.|, and I will keep to it.)",
    "(Now I know|From now on I know|One more thing I know) (what it asks for|the rule|better).",
    "(I will|I shall) (remember|keep|mind) that( from here on||).",
)
SURPRISED = (
    "(That is not|Not quite) what I had (expected|reckoned with|hoped for)(.|; I have to "
    "(think again|plan anew|look at it afresh).)",
    "(This|That) changes (my plan|things|what I meant to do).",
    "(I have to|I must|Let me) (rethink|think again|start my plan over) (after that|with that "
    "in mind|).",
)
HOPE = (
    "I do not know where {the thing} is; (perhaps|maybe|it may be) {in holder}(.|, or not.)",
    "(My guess|If I am lucky|I suppose|My bet) is that {the thing} (may be|could be|might lie) "
    "{in holder}.",
    "(Nobody told me|I have not been told|I have yet to find out) where {the thing} is. "
    "({In holder} would be|I would look) (a good place|as good a place as any) {hold}.",
)
ASK = (
    "(I would rather|Better to|I want to) (know|look|find out) (before I act|first|more before "
    "I go on).",
    "There is (something|a thing) (I do not know yet|I cannot tell from here|that is not clear "
    "to me)(.| and this may tell me.)",
    "(This|That) may (tell me|show me) (more|what I lack|something I need).",
)
NEW = (
    "(I have not been there yet|That is a place I have not seen|There is ground I have not "
    "covered).",
    "(What I need|What is missing) may (well be|be|lie) (somewhere else|where I have not looked "
    "yet|further on).",
    "(I know|I have seen) (only|just) {seen} (so far|by now|up to here).",
)
WAY = (
    "(From here|This way) I (come|get) (nearer|closer) to where I have not been.",
    "(Nothing more|Little) (to find|to learn) here( that I can see||).",
)
TRY = (
    "(I have not|Nobody has) tried that (yet|so far|here).",
    "(I have no|Without a) (better|clearer) idea( at the moment|| right now)(.|, so this.)",
    "It (may|might) (help|do something|change something).",
)
LATER = (
    "(After that|Then|Once that is done|From there) I (want to|mean to|can|could) {later}.",
    "(It|That) (leads|should lead|brings me) (on to|to|towards) {doing later}(, I hope||).",
)
RECKON = (
    "(By my reckoning|If I am right|As far as I can see) (that leaves|there are|it takes) "
    "{steps} (more|further) (steps|things to do).",
    "({Left} turns are left|I have {left} turns)(, which should do|, so no dawdling||).",
)
GOAL = (
    "(I am to|My task is to|What counts is to|In the end I must) {goal}.",
    "(Everything|All this) is to {goal}.",
)
NOTED = (
    "(I note|I keep in mind|I see|So)(:| that much:) {quote}",
    "{quote} (Good to know.|I should remember that.|That may matter.|Interesting.)",
)
ARRIVED = (
    "(I am in|This is|Here is|I have come to|So this is) {place}( now||).",
    "(I stand in|I have reached) {place}(.|, and look about.)",
)
FINE = (
    "(Good|Fine|That worked|That is done|So far, so good|One thing less)(.|. On I go.|.)",
    "({Deed}|Well, {deed}) (is done|worked|went well|is behind me).",
)


class Musing:
    """The wording of one episode."""

    def __init__(self, random: Random, mode: str) -> None:
        self._random = random
        self._mode = mode
        self._used: list[str] = []
        self._noted: set[str] = set()

    def about(self, intention: Intention, view: View) -> str:
        """Why the player says `intention.command` now; "" where it does not think aloud."""
        if self._mode == "none":
            return ""
        phrase = view.phrase(intention.meant or intention.command)
        parts = [self._reaction(intention, view)]
        if self._mode == "full":
            parts.append(self._reason(intention, view))
        parts.append(self._spun(INTENT, phrase))
        if self._mode == "full" and self._chance(0.35):
            parts.append(self._outlook(intention, view, phrase))
        return " ".join(part for part in parts if part)

    # -- parts ---------------------------------------------------------------------------

    def _reaction(self, intention: Intention, view: View) -> str:
        """What the last turn gave."""
        if not view.turns:
            goal = brief(view.goal)
            return self._spun(GOAL, None, goal=goal) if goal and self._chance(0.6) else ""
        last = view.turns[-1]
        if last.refused:
            return self._refused(intention, view)
        if self._mode == "brief":
            return ""
        if intention.surprised and self._chance(0.6):
            return self._spun(SURPRISED, None)
        here = place(view, len(view.turns) - 1)
        before = place(view, len(view.turns) - 2)
        if here and here != before and self._chance(0.5):
            return self._spun(ARRIVED, None, place=here)
        for sentence in sentences(last.observation):
            listed = sentence.startswith(("You see", "In ", "On ", "Also here", "Exits"))
            fresh = sentence not in self._noted and whole(sentence) and not listed
            if fresh and not sentence.startswith("You ") and self._chance(0.3):
                self._noted.add(sentence)
                return self._spun(NOTED, None, quote=quoted(sentence))
        if not self._chance(0.4):
            return ""
        deed = doing(view.phrase(last.reply.command).do)
        return self._spun(FINE, None, deed=deed, Deed=capital(deed))

    def _refused(self, intention: Intention, view: View) -> str:
        last = view.turns[-1]
        words = told(last.observation)
        if last.outcome == "parameter":
            said = self._spun(WORDED, None)
        elif words:
            said = self._spun(
                REFUSED, None, fact=first_person(words) or quoted(words), quote=quoted(words)
            )
        else:
            said = self._spun(PLAINLY, None)
        if intention.learnt and self._chance(0.8):
            said = f"{said} {self._spun(LEARNT, None)}"
        return said

    def _reason(self, intention: Intention, view: View) -> str:
        """What speaks for the command."""
        if intention.mistake:
            return ""
        if intention.hopes and self._chance(0.45):
            thing, holder = self._random.choice(intention.hopes)
            the, spot = view.noun(thing) or thing, view.noun(holder) or holder
            return self._spun(
                HOPE, None, **{
                    "the thing": the, "in holder": f"in {spot}", "In holder": f"In {spot}",
                    "hold": "to begin with",
                },
            )  # fmt: skip
        pools = {"ask": ASK, "new": NEW, "way": WAY, "try": TRY, "again": TRY}
        pool = pools.get(intention.why)
        if pool is None or not self._chance(0.75):
            return ""
        seen = _seen(view)
        return self._spun(pool, None, seen=seen)

    def _outlook(self, intention: Intention, view: View, phrase: Phrase) -> str:
        later = intention.later and view.phrase(intention.later).do
        if later and later != phrase.do and self._chance(0.7):
            return self._spun(LATER, None, later=later, **{"doing later": doing(later)})
        if intention.steps > 1 and self._chance(0.4):
            left = str(view.turns_left)
            return self._spun(RECKON, None, steps=str(intention.steps), left=left, Left=left)
        return ""

    # -- wording -------------------------------------------------------------------------

    def _spun(self, pool: tuple[str, ...], phrase: Phrase | None, **gaps: str) -> str:
        """One of a pool's wordings, not used lately, with its gaps filled."""
        if phrase is not None:
            act = doing(phrase.do)
            gaps |= {"do": phrase.do, "doing": act, "Doing": capital(act)}
        text = ""
        for _ in range(TRIES):
            text = spun(self._random.choice(pool), self._random)
            if text not in self._used and all(gap in gaps for gap in _gaps(text)):
                break
        self._used = [*self._used[-AGAIN:], text]
        for name, value in gaps.items():
            text = text.replace("{" + name + "}", value)
        return capital(" ".join(text.split()).replace(" .", ".").replace("..", "."))

    def _chance(self, share: float) -> bool:
        return self._random.random() < share


def _seen(view: View) -> str:
    """The last places seen, in words."""
    found = [place(view, turn) for turn in range(-1, len(view.turns))]
    names = [name for name in dict.fromkeys(found) if name]
    return " and ".join(names[-2:]) if names else "a little"


def _gaps(text: str) -> list[str]:
    return [piece.partition("}")[0] for piece in text.split("{")[1:]]


def spun(text: str, random: Random) -> str:
    """A text with every bracket `(a|b|c)` replaced by one of its choices, inside out."""
    while (end := text.find(")")) >= 0:
        start = text.rfind("(", 0, end)
        choices = text[start + 1 : end].split("|")
        text = text[:start] + random.choice(choices) + text[end + 1 :]
    return text
