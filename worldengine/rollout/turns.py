"""Turns that were worked out before: what a command does in a state never changes.

In: a Machine, a state, a command. Out: the transition, and the part of its record that only
the world has a say in, as JSON. Both are remembered for a bounded number of turns, old ones
forgotten first; so are the command sets of states and what holds in them. Playing a world
many times then costs little more than looking up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from worldengine.machine import Machine
from worldengine.machine.schema import CLASS_NAMES, State
from worldengine.rollout.trajectory import (
    Outcome,
    RefusalRecord,
    ScopeRecord,
    TurnRecord,
    TurnStatus,
)
from worldengine.runtime import Refusal, Transition, runtime_of

REMEMBERED = 20_000
"""Turns, and answers about states: twice as many at most."""
LONGEST = 200
"""Longer commands are worked out each time."""

OUTCOMES: tuple[Outcome, ...] = ("ok", "parameter", "place", "logic")
STATUSES: dict[str, TurnStatus] = {"running": "running", "won": "won", "lost": "lost"}
assert OUTCOMES == CLASS_NAMES
_HEAD = '{"index":0,"thought":"","reply":"","command":"",'

Answer = TypeVar("Answer")


class Recent(Generic[Answer]):
    """A bounded memory: when it is full, what was not asked for since it was last full goes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._new: dict[Hashable, Answer] = {}
        self._old: dict[Hashable, Answer] = {}

    def get(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        found = self._new.get(key)
        if found is not None:
            return found
        found = self._old.get(key)
        if found is None:
            found = make()
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[key] = found
        return found


class Turn:
    """A transition, with its share of a turn's record."""

    __slots__ = ("_json", "transition")

    def __init__(self, transition: Transition) -> None:
        self.transition = transition
        self._json = ""

    @property
    def json(self) -> str:
        """What follows the player's own fields in the line of this turn, up to its end."""
        if not self._json:
            self._json = worlds_part(self.transition, self.transition.observation, "")
        return self._json


def worlds_part(transition: Transition, observation: str, status: str) -> str:
    """The same, for a turn that an episode's end may have changed."""
    record = recorded(0, "", "", "", transition, observation, status)
    text = record.model_dump_json(by_alias=True)
    assert text.startswith(_HEAD)
    return text[len(_HEAD) : -1]


def recorded(
    index: int,
    thought: str,
    reply: str,
    command: str,
    transition: Transition,
    observation: str,
    status: str,
) -> TurnRecord:
    """The record of a turn, without notes; `status` "" is the transition's own."""
    found = STATUSES[transition.status]
    if status == "truncated":
        found = "truncated"
    return TurnRecord(
        index=index,
        thought=thought,
        reply=reply,
        command=command,
        action=transition.action,
        outcome=OUTCOMES[transition.outcome],
        observation=observation,
        progress=transition.progress,
        score=transition.score,
        status=found,
        refusal=None if transition.refusal is None else _refusal(transition.refusal),
        train=transition.refusal is None,
    )


def _refusal(refusal: Refusal) -> RefusalRecord:
    word = refusal.scope
    return RefusalRecord(
        refusal=OUTCOMES[refusal.refusal],  # type: ignore[arg-type]  # a refusal is never ok
        action_schema=refusal.schema,
        operator=refusal.operator,
        requirement=refusal.requirement,
        number=refusal.number,
        scope=None if word is None else ScopeRecord(word=word[0], object=word[1]),
        template=refusal.template,
    )


_turns: Recent[Turn] = Recent(REMEMBERED)
_holds: Recent[bool] = Recent(REMEMBERED)


def turn(machine: Machine, state: State, command: str) -> Turn:
    """What a command does in a state."""
    if len(command) > LONGEST:
        return Turn(runtime_of(machine).step(state, command))
    return _turns.get(
        (machine.hash, state, command), lambda: Turn(runtime_of(machine).step(state, command))
    )


def holds(machine: Machine, state: State, refusal: Refusal) -> bool:
    """Whether what failed in a refusal holds in a state."""
    key = (machine.hash, state, refusal.operator, refusal.requirement, refusal.number,
           refusal.scope)  # fmt: skip
    return _holds.get(key, lambda: runtime_of(machine).holds(state, refusal))
