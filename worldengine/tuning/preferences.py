"""Preference pairs: a refused reply and the one that set it right, after the same words.

In: a verified trajectory and its Machine. Out: rows of `prompt`, `chosen`, `rejected`. Both
replies have to be right to compare where they are compared, and the Machine is asked: from
the state at the end of the prompt the chosen command is accepted and the rejected one refused.

- `after` (the default): the prompt ends where the recovering turn was said, so the refused
  turn and its answer are in it. The chosen reply is what was said there, its thought too. It
  teaches to set a mistake right, and not to repeat it.
- `before`: the prompt ends where the refused turn was said; pairs whose recovery needed other
  steps first drop out. The recovering thought knew of the refusal, which this prompt does not
  hold, so both replies are the action alone. It teaches not to make the mistake.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.players.reply import write
from worldengine.rollout.trajectory import Trajectory, TurnRecord
from worldengine.runtime import runtime_of
from worldengine.tuning.conversation import Conversation, conversation, origin
from worldengine.tuning.formats import Written
from worldengine.tuning.masks import GUESS, Mask

Pairs: TypeAlias = Literal["after", "before"]
PAIRS: tuple[Pairs, ...] = ("after", "before")


def preferences(
    shaped: Conversation, machine: Machine, pairs: Pairs = "after", why: Counter[str] | None = None
) -> Iterator[Written]:
    """One row a refinement that can be compared; `why` counts those that cannot."""
    trajectory = shaped.trajectory
    plain = [
        {"role": each["role"], "content": each["content"]}
        for each in conversation(trajectory, Mask()).messages()
    ]
    states = _states(machine, trajectory)
    counts: Counter[str] = Counter() if why is None else why
    for pair in trajectory.refinements:
        refused, recovered = trajectory.turns[pair.refused], trajectory.turns[pair.recovered]
        at = recovered.index if pairs == "after" else refused.index
        problem = _incomparable(machine, states[at], refused, recovered)
        if problem:
            counts[problem] += 1
            continue
        row = origin(trajectory) | {
            "refused": refused.index,
            "recovered": recovered.index,
            "kind": refused.outcome,
            "prompt": plain[: 2 + 2 * at],
            "chosen": [_reply(recovered, pairs)],
            "rejected": [_reply(refused, pairs)],
        }
        yield Written(row, 1, 1)


def _states(machine: Machine, trajectory: Trajectory) -> list[State]:
    """The state before each turn."""
    runtime = runtime_of(machine)
    found = [machine.start(trajectory.variant)]
    for turn in trajectory.turns:
        found.append(runtime.step(found[-1], turn.command).state)
    return found


def _incomparable(
    machine: Machine, state: State, refused: TurnRecord, recovered: TurnRecord
) -> str:
    """Why two replies cannot be compared in a state, "" if they can."""
    if recovered.mistake == GUESS:
        return "were mended by a guess"
    if not refused.reply.strip():
        return "have an empty reply for a refused one"
    runtime = runtime_of(machine)
    if runtime.step(state, refused.command).accepted:
        return "were mended by saying the same again, which is right by then"
    if not runtime.step(state, recovered.command).accepted:
        return "were mended by steps that were not possible yet"
    return ""


def _reply(turn: TurnRecord, pairs: Pairs) -> dict[str, Any]:
    text = turn.reply if pairs == "after" else write("", turn.command).text
    return {"role": "assistant", "content": text}
