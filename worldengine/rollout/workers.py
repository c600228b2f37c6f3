"""Playing episodes, in this process or in several.

In: a manifest, Machines, which episodes. Out: their lines, in the order asked for, whoever
played them. Workers are started by spawn: a fork would copy the locks of the array
libraries' threads. A worker that dies ends the run with an error instead of a wait.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from worldengine.machine import Machine
from worldengine.players import catalogue
from worldengine.players.protocol import Player
from worldengine.rollout.batching import play_many
from worldengine.rollout.plan import planned
from worldengine.rollout.storage import Manifest, Run, RunError
from worldengine.rollout.trajectory import Counts, Provenance, Trajectory

BATCH = 8
"""Episodes a worker is handed at once."""
AHEAD = 4
"""Batches a worker may be ahead of the writer."""

Task = tuple[str, int]
"""A world's hash and an episode."""
Played = tuple[str, str, Counts]
"""A line, how the episode ended, its counts."""


def play(machine: Machine, provenance: Provenance) -> Trajectory:
    """One whole episode."""
    return next(play_many(catalogue.make(provenance.player.name), [(machine, provenance)]))


def _play_tasks(
    player: Player,
    machines: Mapping[str, Machine],
    manifest: Manifest,
    tasks: Iterable[Task],
    done: frozenset[str],
) -> Iterator[Played]:
    """The lines of those episodes that the run lacks, in order."""
    jobs = (
        (machines[machine_hash], provenance)
        for machine_hash, episode in tasks
        for provenance in [planned(machines[machine_hash], manifest, episode)]
        if provenance.id not in done
    )
    for trajectory in play_many(player, jobs):
        yield trajectory.line(), trajectory.status, trajectory.counts


def played(
    folder: Path,
    manifest: Manifest,
    worlds: tuple[Machine, ...],
    tasks: list[Task],
    done: frozenset[str],
    workers: int,
    player: str | Player,
) -> Generator[Played, None, None]:
    """Every episode that the run lacks, in the order of `tasks`. Several workers each make a
    player of their own from its text; a player that is given as itself plays here."""
    if workers <= 1:
        by_hash = {machine.hash: machine for machine in worlds}
        seated = catalogue.make(player) if isinstance(player, str) else player
        yield from _play_tasks(seated, by_hash, manifest, tasks, done)
        return
    if not isinstance(player, str):
        raise RunError("a player that is an object plays in this process: workers=1")
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_worker_start, initargs=(str(folder), done, player)
    )
    try:
        yield from _pooled(pool, tasks, workers)
    except (BrokenProcessPool, BrokenPipeError) as error:
        raise RunError(
            "a worker process died, or none could be started; what was played is kept: "
            "go on with --resume, or play in this process with --workers 1"
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pooled(
    pool: ProcessPoolExecutor, tasks: list[Task], workers: int
) -> Generator[Played, None, None]:
    batches = [tasks[start : start + BATCH] for start in range(0, len(tasks), BATCH)]
    for batch in _in_order(pool, batches, workers * AHEAD):
        yield from batch


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
_worker_player: Player | None = None
_worker_done: frozenset[str] = frozenset()
_worker_machines: dict[str, Machine] = {}


def _worker_start(folder: str, done: frozenset[str], player: str) -> None:
    global _worker_run, _worker_done, _worker_player
    # Ctrl-C belongs to the parent, which ends its workers in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker_run = Run(Path(folder))
    _worker_done = done
    _worker_player = catalogue.make(player)


def _end_with_parent() -> None:
    """A parent that was killed cannot end its workers: they would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _worker_play(batch: list[Task]) -> list[Played]:
    assert _worker_run is not None
    for machine_hash, _ in batch:
        if machine_hash not in _worker_machines:
            _worker_machines[machine_hash] = _worker_run.machine(machine_hash)
    assert _worker_player is not None
    manifest = _worker_run.manifest
    return list(_play_tasks(_worker_player, _worker_machines, manifest, batch, _worker_done))
