"""Thoughts in a model's words: `thoughts=rewrite:MODEL`.

In: a player that thinks and acts, a model. Out: the same player, the same commands; each of
its thoughts is given to the model, which says it in other words. The model's words are taken
only if they are short plain text and name nothing that was not shown by then (see
`worldengine.rollout.honesty`); else the thought stays as it was. What became of each stands
in its turn (`notes.rewrite`), and the tokens it took. The thoughts of all episodes that are
under way are asked for together; chance comes from each episode's own generator, so equal
seeds give equal words, from a model that answers alike.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from worldengine.models.protocol import (
    Answer,
    Message,
    Model,
    ModelError,
    ModelSpecError,
    Request,
    cost,
)
from worldengine.players.options import OptionError
from worldengine.players.protocol import Player, PlayerError, Settings, Start
from worldengine.players.reply import Reply, Rewrite, Usage, read, used, write
from worldengine.players.view import View

REWRITE = "rewrite:"
WORDS = 90
"""Of a thought at most, or twice as many as it had."""
TOKENS = 256
TEMPERATURE = 0.8
LAST = 600
"""Characters of what was read last that the model is told."""
LABELS = ("thought:", "action:", "observation:", "command:")
MARKS = frozenset("<>{}[]|`*#_\\~=")
TASK = (
    "You are given one thought of somebody who plays a text game, and the command it leads to. "
    "Say the thought in other words, as that player, in the first person. Keep its meaning. "
    "Name no thing, no place and no number that it does not name, and add no fact. Answer with "
    "one to three plain sentences and nothing else."
)
ASKED = "Read last:\n{last}\n\nThought: {thought}\nCommand: {command}\n\nIn other words:"


class Rewriting:
    """See the module. `words` names the model in the record."""

    def __init__(self, inner: Player, model: Model, words: Settings) -> None:
        self.name, self.guidance = inner.name, inner.guidance
        self.settings: Settings = {**inner.settings, **words}
        self.width = max(inner.width, model.width)
        self._inner, self._model = inner, model
        self._chance: dict[int, Random] = {}

    def reset(self, starts: Sequence[Start]) -> None:
        for start in starts:  # a copy: what the player does is the same in whatever words
            self._chance[start.slot] = copy.copy(start.random)
        self._inner.reset(starts)

    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        replies = list(self._inner.act(views))
        thinking = [at for at, reply in enumerate(replies) if reply is not None and reply.thought]
        asked = [self._request(views[at], replies[at]) for at in thinking]
        for at, answer in zip(thinking, self._answers(asked), strict=True):
            replies[at] = self._reworded(views[at], replies[at], answer)
        return replies

    def _answers(self, asked: Sequence[Request]) -> list[Answer]:
        if not asked:
            return []
        try:
            return self._model.answer(asked)
        except ModelError as error:
            raise PlayerError(f"{error}; what was played is kept: go on with --resume") from None

    def _request(self, view: View, reply: Reply | None) -> Request:
        assert reply is not None
        last = view.last[-LAST:]
        said = ASKED.format(last=last, thought=reply.thought, command=reply.command)
        return Request(
            (Message("system", TASK), Message("user", said)),
            max_tokens=TOKENS,
            temperature=TEMPERATURE,
            seed=self._chance[view.slot].getrandbits(31),
        )

    def _reworded(self, view: View, reply: Reply | None, answer: Answer) -> Reply:
        assert reply is not None
        words = " ".join(answer.text.split())
        fault: Rewrite = "failed" if answer.ended == "failed" else wrong(words, reply.thought)
        if not fault:
            shown = [view.prompt, view.opening, *(turn.observation for turn in view.turns)]
            fault = view.unshown([*shown, reply.thought, reply.command], words)
        found = reply if fault else write(words, reply.command, reply.mistake)
        price = cost(self._model, [answer]) or 0.0
        usage = Usage(answer.prompt_tokens, answer.completion_tokens, cost=round(price, 9))
        return replace(used(found, usage), rewrite=fault or "taken")


def wrong(words: str, thought: str) -> Rewrite:
    """What is wrong with the form of words that are to stand for `thought`, "" if nothing."""
    if not any(sign.isalpha() for sign in words):
        return "empty"
    if len(words.split()) > max(WORDS, 2 * len(thought.split())):
        return "long"
    low = words.lower()
    if MARKS & set(words) or any(label in low for label in LABELS):
        return "markup"
    # read as a reply it must be that very thought: nothing in it may pass for a label
    return "" if read(f"Thought: {words}\nAction: look").thought == words else "markup"


def rewriting(inner: Player, spec: str) -> Player:
    """The player with its thoughts in the words of the model that `spec` names; options of the
    model follow semicolons, since commas part those of the player."""
    from worldengine.models.specs import make

    try:
        model = make(spec.replace(";", ","))
    except ModelSpecError as error:
        raise OptionError(f"thoughts={REWRITE}{spec}: {error}") from None
    except ModelError as error:
        raise PlayerError(str(error)) from None
    return Rewriting(inner, model, _recorded(spec))


def _recorded(spec: str) -> Settings:
    """The model without the folder or the address it was found at."""
    kind, _, argument = spec.partition(";")[0].partition(":")
    if kind == "hf":
        from worldengine.players.models.hf import fingerprint

        folder = Path(argument).resolve()
        return {"thoughts": f"{REWRITE}hf:{folder.name}", "model": fingerprint(folder)}
    return {"thoughts": f"{REWRITE}{kind}:{argument.rpartition('@')[0]}"}
