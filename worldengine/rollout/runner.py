"""The runner: many episodes of many worlds by one player.

In: Machines, a player's name, seeds, a folder. Out: a run on disk and its summary. Episodes
are written in one fixed order whatever the number of workers, each from its own generator,
so equal requests give equal bytes. Stopped at any moment, the folder holds a prefix of the
whole run, and `resume` goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import worldengine
from worldengine.machine import Machine
from worldengine.players import catalogue
from worldengine.players.expert import PLAN
from worldengine.players.protocol import Player, Scripted
from worldengine.proof import winning_plan
from worldengine.proof.starts import named
from worldengine.rollout.plan import starts_among
from worldengine.rollout.seeds import Part
from worldengine.rollout.shards import Packing, default_packing
from worldengine.rollout.shelf import Shelf
from worldengine.rollout.storage import Manifest, Run, RunError, WorldRecord, apart
from worldengine.rollout.summary import Summary, told_of
from worldengine.rollout.trajectory import CommandSet, PlayerRecord, Trajectory
from worldengine.rollout.workers import played
from worldengine.rollout.writing import Writer

Progress = Callable[[int, int], None]
"""Told how many episodes there are, and how many there are to be."""


def rollout(
    machines: Sequence[Machine] | Shelf,
    player: str | Player = catalogue.DEFAULT,
    *,
    episodes: int = 1,
    seed: int = 0,
    out: Path | str,
    workers: int = 1,
    command_set: CommandSet = "known",
    variant: int | None = None,
    part: Part = "all",
    starts: int = 0,
    resume: bool = False,
    progress: Progress | None = None,
    batch: int = 0,
    packing: Packing | None = None,
    scripts: Mapping[str, str] | None = None,
) -> Summary:
    """Plays `episodes` episodes of each world into the folder `out`. See the module. Of very many
    worlds a `Shelf` takes less memory than a list. `batch`
    episodes are played at once, 0 leaves it to the player; `packing` is how full shards are
    kept, None takes zstd where that is installed. `scripts` are the texts of the worlds by
    hash, for a player that reads them (`dm`)."""
    began = time.perf_counter()
    worlds = Shelf.of(machines)  # equal worlds are one: their episodes would be the same ones
    seated = catalogue.make(player) if isinstance(player, str) else player
    if isinstance(seated, Scripted):
        _hand(seated, worlds, scripts or {}, workers)
    folder = Path(out)
    manifest = _manifest(worlds, seated, episodes, seed, command_set, variant, part, starts)
    manifest = manifest.model_copy(update={"packing": packing or _packing(folder)})
    _allow(folder, manifest, resume)
    summary = Summary()

    def there(trajectory: Trajectory) -> None:
        summary.resumed += 1
        summary.add(told_of(trajectory))

    with Writer(folder, manifest, worlds, there) as writer:
        tasks = (
            (each, number)
            for each in worlds.labels
            for number in range(episodes)
            if (each, number) not in writer.done
        )
        given = player if workers > 1 else seated
        stream = played(folder, manifest, worlds, tasks, workers, given, batch)
        try:
            for line, told in stream:
                writer.append(line)
                summary.add(told)
                summary.turns_played += told.turns
                if progress is not None:
                    progress(summary.episodes, len(worlds) * episodes)
        except KeyboardInterrupt:
            summary.interrupted = True
        finally:
            stream.close()
    summary.seconds = time.perf_counter() - began
    return summary


def _hand(player: Scripted, worlds: Shelf, scripts: Mapping[str, str], workers: int) -> None:
    """Hands the player the scripts of the worlds, which it cannot do without."""
    bare = [world.name for world in worlds.labels.values() if world.hash not in scripts]
    if bare:
        raise RunError(
            f"a model in the Dungeon Master's chair reads the script of its world, and "
            f"{bare[0]} comes without one here; name its file, as in `worldengine rollout FILE`"
        )
    if workers > 1:
        raise RunError(
            "a model in the Dungeon Master's chair is asked about many commands at once by one "
            "process; leave --workers at 1 and set width=N of the player"
        )
    player.hand({world: scripts[world] for world in worlds.labels})


def _packing(folder: Path) -> Packing:
    """As the run that is there packs its shards, or as can be done here."""
    there = (folder / "manifest.json").is_file()
    return Run(folder).manifest.packing if there else default_packing()


def _manifest(
    worlds: Shelf,
    player: Player,
    episodes: int,
    seed: int,
    command_set: CommandSet,
    variant: int | None,
    part: Part,
    few: int,
) -> Manifest:
    for world in worlds.labels.values():
        if variant is not None and not 0 <= variant < world.starts:
            raise RunError(f"{world.name} has variants 0 to {world.starts - 1}, not {variant}")
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
        starts=few,
        worlds=tuple(
            WorldRecord(name=each.name, machine_hash=each.hash) for each in worlds.labels.values()
        ),
    )
    for name, machine_hash, shape, count in worlds.labels.values():
        starts = starts_among(name, shape, count, manifest) if variant is None else (variant,)
        if player.guidance == PLAN:
            _need_plans(worlds[machine_hash], starts, player.name)
    return manifest


def _need_plans(machine: Machine, starts: Sequence[int], player: str) -> None:
    bare = [start for start in starts if winning_plan(machine, start) is None]
    if bare:
        raise RunError(
            f"{machine.name}: no proof of its own wins {named(bare)}, so the player {player} has "
            "no plan to follow; `worldengine solve` looks for one, to be written as its `proof`"
        )


def _beginnings(item: Path) -> bool:
    """What a run that was stopped before its manifest was written leaves."""
    return item.name in (".lock", "machines", "manifest.json.part")


def _allow(folder: Path, manifest: Manifest, resume: bool) -> None:
    """An existing run is only touched when that was asked for and it is the same request."""
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file; a run is a folder")
    if folder.is_symlink() and not folder.exists():
        raise RunError(f"{folder} is a link that leads nowhere; choose another folder")
    if not (folder / "manifest.json").exists():
        if folder.exists() and any(not _beginnings(item) for item in folder.iterdir()):
            raise RunError(f"{folder} is not empty and holds no run; choose another folder")
        return
    run = Run(folder)
    if next(run.rows(), None) is None:  # it ended before it held anything: it is begun anew
        return
    if not resume:
        raise RunError(f"{folder} holds a run already; go on with --resume or choose another")
    there = run.manifest
    if not there.same_request(manifest):
        raise RunError(
            f"{folder} holds another run: {apart(there, manifest)}. Ask for the same, or choose "
            "another folder"
        )
    if manifest.episodes < there.episodes:
        _keep_what_is_there(run, manifest.episodes)


def _keep_what_is_there(run: Run, episodes: int) -> None:
    """A manifest that plans fewer episodes than are there would disown them."""
    held = [row.trajectory.episode for row in run.rows() if row.trajectory is not None]
    most = max(held, default=-1) + 1
    if episodes < most:
        raise RunError(
            f"{run.folder} holds {most} episodes of a world already, more than {episodes}: go on "
            f"with --episodes {most} or more, or choose another folder"
        )
