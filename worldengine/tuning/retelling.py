"""A trajectory without its refused turns: the same accepted commands, played again.

In: a Machine, a trajectory, a seed. Out: the trajectory that the accepted commands give. A
refused command changes nothing, so every observation, score and ending stays as it was; only
the limit of turns is farther away. Thoughts before the first refused turn stay, word by
word. Those after it may speak of what is no longer there ("refused: the door is locked"), so
they are worded anew from the shortened history, in the explorer's voice; a turn that had no
thought gets none. The result holds against its Machine as any trajectory does.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from worldengine.machine import Machine
from worldengine.players.reply import Mistake, Reply, read, write
from worldengine.players.thoughts.intention import Intention
from worldengine.players.thoughts.musing import Musing
from worldengine.players.view import View
from worldengine.rollout.episode import Episode
from worldengine.rollout.seeds import generator
from worldengine.rollout.trajectory import Trajectory, TurnRecord, provenance_of

LOOKING = ("look", "examine", "read", "inventory")


class RetellingError(ValueError):
    """The accepted commands alone do not lead where the trajectory went."""


def without_refusals(machine: Machine, trajectory: Trajectory, seed: int = 0) -> Trajectory:
    """The trajectory without its refused turns; itself if it has none. See the module."""
    kept = tuple(turn for turn in trajectory.turns if turn.outcome == "ok")
    if len(kept) == len(trajectory.turns):
        return trajectory
    first = next(turn.index for turn in trajectory.turns if turn.outcome != "ok")
    random = generator(seed, trajectory.id, trajectory.episode, "retelling")
    episode = Episode(machine, provenance_of(trajectory))
    musing = Musing(random, "full")
    for turn in kept:
        if episode.over:
            raise RetellingError(f"{trajectory.id} ends before its turn {turn.index + 1}")
        reply = read(turn.reply)
        if turn.index > first:
            reply = _worded(turn, episode.view(), musing)
        # What a repetition repeats is gone; the other marks stay, for masks that go by them.
        mark: Mistake = "" if turn.mistake == "repeat" else turn.mistake
        taken = episode.take(replace(reply, mistake=mark))
        if taken.outcome != "ok" or taken.status == "truncated":
            raise RetellingError(f"turn {turn.index + 1} of {trajectory.id} is {taken.outcome}")
    return episode.trajectory()


def without_thoughts(machine: Machine, trajectory: Trajectory) -> Trajectory:
    """The same commands, refused ones too, each said without a thought."""
    episode = Episode(machine, provenance_of(trajectory))
    for turn in trajectory.turns:
        reply = write("", turn.command) if turn.command else read(turn.reply)
        episode.take(replace(reply, mistake=turn.mistake))
    return episode.trajectory()


def _worded(turn: TurnRecord, view: View, musing: Musing) -> Reply:
    if not turn.thought:
        return write("", turn.command)
    looks = view.phrase(turn.command).do.startswith(LOOKING)
    intention = Intention(turn.command, "ask" if looks else "plan", turn.command)
    return write(musing.about(intention, view), turn.command)


def chance(seed: int, trajectory: Trajectory, purpose: str) -> Random:
    """A generator of one trajectory's own, whatever else is read before or after it."""
    return generator(seed, trajectory.id, trajectory.episode, purpose)
