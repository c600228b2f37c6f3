"""The runner: many episodes of many worlds by one player.

In: Machines, a player's name, seeds, a folder. Out: a run on disk and its summary. Episodes
are written in one fixed order whatever the number of workers, each from its own generator,
so equal requests give equal bytes. Stopped at any moment, the folder holds a prefix of the
whole run, and `resume` goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import worldengine
from worldengine.machine import Machine
from worldengine.players import catalogue
from worldengine.players.protocol import Player
from worldengine.rollout.plan import starts_of
from worldengine.rollout.seeds import Part
from worldengine.rollout.storage import Manifest, Run, RunError, WorldRecord, Writer, describe
from worldengine.rollout.trajectory import CommandSet, Counts, PlayerRecord
from worldengine.rollout.workers import played

Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Summary:
    """What a rollout did; `seconds` is for people and stands in no file."""

    episodes: int = 0
    won: int = 0
    lost: int = 0
    truncated: int = 0
    turns: int = 0
    refusals: dict[str, int] = field(
        default_factory=lambda: {"parameter": 0, "place": 0, "logic": 0}
    )
    refinements: int = 0
    resumed: int = 0
    turns_played: int = 0
    seconds: float = 0.0
    interrupted: bool = False

    def add(self, status: str, counts: Counts) -> None:
        self.episodes += 1
        self.won += status == "won"
        self.lost += status == "lost"
        self.truncated += status == "truncated"
        self.turns += counts.turns
        self.refusals["parameter"] += counts.parameter
        self.refusals["place"] += counts.place
        self.refusals["logic"] += counts.logic
        self.refinements += counts.refinements

    def told(self) -> dict[str, object]:
        """With the keys that others rely on."""
        speed = self.turns_played / self.seconds if self.seconds > 0 else 0.0
        return asdict(self) | {
            "seconds": round(self.seconds, 3),
            "steps_per_second": round(speed, 1),
        }


def rollout(
    machines: Sequence[Machine],
    player: str | Player = catalogue.DEFAULT,
    *,
    episodes: int = 1,
    seed: int = 0,
    out: Path | str,
    workers: int = 1,
    command_set: CommandSet = "known",
    variant: int | None = None,
    part: Part = "all",
    resume: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Plays `episodes` episodes of each world into the folder `out`. See the module."""
    began = time.perf_counter()
    worlds = _distinct(machines)
    seated = catalogue.make(player) if isinstance(player, str) else player
    manifest = _manifest(worlds, seated, episodes, seed, command_set, variant, part)
    folder = Path(out)
    _allow(folder, manifest, resume)
    summary = Summary()
    with Writer(folder, manifest, worlds) as writer:
        for status, counts in writer.done.values():
            summary.resumed += 1
            summary.add(status, counts)
        tasks = [(each.hash, number) for each in worlds for number in range(episodes)]
        given = player if workers > 1 else seated
        stream = played(folder, manifest, worlds, tasks, frozenset(writer.done), workers, given)
        try:
            for line, status, counts in stream:
                writer.append(line)
                summary.add(status, counts)
                summary.turns_played += counts.turns
                if progress is not None:
                    progress(summary.episodes, len(tasks))
        except KeyboardInterrupt:
            summary.interrupted = True
        finally:
            stream.close()
    summary.seconds = time.perf_counter() - began
    return summary


def _distinct(machines: Sequence[Machine]) -> tuple[Machine, ...]:
    """Equal worlds are one world: their episodes would be the same ones."""
    return tuple({machine.hash: machine for machine in machines}.values())


def _manifest(
    worlds: tuple[Machine, ...],
    player: Player,
    episodes: int,
    seed: int,
    command_set: CommandSet,
    variant: int | None,
    part: Part,
) -> Manifest:
    for machine in worlds:
        if variant is not None and not 0 <= variant < len(machine.variants):
            last = len(machine.variants) - 1
            raise RunError(f"{machine.name} has variants 0 to {last}, not {variant}")
    manifest = Manifest(
        program=worldengine.__version__,
        player=PlayerRecord(
            name=player.name, settings=dict(player.settings), guidance=player.guidance
        ),
        command_set=command_set,
        seed=seed,
        episodes=episodes,
        variant=variant,
        part=part,
        worlds=tuple(WorldRecord(name=each.name, machine_hash=each.hash) for each in worlds),
    )
    if variant is None:
        for machine in worlds:
            starts_of(machine, manifest)
    return manifest


def _allow(folder: Path, manifest: Manifest, resume: bool) -> None:
    """An existing run is only touched when that was asked for and it is the same request."""
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file; a run is a folder")
    if not (folder / "manifest.json").exists():
        if folder.exists() and any(item.name != ".lock" for item in folder.iterdir()):
            raise RunError(f"{folder} is not empty and holds no run; choose another folder")
        return
    if not resume:
        raise RunError(f"{folder} holds a run already; go on with --resume or choose another")
    there = Run(folder).manifest
    if not there.same_request(manifest):
        raise RunError(
            f"{folder} holds another run ({describe(there)}); this one would be "
            f"{describe(manifest)}. Choose another folder"
        )
