"""What a row looks like, for each trainer.

In: a conversation. Out: its rows as JSON values. Token rows are in `tokens`.

| format | one row is | the mask |
|---|---|---|
| `messages` | a conversation: role, content | `train`, `loss`, `trainable` on every message |
| `sharegpt` | a conversation: `id`, `conversations` of from, value | `loss` on every message |
| `openai` | a conversation: `messages` and nothing else | `weight` 0 or 1 on replies |
| `llamafactory` | a conversation, contents as lists of parts | `loss_weight` on every message |
| `prefix` | a trained reply: `prompt` and `completion` | all of the completion |
| `dpo` | a refused and a recovering reply: `prompt`, `chosen`, `rejected` | |
| `rl` | a start: `prompt`, world, variant, seed | |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from worldengine.tuning.conversation import Conversation, origin

Rows: TypeAlias = Iterator["Written"]


@dataclass(frozen=True, slots=True)
class Written:
    """A row and how many replies are trained in it, and how many are not; `tokens` is 0
    where nobody counted them."""

    row: dict[str, Any]
    trained: int
    masked: int
    tokens: int = 0


def messages(shaped: Conversation) -> Rows:
    """The primary format: everything a trainer may want to know of the conversation."""
    trajectory = shaped.trajectory
    row = origin(trajectory) | {
        "player": trajectory.player.name,
        "guidance": trajectory.player.guidance,
        "command_set": trajectory.command_set,
        "status": trajectory.status,
        "refinements": len(trajectory.refinements),
        "trained_turns": shaped.trained_turns,
        "ending": shaped.ending,
        "messages": shaped.messages(),
    }
    yield Written(row, shaped.trained_turns, shaped.masked_turns)


_SPEAKERS = {"system": "system", "user": "human", "assistant": "gpt"}


def sharegpt(shaped: Conversation) -> Rows:
    """The columns of AgentRefine's published data, and no others."""
    turns = [
        {"from": _SPEAKERS[each["role"]], "loss": each["loss"], "value": each["content"]}
        for each in shaped.messages()
    ]
    row = {"id": shaped.trajectory.id, "conversations": turns}
    yield Written(row, shaped.trained_turns, shaped.masked_turns)


def openai(shaped: Conversation) -> Rows:
    """A weight stands on replies only, and no field beside `messages`: others are refused."""
    found = []
    for each in shaped.messages():
        plain: dict[str, Any] = {"role": each["role"], "content": each["content"]}
        if each["role"] == "assistant":
            plain["weight"] = int(each["train"])
        found.append(plain)
    yield Written({"messages": found}, shaped.trained_turns, shaped.masked_turns)


def llamafactory(shaped: Conversation) -> Rows:
    """The messages of LLaMA-Factory's v1 engine, which needs no converter for them."""
    found = [
        {
            "role": each["role"],
            "content": [{"type": "text", "value": each["content"]}],
            "loss_weight": float(each["train"]),
        }
        for each in shaped.messages()
    ]
    row = origin(shaped.trajectory) | {"messages": found}
    yield Written(row, shaped.trained_turns, shaped.masked_turns)


def prefix(shaped: Conversation) -> Rows:
    """One row a trained reply, with all that came before it. Masked replies are counted with
    the first row whose prompt holds them."""
    plain = [{"role": m["role"], "content": m["content"]} for m in shaped.messages()]
    masked = 0
    for at, each in enumerate(shaped.exchanges):
        if not each.train:
            masked += 1
            continue
        cut = 2 + 2 * at
        row = origin(shaped.trajectory) | {
            "turn": each.turn,
            "prompt": plain[:cut],
            "completion": [plain[cut]],
        }
        yield Written(row, 1, masked)
        masked = 0


def rl(shaped: Conversation) -> Rows:
    """Where an episode starts; nothing in it is trained."""
    trajectory = shaped.trajectory
    prompt = [
        {"role": "system", "content": trajectory.prompt},
        {"role": "user", "content": trajectory.opening},
    ]
    row = {
        "world": trajectory.world,
        "machine_hash": trajectory.machine_hash,
        "variant": trajectory.variant,
        "seed": trajectory.seed,
        "prompt": prompt,
    }
    yield Written(row, 0, 0)


CONVERSATIONS: dict[str, Callable[[Conversation], Rows]] = {
    "messages": messages,
    "sharegpt": sharegpt,
    "openai": openai,
    "llamafactory": llamafactory,
    "prefix": prefix,
    "rl": rl,
}
