"""Continuous batching: a player's seats are kept full while episodes begin and end.

In: a player and episodes to play, of any worlds and variants. Out: their trajectories in
the order asked for. An episode that ends frees its seat at once for the next; those that
end before an earlier one wait, and no more than AHEAD times the seats are under way or
waiting, so memory does not grow with the number of episodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import starmap

from worldengine.machine import Machine
from worldengine.players.protocol import Each, Ending, Player, PlayerError, Retrying, Start
from worldengine.players.reply import Reply
from worldengine.rollout.episode import Episode
from worldengine.rollout.guides import guide
from worldengine.rollout.seeds import generator
from worldengine.rollout.trajectory import AttemptRecord, Provenance, Trajectory

AHEAD = 4

Job = tuple[Machine, Provenance]


class Seat:
    """One episode under way, from its first attempt to its last."""

    def __init__(self, order: int, slot: int, job: Job) -> None:
        self.order = order
        self.slot = slot
        self.attempt = -1
        self._machine, self._provenance = job
        self._best: Episode | None = None
        self._attempts: list[tuple[Episode, str]] = []
        self.episode: Episode

    def start(self) -> Start:
        """The next attempt; the first one's chance is the episode's own."""
        self.attempt += 1
        origin = self._provenance
        purpose = "player" if self.attempt == 0 else f"player, attempt {self.attempt}"
        random = generator(origin.seed, origin.machine_hash, origin.episode, purpose)
        self.episode = Episode(self._machine, origin)
        given = guide(self._machine, origin, random)
        view = self.episode.view(self.slot)
        return Start(view, random, given, self.attempt, origin.machine_hash)

    def take(self, reply: Reply) -> bool:
        """One turn; whether it ended the attempt, or the player leaves with it."""
        self.episode.play(reply)
        over = self.episode.over or reply.last
        if over and (self._best is None or _worth(self.episode) > _worth(self._best)):
            self._best = self.episode
        return over

    def ending(self) -> Ending:
        episode = self.episode
        return Ending(episode.view(self.slot), episode.status, episode.progress, self.attempt)

    def close(self, lesson: str | None) -> bool:
        """The attempt is over, and leaves a lesson or, being the last, None; whether there is
        to be another."""
        self._attempts.append((self.episode, lesson or ""))
        return lesson is not None

    @property
    def best(self) -> Episode:
        """The best attempt."""
        assert self._best is not None
        return self._best

    def trajectory(self) -> Trajectory:
        """The best attempt, with the record of all."""
        trajectory = self.best.trajectory()
        if len(self._attempts) == 1:
            return trajectory
        return trajectory.model_copy(update={"attempts": tuple(starmap(_attempt, self._attempts))})

    def line(self) -> str:
        """The trajectory as a line of a run."""
        return self.best.line() if len(self._attempts) == 1 else self.trajectory().line()


def _attempt(episode: Episode, lesson: str) -> AttemptRecord:
    return AttemptRecord(
        status=episode.status, progress=episode.progress, turns=episode.length, lesson=lesson
    )


def _worth(episode: Episode) -> tuple[bool, float, int]:
    return episode.status == "won", episode.progress, -episode.length


def play_many(player: Player, jobs: Iterable[Job], width: int = 0) -> Iterator[Trajectory]:
    """The trajectory of every job, in their order. `width` is the number of seats; 0 leaves
    it to the player. PlayerError from a player that cannot go on."""
    for seat in seats_played(player, jobs, width):
        yield seat.trajectory()


def seats_played(player: Player, jobs: Iterable[Job], width: int = 0) -> Iterator[Seat]:
    """The same, before any record is made."""
    width = max(width or player.width, 1)
    waiting = enumerate(jobs)
    if width == 1 and isinstance(player, Each):
        yield from _alone(player, waiting)
        return
    free = list(range(width - 1, -1, -1))
    seats: dict[int, Seat] = {}
    done: dict[int, Seat] = {}
    retrying = player if isinstance(player, Retrying) else None
    first, begun, more = 0, 0, True
    while True:
        fresh: list[Seat] = []
        while free and more and begun < first + width * AHEAD:
            job = next(waiting, None)
            if job is None:
                more = False
                break
            begun += 1
            seat = Seat(job[0], free.pop(), job[1])
            seats[seat.slot] = seat
            fresh.append(seat)
        if fresh:
            player.reset([seat.start() for seat in fresh])
        if not seats:
            return
        _turn(player, retrying, seats, free, done)
        while first in done:
            yield done.pop(first)
            first += 1


def _alone(player: Each, waiting: Iterator[tuple[int, Job]]) -> Iterator[Seat]:
    """The same for a single seat: the player that sits there has it to itself."""
    for order, job in waiting:
        seat = Seat(order, 0, job)
        player.reset([seat.start()])
        view, act, take = seat.episode.view, player.solo(0).act, seat.take
        while not take(act(view())):
            pass
        seat.close(None)
        yield seat


def _turn(
    player: Player,
    retrying: Retrying | None,
    seats: dict[int, Seat],
    free: list[int],
    done: dict[int, Seat],
) -> None:
    """One turn of every seat; what ended is done, or begins again."""
    playing = [seats[slot] for slot in sorted(seats)]
    replies = player.act([seat.episode.view(seat.slot) for seat in playing])
    if len(replies) != len(playing):
        raise PlayerError(
            f"the player {player.name} gave {len(replies)} replies to {len(playing)} views"
        )
    over = [
        seat
        for seat, reply in zip(playing, replies, strict=True)
        if reply is not None and seat.take(reply)
    ]
    if not over:
        return
    lessons: Sequence[str | None] = [None] * len(over)
    if retrying is not None:
        lessons = retrying.again([seat.ending() for seat in over])
    restarted: list[Seat] = []
    for seat, lesson in zip(over, lessons, strict=True):
        if seat.close(lesson):
            restarted.append(seat)
        else:
            done[seat.order] = seat
            del seats[seat.slot]
            free.append(seat.slot)
    if restarted:
        player.reset([seat.start() for seat in restarted])
