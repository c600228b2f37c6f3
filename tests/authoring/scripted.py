"""A model whose answers are written down: for tests of what goes on around a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from worldengine.models.protocol import Answer, Request

Reply = Callable[[Request], Answer | str]


class Scripted:
    """Answers by a function of the request; what was asked is kept."""

    def __init__(self, reply: Reply, width: int = 2, name: str = "scripted") -> None:
        self.name, self.width, self.reply = name, width, reply
        self.price: tuple[float, float] | None = (1.0, 2.0)
        self.asked: list[Request] = []
        self.stop_after: int | None = None

    def unconstrained(self) -> str:
        return "it only says what is written"

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked += requests
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> Answer:
        said = self.reply(request)
        return (
            Answer(said, prompt_tokens=100, completion_tokens=10) if isinstance(said, str) else said
        )
