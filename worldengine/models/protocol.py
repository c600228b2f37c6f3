"""What is asked of a model and what comes back.

In: requests, each with its messages, its own seed and, where wanted, a grammar the answer
must follow. Out: one answer a request, in order. A request that fails alone fails alone: its
answer says why in `failure`. `ModelError` is for what makes every request fail (no such
folder, no such server); its message is for people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

Role: TypeAlias = Literal["system", "user", "assistant"]
Ended: TypeAlias = Literal["stop", "length", "failed"]


class ModelError(ValueError):
    """This model cannot be asked at all; the message is for people."""


class ModelSpecError(ValueError):
    """A text that names no model; the message is for people."""


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """`grammar` is Lark text in the dialect of llguidance: the whole answer must follow it.
    At temperature 0 the likeliest token is taken; else chance comes from `seed` alone."""

    messages: tuple[Message, ...]
    max_tokens: int = 1024
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    stop: tuple[str, ...] = ()
    grammar: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """`ended` is how: by itself, out of tokens, or not at all. `constrained` is true where a
    grammar was asked for and kept to. Tokens are the model's own count; `seconds` is wall
    time, shared by requests that were answered together."""

    text: str
    ended: Ended = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    constrained: bool = False
    failure: str = ""


class Model(Protocol):
    """`name` is the text it was asked for by. `width` is how many requests at once suit it.
    `price` is dollars per million tokens of prompt and answer, None where nobody said."""

    name: str
    width: int
    price: tuple[float, float] | None

    def unconstrained(self) -> str:
        """Why this model cannot keep to a grammar, "" where it can. A server is asked for it
        once, with a few tokens."""

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        """One answer for each request, in order. A grammar that cannot be kept to is left
        out, and the answer is not `constrained`."""


def cost(model: Model, answers: Sequence[Answer]) -> float | None:
    """Dollars, None where the model has no price."""
    if model.price is None:
        return None
    asked, said = model.price
    return sum(a.prompt_tokens * asked + a.completion_tokens * said for a in answers) / 1e6
