"""The model checker, asked about one state in a process of its own.

In: questions as JSON, one a line: of which Machine and state, what is asked, for how many
seconds. Out: an answer a question, as JSON. This is the only module that knows the checker;
it is loaded in that process alone, so that neither compiled code nor a long search ever
stands in the way of a key, and there only when the script's own proof has been tried, which
needs none of it. `counsel` starts it.
"""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import asdict, dataclass
from typing import IO, Any

from worldengine.machine import Machine, State
from worldengine.machine.storage import from_json
from worldengine.proof import winning_plan

from .fitting import fitted

STATES, MEMORY = 4_000_000, 512 << 20
"""Bounds of a search besides its seconds."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`plan` wins from the state; if `exact`, none is shorter. `doomed` says why winning is
    impossible. `about` is an estimate of the turns to a win where nothing exact is known."""

    plan: tuple[str, ...] | None = None
    exact: bool = False
    doomed: str = ""
    about: int | None = None


def proven(machine: Machine, state: State, seconds: float) -> Answer:
    """A shortest plan, or why there is none, or neither."""
    from worldengine.modelcheck.budget import Budget
    from worldengine.modelcheck.verdicts.distance import nearest

    found, plan = nearest(machine, state, Budget(STATES, seconds, MEMORY))
    if found.exact:
        return Answer(plan, True, found.why if found.dead else "")
    return Answer(about=found.value)


def searched(machine: Machine, variant: int, state: State, left: int, seconds: float) -> Answer:
    """A plan that leads back to the script's proof, or one that planning found."""
    from worldengine.modelcheck.budget import clock
    from worldengine.modelcheck.guessing.tails import Tails
    from worldengine.modelcheck.problem import Problem

    starts = range(len(machine.variants))
    plans = [winning_plan(machine, number) or () for number in starts]
    tails = Tails(Problem(machine), plans, [None for _ in starts], clock(seconds))
    return Answer(tails.win(variant, state, left))


# -- the process -----------------------------------------------------------------------------


def serve(questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answer until nobody asks any more. Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    machine: Machine | None = None
    for line in questions:
        if line[:1] != b"?":
            machine = from_json(line)
            continue
        assert machine is not None, "a question came before its Machine"
        try:
            reply: dict[str, Any] = asdict(_answer(machine, json.loads(line[1:])))
        except Exception as error:  # told to the person by whoever asked
            reply = {"failed": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(reply).encode() + b"\n")
        answers.flush()


def _answer(machine: Machine, question: dict[str, Any]) -> Answer:
    state = tuple(question["state"])
    match question["asked"]:
        case "proven":
            return proven(machine, state, question["seconds"])
        case "known":
            return Answer(fitted(machine, question["variant"], state))
        case _:
            return searched(
                machine, question["variant"], state, question["left"], question["seconds"]
            )


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
