"""`hf:PATH`: a transformers model in a folder plays, many episodes at once.

In: views, as conversations in the model's own chat template. Out: replies, read by the
tolerant reader, with their tokens, from which the conversation goes on. Keys and values of a
conversation are kept from turn to turn where the model's cache allows it. A conversation that
outgrows the model loses its oldest turns. All chance comes from the episodes' own generators.
Only safetensors are read, and no code that comes with a model is run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from worldengine.models.constraint import Follower, Vocabulary
from worldengine.models.local import load
from worldengine.models.protocol import ModelError
from worldengine.players.models.conversation import SAMPLING, Message, asked, messages
from worldengine.players.models.decoding import Decoder, Job, Kept, chooser
from worldengine.players.models.grammar import CONSTRAINTS, grammar_for
from worldengine.players.models.talk import Talk, digest
from worldengine.players.options import Option, OptionError
from worldengine.players.protocol import Player, PlayerError, Settings, Start
from worldengine.players.reply import Reply, Usage, failed, read, used
from worldengine.players.view import View

LEAST_ROOM = 16
"""Tokens that must be left for a reply."""
SAMPLE = 1 << 20

OPTIONS = (
    *SAMPLING,
    Option("constrain", "text", "none", "hold replies to the form, or to the commands shown",
           choices=CONSTRAINTS),
    Option("context", "integer", None, "tokens of a conversation; none: what the model holds",
           low=64, high=10_000_000),
    Option("ids", "yes", True, "go on from the tokens it wrote; no: from its text, read anew"),
    Option("device", "text", "", "cpu, cuda, …; a GPU where there is one", recorded=False),
    Option("dtype", "text", "auto", "of the weights",
           choices=("auto", "float32", "bfloat16", "float16")),
    Option("batch", "integer", 16, "episodes at once", low=1, high=4096, recorded=False),
    Option("keep", "yes", True, "keep keys and values from turn to turn", recorded=False),
)  # fmt: skip

Constrain = Callable[[View], str | None]
"""A grammar (Lark, as llguidance reads it) that the reply to a view must follow."""


@dataclass(slots=True)
class _Seat:
    random: Random
    talk: Talk
    kept: Kept | None = None
    text: str = ""
    """The conversation that the model is asked with now."""


class HF:
    """See the module. `network` and `tokenizer` are of transformers; `constrain`, if given,
    decides for each view. Settings are those of OPTIONS."""

    guidance = ""

    def __init__(
        self,
        name: str,
        network: Any,
        tokenizer: Any,
        settings: Settings,
        constrain: Constrain | None = None,
    ) -> None:
        if tokenizer.chat_template is None:
            raise OptionError(f"{name} has no chat template, so it cannot be talked to")
        self.name = name
        self.settings: Settings = {o.name: settings[o.name] for o in OPTIONS if o.recorded}
        self.width = int(settings["batch"] or 1)
        self._network, self._tokenizer, self._set = network, tokenizer, settings
        kind = str(settings["constrain"])
        self._constrain = constrain or (None if kind == "none" else grammar_for(kind))
        self._vocabulary: Vocabulary | None = None
        self._ends = _ends(network, tokenizer)
        choose = chooser(float(settings["temperature"] or 0), float(settings["top_p"] or 0))
        self._decoder = Decoder(network, self._ends, choose)
        self._seats: dict[int, _Seat] = {}
        held = getattr(network.config.get_text_config(), "max_position_embeddings", None)
        limits = [int(limit) for limit in (settings["context"], held) if limit]
        self._context = min(limits, default=10_000_000)

    def reset(self, starts: Sequence[Start]) -> None:
        for start in starts:
            self._seats[start.slot] = _Seat(start.random, Talk(self._tokenizer))

    def act(self, views: Sequence[View]) -> Sequence[Reply]:
        replies: list[Reply] = []
        for at in range(0, len(views), self.width):
            replies += self._batch(views[at : at + self.width])
        return replies

    def ask(self, view: View, question: str) -> str:
        """What the model writes beside a game: a lesson from it, for instance."""
        seat = self._seats[view.slot]
        _, ids, limit = self._fitted(lambda skip: asked(view, question, self._system, skip), view)
        if limit <= 0:
            return ""
        job = Job(ids, limit, seat.random, seat.kept)
        self._decoder.decode([job])
        return self._text(job)

    @property
    def _system(self) -> bool:
        return bool(self._set["system"])

    def _batch(self, views: Sequence[View]) -> list[Reply]:
        jobs = [self._job(view) for view in views]
        going = [job for job in jobs if job.limit > 0]
        if going:
            self._decoder.decode(going)
        return [self._reply(view, job) for view, job in zip(views, jobs, strict=True)]

    def _job(self, view: View) -> Job:
        seat = self._seats[view.slot]
        seat.text, ids, limit = self._fitted(lambda skip: messages(view, self._system, skip), view)
        grammar = self._constrain(view) if self._constrain is not None else None
        follower = None if grammar is None else self._follower(grammar)
        return Job(ids, limit, seat.random, seat.kept, follower)

    def _follower(self, grammar: str) -> Follower:
        if self._vocabulary is None:
            size = self._network.get_output_embeddings().weight.shape[0]
            self._vocabulary = Vocabulary(self._tokenizer, size)
        return self._vocabulary.follow(grammar)

    def _fitted(
        self, said: Callable[[int], list[Message]], view: View
    ) -> tuple[str, list[int], int]:
        """The conversation, its tokens and how many may be written: with as many of its turns
        as there is room for, at first all, then half of what is left, and so on."""
        talk = self._seats[view.slot].talk
        wanted, turns, skip = int(self._set["max_tokens"] or 1), len(view.turns), 0
        while True:
            text = self._rendered(said(skip))
            ids = talk.going_on(text)
            room = self._context - len(ids)
            if room >= wanted or skip >= turns:
                return text, ids, min(wanted, room) if room >= LEAST_ROOM else 0
            skip += (turns - skip + 1) // 2

    def _rendered(self, said: list[Message]) -> str:
        try:
            return str(
                self._tokenizer.apply_chat_template(
                    said, add_generation_prompt=True, tokenize=False
                )
            )
        except Exception as error:  # a template may raise anything
            told = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            raise PlayerError(
                f"{self.name}: the chat template cannot render a conversation: {told}"
            ) from error

    def _reply(self, view: View, job: Job) -> Reply:
        if job.limit <= 0:
            usage = Usage(prompt_tokens=len(job.ids))
            return failed(f"the conversation outgrew {self._context} tokens", usage)
        seat = self._seats[view.slot]
        seat.kept = job.kept if self._set["keep"] else None
        if self._set["ids"]:
            seat.talk.wrote(seat.text, job.ids, job.written)
        usage = Usage(len(job.ids), len(job.written), job.cached)
        return used(read(self._text(job)), usage, tuple(job.written), digest(job.ids))

    def _text(self, job: Job) -> str:
        said = [token for token in job.written if token not in self._ends]
        return str(self._tokenizer.decode(said, skip_special_tokens=True))


def _ends(network: Any, tokenizer: Any) -> frozenset[int]:
    """Every token that ends a reply."""
    found: set[int] = set()
    config = getattr(network, "generation_config", None)
    for value in (tokenizer.eos_token_id, getattr(config, "eos_token_id", None)):
        found.update(value if isinstance(value, list) else [] if value is None else [value])
    return frozenset(found)


def fingerprint(folder: Path) -> str:
    """Which model it is: names, sizes and samples of its files, so that it is quick."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*")):
        if path.suffix in (".json", ".safetensors", ".jinja") and path.is_file():
            size = path.stat().st_size
            digest.update(f"{path.name}|{size}|".encode())
            with path.open("rb") as file:
                digest.update(file.read(SAMPLE))
                file.seek(max(size - SAMPLE, 0))
                digest.update(file.read(SAMPLE))
    return digest.hexdigest()[:16]


def make(argument: str, settings: Settings) -> Player:
    """What `hf:PATH` names. PlayerError for a folder that holds no such model."""
    try:
        local: Any = load(argument, device=str(settings["device"]), dtype=str(settings["dtype"]))
    except ModelError as error:
        raise PlayerError(str(error)) from None
    folder = Path(argument).resolve()
    player = HF(f"hf:{folder.name}", local.network, local.tokenizer, settings)
    player.settings = {**player.settings, "model": fingerprint(folder)}
    return player
