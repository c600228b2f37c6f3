"""The trajectory record: one episode, with every claim spelt out so that it can be checked.

In: what the episode layer saw. Out: one line of JSON, the same bytes for equal episodes: no
clock, no path, nothing of the machine it was made on. Refused: unknown fields, other
versions, wrong types. Bytes enter and leave the program here, so this is pydantic.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from worldengine.players.replies.ruling import Ruling
from worldengine.players.reply import Mistake, Rewrite

FORMAT = 1
"""Version of the record; verification refuses another by name."""

CommandSet: TypeAlias = Literal["known", "scoped", "applicable"]
Outcome: TypeAlias = Literal["ok", "parameter", "place", "logic"]
TurnStatus: TypeAlias = Literal["running", "won", "lost", "truncated"]
Setting: TypeAlias = str | int | float | bool | None
MOST = 2**31 - 1
"""No count in a trajectory is larger; what adds them up may rely on it."""
Number: TypeAlias = Annotated[int, Field(ge=0, le=MOST)]
Hash: TypeAlias = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]

REFINEMENTS_WANTED = 2
"""An accepted trajectory holds at least this many refused-then-recovered pairs."""


def _absent(value: object) -> bool:
    return not value


class Record(BaseModel):
    """Frozen, and strict about unknown fields and types: data from a file is only data."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)

    def line(self) -> str:
        """The record as one line of JSON, without the line's end."""
        return self.model_dump_json(by_alias=True)


class PlayerRecord(Record):
    """Who played. `guidance` names help from outside the observations ("" if none)."""

    name: str
    settings: dict[str, Setting] = Field(default_factory=dict)
    guidance: str = ""


class ScopeRecord(Record):
    word: str
    object: int


class RefusalRecord(Record):
    """Why a command was refused; indices are the Machine's, -1 where there is none."""

    refusal: Literal["parameter", "place", "logic"] = Field(
        validation_alias="class", serialization_alias="class"
    )
    action_schema: int = Field(validation_alias="schema", serialization_alias="schema")
    operator: int
    requirement: int
    number: int
    scope: ScopeRecord | None
    template: str


class RulingRecord(Record):
    """What a model in the Dungeon Master's chair answered to a command; the turn itself has
    what the Machine does. `class` and `ending` are "" where the answer could not be read, and
    `observation` is then the answer as it came."""

    observation: str
    outcome: Literal["ok", "parameter", "place", "logic", ""] = Field(
        validation_alias="class", serialization_alias="class"
    )
    ending: Literal["running", "won", "lost", ""]
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cost: float = 0.0

    @classmethod
    def of(cls, ruling: Ruling) -> RulingRecord:
        return cls.model_validate(
            {
                "observation": ruling.observation,
                "class": ruling.outcome,
                "ending": ruling.ending,
                "prompt_tokens": ruling.prompt_tokens,
                "reply_tokens": ruling.reply_tokens,
                "cost": ruling.cost,
            }
        )

    def ruling(self) -> Ruling:
        return Ruling(
            self.observation,
            self.outcome,
            self.ending,
            bool(self.outcome),
            self.prompt_tokens,
            self.reply_tokens,
            self.cost,
        )


class NotesRecord(Record):
    """What is worth knowing of a reply beside what it says. `repairs` follow from its text
    (see `worldengine.players.replies.tolerant`); the rest only the player could know: characters
    beyond the limit, why a model gave no reply, what the reply took, the `ruling` of a model
    that was the Dungeon Master, what became of a thought that a model was to `rewrite`, and
    where the player has tokens those that it wrote (`ids`) and the name of all that it had
    read by then (`context`)."""

    repairs: tuple[str, ...] = ()
    cut: int = 0
    error: str = ""
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cached_tokens: int = 0
    retries: int = 0
    cost: float = 0.0
    ruling: RulingRecord | None = Field(default=None, exclude_if=_absent)
    rewrite: Rewrite = Field(default="", exclude_if=_absent)
    ids: tuple[int, ...] = Field(default=(), exclude_if=_absent)
    context: Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")] = Field(
        default="", exclude_if=_absent
    )


class TurnRecord(Record):
    """One turn. `reply` is what the player wrote; `train` is false where it was refused.
    `notes` is left out of the line where there is nothing to note, `mistake` where the player
    made none on purpose: what it thought there is as wrong as what it did. `mistake` is `guess`
    where it said what nothing it had read told it: no error, but never trained."""

    index: int
    thought: str
    reply: str
    command: str
    action: str
    outcome: Outcome
    observation: str
    progress: float
    score: float
    status: TurnStatus
    refusal: RefusalRecord | None
    train: bool
    notes: NotesRecord | None = Field(default=None, exclude_if=_absent)
    mistake: Mistake = Field(default="", exclude_if=_absent)


class Refinement(Record):
    """Turn `refused` failed; `recovered` is the first accepted turn that sets it right."""

    refused: Number
    recovered: Number


class Counts(Record):
    turns: Number
    accepted: Number
    parameter: Number
    place: Number
    logic: Number
    refinements: Number


class AttemptRecord(Record):
    """One play of an episode that was played several times; the best one is the trajectory.
    `lesson` is what the player wrote down for itself after it."""

    status: TurnStatus
    progress: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    turns: Number
    lesson: str = ""


class Trajectory(Record):
    """One episode from the prompt to its end. `attempts` are all plays of it, in order, left
    out of the line where there was one only."""

    format: Literal[1] = 1
    id: Annotated[str, Field(pattern=r"^[0-9a-f]{24}$")]
    world: str
    machine_hash: Hash
    shape: Hash
    variant: int
    seed: int
    episode: int
    player: PlayerRecord
    command_set: CommandSet
    prompt: str
    opening: str
    turns: tuple[TurnRecord, ...]
    status: TurnStatus
    progress: float
    score: float
    refinements: tuple[Refinement, ...]
    counts: Counts
    attempts: tuple[AttemptRecord, ...] = Field(default=(), exclude_if=_absent)

    @property
    def wanted(self) -> bool:
        """Won, with enough refinements to learn from. Says nothing of its truth: verify."""
        return self.status == "won" and len(self.refinements) >= REFINEMENTS_WANTED


class PlayerText:
    """The text of the player that was asked for last: a run has one."""

    def __init__(self, tell: Callable[[PlayerRecord], str]) -> None:
        self._tell = tell
        self._last: tuple[PlayerRecord | None, str] = None, ""

    def of(self, player: PlayerRecord) -> str:
        known, text = self._last
        if known is not player:
            text = self._tell(player)
            self._last = player, text
        return text


_sorted = PlayerText(
    lambda player: json.dumps(player.model_dump(), sort_keys=True, ensure_ascii=True)
)


class Provenance(Record):
    """Where an episode comes from: what its id is made of, and what replaying it needs."""

    machine_hash: Hash
    variant: int
    seed: int
    episode: int
    player: PlayerRecord
    command_set: CommandSet

    @property
    def id(self) -> str:
        """Of JSON with sorted keys, put together: an episode has a number of its own, and the
        rest in common with thousands."""
        text = (
            f'{{"command_set": "{self.command_set}", "episode": {self.episode}, '
            f'"machine_hash": "{self.machine_hash}", "player": {_sorted.of(self.player)}, '
            f'"seed": {self.seed}, "variant": {self.variant}}}'
        )
        return hashlib.sha256(text.encode()).hexdigest()[:24]


def provenance_of(trajectory: Trajectory) -> Provenance:
    return Provenance(
        machine_hash=trajectory.machine_hash,
        variant=trajectory.variant,
        seed=trajectory.seed,
        episode=trajectory.episode,
        player=trajectory.player,
        command_set=trajectory.command_set,
    )
