"""A player's reply as text: `Thought: …` and, on a line of its own, `Action: …`.

In: what a player wrote, however long or odd. Out: its thought, its command and what had to
be repaired to find them; the command is "" where there is none (which the world then refuses
as `parameter`). The strict form is `grammars/react.lark`; its language is regular, so it is
read here by looking for two labels and a line end, and a test holds this against the
grammar. All else goes to the tolerant reader. Time is linear in the length, and no more than
LIMIT characters are looked at or kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from worldengine.players.replies import tolerant
from worldengine.players.replies.ruling import Ruling
from worldengine.players.replies.wrapping import unwrapped

THOUGHT = "Thought:"
ACTION = "Action:"
LIMIT = 16_384
"""Characters of a reply; `cut` counts those beyond."""

PLAIN = 4
"""Fields that a plain reply has of its own."""

Mistake: TypeAlias = Literal["", "slip", "early", "away", "repeat", "guess"]
"""A mistake that its player made on purpose: the right action in words that nobody here
understands, a step before something it needs, one at the wrong place, what failed just now. Or a
`guess`: the name or the number was told by nothing that was read, so that it may be right by luck
alone, or by what a reader cannot see."""

Rewrite: TypeAlias = Literal[
    "", "taken", "empty", "long", "markup", "name", "number", "word", "apart", "failed"
]
"""What became of a thought that a model was to say in its own words: taken, or why not. See
`worldengine.players.thoughts.rewriting`."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model's reply took: tokens read (of them `cached` ones not read again) and
    written, requests that had to be repeated, and what it cost where a price is known."""

    prompt_tokens: int = 0
    reply_tokens: int = 0
    cached_tokens: int = 0
    retries: int = 0
    cost: float = 0.0


@dataclass(frozen=True)
class Reply:
    """`text` is what was written; `thought` and `command` are read from it, with `repairs`
    (see `tolerant`) where it is not in the strict form. `error` says why nothing was
    written, where a model or its server failed. `ids` are the tokens as they were generated,
    with the one that ends them, and `context` names those that were read before (see
    `worldengine.players.models.talk.digest`). `mistake` is "" where none was meant.
    `rewrite` tells of a thought that a model was to reword.
    `ruling` is what a model in the Dungeon Master's chair answered to the command, and `last`
    says that the player leaves with it."""

    thought: str
    command: str
    text: str
    repairs: tuple[str, ...] = ()
    cut: int = 0
    error: str = ""
    usage: Usage | None = None
    ids: tuple[int, ...] = ()
    context: str = ""
    mistake: Mistake = ""
    rewrite: Rewrite = ""
    ruling: Ruling | None = None
    last: bool = False

    @classmethod
    def plain(cls, thought: str, command: str, text: str, mistake: Mistake) -> Reply:
        """A reply with nothing else to tell. Players make one every turn: this goes around the
        thirteen fields of a frozen one. What it leaves out the class has, as the defaults."""
        found = object.__new__(cls)
        own = found.__dict__
        own["thought"], own["command"], own["text"], own["mistake"] = (
            thought,
            command,
            text,
            mistake,
        )
        return found

    @property
    def noteworthy(self) -> bool:
        """Whether there is more to note of it than what it says."""
        if len(self.__dict__) == PLAIN:
            return False
        return self.usage is not None or bool(
            self.repairs or self.cut or self.error or self.ruling or self.rewrite
            or self.ids or self.context
        )  # fmt: skip

    @property
    def length(self) -> int:
        """Characters that come with it."""
        return len(self.text) + (len(self.ruling.observation) if self.ruling else 0)


def write(thought: str, command: str, mistake: Mistake = "") -> Reply:
    """The reply of a player that has a thought and a command; each becomes one line."""
    if "  " in thought or not thought.isprintable() or thought[:1] == " " or thought[-1:] == " ":
        thought = " ".join(thought.split())
    command = command.replace("\n", " ").strip()
    text = f"{ACTION} {command}" if not thought else f"{THOUGHT} {thought}\n{ACTION} {command}"
    plain = text.isascii() and command[:1].isalnum() and not command.endswith(">")
    if plain and len(text) <= LIMIT:  # as reading it would give, for much less
        return Reply.plain(thought, command, text, mistake)
    return replace(read(text), mistake=mistake)


def read(text: str) -> Reply:
    """Whatever was written, as a reply."""
    cut = max(len(text) - LIMIT, 0)
    if cut:
        text = text[:LIMIT]
    if not text.isascii():  # a lone surrogate is in no file
        text = text.encode("utf-8", "replace").decode("utf-8")
    parts = strict(text)
    if parts is None or parts[1].endswith(">"):  # perhaps a control token
        found = tolerant.read(text)
        repairs = found.repairs
        if parts is None and not repairs:  # nothing else can be wrong with it
            repairs = ("blank",)
        return Reply(found.thought, found.command, text, repairs, cut)
    thought, said = parts[0].strip(), parts[1].strip()
    if said[:1].isalnum():
        return Reply(thought, said, text, (), cut) if cut else Reply.plain(thought, said, text, "")
    command, repairs = unwrapped(said)
    return Reply(thought, command, text, repairs if command else (*repairs, "empty"), cut)


def strict(text: str) -> tuple[str, str] | None:
    """What stands after the two labels of a reply in the strict form; None if it is not."""
    thought = ""
    if text.startswith(THOUGHT):
        end = text.find("\n")
        if end < 0:
            return None
        thought, text = text[len(THOUGHT) : end], text[end + 1 :]
    if not text.startswith(ACTION):
        return None
    said = text[len(ACTION) :].rstrip("\n")
    return None if "\n" in said else (thought, said)


def failed(error: str, usage: Usage | None = None) -> Reply:
    """The reply of a player that had none to give."""
    return Reply("", "", "", ("empty",), error=error, usage=usage)


def shortened(reply: Reply, most: int) -> Reply:
    """A reply of which no more than `most` characters are kept, and of its ruling as many."""
    found = read(reply.text[:most])
    ruling = reply.ruling
    if ruling is not None:
        ruling = replace(ruling, observation=ruling.observation[:most])
    return replace(
        reply,
        thought=found.thought,
        command=found.command,
        text=found.text,
        repairs=found.repairs,
        cut=reply.cut + max(len(reply.text) - most, 0),
        ids=(),
        ruling=ruling,
    )


def used(reply: Reply, usage: Usage, ids: tuple[int, ...] = (), context: str = "") -> Reply:
    """The same reply with what it took. Ids of a reply that was cut are not its own."""
    kept = () if reply.cut or len(ids) > LIMIT else ids
    return replace(reply, usage=usage, ids=kept, context=context)
