"""The episode layer: what lies between a Machine's turns and a trajectory.

In: a Machine, a variant, replies. Out: turn records and, at the end, a `Trajectory`. It
counts turns (refused ones too), truncates at the world's `turns`, keeps what the player has
been shown, and never mixes won, lost and truncated. Refused: a reply after the end
(`EpisodeOver`). Verification plays the recorded replies through this same layer.
"""

from __future__ import annotations

from functools import lru_cache

from worldengine.machine import Machine
from worldengine.machine.schema import CLASS_NAMES
from worldengine.players.reply import Reply
from worldengine.players.view import Choice, Shown, View
from worldengine.rollout.refinements import Watch
from worldengine.rollout.trajectory import (
    PlayerRecord,
    Provenance,
    RefusalRecord,
    ScopeRecord,
    Trajectory,
    TurnRecord,
    count,
)
from worldengine.runtime import runtime_of
from worldengine.runtime.commandsets import choices
from worldengine.runtime.knowledge import begin
from worldengine.runtime.prompt import prompt
from worldengine.runtime.types import EpisodeOver, Refusal, Transition


@lru_cache(maxsize=64)
def _prompt(machine_hash: str, machine: Machine, variant: int) -> str:
    return prompt(machine, variant)


class Episode:
    """One play of one variant, turn by turn."""

    def __init__(self, machine: Machine, provenance: Provenance) -> None:
        self.machine = machine
        self.provenance = provenance
        self._runtime = runtime_of(machine)
        self._state = machine.start(provenance.variant)
        self._watch = Watch(self._runtime)
        self._turns: list[TurnRecord] = []
        self._shown: list[Shown] = []
        self.prompt = _prompt(machine.hash, machine, provenance.variant)
        self.opening = self._runtime.opening(self._state)
        self._knowledge = begin(machine).seen(self.prompt).seen(self.opening)
        self.status = "running"

    @property
    def over(self) -> bool:
        return self.status != "running"

    @property
    def turns(self) -> tuple[TurnRecord, ...]:
        return tuple(self._turns)

    def view(self) -> View:
        return View(
            prompt=self.prompt,
            opening=self.opening,
            goal=self.machine.goal,
            turns=self._shown,
            turns_left=self.machine.turns - len(self._turns),
            command_set=self.provenance.command_set,
            choices=self.choices,
        )

    def choices(self) -> tuple[Choice, ...]:
        """The commands of the episode's command set, now."""
        raise NotImplementedError
