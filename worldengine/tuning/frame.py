"""What a chat template sets around messages, learnt once, so that rows need few renderings.

In: a tokenizer. Out: a frame, or None for a template that has no fixed one. A frame is only a
guess of how a conversation is rendered: `rendering` compares it with the template's own text
of every row, and cuts the slow way where the two differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from worldengine.tuning.tokenizer import ChatTokenizer, TokenizerError

SAID = ("zqsysqz", "zqoneqz", "zqtwoqz", "zqthreeqz", "zqfourqz")


@dataclass(frozen=True, slots=True)
class Frame:
    """`asked` stands between what is shown and where a reply begins, `lead` at the head of a
    reply, `closed` at its end (the control token with it), `between` after that, `tail` after
    the last. `trims` says of each role whether its text is trimmed."""

    head: str
    after_system: str
    asked: str
    lead: str
    closed: str
    between: str
    tail: str
    trims: dict[str, bool]

    def content(self, message: dict[str, Any]) -> str:
        text: str = message["content"]
        return text.strip() if self.trims[message["role"]] else text

    def cut(self, messages: Sequence[dict[str, Any]]) -> list[str]:
        """Context, reply, context, reply …; joined, and with `tail`, the whole text."""
        found: list[str] = []
        before = self.head
        for message in messages:
            text = self.content(message)
            if message["role"] == "system":
                before += text + self.after_system
            elif message["role"] == "user":
                found.append(before + text + self.asked)
            else:
                found.append(self.lead + text + self.closed)
                before = self.between
        return found


def learn(tokenizer: ChatTokenizer) -> Frame | None:
    """The frame of a tokenizer's template."""
    try:
        return _learn(tokenizer)
    except (TokenizerError, ValueError, LookupError):
        return None


def _learn(tokenizer: ChatTokenizer) -> Frame | None:
    roles = ("system", "user", "assistant", "user", "assistant")
    messages = tokenizer.merged(
        [{"role": role, "content": said} for role, said in zip(roles, SAID, strict=True)]
    )
    parts = _between(tokenizer.render(messages), [each["content"] for each in messages])
    system = messages[0]["role"] == "system"
    after_system = parts[1] if system else ""
    answer, after, again, tail = parts[-4:]
    asked = tokenizer.render(messages[: 2 if system else 1], generate=True)
    asked = asked[asked.index(messages[1 if system else 0]["content"]) :]
    asked = asked[len(messages[1 if system else 0]["content"]) :]
    end = _end(tokenizer, after)
    if answer != again or not answer.startswith(asked) or not after.startswith(end) or not end:
        return None
    if not tail.startswith(end):
        return None
    return Frame(
        head=parts[0],
        after_system=after_system,
        asked=asked,
        lead=answer[len(asked) :],
        closed=end,
        between=after[len(end) :],
        tail=tail[len(end) :],
        trims=_trims(tokenizer, messages),
    )


def _between(text: str, contents: Sequence[str]) -> list[str]:
    """What stands around contents that each occur once."""
    found = []
    for content in contents:
        before, there, text = text.partition(content)
        if not there:
            raise LookupError(content)
        found.append(before)
    return [*found, text]


def _end(tokenizer: ChatTokenizer, after: str) -> str:
    """What closes a reply: up to its control token, spaces before it with it."""
    gap = len(after) - len(after.lstrip())
    token = next((each for each in tokenizer.control if after.startswith(each, gap)), "")
    return after[: gap + len(token)] if token else ""


def _trims(tokenizer: ChatTokenizer, messages: list[dict[str, Any]]) -> dict[str, bool]:
    trims = {"system": False, "user": False, "assistant": False}
    for role in {each["role"] for each in messages}:
        loose = [
            each | {"content": f" {each['content']} \n"} if each["role"] == role else each
            for each in messages
        ]
        first = next(each["content"] for each in loose if each["role"] == role)
        trims[role] = first not in tokenizer.render(loose)
    return trims
