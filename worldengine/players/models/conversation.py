"""A view as the conversation a model is given, and the options all models share.

In: a view. Out: messages as chat templates and servers take them: the prompt as the system
message, the opening and observations as the user's, the replies as the assistant's, word for
word as exports write them. Where a conversation is too long its oldest turns are left out,
and a line in their place says so.
"""

from __future__ import annotations

from typing import TypedDict

from worldengine.players.options import Option
from worldengine.players.view import View

LEFT_OUT = "[{turns} earlier turns are left out here.]"

SAMPLING = (
    Option("temperature", "number", 0.0, "0 takes the likeliest token", low=0.0, high=10.0),
    Option("top_p", "number", 1.0, "the share of the likeliest tokens", low=0.0, high=1.0),
    Option("max_tokens", "integer", 256, "of one reply", low=1, high=1_000_000),
    Option("system", "yes", True, "no puts the prompt before the first observation"),
)


class Message(TypedDict):
    role: str
    content: str


def messages(view: View, system: bool = True, skip: int = 0) -> list[Message]:
    """The conversation so far, without its first `skip` turns. It ends with the user."""
    shown = view.opening
    if skip:
        note = LEFT_OUT.format(turns=skip)
        shown = f"{view.opening}\n\n{note}\n\n{view.turns[skip - 1].observation}"
    found: list[Message] = []
    if system:
        found.append({"role": "system", "content": view.prompt})
    else:
        shown = f"{view.prompt}\n\n{shown}"
    for turn in view.turns[skip:]:
        found.append({"role": "user", "content": shown})
        found.append({"role": "assistant", "content": turn.reply.text})
        shown = turn.observation
    found.append({"role": "user", "content": shown})
    return found


def asked(view: View, question: str, system: bool = True, skip: int = 0) -> list[Message]:
    """The same, with a question of ours at its end."""
    found = messages(view, system, skip)
    found[-1] = {"role": "user", "content": f"{found[-1]['content']}\n\n{question}"}
    return found
