"""Thoughts in words: why this command, now.

In: a leg, the itinerary so far, the view. Out: a sentence or two. Everything quoted has been
shown: the goal, an observation, a refusal's own words. What a thought says of the future is
a guess and worded as one.
"""

from __future__ import annotations

from random import Random

from worldengine.players.view import Itinerary, Leg, Shown, View

QUOTE_LIMIT = 110

FIRST = (
    "The task: {goal} I start with what is at hand: {command}.",
    "I should keep the goal in mind: {goal} First, {command}.",
    "{goal} That is what I am here for. A sensible first move is {command}.",
    "Let me begin. The goal says: {goal} I will {command}.",
)
STEP = (
    "Next I will {command}.",
    "That worked. Now {command}.",
    "Good. The next thing to do is {command}.",
    "I noted: {seen} Now I {command}.",
    "{seen} So I go on with {command}.",
    "With that done, I {command}.",
    "This brings me closer, I think. Now {command}.",
    "{seen} The step that follows from this is {command}.",
    "I see how things stand. My next command is {command}.",
    "Moving on: {command}.",
)
EARLY = (
    "Perhaps I can go straight to it: {command}.",
    "What I am after seems to need {command}; maybe that works already.",
    "I could save time and {command} right away.",
    "{command} looks like it matters. Let me try it now.",
    "Nothing I have read says I cannot {command} yet, so I try.",
)
SLIP = (
    "I will {command}.",
    "Now I want to {command}.",
    "The obvious thing is to {command}.",
    "Let me {command}.",
)
LOOK = (
    "Before I go on I want to know more: {command}.",
    "I may have missed something. {command}.",
    "It costs one turn, but knowing helps: {command}.",
    "Let me make sure of what is here: {command}.",
)
CORRECT = (
    "It said “{refusal}” So the wording was wrong, not the idea. The right form is {command}.",
    "That was not understood: “{refusal}” I put it properly: {command}.",
    "My mistake was in how I said it (“{refusal}”). I try {command}.",
    "“{refusal}” I read the list of commands again; what I meant is {command}.",
)
AFTER_REFUSAL = (
    "That failed: “{refusal}” So something else has to come first. I will {command}.",
    "“{refusal}” Then I must see to that before I try again. First {command}.",
    "Not yet, it seems: “{refusal}” Meanwhile the thing I can do is {command}.",
    "The answer was “{refusal}” I keep that in mind and {command}.",
)
AFTER_PLACE = (
    "“{refusal}” I am not where I need to be, or do not hold what I need. I will {command}.",
    "It is not within reach: “{refusal}” I will come back to it; now {command}.",
    "“{refusal}” I have to get there first. {command}.",
)
REDO = (
    "Earlier I tried this too soon and was told “{refusal}” That should be settled now: {command}.",
    "Before, the answer was “{refusal}” Things have changed since, so I try {command} again.",
    "What stood in the way was “{refusal}” I think I have dealt with it. {command}.",
    "Now back to what failed before (“{refusal}”): {command}.",
)
TRY = (
    "I do not know yet what helps. I try {command}.",
    "{seen} Perhaps {command} shows me something.",
    "I have not tried this: {command}.",
    "Let me see what happens if I {command}.",
)


class Thoughts:
    """The wording of one episode; no template is used twice in a row."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._last = ""

    def about(self, leg: Leg, legs: Itinerary, view: View) -> str:
        """Why the player says `leg.command` now."""
        before = view.turns[-1] if view.turns else None
        refusal = quote(before.observation) if before is not None and before.refused else ""
        templates = self._templates(leg, legs, before)
        if templates is REDO:
            refusal = quote(view.turns[leg.mends].observation)
        return self._pick(templates).format(
            command=leg.command,
            goal=sentence(view.goal),
            seen=sentence(quote(view.last)),
            refusal=refusal,
        )

    def _templates(self, leg: Leg, legs: Itinerary, before: Shown | None) -> tuple[str, ...]:
        if before is not None and before.refused and leg.purpose in ("plan", "look"):
            if leg.mends >= 0 and legs[leg.mends].purpose == "slip":
                return CORRECT
            if leg.mends < 0:
                return AFTER_PLACE if before.outcome == "place" else AFTER_REFUSAL
        if leg.mends >= 0 and leg.purpose == "plan":
            return REDO
        if before is None and leg.purpose == "plan":
            return FIRST
        kinds = {"early": EARLY, "slip": SLIP, "look": LOOK, "try": TRY}
        return kinds.get(leg.purpose, STEP)

    def _pick(self, templates: tuple[str, ...]) -> str:
        chosen = self._random.choice([t for t in templates if t != self._last])
        self._last = chosen
        return chosen


def quote(text: str) -> str:
    """The first sentence of what was shown, short enough to say in passing."""
    line = next((line.strip() for line in text.split("\n") if line.strip()), "")
    for end in (". ", "! ", "? "):
        position = line.find(end)
        if 0 < position < QUOTE_LIMIT:
            line = line[: position + 1]
    if len(line) > QUOTE_LIMIT:
        line = line[:QUOTE_LIMIT].rsplit(" ", 1)[0] + "…"
    return line


def sentence(text: str) -> str:
    """`text` with an end, so that the next sentence can follow."""
    text = text.strip()
    return text if not text or text[-1] in ".!?…" else text + "."
