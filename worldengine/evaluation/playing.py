"""Playing what is to be evaluated: one run for each player and wording.

In: worlds, a player as text, where to. Out: figures of all its episodes, in the order of
worlds and episodes. What is played is a run like any other: it can be verified, read, and
gone on with after a stop. Worlds in other words are the same worlds start by start, so their
starts are those of the originals.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from worldengine.evaluation.feedback import Silenced
from worldengine.evaluation.formats import REACT, formatted
from worldengine.evaluation.metrics import Figures, figures
from worldengine.machine import Machine
from worldengine.players.catalogue import make
from worldengine.players.protocol import Player
from worldengine.rollout.runner import rollout
from worldengine.rollout.seeds import Part, starts_in
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import CommandSet

PLAIN = "plain"
Progress = Callable[[int, int], None]


class EvaluationError(ValueError):
    """What was asked for cannot be evaluated; the message is for people."""


@dataclass(frozen=True, slots=True)
class World:
    """A world under test; `words` is the preset that its wording comes from."""

    machine: Machine
    family: str
    words: str = PLAIN
    original: str = ""
    """The hash of the world whose wording was changed; its own hash where none was."""
    script: str = ""
    """Its text, for players that read it; "" where nobody has it."""

    @property
    def key(self) -> str:
        return self.original or self.machine.hash


@dataclass(frozen=True, slots=True)
class Playing:
    """How the episodes are played. `plays` is how often each start is, `starts` how many of
    a world at most (0: all of the part)."""

    out: Path
    part: Part = "test"
    plays: int = 1
    starts: int = 0
    seed: int = 0
    workers: int = 1
    command_set: CommandSet = "known"
    form: str = REACT
    """How players are asked to reply; see `worldengine.evaluation.formats`."""
    silent: bool = False
    """Whether refusals say nothing; see `worldengine.evaluation.feedback`."""


def play(
    playing: Playing, player: str, worlds: Sequence[World], progress: Progress | None = None
) -> list[Figures]:
    """The episodes of one player in worlds of one wording. What is there is not played
    again."""
    found: list[Figures] = []
    seated: str | Player = player
    if playing.form != REACT:
        seated = formatted(make(player), playing.form)
    if playing.silent:
        seated = Silenced(make(seated) if isinstance(seated, str) else seated)
    done, total = 0, sum(_episodes(playing, world) for world in worlds)
    for count in sorted({_episodes(playing, world) for world in worlds}):
        some = [world for world in worlds if _episodes(playing, world) == count]
        told = player if playing.form == REACT else f"{player}+{playing.form}"
        told += "+silent" if playing.silent else ""
        folder = playing.out / slug(told) / some[0].words / f"{count}-each"
        base = done

        def show(at: int, of: int, base: int = base) -> None:
            if progress is not None:
                progress(base + at, total)

        rolled = rollout(
            [world.machine for world in some],
            seated,
            episodes=count,
            seed=playing.seed,
            out=folder,
            workers=playing.workers,
            command_set=playing.command_set,
            part=playing.part,
            starts=playing.starts,
            resume=(folder / "manifest.json").exists(),
            progress=show,
            scripts={world.machine.hash: world.script for world in some if world.script},
        )
        if rolled.interrupted:
            raise KeyboardInterrupt
        done += rolled.episodes
        found += _figures(folder, some)
    return found


def starts_there(playing: Playing, world: World) -> int:
    """How many starts of a world are in the part that is played. A world in other words has
    the shape of its original, and so as many."""
    machine = world.machine
    return len(starts_in(playing.part, machine.shape, len(machine.variants)))


def _episodes(playing: Playing, world: World) -> int:
    there = starts_there(playing, world)
    if there == 0:
        count = len(world.machine.variants)
        raise EvaluationError(
            f"{world.machine.name} has {count} start{'' if count == 1 else 's'} and none is kept "
            f"for {playing.part}; give it more with `vary`, or say --part all"
        )
    return playing.plays * (min(there, playing.starts) if playing.starts else there)


def _figures(folder: Path, worlds: Sequence[World]) -> list[Figures]:
    """Figures under the hash of the original world, so that wordings can be paired."""
    run = Run(folder)
    keys = {world.machine.hash: world.key for world in worlds}
    found: list[Figures] = []
    for row in run.rows():
        if row.trajectory is None:
            raise EvaluationError(f"{folder}, {row.where}: {row.problem}")
        if row.trajectory.machine_hash in keys:
            key = keys[row.trajectory.machine_hash]
            found.append(replace(figures(row.trajectory), machine_hash=key))
    return found


def slug(player: str) -> str:
    """A folder's name for a player: readable, and different for different players."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", player).strip("-.")[-40:] or "player"
    return f"{plain}-{hashlib.sha256(player.encode()).hexdigest()[:8]}"
