"""Training files: verified trajectories as conversations with a loss mask for each message.

In: a run. Out: one JSON line a trajectory:

    {"id", "world", "machine_hash", "variant", "seed", "episode", "player", "guidance",
     "command_set", "status", "refinements", "trained_turns", "ending",
     "messages": [{"role", "content", "train", "loss", "trainable"}, …]}

The prompt is the system message, opening and observations are user messages, replies are
assistant messages. Every message carries all three names of the mask, user messages too:
table formats unify keys, and a missing one would come back as null, which some trainers
take for true. A refused reply stays in the conversation and is not trained.

A conversation ends with its last trained reply, and what the world answered to the last
turn of all stands in `ending`: nothing after the last trained token has any part in the
loss, Axolotl warns of a last message that is not trained, of whatever role (it may then get
the end token wrong), and loaders that want pairs of user and assistant drop a row with one
message too many. Refused:
trajectories that do not verify, and conversations in which nothing would be trained.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory, TurnRecord
from worldengine.rollout.verify import Verification, verified

FORMATS = ("messages",)
PLANNED = ("sharegpt", "prefix", "llamafactory", "openai", "tokens", "dpo", "rl")

Include = Literal["accepted", "verified"]


class ExportError(ValueError):
    """What was asked for cannot be written; the message is for people."""


@dataclass(slots=True)
class Exported:
    """`tokens` is null: this format is text, and no tokenizer was asked to count."""

    rows: int = 0
    trained_turns: int = 0
    masked_turns: int = 0
    tokens: int | None = None
    include: Include = "accepted"
    untrained: int = 0
    verification: Verification = field(default_factory=Verification)

    def left_out(self) -> Iterator[tuple[int, str]]:
        """How many trajectories have no row, by why: the end of `trajectories that …`."""
        result = self.verification
        if result.rejected:
            yield len(result.rejected), f"do not verify (first: {result.rejected[0].reason})"
        reasons = {
            "lost": "were lost",
            "truncated": "ran out of turns",
            "running": "were never finished",
            "few_refinements": "hold fewer than two refinements",
        }
        for why, words in reasons.items():
            if self.include == "accepted" and result.set_aside[why]:
                yield result.set_aside[why], words
        if self.untrained:
            yield self.untrained, "have no accepted turn to train on"

    def told(self) -> dict[str, object]:
        """With the keys that others rely on."""
        return {
            "rows": self.rows,
            "trained_turns": self.trained_turns,
            "masked_turns": self.masked_turns,
            "tokens": self.tokens,
            "rejected": len(self.verification.rejected),
            "left_out": {why: number for number, why in self.left_out()},
        }


def export(run: Path, to: str, out: Path, include: Include = "accepted") -> Exported:
    """Writes the file whole or not at all."""
    if to in PLANNED:
        raise ExportError(f"the format {to!r} is planned and not there yet; there is: messages")
    if to not in FORMATS:
        raise ExportError(f"there is no format {to!r}; there is: messages")
    summary = Exported(include=include)
    if out.is_dir():
        raise ExportError(f"{out} is a folder; name a file")
    if out.resolve().is_relative_to(run.resolve()):
        raise ExportError(f"{out} lies inside the run, whose files are never overwritten")
    out.parent.mkdir(parents=True, exist_ok=True)
    beside = out.with_name(out.name + ".part")
    try:
        _write(run, beside, include, summary)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    beside.replace(out)
    return summary


def _write(run: Path, beside: Path, include: Include, summary: Exported) -> None:
    """All rows into a file beside the one asked for, counted as they go."""
    with beside.open("w", encoding="utf-8", newline="\n") as file:
        for row, reason in verified(Run(run)):
            summary.verification.add(row, reason)
            trajectory = row.trajectory
            if reason or trajectory is None:
                continue
            trained = sum(turn.train for turn in trajectory.turns)
            if include == "accepted" and not trajectory.wanted:
                continue
            if trained == 0:
                summary.untrained += 1
                continue
            file.write(json.dumps(messages_row(trajectory), ensure_ascii=False) + "\n")
            summary.rows += 1
            summary.trained_turns += trained
            summary.masked_turns += len(_until_trained(trajectory)) - trained
        file.flush()
        os.fsync(file.fileno())


def messages_row(trajectory: Trajectory) -> dict[str, Any]:
    """One trajectory as one row; see the module for how it ends."""
    messages = [_message("system", trajectory.prompt, False)]
    shown = trajectory.opening
    for turn in _until_trained(trajectory):
        messages.append(_message("user", shown, False))
        messages.append(_message("assistant", turn.reply, turn.train))
        shown = turn.observation
    return {
        "id": trajectory.id,
        "world": trajectory.world,
        "machine_hash": trajectory.machine_hash,
        "variant": trajectory.variant,
        "seed": trajectory.seed,
        "episode": trajectory.episode,
        "player": trajectory.player.name,
        "guidance": trajectory.player.guidance,
        "command_set": trajectory.command_set,
        "status": trajectory.status,
        "refinements": len(trajectory.refinements),
        "trained_turns": sum(turn.train for turn in trajectory.turns),
        "ending": trajectory.turns[-1].observation,
        "messages": messages,
    }


def _until_trained(trajectory: Trajectory) -> tuple[TurnRecord, ...]:
    """The turns up to the last trained one."""
    last = max((turn.index for turn in trajectory.turns if turn.train), default=-1)
    return trajectory.turns[: last + 1]


def _message(role: str, content: str, train: bool) -> dict[str, Any]:
    return {"role": role, "content": content, "train": train, "loss": train, "trainable": train}
