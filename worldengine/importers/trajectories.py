"""Transcripts → a run: their replies are played in a world, and what it answers is recorded.

In: transcripts, a Machine, a folder. Out: a run as `rollout` writes it, so that `verify`,
`diagnose` and `export` serve it. A thought without a command joins the next turn. Which start
a transcript was made in is not written in it; the one in which most of it is accepted is taken.
A record of this program is played as it was said, reply by reply, in the start it names if that
is this Machine's. What is not taken over is counted: messages that hold nothing to play, and
commands after the game's end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import worldengine
from worldengine.importers.transcripts import Transcript, Turn
from worldengine.machine import Machine
from worldengine.players.reply import Reply, write
from worldengine.players.reply import read as read_reply
from worldengine.rollout.episode import Episode
from worldengine.rollout.storage import Manifest, WorldRecord
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory
from worldengine.rollout.writing import Writer
from worldengine.runtime import runtime_of

MAX_STARTS = 64


@dataclass(frozen=True)
class Taken:
    """What became of the transcripts."""

    trajectories: int
    won: int
    turns: int
    accepted: int
    unread: int = 0
    after_end: int = 0

    def told(self) -> dict[str, int]:
        return {
            "trajectories": self.trajectories,
            "won": self.won,
            "turns": self.turns,
            "accepted": self.accepted,
            "unread": self.unread,
            "after_end": self.after_end,
        }


def replies(turns: Sequence[Turn]) -> list[Reply]:
    """One reply a command, with every thought since the last."""
    found: list[Reply] = []
    thoughts: list[str] = []
    for thought, command in turns:
        if thought:
            thoughts.append(thought)
        if command:
            found.append(write(" ".join(thoughts), command))
            thoughts = []
    return found


def said_in(transcript: Transcript) -> list[Reply]:
    """The replies of a transcript: as they were written, where it has them so."""
    if transcript.said is None:
        return replies(transcript.turns)
    return [read_reply(text) for text in transcript.said]


def best_start(machine: Machine, said: Sequence[Reply]) -> int:
    """The start in which most commands are accepted; the first of several."""
    runtime = runtime_of(machine)

    def accepted(variant: int) -> int:
        state, count = machine.start(variant), 0
        for reply in said[: machine.turns]:
            turn = runtime.step(state, reply.command)
            state, count = turn.state, count + turn.accepted
            if turn.status != "running":
                break
        return count

    return max(range(min(len(machine.variants), MAX_STARTS)), key=lambda v: (accepted(v), -v))


def _start(machine: Machine, transcript: Transcript, said: Sequence[Reply]) -> int:
    if transcript.start is not None:
        machine_hash, variant = transcript.start
        if machine_hash == machine.hash and 0 <= variant < len(machine.variants):
            return variant
    return best_start(machine, said)


def episode(machine: Machine, transcript: Transcript, number: int) -> Trajectory:
    """One transcript played in the world, as far as the world goes along."""
    said = said_in(transcript)
    player = PlayerRecord(name="imported", settings={"transcript": transcript.name[:200]})
    origin = Provenance(
        machine_hash=machine.hash,
        variant=_start(machine, transcript, said),
        seed=0,
        episode=number,
        player=player,
        command_set="known",
    )
    played = Episode(machine, origin)
    for reply in said:
        if played.over:
            break
        played.take(reply)
    return played.trajectory()


def import_trajectories(transcripts: Sequence[Transcript], machine: Machine, folder: Path) -> Taken:
    """Writes the run. The folder must be new or empty."""
    manifest = Manifest(
        program=worldengine.__version__,
        player=PlayerRecord(name="imported"),
        command_set="known",
        seed=0,
        episodes=len(transcripts),
        variant=None,
        imported=True,
        worlds=(WorldRecord(name=machine.name, machine_hash=machine.hash),),
    )
    won = turns = accepted = after = 0
    with Writer(folder, manifest, (machine,)) as writer:
        for number, transcript in enumerate(transcripts):
            trajectory = episode(machine, transcript, number)
            writer.append(trajectory.line())
            won += trajectory.status == "won"
            turns += trajectory.counts.turns
            accepted += trajectory.counts.accepted
            after += len(said_in(transcript)) - trajectory.counts.turns
    unread = sum(transcript.unread for transcript in transcripts)
    return Taken(len(transcripts), won, turns, accepted, unread, after)
