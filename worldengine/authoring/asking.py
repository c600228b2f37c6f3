"""What a model is asked, word for word.

In: a persona, what is wanted, and what came of earlier answers. Out: messages. The plan of
the task comes first, then the world, then, where the compiler or the prover had something to
say, the same script with their words and nothing else: a model needs no history of its
mistakes to mend the last one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from worldengine.authoring.reference import page
from worldengine.models.protocol import Message

MOST_WORDS: Final = 300
PLAN: Final = """\
Plan a text game for this persona, someone at work: {persona}

The player is that person, with one task from their working day. Think of the task first:
1. what has to be true at the end, in one sentence;
2. the play that reaches it, step by step, {plan} commands{places};
3. what each step needs, and what goes wrong if it is done too soon, in the wrong place or \
with the wrong thing{mistakes};
4. what the player has to find out by looking, reading, asking or measuring;
5. only then the places, things and persons.
Nothing may depend on luck. Answer in at most {words} words, no script yet."""
SCRIPT: Final = """\
Write this world as one whole .world script, its `proof` included. Answer with the script \
alone, beginning with the word `world`."""
REPAIR: Final = """\
This is the script so far:

```
{script}```

{verdict}

Write the whole script again, mended. Keep what was right. Answer with the script alone, \
beginning with the word `world`."""
AGAIN: Final = """\
Your last answer could not be used: {reason}. {advice}Answer with one whole .world script \
and nothing else, beginning with the word `world`."""
ADVICE: Final = {
    "half_script": "Write a shorter one. ",
    "too_long": "Write a much shorter one. ",
    "repetition": "Say each thing once. ",
    "wrong_language": "The language is the one described above. ",
}
COMPLETE: Final = """\
This script is a skeleton. Each comment that begins with `// HOLE` says what is missing at its \
place:

```
{script}```

{verdict}

Write the whole script again with every hole filled and its comment gone, with effects, \
requirements and connections that make sense together, and with a `proof`. Keep the names, the \
goal and the forms of commands as they are. Answer with the script alone, beginning with the \
word `world`."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How hard a world should be: the least and most commands of its plan, how many places,
    how many ways to lose it (None: as the author likes)."""

    plan: tuple[int, int] = (5, 60)
    places: int | None = None
    mistakes: int | None = None


def system() -> Message:
    return Message("system", page())


def plan(persona: str, wanted: Wanted) -> tuple[Message, ...]:
    """The question for the plan of the task."""
    low, high = wanted.plan
    text = PLAN.format(
        persona=persona,
        plan=str(low) if low == high else f"{low} to {high}",
        places=f", in {wanted.places} places" if wanted.places is not None else "",
        mistakes=_mistakes(wanted.mistakes),
        words=MOST_WORDS,
    )
    return (system(), Message("user", text))


def _mistakes(number: int | None) -> str:
    if number is None:
        return ""
    if number == 0:
        return "; no mistake may lose the game"
    return f"; {number} of the mistakes lose the game for good"


def script(persona: str, wanted: Wanted, planned: str) -> tuple[Message, ...]:
    """The question for the script, after the plan."""
    asked = plan(persona, wanted)
    return (*asked, Message("assistant", planned), Message("user", SCRIPT))


def repair(about: tuple[Message, ...], text: str, verdict: str) -> tuple[Message, ...]:
    """The question for a mended script. `about` is the conversation up to the plan."""
    return (*about, Message("user", REPAIR.format(script=_whole(text), verdict=verdict)))


def again(about: tuple[Message, ...], reason: str, name: str) -> tuple[Message, ...]:
    """The question after an answer that held no script."""
    said = AGAIN.format(reason=reason, advice=ADVICE.get(name, ""))
    return (*about, Message("user", said))


def complete(text: str, verdict: str) -> tuple[Message, ...]:
    """The question for a skeleton's holes."""
    return (system(), Message("user", COMPLETE.format(script=_whole(text), verdict=verdict)))


def _whole(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"
