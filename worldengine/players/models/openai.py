"""`openai:MODEL@URL`: a model behind an OpenAI-compatible server plays.

In: views, as chat messages. Out: replies, read by the tolerant reader, with the tokens that
the server counted and what they cost where a price is set. Requests of several episodes run
at once, and an answer that takes long holds up no other episode. What a server answers may
differ from call to call whatever is asked of it, so such a run is not repeatable; what it
played is, and verifies.

The key comes from the environment (OPENAI_API_KEY, or the name in `key_env`) and is written
nowhere. An error that goes away is tried again; one that stays stops the run, which can be
resumed, or with `on_error=count` costs the episode that turn.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from random import Random
from typing import Any
from urllib.parse import urlsplit

from worldengine.models.address import key_in, wrong
from worldengine.players.models.conversation import SAMPLING, Message, asked, messages
from worldengine.players.models.talk import digest
from worldengine.players.models.wire import Failure, Said, Wire
from worldengine.players.options import Option, OptionError
from worldengine.players.protocol import Player, PlayerError, Settings, Start
from worldengine.players.reply import Reply, Usage, failed, read, used
from worldengine.players.view import View

OPTIONS = (
    *SAMPLING,
    Option("seed", "yes", True, "send a seed with each request"),
    Option("on_error", "text", "stop", "an error that stays ends the run, or counts as a turn",
           choices=("stop", "count")),
    Option("ids", "yes", False, "ask for the tokens, as vLLM gives them, and keep them"),
    Option("concurrency", "integer", 8, "requests at once", low=1, high=1024, recorded=False),
    Option("timeout", "number", 120.0, "seconds for an answer", low=0.1, high=86_400,
           recorded=False),
    Option("retries", "integer", 6, "of a request that failed", low=0, high=100, recorded=False),
    Option("per_minute", "number", 0.0, "requests a minute; 0 is no limit", low=0, high=1e9,
           recorded=False),
    Option("price_in", "number", 0.0, "for a million tokens read", low=0, high=1e6,
           recorded=False),
    Option("price_out", "number", 0.0, "for a million tokens written", low=0, high=1e6,
           recorded=False),
    Option("key_env", "text", "OPENAI_API_KEY", "the variable that holds the key",
           recorded=False),
)  # fmt: skip


class OpenAI:
    """See the module. One thread a request, and no more requests than `concurrency` at once."""

    guidance = ""

    def __init__(self, model: str, url: str, settings: Settings, key: str = "") -> None:
        self.name = f"openai:{model}"
        self.settings: Settings = {o.name: settings[o.name] for o in OPTIONS if o.recorded}
        self._model, self._set = model, settings
        self._host = urlsplit(url).netloc.rpartition("@")[2]
        self.width = int(settings["concurrency"] or 1)
        self._wire = Wire(
            url,
            key,
            float(settings["timeout"] or 0),
            int(settings["retries"] or 0),
            float(settings["per_minute"] or 0),
            self.width,
        )
        self._turns = threading.BoundedSemaphore(self.width)
        self._randoms: dict[int, Random] = {}
        self._asked: dict[int, Future[Reply]] = {}

    def reset(self, starts: Sequence[Start]) -> None:
        for start in starts:
            self._randoms[start.slot] = start.random

    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        for view in views:
            if view.slot not in self._asked:
                seed = self._randoms[view.slot].getrandbits(31)
                self._asked[view.slot] = self._begun(view, seed)
        wait([self._asked[view.slot] for view in views], return_when=FIRST_COMPLETED)
        return [self._taken(view.slot) for view in views]

    def ask(self, view: View, question: str) -> str:
        """What the model writes beside a game."""
        seed = self._randoms[view.slot].getrandbits(31)
        found = self._said(view, question, seed)
        if isinstance(found, Failure):
            if self._set["on_error"] == "stop":
                raise PlayerError(self._stopped(found))
            return ""
        return found.text

    def _taken(self, slot: int) -> Reply | None:
        if not self._asked[slot].done():
            return None
        return self._asked.pop(slot).result()

    def _begun(self, view: View, seed: int) -> Future[Reply]:
        """A request under way. Its thread is no reason for the program to stay: whoever
        stops a run does not wait for a server."""
        future: Future[Reply] = Future()

        def work() -> None:
            with self._turns:
                try:
                    future.set_result(self._reply(view, seed))
                except BaseException as error:
                    future.set_exception(error)

        threading.Thread(target=work, daemon=True).start()
        return future

    def _reply(self, view: View, seed: int) -> Reply:
        found = self._said(view, "", seed)
        if isinstance(found, Said):
            cost = found.prompt_tokens * float(self._set["price_in"] or 0)
            cost += found.reply_tokens * float(self._set["price_out"] or 0)
            usage = Usage(
                prompt_tokens=found.prompt_tokens,
                reply_tokens=found.reply_tokens,
                retries=found.retries,
                cost=round(cost / 1e6, 9),
            )
            context = digest(found.read) if found.read else ""
            return used(read(found.text), usage, found.ids, context)
        if self._set["on_error"] == "stop":
            raise PlayerError(self._stopped(found))
        tried = int(self._set["retries"] or 0) if found.again else 0
        return failed(found.reason, Usage(retries=tried))

    def _stopped(self, found: Failure) -> str:
        count = int(self._set["retries"] or 0) + 1
        tried = f" after {count} {'try' if count == 1 else 'tries'}" if found.again else ""
        return (
            f"{self.name} at {self._host}: {found.reason}{tried}; what was played is kept: "
            "go on with --resume, or let such turns count with on_error=count"
        )

    def _said(self, view: View, question: str, seed: int) -> Said | Failure:
        """An answer to the conversation, without its oldest turns if it is too long."""
        turns, skip = len(view.turns), 0
        while True:
            if question:
                talk = asked(view, question, bool(self._set["system"]), skip)
            else:
                talk = messages(view, bool(self._set["system"]), skip)
            found = self._wire.ask(self._body(talk, seed))
            if isinstance(found, Said) or not found.too_long or skip >= turns:
                return found
            skip += (turns - skip + 1) // 2

    def _body(self, talk: list[Message], seed: int) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": talk,
            "max_tokens": self._set["max_tokens"],
            "temperature": self._set["temperature"],
        }
        if self._set["top_p"] != 1.0:
            body["top_p"] = self._set["top_p"]
        if self._set["ids"]:
            body["return_token_ids"] = True
        if self._set["seed"]:
            body["seed"] = seed
        return body


def make(argument: str, settings: Settings) -> Player:
    """What `openai:MODEL@URL` names."""
    model, at, url = argument.rpartition("@")
    if argument and not at:
        raise OptionError(
            f"openai:{argument} lacks the server's address; it is written openai:MODEL@URL, as in "
            f"openai:{argument}@http://127.0.0.1:8000/v1"
        )
    if not model:
        raise OptionError(f"openai:{argument} names no model; it is written openai:MODEL@URL")
    if complaint := wrong(url):
        raise OptionError(complaint)
    key, complaint = key_in(str(settings["key_env"]))
    if complaint:
        raise OptionError(complaint)
    return OpenAI(model, url, settings, key)
