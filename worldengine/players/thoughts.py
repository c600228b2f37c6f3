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
    "The task: {goal} I start with what is at hand: {do}.",
    "I should keep the goal in mind: {goal} First, {do}.",
    "{goal} That is what I am here for. A sensible first move is to {do}.",
    "Let me begin. The goal says: {goal} I will {do}.",
)
STEP = (
    "Next I will {do}.",
    "That worked. Now I {do}.",
    "Good. The next thing to do is {do}.",
    "I noted: {seen} Now I {do}.",
    "{seen} So I go on: {do}.",
    "With that done, I {do}.",
    "This brings me closer, I think. Now {do}.",
    "{seen} The step that follows from this is to {do}.",
    "I see how things stand. My next command: {do}.",
    "Moving on: {do}.",
    "{seen} I think it is time to {do}.",
    "One thing after the other. I {do} next.",
)
EARLY = (
    "Perhaps I can go straight to it: {do}.",
    "What I am after may only need me to {do}. I try it now.",
    "I could save time and {do} right away.",
    "To {do} looks like what matters here. Let me try.",
    "Nothing I have read says I cannot {do} yet, so I try.",
)
SLIP = (
    "I will {do}.",
    "Now I want to {do}.",
    "The obvious thing is to {do}.",
    "Let me {do}.",
)
LOOK = (
    "Before I go on I want to know more: {do}.",
    "I may have missed something, so I {do}.",
    "It costs a turn, but knowing helps: {do}.",
    "Let me make sure of how things are: {do}.",
)
CORRECT = (
    "It said “{refusal}” So the wording was wrong, not the idea. The right form is: {do}.",
    "That was not understood: “{refusal}” I put it properly: {do}.",
    "My mistake was in how I said it (“{refusal}”). I try again: {do}.",
    "“{refusal}” I read the list of commands again; what I meant is: {do}.",
    "“{refusal}” I got a word wrong. Once more, carefully: {do}.",
)
AFTER_REFUSAL = (
    "That failed: “{refusal}” So something else has to come first. I will {do}.",
    "“{refusal}” Then I must see to that before I try again. First I {do}.",
    "Not yet, it seems: “{refusal}” Meanwhile I can {do}.",
    "The answer was “{refusal}” I keep that in mind and {do}.",
)
AFTER_PLACE = (
    "“{refusal}” I am not where I need to be, or lack what I need. I will {do}.",
    "It is not within reach: “{refusal}” I will come back to it; now I {do}.",
    "“{refusal}” That has to wait. First I {do}.",
    "Wrong place or empty hands: “{refusal}” So I {do}.",
)
REDO = (
    "Earlier I tried this too soon and was told “{refusal}” That should be settled now: {do}.",
    "Before, the answer was “{refusal}” Things have changed since, so I {do} again.",
    "What stood in the way was “{refusal}” I think I have dealt with it. Now I {do}.",
    "Back to what failed before (“{refusal}”): {do}.",
)
TRY = (
    "I do not know yet what helps. I try this: {do}.",
    "{seen} Perhaps it helps to {do}.",
    "I have not tried this: {do}.",
    "Let me see what happens if I {do}.",
)
RETRY = (
    "“{refusal}” That did not work. I try something else: {do}.",
    "I was told “{refusal}” Then perhaps this: {do}.",
)
DIRECTIONS = frozenset(
    {"north", "south", "east", "west", "up", "down", "in", "out"}
    | {"northeast", "northwest", "southeast", "southwest"}
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
            do=f"go {leg.command}" if leg.command in DIRECTIONS else leg.command,
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
        if before is not None and before.refused and leg.purpose == "try":
            return RETRY
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
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    # A line without an end is a heading: what stands under it says more.
    line = next((line for line in lines if line[-1] in ".!?"), lines[0] if lines else "")
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
