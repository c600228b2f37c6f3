"""The corpus of an experiment: one set of episodes, and each arm's rows made from them.

In: a configuration, worlds. Out: for each arm a file of rows. Rows of all arms come from the
same episodes, row by row; those of `expert-only` from the same starts. Every row of every arm
is executed again before anything is trained: what it says the world answered must be what the
world answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from worldengine.evaluation.feedback import NOTHING
from worldengine.experiment.config import EXPERT, SILENT, Arm, ExperimentConfig
from worldengine.machine import Machine
from worldengine.players.reply import read
from worldengine.rollout.files import replace
from worldengine.rollout.runner import rollout
from worldengine.rollout.seeds import Part, starts_in
from worldengine.runtime import runtime_of
from worldengine.tuning.errors import TuningError
from worldengine.tuning.export import export
from worldengine.tuning.sources import Include, Options
from worldengine.tuning.variants import FULL, variant

Row: TypeAlias = dict[str, Any]
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Files:
    """An arm's training rows, the validation rows all arms share, and how many there are."""

    train: Path
    validation: Path
    rows: int


def make(config: ExperimentConfig, machines: Sequence[Machine], say: Say) -> dict[str, Files]:
    """The files of every arm, by its name."""
    home = Path(config.out) / "corpus"
    _rolled(config, machines, config.corpus.player, home, say)
    matched = _matched(config, home)
    if any(arm.rows == EXPERT for arm in config.arms):
        _rolled(config, machines, "expert", home, say)
        matched[""] = _of_the_expert(config, home, matched[FULL])
    by_hash = {machine.hash: machine for machine in machines}
    shared = _written(config, home, Arm(name="validation"), "validation", _validation(config, home))
    execute_again(shared, by_hash)
    found: dict[str, Files] = {}
    for arm in config.arms:
        kept = _share(matched[FULL], arm.share)
        rows = [row for row in matched[arm.variant] if _episode(row) in kept]
        if not rows:
            raise TuningError(f"the arm {arm.name} has no rows")
        path = _written(config, home, arm, "train", rows)
        count = execute_again(path, by_hash, arm.rows == SILENT)
        found[arm.name] = Files(path, shared, count)
        say(f"arm {arm.name}: {count} rows, every one executed again")
    return found


def _rolled(
    config: ExperimentConfig, machines: Sequence[Machine], player: str, home: Path, say: Say
) -> None:
    parts: tuple[tuple[Part, int], ...] = (
        ("train", config.corpus.episodes),
        ("validation", config.corpus.validation_episodes),
    )
    for part, episodes in parts:
        out = home / f"{player}-{part}"
        some = [m for m in machines if starts_in(part, m.shape, len(m.variants))]
        if len(some) < len(machines):
            say(f"{len(machines) - len(some)} worlds have no start that is kept for {part}")
        done = rollout(
            some,
            player,
            episodes=episodes,
            seed=config.corpus.seed,
            out=out,
            workers=config.corpus.workers,
            part=part,
            resume=(out / "manifest.json").exists(),
        )
        if done.interrupted:
            raise KeyboardInterrupt
        say(f"{player}, {part} starts: {done.episodes} episodes, {done.won} won")


def _matched(config: ExperimentConfig, home: Path) -> dict[str, list[Row]]:
    """Rows by variant, all from the same episodes: one that gives no row in one of the
    variants gives none in any (`success-only`, a part of them, aside)."""
    names = dict.fromkeys([FULL, *(arm.variant for arm in config.arms if arm.variant)])
    options = Options(
        include=_include(config),
        variants=tuple(variant(name) for name in names),
        seed=config.corpus.seed,
    )
    out = home / "rows" / ("matched.jsonl" if len(names) == 1 else "matched")
    done = export([home / f"{config.corpus.player}-train"], options, out)
    if not done.rows:
        why = "; ".join(f"{number} {reason}" for number, reason in done.left_out())
        raise TuningError(f"no episode gives rows to train on: {why or 'none was played'}")
    if len(names) == 1:
        return {FULL: _rows(out)}
    return {name: _rows(out / f"{name.replace(':', '-')}.jsonl") for name in map(_named, names)}


def _named(name: str) -> str:
    """A variant as its file is called, `flip:0.20` as `flip:0.2`."""
    return str(variant(name))


def _include(config: ExperimentConfig) -> Include:
    """The expert makes no mistakes: what it won is taken where refinements were asked for."""
    if config.corpus.player == "expert" and config.corpus.include == "accepted":
        return "won"
    return config.corpus.include


def _validation(config: ExperimentConfig, home: Path) -> list[Row]:
    out = home / "rows" / "validation.jsonl"
    options = Options(include=_include(config), seed=config.corpus.seed)
    export([home / f"{config.corpus.player}-validation"], options, out)
    if not out.is_file():
        raise TuningError("no validation episode gives rows; play more of them")
    return _rows(out)


def _of_the_expert(config: ExperimentConfig, home: Path, full: Sequence[Row]) -> list[Row]:
    """The expert's plays of the very starts of the full rows, one for one."""
    out = home / "rows" / "expert.jsonl"
    export([home / "expert-train"], Options(include="won", seed=config.corpus.seed), out)
    by_episode = {_episode(row): row for row in _rows(out)}
    found = [by_episode[_episode(row)] for row in full if _episode(row) in by_episode]
    if [row["variant"] for row in found] != [row["variant"] for row in full]:
        raise TuningError("the expert did not win every start of the full rows")
    return found


def _episode(row: Row) -> tuple[str, int]:
    return row["machine_hash"], row["episode"]


def _share(full: Sequence[Row], share: float) -> set[tuple[str, int]]:
    """The first episodes of every world, so that sizes nest and all worlds stay."""
    by_world: dict[str, list[int]] = {}
    for row in full:
        by_world.setdefault(row["machine_hash"], []).append(row["episode"])
    return {
        (world, episode)
        for world, episodes in by_world.items()
        for episode in sorted(episodes)[: max(1, round(share * len(episodes)))]
    }


def _written(
    config: ExperimentConfig, home: Path, arm: Arm, part: str, rows: Sequence[Row]
) -> Path:
    """The rows of one arm as a file, without thoughts where nobody is to have any."""
    changed = [_silenced(row) if arm.rows == SILENT else row for row in rows]
    if not config.thoughts:
        changed = [_without_thoughts(row) for row in changed]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in changed)
    out = home / "rows" / f"{part}-{arm.name}.jsonl"
    replace(out, text.encode())
    return out


def _rows(path: Path) -> list[Row]:
    """The rows of a file; none where nothing was written."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _without_thoughts(row: Row) -> Row:
    """The same row with the action alone in every reply."""
    messages = [
        message | {"content": f"Action: {read(message['content']).command}"}
        if message["role"] == "assistant"
        else message
        for message in row["messages"]
    ]
    return row | {"messages": messages}


def _silenced(row: Row) -> Row:
    """The same row with every refusal saying nothing. Thoughts that quote a refusal would
    tell what it said, so this arm is of use only where replies have no thoughts."""
    errors = _refused(row)
    messages = list(row["messages"])
    for at in errors:
        if at + 1 < len(messages):
            messages[at + 1] = messages[at + 1] | {"content": NOTHING}
    return row | {"messages": messages}


def _refused(row: Row) -> list[int]:
    """Where the refused replies of a full row stand: those that are not trained."""
    return [
        at
        for at, message in enumerate(row["messages"])
        if message["role"] == "assistant" and not message["train"]
    ]


def execute_again(path: Path, machines: dict[str, Machine], silent: bool = False) -> int:
    """Plays every row of a file; how many there are. TuningError for the first that the
    world does not answer as the row says."""
    count = 0
    for count, row in enumerate(_rows(path), start=1):
        machine = machines[row["machine_hash"]]
        runtime = runtime_of(machine)
        state = machine.start(row["variant"])
        shown = runtime.opening(state)
        for at, message in enumerate(row["messages"]):
            if message["role"] == "user" and message["content"] != shown:
                raise TuningError(
                    f"{path}:{count}, message {at + 1}: the world answers {shown!r}, not "
                    f"{message['content']!r}"
                )
            if message["role"] == "assistant":
                turn = runtime.step(state, read(message["content"]).command)
                state = turn.state
                shown = NOTHING if silent and not turn.accepted else turn.observation
    return count
