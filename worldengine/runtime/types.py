"""What a turn gives back, and what a player may have been shown. Frozen values only."""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine.schema import CLASS_NAMES, State


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a command was refused, exactly enough to ask later whether it would still be.

    `refusal` is PARAMETER, PLACE or LOGIC. What failed is one of:
    - a requirement: `operator` and `requirement` are indices, `number` its argument;
    - a scope: `scope` is (word, object) and `schema` the nearest action;
    - the words themselves: `schema` is the nearest action or -1, the rest is empty.
    `template` is a valid form of the nearest action, as in `water PLANT`, or "".
    """

    refusal: int
    schema: int
    operator: int = -1
    requirement: int = -1
    number: int = 0
    scope: tuple[str, int] | None = None
    template: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """One turn. `state` is the state after it (the very same state when refused).

    `action` is the canonical command that was understood, "" where none was.
    `operator`/`number` are its ground action (-1 where none was understood).
    `progress` = latched milestones / (number + 1), 1 when won; `score` = 1 when won else 0.
    `status` is running, won or lost; truncation belongs to the episode layer.
    """

    state: State
    outcome: int
    observation: str
    action: str
    operator: int
    number: int
    refusal: Refusal | None
    status: str
    progress: float
    score: float

    @property
    def accepted(self) -> bool:
        return self.refusal is None

    @property
    def outcome_name(self) -> str:
        """ok, parameter, place or logic."""
        return CLASS_NAMES[self.outcome]


class EpisodeOver(RuntimeError):
    """A command was given to a state that has already been won or lost."""
