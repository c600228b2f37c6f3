"""What one episode shows.

In: a trajectory. Out: its figures. Each is defined here and nowhere else:

- `won`: the world's ending was a win. Lost and truncated are none.
- `progress`: the highest share of milestones reached at any turn (the running maximum of
  AgentBoard, arXiv 2401.13178); 1 when won.
- `grounding`: accepted turns / turns (AgentBoard's grounding accuracy).
- `refusals`: refused turns by class.
- `repeats`: turns that gave the same command and got the same answer as a turn before.
- `loop`: whether the episode ends in a block of at most LOOP_LENGTH turns (commands and
  answers), said LOOP_TIMES times or more, the last of them accepted by nobody as an ending.
- `recovered`: refused turns that a later turn set right (the trajectory's refinements), and
  `recovery_turns`, how many turns that took.
- `tokens`: what a model read and wrote, where the record says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.rollout.trajectory import Trajectory

LOOP_LENGTH = 4
LOOP_TIMES = 3
CLASSES = ("parameter", "place", "logic")


@dataclass(frozen=True, slots=True)
class Figures:
    """See the module. `start` names the start wherever it is played: world and variant."""

    id: str
    world: str
    machine_hash: str
    variant: int
    episode: int
    status: str
    progress: float
    turns: int
    accepted: int
    refusals: tuple[int, int, int]
    repeats: int
    loop: bool
    recovered: int
    recovery_turns: int
    prompt_tokens: int
    reply_tokens: int
    thoughts: tuple[str, ...]

    @property
    def won(self) -> bool:
        return self.status == "won"

    @property
    def grounding(self) -> float | None:
        """None of an episode without a turn."""
        return self.accepted / self.turns if self.turns else None

    @property
    def refused(self) -> int:
        return sum(self.refusals)

    @property
    def start(self) -> tuple[str, int]:
        return self.machine_hash, self.variant


def figures(trajectory: Trajectory) -> Figures:
    """The figures of one trajectory."""
    turns = trajectory.turns
    said = [(turn.command, turn.observation) for turn in turns]
    notes = [turn.notes for turn in turns if turn.notes is not None]
    pairs = trajectory.refinements
    return Figures(
        id=trajectory.id,
        world=trajectory.world,
        machine_hash=trajectory.machine_hash,
        variant=trajectory.variant,
        episode=trajectory.episode,
        status=trajectory.status,
        progress=max((turn.progress for turn in turns), default=0.0),
        turns=len(turns),
        accepted=sum(turn.outcome == "ok" for turn in turns),
        refusals=tuple(sum(t.outcome == name for t in turns) for name in CLASSES),  # type: ignore[arg-type]
        repeats=len(said) - len(set(said)),
        loop=trajectory.status != "won" and ends_in_a_loop(said),
        recovered=len(pairs),
        recovery_turns=sum(pair.recovered - pair.refused for pair in pairs),
        prompt_tokens=sum(note.prompt_tokens for note in notes),
        reply_tokens=sum(note.reply_tokens for note in notes),
        thoughts=tuple(turn.thought for turn in turns if turn.thought),
    )


def ends_in_a_loop(said: list[tuple[str, str]]) -> bool:
    """Whether the last turns are one block over and over; see the module."""
    for length in range(1, LOOP_LENGTH + 1):
        needed = length * LOOP_TIMES
        if len(said) < needed:
            return False
        tail = said[-needed:]
        if all(tail[at] == tail[at % length] for at in range(needed)):
            return True
    return False
