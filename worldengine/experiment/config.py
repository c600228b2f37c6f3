"""An experiment as a TOML file: one corpus, arms made from it, how they are tested.

In: TOML text. Out: a frozen `ExperimentConfig`. Refused, by name: unknown arms, two arms of
one name, test worlds too few for intervals over worlds unless that is said to be meant.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from worldengine.tuning.config import (
    Batch,
    Checkpoints,
    Length,
    Log,
    Lora,
    Loss,
    Model,
    Optimizer,
    Section,
    TokenizerSection,
    parse,
    read,
)
from worldengine.tuning.sources import Include
from worldengine.tuning.variants import FULL, variant

LEAST_WORLDS = 30
EXPERT = "expert-only"
SILENT = "uninformative"
NO_THOUGHTS = "no-thoughts"
Match = Literal["updates", "trained_tokens"]
Split = Literal["starts", "worlds", "family"]


class Family(Section):
    """Worlds of the small family (`worldengine.experiment.stash`), by seed and number."""

    seed: int = 0
    train: int = Field(ge=1)
    test: int = Field(default=0, ge=0)
    plain: bool = False
    """The same names in all worlds: less to learn."""
    varied: bool = False
    """Another layout for each of the first 64 worlds: other shapes, not other words alone."""


class Elsewhere(Section):
    """Worlds of a family of which nothing is trained: scripts or folders in `worlds`; or
    `count` worlds of a `family` that is made here, `chain` or one of the generator's."""

    worlds: tuple[str, ...] = ()
    family: str = ""
    task: str = ""
    count: int = Field(default=0, ge=0)
    seed: int = 0

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.worlds) == bool(self.family):
            raise ValueError("give either worlds or a family")
        if bool(self.family) != (self.count > 0):
            raise ValueError("a family comes with the count of its worlds, and only a family does")
        return self


class Corpus(Section):
    """Where rows come from. `worlds` and `unseen` are scripts or folders; or `family` makes
    them. `episodes` are rolled out of each training world on its training starts. `include`
    is which of them give rows: accepted (won, with refinements), won, or verified (all);
    it is the same for all arms."""

    worlds: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    family: Family | None = None
    elsewhere: Elsewhere | None = None
    include: Include = "accepted"
    player: str = "explorer"
    episodes: int = Field(ge=1)
    validation_episodes: int = Field(default=8, ge=1)
    seed: int = 0
    workers: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _some(self) -> Self:
        if (self.family is None) == (not self.worlds):
            raise ValueError("give either worlds or a [corpus.family] table")
        return self


class Arm(Section):
    """`rows` is a variant of export (full, no-refinement, keep-errors, mask-refinement,
    mask-harmful, flip:SHARE, success-only, no-thoughts), or expert-only (the expert on the same
    starts), or uninformative (every refusal reads "Nothing happens."). `share` keeps that part
    of each world's episodes, the first ones, for a curve over sizes. `silent` says that
    refusals say nothing when the model is tested, too."""

    name: str = Field(min_length=1, pattern=r"^[a-z0-9][a-z0-9-]*$")
    rows: str = "full"
    share: float = Field(default=1.0, gt=0, le=1)
    silent: bool = False

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.rows not in (EXPERT, SILENT):
            variant(self.rows)
        return self

    @property
    def variant(self) -> str:
        """The variant of export that its rows are made of; "" for the expert's."""
        return "" if self.rows == EXPERT else FULL if self.rows == SILENT else self.rows


class Test(Section):
    """`starts` of each world are played once by every arm and seed. `splits`: unseen starts
    of the training worlds, unseen worlds, an unseen family. `baselines` are players beside the
    arms."""

    __test__ = False

    splits: tuple[Split, ...] = ("starts",)
    starts: int = Field(default=4, ge=1)
    baselines: tuple[str, ...] = ("random",)
    untrained: bool = True
    few_worlds: bool = False
    """Allows fewer test worlds than intervals over worlds need; the report says so."""
    batch: int = Field(default=32, ge=1)
    max_tokens: int = Field(default=96, ge=8)
    temperature: float = Field(default=0.0, ge=0)
    """0 plays greedily. Models that have learnt little run in circles when they do, and all
    arms look alike; chance, the same for all arms, tells them apart."""


class ExperimentConfig(Section):
    """The whole file; the tables from `model` on are those of `train`."""

    out: str = Field(min_length=1)
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    match: tuple[Match, ...] = Field(default=("updates",), min_length=1)
    """What is equal between arms: the number of updates, or of trained tokens."""
    thoughts: bool = True
    """Without, every arm's replies are the action alone."""
    corpus: Corpus
    arms: tuple[Arm, ...] = Field(min_length=1)
    test: Test = Test()
    device: str = "auto"
    threads: int = Field(default=0, ge=0)
    bf16: bool = False
    gradient_checkpointing: bool = False
    max_length: int = Field(default=4096, ge=8)
    model: Model
    tokenizer: TokenizerSection = TokenizerSection()
    lora: Lora | None = None
    batch: Batch = Batch()
    loss: Loss = Loss()
    optimizer: Optimizer = Optimizer()
    length: Length
    checkpoints: Checkpoints = Checkpoints()
    log: Log = Log()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        names = [arm.name for arm in self.arms]
        if len(set(names)) != len(names):
            raise ValueError("two arms have the same name")
        if len(set(self.seeds)) != len(self.seeds):
            raise ValueError("a seed is named twice")
        if self.length.updates is None:
            raise ValueError(
                "the length of an experiment is given in updates; arms matched by trained "
                "tokens get as many as the first arm trains in those"
            )
        if self.checkpoints.choose == "success":
            raise ValueError('arms are chosen by "loss" or are the "last"')
        if "worlds" in self.test.splits and not self._has_unseen():
            raise ValueError("the split `worlds` needs corpus.unseen, or corpus.family.test")
        if "family" in self.test.splits and self.corpus.elsewhere is None:
            raise ValueError("the split `family` needs a [corpus.elsewhere] table")
        for arm in self.arms:
            told = self._senseless(arm)
            if told:
                raise ValueError(f"the arm {arm.name}: {told}")
        return self

    def _senseless(self, arm: Arm) -> str:
        """Why an arm could show nothing here, "" if it can."""
        if arm.rows == "success-only" and self.corpus.include != "verified":
            return (
                "all rows are of won episodes already, so that success-only leaves nothing out; "
                'set corpus.include = "verified"'
            )
        if arm.rows == NO_THOUGHTS and not self.thoughts:
            return "no arm has thoughts, so that no-thoughts is the full arm"
        if arm.rows == SILENT and self.thoughts:
            return "thoughts tell what the refusals said; set thoughts = false"
        return ""

    def _has_unseen(self) -> bool:
        family = self.corpus.family
        return bool(self.corpus.unseen) or (family is not None and family.test > 0)


def load(path: Path) -> ExperimentConfig:
    """The experiment in a file. TuningError says which entry is wrong."""
    return of(read(path), str(path))


def of(entries: dict[str, Any], where: str) -> ExperimentConfig:
    """The experiment in a table of entries."""
    return parse(entries, where, ExperimentConfig)
