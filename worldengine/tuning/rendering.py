"""A conversation cut into pieces by its own chat template: context, reply, context, reply …

In: a tokenizer with a template, a conversation. Out: pieces of text whose sum is the
rendered conversation. The piece of a reply is exactly what a model would write after the
context before it: the reply and the token that ends it. Nothing is searched for: the context
of a reply is the conversation before it, rendered up to where a reply begins, and has to be a
beginning of the whole; so what is learnt is what will be asked.

Refused, since no mask could be right: a template that rewrites earlier turns (it strips
earlier thinking, say), where the context of one reply is no beginning of the next; one that
ends a reply with no token of its own; one that changes the text of a reply. For the first
kind every trained reply can be a row by itself: then only its own context matters.

Rendering every context costs the square of the turns. So after the first conversations the
template's frame stands in for contexts, as long as the whole conversation and its last
context, as the template itself renders them, are what the frame gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from worldengine.tuning.conversation import Conversation
from worldengine.tuning.frame import Frame, learn
from worldengine.tuning.tokenizer import ChatTokenizer, TokenizerError

CONTEXT = -1

PROVEN = 8
"""Conversations of which every context is rendered before a frame is trusted."""


class TemplateError(TokenizerError):
    """The template gives no exact mask for this conversation; the message is for people."""


class NotPrefix(TemplateError):
    """The template renders earlier turns in another way once later ones are there."""


class ControlText(ValueError):
    """A message holds the text of a control token, which would be taken for the token."""


@dataclass(frozen=True, slots=True)
class Piece:
    """`exchange` is the reply's place in the conversation, CONTEXT for all else."""

    text: str
    exchange: int = CONTEXT


def pieces(tokenizer: ChatTokenizer, shaped: Conversation) -> list[Piece]:
    """The whole conversation in pieces. See the module for what is refused."""
    _no_control(tokenizer, shaped)
    messages = tokenizer.merged(_plain(shaped))
    if tokenizer.proven >= PROVEN:
        framed = _framed(tokenizer, messages)
        if framed:
            return framed
    found = _rendered(tokenizer, shaped, messages)
    tokenizer.proven += 1
    return found


def _framed(tokenizer: ChatTokenizer, messages: list[dict[str, Any]]) -> list[Piece]:
    """The pieces as the frame has them, none where the template renders something else."""
    if tokenizer.frame is None:
        tokenizer.frame = learn(tokenizer) or False
    frame = tokenizer.frame
    if not isinstance(frame, Frame):
        return []
    texts = frame.cut(messages)
    context = "".join(texts[:-1])
    if context != tokenizer.render(messages[:-1], generate=True):
        return []
    if context + texts[-1] + frame.tail != tokenizer.render(messages):
        return []
    return [Piece(text, at // 2 if at % 2 else CONTEXT) for at, text in enumerate(texts)]


def _rendered(
    tokenizer: ChatTokenizer, shaped: Conversation, messages: list[dict[str, Any]]
) -> list[Piece]:
    """The pieces by rendering every context."""
    first = len(messages) - 2 * len(shaped.exchanges)
    whole = tokenizer.render(messages)
    found: list[Piece] = []
    done = 0
    for at in range(len(shaped.exchanges)):
        context = tokenizer.render(messages[: first + 2 * at + 1], generate=True)
        if not whole.startswith(context) or len(context) < done:
            raise NotPrefix(_not_prefix(tokenizer, whole, context))
        try:
            end = _reply_end(tokenizer, whole, len(context), shaped.exchanges[at].reply)
        except TemplateError:
            alone = last_pieces(tokenizer, shaped, at)[1].text  # raises if it is changed here too
            raise NotPrefix(_not_prefix(tokenizer, whole[len(context) :], alone)) from None
        found += [Piece(context[done:]), Piece(whole[len(context) : end], at)]
        done = end
    return found


def last_pieces(tokenizer: ChatTokenizer, shaped: Conversation, at: int) -> list[Piece]:
    """Two pieces: the context of exchange `at` as it is when that reply is asked for, and
    the reply. Earlier replies are context, in whatever way the template keeps them."""
    _no_control(tokenizer, shaped)
    messages = tokenizer.merged(_plain(shaped))
    upto = len(messages) - 2 * (len(shaped.exchanges) - at) + 1
    context = tokenizer.render(messages[:upto], generate=True)
    whole = tokenizer.render(messages[: upto + 1])
    if not whole.startswith(context):
        raise TemplateError(
            f"the chat template of {tokenizer.name} shows a reply elsewhere than where it asks "
            f"for one, after {_shown(context[-30:])}; perhaps --template-arg enable_thinking=false"
        )
    end = _reply_end(tokenizer, whole, len(context), shaped.exchanges[at].reply)
    return [Piece(context), Piece(whole[len(context) : end], at)]


def _plain(shaped: Conversation) -> list[dict[str, Any]]:
    """The messages without masks, which no text depends on."""
    return [{"role": each["role"], "content": each["content"]} for each in shaped.messages()]


def _reply_end(tokenizer: ChatTokenizer, whole: str, start: int, reply: str) -> int:
    """Where the token that ends the reply ends. Templates may trim a reply and set spaces
    around it; any other change would teach what nobody said."""
    rest = whole[start:]
    said = reply.strip()
    lead = len(rest) - len(rest.lstrip())
    if not rest.startswith(said, lead):
        hint = "; perhaps --template-arg enable_thinking=false" if "<think" in rest[:40] else ""
        raise TemplateError(
            f"the chat template of {tokenizer.name} changes the text of a reply: "
            f"{_shown(reply)} becomes {_shown(rest)}; no mask can be exact{hint}"
        )
    after = lead + len(said)
    gap = len(rest[after:]) - len(rest[after:].lstrip())
    for token in tokenizer.control:
        if rest.startswith(token, after + gap):
            return start + after + gap + len(token)
    raise TemplateError(
        f"the chat template of {tokenizer.name} closes a reply with {_shown(rest[after:])}, "
        "which is no control token: a model could not learn to stop"
    )


def _no_control(tokenizer: ChatTokenizer, shaped: Conversation) -> None:
    texts = [shaped.trajectory.prompt]
    for each in shaped.exchanges:
        texts += (each.shown, each.reply)
    for text in texts:
        token = tokenizer.control_in(text)
        if token:
            raise ControlText(f"{shaped.trajectory.id} says {token!r}, a control token")


def _not_prefix(tokenizer: ChatTokenizer, whole: str, context: str) -> str:
    same = next(
        (at for at, (a, b) in enumerate(zip(whole, context, strict=False)) if a != b),
        min(len(whole), len(context)),
    )
    return (
        f"the chat template of {tokenizer.name} rewrites earlier turns: asked for a reply it "
        f"shows {_shown(context[same:])} where the whole conversation has {_shown(whole[same:])}; "
        "use --rows turn, which makes every trained reply a row with its own context"
    )


def _shown(text: str) -> str:
    return repr(text[:40] + ("…" if len(text) > 40 else ""))
