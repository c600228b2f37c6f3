"""One request to an OpenAI-compatible server, and how it is tried again.

In: a JSON body. Out: the text of the answer with its token counts, or what went wrong and
whether trying again may help. Every wait has an end: connecting, silence between two bytes,
and the whole answer; and no more than LARGEST bytes of an answer are read. Between tries the
wait doubles, with chance in it, unless the server says how long it wants.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isnan
from random import Random
from typing import Any

MOST = 2**31 - 1
"""Tokens of an answer: no record of a turn has room for more."""
LARGEST = 4 << 20
"""Bytes of an answer; a larger one is cut off and counts as a failure."""
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
TOO_LONG = ("context length", "context_length", "maximum context", "too many tokens",
            "prompt is too long", "max_position", "longer than the maximum")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Said:
    """An answer. `retries` counts the tries before it. `ids` are the tokens of the answer and
    `read` those of the prompt, from a server that tells them."""

    text: str
    prompt_tokens: int = 0
    reply_tokens: int = 0
    retries: int = 0
    ids: tuple[int, ...] = ()
    read: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no answer. `wait` is what the server asks for, in seconds."""

    reason: str
    again: bool
    too_long: bool = False
    wait: float | None = None


class Pace:
    """At most so many requests a minute, over all threads; 0 is no limit."""

    def __init__(self, per_minute: float) -> None:
        self._gap = 60.0 / per_minute if per_minute > 0 else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        with self._lock:
            now = time.monotonic()
            at = max(self._next, now)
            self._next = at + self._gap
        if at > now:
            time.sleep(at - now)


class Wire:
    """A server's chat completions. May be used by several threads at once."""

    def __init__(
        self, url: str, key: str, timeout: float, retries: int, per_minute: float, width: int
    ) -> None:
        import httpx

        self._timeout, self._retries, self._pace = timeout, retries, Pace(per_minute)
        limits = httpx.Limits(max_connections=width, max_keepalive_connections=width)
        headers = {"accept-encoding": "identity"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        waits = httpx.Timeout(timeout, connect=min(timeout, 10.0), pool=None)
        self._client = httpx.Client(headers=headers, timeout=waits, limits=limits)
        self._key = key.encode()
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._jitter = Random(0)

    def ask(self, body: Mapping[str, Any]) -> Said | Failure:
        """An answer, or the failure after the last try."""
        for tried in range(self._retries + 1):
            self._pace.wait()
            found = self._once(body)
            if isinstance(found, Said):
                return replace(found, retries=tried)
            if not found.again or tried == self._retries:
                return found
            time.sleep(self._pause(tried, found.wait))
        raise AssertionError("a request is tried once at least")

    def close(self) -> None:
        self._client.close()

    def _pause(self, tried: int, wanted: float | None) -> float:
        if wanted is not None:
            return min(max(wanted, 0.0), LONGEST_WAIT)
        return float(min(FIRST_WAIT * 2**tried, LONGEST_WAIT)) * self._jitter.uniform(0.5, 1.0)

    def _once(self, body: Mapping[str, Any]) -> Said | Failure:
        import httpx

        try:
            with self._client.stream("POST", self._url, json=dict(body)) as response:
                data = self._read(response)
        except _Bounded as error:
            return Failure(str(error), again=True)
        except httpx.TimeoutException:
            return Failure(f"no answer within {self._timeout:g} s", again=True)
        except httpx.InvalidURL as error:
            return Failure(f"no connection ({error})", again=False)
        except httpx.HTTPError as error:
            return Failure(f"no connection ({error or type(error).__name__})", again=True)
        if response.status_code != 200:
            if self._key:  # some servers say which key it is that they refuse
                data = data.replace(self._key, b"***")
            return refused(response.status_code, data, response.headers.get("retry-after"))
        return answer(data)

    def _read(self, response: Any) -> bytes:
        """The body, within the bounds of time and size."""
        until = time.monotonic() + self._timeout
        parts: list[bytes] = []
        size = 0
        for part in response.iter_raw():  # as it comes, and never unpacked
            size += len(part)
            if size > LARGEST:
                raise _Bounded(f"the answer is larger than {LARGEST >> 20} MiB")
            if time.monotonic() > until:
                raise _Bounded(f"the answer was not complete within {self._timeout:g} s")
            parts.append(part)
        return b"".join(parts)


class _Bounded(Exception):
    """An answer that is too large or too slow."""


def answer(data: bytes) -> Said | Failure:
    """A body as an answer. What is missing in it is a failure, not a guess."""
    try:
        found = json.loads(data)
        choice = found["choices"][0]
        content = choice["message"].get("content")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return Failure("the answer is no chat completion", again=True)
    if isinstance(content, list):  # parts, as some servers send them
        content = "".join(p["text"] for p in content if isinstance(p, dict) and _is_text(p))
    if content is None:
        content = ""
    if not isinstance(content, str):
        return Failure("the answer holds no text", again=True)
    usage = found.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Said(
        content,
        _count(counts.get("prompt_tokens")),
        _count(counts.get("completion_tokens")),
        ids=_ids(choice.get("token_ids")),
        read=_ids(found.get("prompt_token_ids")),
    )


def _is_text(part: dict[str, Any]) -> bool:
    return isinstance(part.get("text"), str)


def _ids(value: object) -> tuple[int, ...]:
    """A list of token ids, nothing for anything else."""
    if not isinstance(value, list):
        return ()
    fine = all(type(each) is int and 0 <= each < 1 << 40 for each in value)
    return tuple(value) if fine else ()


def _count(value: object) -> int:
    """A count; 0 for what is none, or is more than anybody can have read or written."""
    return value if type(value) is int and 0 <= value <= MOST else 0


def refused(status: int, data: bytes, retry_after: str | None) -> Failure:
    """An answer with another status than 200."""
    told = " ".join(_told(data).split())[:300]
    long = status in (400, 413, 422) and any(words in told.lower() for words in TOO_LONG)
    try:
        wait = float(retry_after) if retry_after is not None else None
    except ValueError:  # a date: the usual waits will do
        wait = None
    if wait is not None and isnan(wait):
        wait = None
    reason = f"status {status}{': ' + told if told else ''}"
    return Failure(reason, again=status in AGAIN, too_long=long, wait=wait)


def _told(data: bytes) -> str:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return data[:300].decode("utf-8", "replace")
    error = found.get("error", found) if isinstance(found, dict) else found
    return str(error.get("message", error)) if isinstance(error, dict) else str(error)
