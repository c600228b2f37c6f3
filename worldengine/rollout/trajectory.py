"""The trajectory record: one episode, with every claim spelt out so that it can be checked.

In: what the episode layer saw. Out: one line of JSON, the same bytes for equal episodes: no
clock, no path, nothing of the machine it was made on. Refused: unknown fields, other
versions, wrong types. Bytes enter and leave the program here, so this is pydantic.
"""

from __future__ import annotations

import hashlib
import json
from math import isfinite
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from worldengine.players.reply import Mistake, Rewrite
from worldengine.players.ruling import Ruling

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
    (see `worldengine.players.tolerant`); the rest only the player could know: characters
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
    made none on purpose: what it thought there is as wrong as what it did."""

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
    progress: float
    turns: int
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
        text = json.dumps(self.model_dump(), sort_keys=True, ensure_ascii=True)
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


def count(turns: tuple[TurnRecord, ...], refinements: int) -> Counts:
    """What stands in `counts`, from the turns themselves."""
    outcomes = [turn.outcome for turn in turns]
    return Counts(
        turns=len(turns),
        accepted=outcomes.count("ok"),
        parameter=outcomes.count("parameter"),
        place=outcomes.count("place"),
        logic=outcomes.count("logic"),
        refinements=refinements,
    )


def contradiction(trajectory: Trajectory) -> str:
    """What a trajectory says that cannot be so whatever its world is, "" if nothing: whoever
    reads on may take counts and refinements for those of its turns. Only for lines from a file;
    what is said of the world is checked by playing it again."""
    turns = trajectory.turns
    for at, turn in enumerate(turns):
        if turn.index != at:
            return f"turns.{at}.index: it must be {at}"
        told = _odd(turn)
        if told:
            return f"turns.{at}.{told}"
    if not (isfinite(trajectory.progress) and isfinite(trajectory.score)):
        return "progress and score must be numbers"
    if trajectory.counts != count(turns, len(trajectory.refinements)):
        return "counts: they are not those of its turns and refinements"
    mended: set[int] = set()
    for at, pair in enumerate(trajectory.refinements):
        there = pair.refused < pair.recovered < len(turns) and pair.refused not in mended
        if (
            not there
            or turns[pair.refused].outcome == "ok"
            or turns[pair.recovered].outcome != "ok"
        ):
            return f"refinements.{at}: it is not a refused turn and a later accepted one"
        mended.add(pair.refused)
    return ""


def _odd(turn: TurnRecord) -> str:
    """The number in a turn that is none, "" if all are."""
    if not (isfinite(turn.progress) and isfinite(turn.score)):
        return "progress: it must be a number, as score must"
    if turn.notes is None:
        return ""
    own = turn.notes
    notes: tuple[NotesRecord | RulingRecord, ...] = (own, own.ruling) if own.ruling else (own,)
    for note in notes:
        if not (0 <= note.prompt_tokens <= MOST and 0 <= note.reply_tokens <= MOST):
            return f"notes: tokens are counted from 0 to {MOST}"
        if not isfinite(note.cost):
            return "notes.cost: it must be a number"
    if not all(0 <= each <= MOST for each in (own.cut, own.cached_tokens, own.retries)):
        return f"notes: cut, cached_tokens and retries are counted from 0 to {MOST}"
    return ""
