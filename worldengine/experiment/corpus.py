"""The corpus of an experiment: one set of episodes, and each arm's rows made from them.

In: a configuration, worlds. Out: for each arm a file of rows. Rows of all arms but
`expert-only` come from the same episodes, row by row. Every row of every arm is executed
again before anything is trained: what it says the world answered must be what the world
answers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldengine.experiment.config import EXPERT, SILENT, Arm, ExperimentConfig
from worldengine.machine import Machine
from worldengine.players.reply import read
from worldengine.rollout.files import replace
from worldengine.rollout.runner import rollout
from worldengine.rollout.seeds import Part
from worldengine.runtime import runtime_of
from worldengine.tuning.errors import TuningError
from worldengine.tuning.export import export
from worldengine.tuning.sources import Options
from worldengine.tuning.variants import variant

NOTHING = "Nothing happens."
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
    if any(arm.rows == EXPERT for arm in config.arms):
        _rolled(config, machines, "expert", home, say)
    shared = _exported(config, home, "validation", Arm(name="validation"))
    found: dict[str, Files] = {}
    for arm in config.arms:
        rows = _exported(config, home, "train", arm)
        by_hash = {machine.hash: machine for machine in machines}
        for path in (rows, shared):
            execute_again(path, by_hash, arm.rows == SILENT and path == rows)
        with rows.open("rb") as file:
            count = sum(1 for _ in file)
        found[arm.name] = Files(rows, shared, count)
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
        done = rollout(
            list(machines),
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


def _exported(config: ExperimentConfig, home: Path, part: str, arm: Arm) -> Path:
    """The rows of one arm. The expert makes no mistakes, so its won plays are all taken."""
    player = "expert" if arm.rows == EXPERT else config.corpus.player
    plain = "full" if arm.rows in (EXPERT, SILENT) else arm.rows
    out = home / "rows" / f"{part}-{arm.name}.jsonl"
    options = Options(
        include="won" if arm.rows == EXPERT or player == "expert" else None,
        variants=(variant(plain),),
        seed=config.corpus.seed,
    )
    export([home / f"{player}-{part}"], options, out)
    if not out.is_file():
        raise TuningError(f"the arm {arm.name} has no {part} rows")
    rows = list(_rows(out))
    kept = rows[: max(1, round(arm.share * len(rows)))]
    changed = [_silenced(row) if arm.rows == SILENT else row for row in kept]
    if not config.thoughts:
        changed = [_without_thoughts(row) for row in changed]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in changed)
    replace(out, text.encode())
    return out


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _without_thoughts(row: dict[str, Any]) -> dict[str, Any]:
    """The same row with the action alone in every reply."""
    messages = [
        message | {"content": f"Action: {read(message['content']).command}"}
        if message["role"] == "assistant"
        else message
        for message in row["messages"]
    ]
    return row | {"messages": messages}


def _silenced(row: dict[str, Any]) -> dict[str, Any]:
    """The same row with every refusal saying nothing. Thoughts that quote a refusal would
    tell what it said, so this arm is of use only where replies have no thoughts."""
    errors = _refused(row)
    messages = list(row["messages"])
    for at in errors:
        if at + 1 < len(messages):
            messages[at + 1] = messages[at + 1] | {"content": NOTHING}
    return row | {"messages": messages}


def _refused(row: dict[str, Any]) -> list[int]:
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
