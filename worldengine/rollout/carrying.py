"""A run's trajectories in the words of another world that does the same.

In: a run, the world it was played in and one that was made of it by `perturb`, and how a play
is carried from one to the other. Out: a run of the other world, played anew there, so that it
verifies as any run does. Commands are carried action by action. Thoughts speak of things by
their old names, so they are left out; a command that named nothing is kept as it is, and may
fare otherwise now. Such plays are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from worldengine.machine import Machine
from worldengine.players.reply import write
from worldengine.rollout.episode import Episode
from worldengine.rollout.storage import Manifest, Run, RunError, WorldRecord
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory
from worldengine.rollout.writing import Writer

Carry = Callable[[Machine, Machine, Sequence[str], int], tuple[str, ...]]


@dataclass(slots=True)
class Carried:
    """`same` fared turn by turn as before; `other` did not, `unread` could not be read."""

    trajectories: int = 0
    same: int = 0
    other: int = 0
    unread: int = 0

    def told(self) -> dict[str, int]:
        return {
            "trajectories": self.trajectories,
            "same": self.same,
            "other": self.other,
            "unread": self.unread,
        }


def refuse(run: Run, before: Machine, folder: Path) -> None:
    """RunError where nothing of `run` was played in a world, or `folder` is not new or empty."""
    if before.hash not in {world.machine_hash for world in run.manifest.worlds}:
        raise RunError(f"{run.folder} holds nothing that was played in {before.name}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError(f"{folder} is there already; choose another folder")


def carry_run(run: Run, before: Machine, after: Machine, carry: Carry, folder: Path) -> Carried:
    """Every trajectory of `run` that was played in `before`. The folder must be new or empty;
    RunError if it is not, or if nothing of the run was played in that world."""
    refuse(run, before, folder)
    there = run.manifest
    settings = {**there.player.settings, "carried": before.name}
    player = PlayerRecord(name=there.player.name, settings=settings)
    manifest = Manifest(
        program=there.program,
        player=player,
        command_set=there.command_set,
        seed=there.seed,
        episodes=there.episodes,
        variant=None,
        imported=True,
        worlds=(WorldRecord(name=after.name, machine_hash=after.hash),),
    )
    done = Carried()
    with Writer(folder, manifest, (after,)) as writer:
        for row in run.rows():
            if row.trajectory is None:
                done.unread += 1
            elif row.trajectory.machine_hash == before.hash:
                episode = _played(row.trajectory, before, after, carry, player)
                writer.append(episode.line())
                done.trajectories += 1
                if _fared(episode.trajectory()) == _fared(row.trajectory):
                    done.same += 1
                else:
                    done.other += 1
    return done


def _played(
    old: Trajectory, before: Machine, after: Machine, carry: Carry, player: PlayerRecord
) -> Episode:
    origin = Provenance(
        machine_hash=after.hash,
        variant=old.variant,
        seed=old.seed,
        episode=old.episode,
        player=player,
        command_set=old.command_set,
    )
    episode = Episode(after, origin)
    for command in carry(before, after, [turn.command for turn in old.turns], old.variant):
        if episode.over:
            break
        episode.play(write("", command))
    return episode


def _fared(trajectory: Trajectory) -> tuple[str, float, tuple[str, ...]]:
    outcomes = tuple(turn.outcome for turn in trajectory.turns)
    return trajectory.status, trajectory.progress, outcomes
