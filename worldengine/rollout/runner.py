"""The runner: many episodes of many worlds by one player.

In: Machines, a player's name, seeds, a folder. Out: a run on disk and its summary. Episodes
are written in one fixed order whatever the number of workers, each from its own generator,
so equal requests give equal bytes. Stopped at any moment, the folder holds a prefix of the
whole run, and `resume` goes on from there.

Workers are started by spawn: a fork would copy the threads' locks of the array libraries.
A worker that dies ends the run with an error instead of a wait.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

import worldengine
from worldengine.machine import Machine
from worldengine.players import catalogue
from worldengine.rollout.episode import Episode
from worldengine.rollout.plan import planned
from worldengine.rollout.seeds import generator
from worldengine.rollout.storage import Manifest, Run, RunError, WorldRecord, Writer, describe
from worldengine.rollout.trajectory import (
    CommandSet,
    Counts,
    PlayerRecord,
    Provenance,
    Trajectory,
    count,
)
from worldengine.rollout.tutor import PROOF, itinerary

BATCH = 8
"""Episodes a worker is handed at once."""
AHEAD = 4
"""Batches a worker may be ahead of the writer."""

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


def play(machine: Machine, provenance: Provenance) -> Trajectory:
    """One whole episode."""
    player = catalogue.make(provenance.player.name)
    random = generator(provenance.seed, provenance.machine_hash, provenance.episode)
    guided = provenance.player.guidance == PROOF
    legs = itinerary(machine, provenance.variant, random) if guided else ()
    episode = Episode(machine, provenance)
    player.begin(episode.view(), random, legs)
    while not episode.over:
        episode.take(player.act(episode.view()))
    return episode.trajectory()


def rollout(
    machines: Sequence[Machine],
    player: str = catalogue.DEFAULT,
    *,
    episodes: int = 1,
    seed: int = 0,
    out: Path | str,
    workers: int = 1,
    command_set: CommandSet = "known",
    variant: int | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Plays `episodes` episodes of each world into the folder `out`. See the module."""
    began = time.perf_counter()
    worlds = _distinct(machines)
    manifest = _manifest(worlds, player, episodes, seed, command_set, variant)
    folder = Path(out)
    _allow(folder, manifest, resume)
    summary = Summary()
    with Writer(folder, manifest, worlds) as writer:
        for row in Run(folder).rows():
            if row.trajectory is not None:
                summary.resumed += 1
                summary.add(row.trajectory.status, row.trajectory.counts)
        tasks = [(each.hash, number) for each in worlds for number in range(episodes)]
        stream = _played(folder, manifest, worlds, tasks, writer.done, workers)
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
    player: str,
    episodes: int,
    seed: int,
    command_set: CommandSet,
    variant: int | None,
) -> Manifest:
    maker = catalogue.make(player)
    for machine in worlds:
        if variant is not None and not 0 <= variant < len(machine.variants):
            last = len(machine.variants) - 1
            raise RunError(f"{machine.name} has variants 0 to {last}, not {variant}")
    return Manifest(
        program=worldengine.__version__,
        player=PlayerRecord(
            name=maker.name, settings=dict(maker.settings), guidance=maker.guidance
        ),
        command_set=command_set,
        seed=seed,
        episodes=episodes,
        variant=variant,
        worlds=tuple(WorldRecord(name=each.name, machine_hash=each.hash) for each in worlds),
    )


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


Task = tuple[str, int]
"""A world's hash and an episode."""
Played = tuple[str, str, Counts]
"""A line, how the episode ended, its counts."""


def _play_task(machine: Machine, manifest: Manifest, episode: int, done: frozenset[str]) -> Played:
    """One line of the run; the line is "" where the run has it already."""
    provenance = planned(machine, manifest, episode)
    if provenance.id in done:
        return "", "", count((), 0)
    trajectory = play(machine, provenance)
    return trajectory.line(), trajectory.status, trajectory.counts


def _played(
    folder: Path,
    manifest: Manifest,
    worlds: tuple[Machine, ...],
    tasks: list[Task],
    done: frozenset[str],
    workers: int,
) -> Generator[Played, None, None]:
    """Every episode that the run lacks, in the order of `tasks`."""
    if workers <= 1:
        by_hash = {machine.hash: machine for machine in worlds}
        for machine_hash, episode in tasks:
            played = _play_task(by_hash[machine_hash], manifest, episode, done)
            if played[0]:
                yield played
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_worker_start, initargs=(str(folder), done)
    )
    try:
        batches = [tasks[start : start + BATCH] for start in range(0, len(tasks), BATCH)]
        for batch in _in_order(pool, batches, workers * AHEAD):
            yield from (played for played in batch if played[0])
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_order(
    pool: ProcessPoolExecutor, batches: list[list[Task]], ahead: int
) -> Iterator[list[Played]]:
    """Results in the order of the batches, with at most `ahead` of them waiting."""
    waiting: deque[Future[list[Played]]] = deque()
    for batch in batches:
        waiting.append(pool.submit(_worker_play, batch))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


# A worker process: it reads the run that it helps to write.
_worker_run: Run | None = None
_worker_done: frozenset[str] = frozenset()
_worker_machines: dict[str, Machine] = {}


def _worker_start(folder: str, done: frozenset[str]) -> None:
    global _worker_run, _worker_done
    # Ctrl-C belongs to the parent, which ends its workers in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker_run = Run(Path(folder))
    _worker_done = done


def _worker_play(batch: list[Task]) -> list[Played]:
    assert _worker_run is not None
    for machine_hash, _ in batch:
        if machine_hash not in _worker_machines:
            _worker_machines[machine_hash] = _worker_run.machine(machine_hash)
    manifest = _worker_run.manifest
    return [
        _play_task(_worker_machines[machine_hash], manifest, episode, _worker_done)
        for machine_hash, episode in batch
    ]
