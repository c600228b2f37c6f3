"""Testing what an experiment trained: splits, what they may be called, and their rows.

In: worlds by split, trainings. Out: one row for each baseline and arm, all seeds together, on
the same starts. Refused: too few worlds for intervals over worlds; splits of an unseen kind
with worlds in them that are trained on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from worldengine.evaluation.metrics import Figures
from worldengine.evaluation.playing import Playing, World, play, starts_there
from worldengine.evaluation.seen import seen
from worldengine.experiment.config import LEAST_WORLDS, Arm, ExperimentConfig, Match
from worldengine.experiment.results import against, outcome
from worldengine.rollout.seeds import Part
from worldengine.tuning.errors import TuningError

Say = Callable[[str], None]
PARTS: dict[str, Part] = {"starts": "test", "worlds": "all", "family": "all"}
WORDS = {"starts": "unseen starts", "worlds": "unseen worlds", "family": "an unseen family"}


@dataclass(frozen=True, slots=True)
class Trained:
    """One training of an arm."""

    match: Match
    arm: Arm
    seed: int
    model: Path
    trained_tokens: int


def with_test_starts(worlds: Sequence[World]) -> list[World]:
    """Those that have a start which nothing is trained on."""
    how = Playing(out=Path(), part="test")
    return [world for world in worlds if starts_there(how, world)]


def enough(split: str, worlds: Sequence[World], config: ExperimentConfig) -> None:
    if len(worlds) < LEAST_WORLDS and not config.test.few_worlds:
        raise TuningError(
            f"the split of {WORDS[split]} has {len(worlds)} worlds; intervals over worlds want "
            f"{LEAST_WORLDS} or more: add worlds, or set test.few_worlds = true"
        )


def named(split: str, known: Sequence[World], worlds: Sequence[World]) -> str:
    """What a split may be called. A world that is trained on is none of an unseen kind; one
    that differs from such a world in its words alone is only an unseen wording."""
    if split == "starts":
        return WORDS[split]
    hashes = {world.machine.hash for world in known}
    shapes = {world.machine.shape for world in known}
    families = {world.family for world in known}
    for world in worlds:
        if world.machine.hash in hashes or (split == "family" and world.family in families):
            what = "it" if world.machine.hash in hashes else f"the family {world.family}"
            raise TuningError(
                f"{world.machine.name} is to be of {WORDS[split]}, and {what} is trained on: take "
                "it out of one of the two"
            )
    same = sum(world.machine.shape in shapes for world in worlds)
    if same == len(worlds):
        return "unseen wordings of trained worlds"
    return f"{WORDS[split]}, {same} of them in new words only" if same else WORDS[split]


def tested(
    config: ExperimentConfig,
    split: str,
    name: str,
    worlds: Sequence[World],
    trained: Sequence[Trained],
    untrained: Path | None,
    say: Say,
) -> list[dict[str, Any]]:
    """The rows of one split, which is called `name`: baselines, the untrained model, then the
    arms."""
    playing = Playing(
        out=Path(config.out) / "played" / split, part=PARTS[split], starts=config.test.starts
    )
    rows: list[dict[str, Any]] = []

    def row(arm: str, match: str, by_seed: dict[int, list[Figures]], tokens: float | None) -> None:
        rows.append(
            {
                "split": name,
                "match": match,
                "arm": arm,
                "seeds": len(by_seed),
                "trained_tokens": tokens,
                "outcome": outcome(by_seed),
            }
        )
        say(f"{name}, {arm}: success {rows[-1]['outcome']['success']:.3f}")

    players = {name: name for name in config.test.baselines}
    if untrained is not None:
        players["untrained"] = _player(config, untrained)
    for label, player in players.items():
        row(label, "", {0: play(playing, player, worlds)}, None)
    for match in config.match:
        reference: dict[int, list[Figures]] = {}
        for arm in config.arms:
            runs = [each for each in trained if each.match == match and each.arm == arm]
            how = replace(playing, silent=arm.silent)
            by_seed = {each.seed: play(how, _player(config, each.model), worlds) for each in runs}
            tokens = sum(each.trained_tokens for each in runs) / len(runs)
            row(arm.name, match.replace("_", " "), by_seed, tokens)
            starts = [each.start for episodes in by_seed.values() for each in episodes]
            rows[-1]["seen"] = seen(f"hf:{runs[0].model}", starts)
            if reference:
                rows[-1]["against"] = against(reference, by_seed)
            else:
                reference = by_seed
    return rows


def _player(config: ExperimentConfig, model: Path) -> str:
    test = config.test
    device = "" if config.device == "auto" else f",device={config.device}"
    chance = f",temperature={test.temperature:g}" if test.temperature else ""
    return f"hf:{model},batch={test.batch},max_tokens={test.max_tokens}{chance}{device}"
