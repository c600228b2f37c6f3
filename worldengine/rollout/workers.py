"""Playing episodes, in this process or in several.

In: a manifest, Machines, which episodes. Out: their lines, in the order asked for, whoever
played them. Workers are started by spawn: a fork would copy the locks of the array
libraries' threads. A worker that dies ends the run with an error instead of a wait.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

from worldengine.machine import Machine
from worldengine.players import catalogue
from worldengine.players.protocol import Player
from worldengine.processes import give_back, worker_pool
from worldengine.rollout.batching import Job, play_many, seats_played
from worldengine.rollout.guides import prepare
from worldengine.rollout.plan import planned
from worldengine.rollout.shelf import Packed, Shelf
from worldengine.rollout.storage import Manifest, Run, RunError
from worldengine.rollout.summary import Told, told_of_episode
from worldengine.rollout.trajectory import Provenance, Trajectory

BATCH = 32
"""Episodes a worker is handed at once, or so many as four times its player's seats."""
WHOLE = 512
"""Episodes of one world that go to one worker where there are worlds enough for all of them:
whoever plays a world anew has to make himself acquainted with it."""
AHEAD = 3
"""Batches a worker may be ahead of the writer."""
KEPT_MACHINES = 64
"""Machines that a worker remembers; another is read from the run again."""
KEPT_HANDED = 4
"""The same where each is handed over with its episodes, one world after the other."""

TIDIED = 8
"""Worlds after which what they have left behind is given back."""

Task = tuple[str, int]
"""A world's hash and an episode."""
Handed = tuple[list[Task], Packed | None]
"""What a worker gets at once: episodes, and their world where they are all of one."""
Played = tuple[str, Told]
"""A line, and its share of the summary."""


def play(machine: Machine, provenance: Provenance) -> Trajectory:
    """One whole episode."""
    return next(play_many(catalogue.make(provenance.player.name), [(machine, provenance)]))


def _play_tasks(
    player: Player,
    machine_of: Callable[[str], Machine],
    manifest: Manifest,
    tasks: Iterable[Task],
    batch: int,
    passing: Passing,
) -> Iterator[Played]:
    """The lines of those episodes, in order."""

    def jobs() -> Iterator[Job]:
        for machine_hash, episode in tasks:
            passing.at(machine_hash)
            machine = machine_of(machine_hash)
            yield machine, planned(machine, manifest, episode)

    for seat in seats_played(player, jobs(), batch):
        yield seat.line(), told_of_episode(seat.best)


class Passing:
    """Passes through worlds, and tidies up every so often: what was worked out of a world holds
    itself together in circles, which nobody looks for while little is thrown away."""

    def __init__(self) -> None:
        self._here = ""
        self._passed = 0

    def at(self, machine_hash: str) -> None:
        """Whoever plays is in this world now."""
        if machine_hash == self._here:
            return
        self._here = machine_hash
        self._passed += 1
        if self._passed % TIDIED == 0:
            give_back()


def played(
    folder: Path,
    manifest: Manifest,
    worlds: Shelf,
    tasks: Iterable[Task],
    workers: int,
    player: str | Player,
    batch: int = 0,
) -> Generator[Played, None, None]:
    """Every episode of `tasks`, in their order, `batch` at once (0: as suits the player).
    Several workers each make a player of their own from its text; a player that is given as
    itself plays here."""
    if workers <= 1:
        seated = catalogue.make(player) if isinstance(player, str) else player
        yield from _play_tasks(seated, worlds.__getitem__, manifest, tasks, batch, Passing())
        return
    if not isinstance(player, str):
        raise RunError("a player that is an object plays in this process: workers=1")
    made = catalogue.make(player)
    for first in islice(worlds, 1):
        prepare(made.guidance, first)
    size = max(BATCH, 4 * (batch or made.width))
    if len(worlds) > workers * AHEAD:
        whole = by_world(tasks, max(size, WHOLE))
        handed: Iterable[Handed] = ((own, worlds.packed(own[0][0])) for own in whole)
    else:
        handed = ((batch, None) for batch in _batches(tasks, size))
    try:
        with worker_pool(workers, _worker_start, (str(folder), player, batch)) as pool:
            for done in _in_order(pool, handed, workers * AHEAD):
                yield from done
    except (BrokenProcessPool, BrokenPipeError) as error:
        raise RunError(
            "a worker process died, or none could be started; what was played is kept: "
            "go on with --resume, or play in this process with --workers 1"
        ) from error


def _batches(tasks: Iterable[Task], size: int) -> Iterator[list[Task]]:
    waiting = iter(tasks)
    while batch := list(islice(waiting, size)):
        yield batch


def by_world(tasks: Iterable[Task], size: int) -> Iterator[list[Task]]:
    """Batches of one world each."""
    for _, own in groupby(tasks, key=itemgetter(0)):
        yield from _batches(own, size)


def _in_order(
    pool: ProcessPoolExecutor, batches: Iterable[Handed], ahead: int
) -> Iterator[list[Played]]:
    """Results in the order of the batches, with at most `ahead` of them waiting."""
    waiting: deque[Future[list[Played]]] = deque()
    for batch, world in batches:
        waiting.append(pool.submit(_worker_play, batch, world))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


@dataclass(slots=True)
class _Worker:
    """What a worker process holds: the run that it helps to write, and a player."""

    run: Run
    player: Player
    batch: int
    machines: OrderedDict[str, Machine]
    passing: Passing

    def machine(self, machine_hash: str) -> Machine:
        if machine_hash not in self.machines:
            self.keep(self.run.machine(machine_hash), KEPT_MACHINES)
        self.machines.move_to_end(machine_hash)
        return self.machines[machine_hash]

    def take(self, world: Packed) -> None:
        """A world that was handed over, for the episodes that come with it."""
        if world.hash not in self.machines:
            self.keep(world.unpacked(), KEPT_HANDED)

    def keep(self, machine: Machine, most: int) -> None:
        self.machines.setdefault(machine.hash, machine)
        if len(self.machines) > most:
            self.machines.popitem(last=False)


_worker: _Worker | None = None


def _worker_start(folder: str, player: str, batch: int) -> None:
    global _worker
    _worker = _Worker(Run(Path(folder)), catalogue.make(player), batch, OrderedDict(), Passing())


def _worker_play(batch: list[Task], world: Packed | None) -> list[Played]:
    assert _worker is not None
    if world is not None:
        _worker.take(world)
    given, machine_of, manifest = _worker.batch, _worker.machine, _worker.run.manifest
    return list(_play_tasks(_worker.player, machine_of, manifest, batch, given, _worker.passing))
