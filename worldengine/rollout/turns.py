"""Turns as parts of a record: what only the world has a say in.

In: a transition. Out: a turn's record, and its share of a line of a run as JSON, the same bytes
as the record gives, made once a turn.
"""

from __future__ import annotations

from json.encoder import encode_basestring as quoted

from pydantic_core import to_json

from worldengine.machine.schema import CLASS_NAMES
from worldengine.rollout.trajectory import (
    Outcome,
    RefusalRecord,
    ScopeRecord,
    TurnRecord,
    TurnStatus,
)
from worldengine.runtime import Refusal, Transition

OUTCOMES: tuple[Outcome, ...] = ("ok", "parameter", "place", "logic")
STATUSES: dict[str, TurnStatus] = {"running": "running", "won": "won", "lost": "lost"}
assert OUTCOMES == CLASS_NAMES


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
    """The same, for a turn that an episode's end may have changed; `status` "" is the
    transition's own."""
    refusal = transition.refusal
    why = "null" if refusal is None else _why(refusal)
    return (
        f'"action":{quoted(transition.action)},"outcome":"{OUTCOMES[transition.outcome]}",'
        f'"observation":{quoted(observation)},"progress":{number(transition.progress)},'
        f'"score":{number(transition.score)},"status":"{status or transition.status}",'
        f'"refusal":{why},"train":{"true" if refusal is None else "false"}'
    )


def _why(refusal: Refusal) -> str:
    """A refusal as its record is written."""
    word = refusal.scope
    scope = "null" if word is None else f'{{"word":{quoted(word[0])},"object":{word[1]}}}'
    return (
        f'{{"class":"{OUTCOMES[refusal.refusal]}","schema":{refusal.schema},'
        f'"operator":{refusal.operator},"requirement":{refusal.requirement},'
        f'"number":{refusal.number},"scope":{scope},"template":{quoted(refusal.template)}}}'
    )


def number(value: float) -> str:
    """A number as records write it."""
    if value == 0.0 or 1e-4 <= value < 1e15:  # there is one way to write these
        return repr(value)
    return to_json(value).decode()


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
