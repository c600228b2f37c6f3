"""A model behind an OpenAI-compatible server.

In: `MODEL@URL`. Out: a `Model`. Requests go out side by side, each tried again after a
moment where the server was busy. Servers differ in how they take a grammar, and some ignore
what they do not know: so a server is asked once to say one odd word under each dialect, and
a dialect is used only if that very word came back. Refused: addresses without a model;
a server that is not there (`ModelError`).
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

from worldengine.models.address import key_in, wrong
from worldengine.models.protocol import Answer, Message, Model, ModelError, ModelSpecError, Request

LARK_HEAD: Final = "%llguidance {}\n"
"""How servers that also read other grammars are told that Lark follows."""
PROBE: Final = "zebra-7"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a kind of server takes a grammar: the path of its field, and what stands before."""

    name: str
    path: tuple[str, ...]
    head: str = ""

    def body(self, grammar: str) -> dict[str, Any]:
        value: Any = self.head + grammar
        for key in reversed(self.path):
            value = {key: value}
        return dict(value)


DIALECTS: Final = (
    Dialect("structured_outputs", ("structured_outputs", "grammar")),
    Dialect("guided_grammar", ("guided_grammar",)),
    Dialect("ebnf", ("ebnf",), LARK_HEAD),
    Dialect("grammar", ("grammar",), LARK_HEAD),
)
"""vLLM, vLLM before 0.12, SGLang and llama.cpp (both with their llguidance back end)."""


def connect(
    address: str,
    *,
    key_env: str = "OPENAI_API_KEY",
    width: int = 8,
    timeout: float = 300.0,
    retries: int = 3,
    structured: str = "",
    price: tuple[float, float] | None = None,
) -> Model:
    """The model at `MODEL@URL`. `key_env` names the variable that holds the key, where the
    server wants one. `structured` names a dialect, or `none`, and spares the question."""
    model, at, url = address.rpartition("@")
    if not at or not model or not url.startswith(("http://", "https://")):
        raise ModelSpecError(
            f"openai:{address}: write openai:MODEL@URL, as in openai:small@http://127.0.0.1:8000/v1"
        )
    if complaint := wrong(url):
        raise ModelSpecError(f"openai:{address}: {complaint}")
    known = {dialect.name: dialect for dialect in DIALECTS}
    if structured not in ("", "none", *known):
        raise ModelSpecError(f"structured={structured}: it is none or one of {', '.join(known)}")
    key, complaint = key_in(key_env)
    if complaint:
        raise ModelSpecError(f"openai:{address}: {complaint}")
    import openai

    client = openai.OpenAI(
        base_url=url,
        api_key=key or "none",
        timeout=timeout,
        max_retries=retries,
    )
    served = Served(f"openai:{address}", client, model, width, price)
    if structured:
        served.settle(known.get(structured))
    return served


class Served:
    """See the module."""

    def __init__(
        self,
        name: str,
        client: Any,
        model: str,
        width: int = 8,
        price: tuple[float, float] | None = None,
    ) -> None:
        self.name, self.width, self.price = name, width, price
        self._client, self._model = client, model
        self._dialect: Dialect | None = None
        self._why: str | None = None
        """None until the server was asked."""

    def settle(self, dialect: Dialect | None) -> None:
        """This dialect and no question; None: no grammar is sent."""
        self._dialect, self._why = dialect, "" if dialect else "no grammar is sent, as was asked"

    def unconstrained(self) -> str:
        if self._why is None:
            self._why = self._probe()
        return self._why

    def _probe(self) -> str:
        """Settles on the first dialect that works; else the sentence that says why none."""
        found: list[str] = []
        for dialect in DIALECTS:
            body = dialect.body(f'start: "{PROBE}"')
            answer = self._ask(_PROBING, body)
            if answer.text.strip() == PROBE:
                self._dialect = dialect
                return ""
            found.append(f"{dialect.name} {answer.failure or 'ignored'}")
        return f"{self.name} keeps to no grammar: {'; '.join(found)}"

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        if any(each.grammar is not None for each in requests):
            self.unconstrained()
        with ThreadPoolExecutor(max(1, min(self.width, len(requests)))) as pool:
            return list(pool.map(self._one, requests))

    def _one(self, request: Request) -> Answer:
        body: Mapping[str, Any] = {}
        if request.grammar is not None and self._dialect is not None:
            body = self._dialect.body(request.grammar)
        return self._ask(request, body)

    def _ask(self, request: Request, body: Mapping[str, Any]) -> Answer:
        import openai

        began = time.monotonic()
        try:
            found = self._client.chat.completions.create(
                model=self._model,
                messages=[{"role": m.role, "content": m.content} for m in request.messages],
                max_tokens=request.max_tokens,
                temperature=request.temperature,
                top_p=request.top_p,
                seed=request.seed,
                stop=list(request.stop) or None,
                extra_body=dict(body) or None,
            )
        except openai.APITimeoutError:
            return Answer("", "failed", failure="the server took too long")
        except openai.APIConnectionError as error:
            raise ModelError(f"{self.name}: no server answers there ({error.__cause__})") from None
        except openai.AuthenticationError:
            raise ModelError(f"{self.name}: the server wants another key (key_env=NAME)") from None
        except openai.NotFoundError as error:
            raise ModelError(f"{self.name}: {_reason(error)}") from None
        except openai.APIStatusError as error:
            return Answer("", "failed", failure=f"refused ({error.status_code}: {_reason(error)})")
        return _answer(found, time.monotonic() - began, bool(body))


_PROBING: Final = Request((Message("user", "Say one word."),), max_tokens=16)


def _reason(error: Any) -> str:
    return " ".join(str(error.message).split())[:200]


def _answer(found: Any, seconds: float, constrained: bool) -> Answer:
    """A reply of the wire as an answer. A server may leave out usage, or send no choice."""
    if not getattr(found, "choices", None):
        return Answer("", "failed", seconds=seconds, failure="the server sent no answer")
    choice, usage = found.choices[0], found.usage
    return Answer(
        choice.message.content or "",
        "length" if choice.finish_reason == "length" else "stop",
        usage.prompt_tokens if usage else 0,
        usage.completion_tokens if usage else 0,
        seconds,
        constrained,
    )
