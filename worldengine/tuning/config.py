"""The configuration of a training run: one TOML file, read strictly.

In: TOML text. Out: a frozen `TrainConfig`. Refused, each with the name of the entry: unknown
names (with the nearest known one), wrong types, values out of range, entries that exclude
each other. Paths are relative to the folder the command is run in.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, Self, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from worldengine.documents import DocumentError, toml
from worldengine.tuning.errors import TuningError

Setting: TypeAlias = str | int | float | bool


class Section(BaseModel):
    """Frozen, and strict about names and types: a slip must not train something else."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Data(Section):
    """Training files as `export` writes them: messages or tokens, one JSON row a line.

    `validation` holds rows of starts that are not trained on; checkpoints are chosen by it.
    A row longer than `max_length` tokens is an error, or is left out with `too_long = "skip"`
    (it is never cut: a cut would lose the turns that set a mistake right).
    """

    train: tuple[str, ...] = Field(min_length=1)
    validation: tuple[str, ...] = ()
    max_length: int = Field(default=4096, ge=8)
    too_long: Literal["error", "skip"] = "error"


class Scratch(Section):
    """A model with random weights. `architecture` is a model type of transformers."""

    architecture: str = "llama"
    layers: int = Field(default=4, ge=1)
    hidden: int = Field(default=128, ge=8)
    heads: int = Field(default=4, ge=1)
    key_value_heads: int | None = Field(default=None, ge=1)
    intermediate: int | None = Field(default=None, ge=8)
    tied: bool = True
    settings: dict[str, Setting] = Field(default_factory=dict)
    """Further entries of the architecture's own configuration."""


class Model(Section):
    """`path`: a folder with a model. `scratch`: a new one. Exactly one of the two."""

    path: str | None = None
    scratch: Scratch | None = None
    dtype: Literal["float32", "bfloat16"] = "float32"
    """How weights are kept; bfloat16 suits a base model under LoRA."""

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.path is None) == (self.scratch is None):
            raise ValueError("give either path or a [model.scratch] table")
        return self


class TokenizerSection(Section):
    """`path`: a folder with a tokenizer (default: the model's own). Without either, one is
    trained on the training rows, with `vocabulary` entries. `template`: "own", "shipped" (the
    one of `export`, which marks trained turns) or a file with a Jinja template."""

    path: str | None = None
    vocabulary: int = Field(default=2048, ge=300)
    template: str = "own"


class Lora(Section):
    """Low-rank adapters by peft instead of all weights."""

    rank: int = Field(default=16, ge=1)
    alpha: int = Field(default=32, ge=1)
    dropout: float = Field(default=0.0, ge=0, lt=1)
    targets: str | tuple[str, ...] = "all-linear"


class Batch(Section):
    """`rows` make one update. `tokens_at_once` bounds one pass through the model: an update
    that holds more is done in several, with the gradients summed (accumulation).
    `packing`: "blocks" puts several rows one after the other behind a block mask, "pad" gives
    each row a line of its own, for architectures that cannot keep rows apart."""

    rows: int = Field(default=32, ge=1)
    tokens_at_once: int = Field(default=8192, ge=8)
    packing: Literal["blocks", "pad"] = "pad"


class Loss(Section):
    """How the trained tokens of an update are weighed; see `worldengine.tuning.loss`."""

    normalise: Literal["token", "turn", "row"] = "token"


class Optimizer(Section):
    """AdamW; a cosine from `rate` to `final` times it, after `warmup` (a share of the run)."""

    rate: float = Field(default=1e-3, gt=0)
    warmup: float = Field(default=0.03, ge=0, lt=1)
    final: float = Field(default=0.1, ge=0, le=1)
    weight_decay: float = Field(default=0.01, ge=0)
    beta1: float = Field(default=0.9, ge=0, lt=1)
    beta2: float = Field(default=0.95, ge=0, lt=1)
    clip: float = Field(default=1.0, gt=0)


class Length(Section):
    """How long to train; exactly one of the three."""

    epochs: float | None = Field(default=None, gt=0)
    updates: int | None = Field(default=None, ge=1)
    trained_tokens: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _one(self) -> Self:
        if sum(each is not None for each in (self.epochs, self.updates, self.trained_tokens)) != 1:
            raise ValueError("give exactly one of epochs, updates, trained_tokens")
        return self


class Checkpoints(Section):
    """Every how many updates one is written and judged, and how many are kept beside the
    chosen one. `choose`: by the loss on the validation rows, by success on the validation
    starts of `[validation]`, or simply the last."""

    every: int = Field(default=100, ge=1)
    keep: int = Field(default=1, ge=1)
    choose: Literal["loss", "success", "last"] = "loss"


class Validation(Section):
    """Worlds whose validation starts are played greedily where `choose = "success"`."""

    worlds: tuple[str, ...] = Field(min_length=1)
    starts: int = Field(default=32, ge=1)
    """How many, spread over the worlds."""
    part: Literal["all", "train", "validation"] = "validation"


class Preference(Section):
    """DPO through TRL on pairs; see `worldengine.tuning.preference`."""

    beta: float = Field(default=0.1, gt=0)


class Log(Section):
    every: int = Field(default=10, ge=1)
    tensorboard: bool = False


class TrainConfig(Section):
    """The whole file; see `docs/learning.md`."""

    out: str = Field(min_length=1)
    method: Literal["refine", "dpo"] = "refine"
    seed: int = 0
    device: str = "auto"
    threads: int = Field(default=0, ge=0)
    """Of the CPU; 0 leaves it to torch. On cores that others use as well, 1 is faster."""
    bf16: bool = False
    """Matrix products in bfloat16 while the weights stay as they are."""
    gradient_checkpointing: bool = False
    data: Data
    model: Model
    tokenizer: TokenizerSection = TokenizerSection()
    lora: Lora | None = None
    batch: Batch = Batch()
    loss: Loss = Loss()
    optimizer: Optimizer = Optimizer()
    length: Length
    checkpoints: Checkpoints = Checkpoints()
    validation: Validation | None = None
    preference: Preference = Preference()
    log: Log = Log()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        by_loss = self.checkpoints.choose == "loss" and self.method == "refine"
        if by_loss and not self.data.validation:
            raise ValueError(
                'checkpoints.choose is "loss" and data.validation names no file: name rows '
                'of starts that are not trained on, or choose "last"'
            )
        if self.checkpoints.choose == "success" and self.validation is None:
            raise ValueError('checkpoints.choose is "success" and there is no [validation] table')
        if self.batch.tokens_at_once < self.data.max_length and self.data.too_long == "error":
            raise ValueError(
                f"batch.tokens_at_once ({self.batch.tokens_at_once}) is less than "
                f"data.max_length ({self.data.max_length}): one row might not fit into a pass"
            )
        return self


Whole = TypeVar("Whole", bound=BaseModel)


def load(path: Path) -> TrainConfig:
    """The configuration in a file. TuningError says which entry is wrong."""
    return parse(read(path), str(path), TrainConfig)


def read(path: Path) -> dict[str, object]:
    """The entries of a TOML file."""
    try:
        return toml(path)
    except DocumentError as error:
        raise TuningError(str(error)) from None


def parse(entries: dict[str, object], where: str, kind: type[Whole]) -> Whole:
    """Entries as a configuration of one kind. The first thing wrong is the one told."""
    try:
        return kind.model_validate_json(json.dumps(entries, default=str))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            near = _near([str(part) for part in first["loc"]], kind)
            raise TuningError(f"{where}: there is no entry `{name}`{near}") from None
        if first["type"] == "missing":
            raise TuningError(f"{where}: the entry `{name}` is missing") from None
        told = str(first["msg"]).removeprefix("Value error, ")
        at = f"`{name}`: " if name else ""
        raise TuningError(f"{where}: {at}{told}") from None


def _near(names: list[str], kind: type[BaseModel]) -> str:
    """The known name that an unknown one is like, in the section that it stands in."""
    for name in names[:-1]:
        inner = kind.model_fields.get(name)
        sections = _sections(inner.annotation) if inner is not None else []
        if not sections:
            return ""
        kind = sections[0]
    close = get_close_matches(names[-1], list(kind.model_fields), n=1)
    if close:
        return f"; did you mean `{close[0]}`?"
    return f"; there are: {', '.join(kind.model_fields)}"


def _sections(annotation: object) -> list[type[BaseModel]]:
    """The sections in an annotation such as `Lora | None`."""
    parts = [annotation, *getattr(annotation, "__args__", ())]
    return [part for part in parts if isinstance(part, type) and issubclass(part, BaseModel)]
