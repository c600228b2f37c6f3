"""`audit-dm`: a Dungeon Master against the Machine, on the same script and commands.

In: a world, its script, plays of it, a master. Out: how often the two agree, by class of
refusal, in observation and in ending; what it cost. Two ways of keeping the game:

- told: before each command the master is given the true history, so every turn is judged by
  itself;
- free: it is given its own, as a Dungeon Master has nothing else. What it got wrong once goes
  on, and agreement is counted turn by turn until the Machine's game is over.

An answer that failed (no room, no server) is no ruling: it is counted by itself and ends its
game. What was played with a model in the chair (`--player dm:…`) is counted by `recorded`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from worldengine.dungeonmaster.counting import Counts
from worldengine.machine import Machine
from worldengine.models.protocol import Answer, cost
from worldengine.players.models.master import Case, Master, Said, said
from worldengine.players.replies.ruling import Ruling
from worldengine.rollout.storage import Run, RunError
from worldengine.rollout.trajectory import Trajectory
from worldengine.runtime import runtime_of

History = Literal["told", "free"]
Progress = Callable[[int, int], None]


class AuditError(ValueError):
    """There is nothing that could be counted; the message is for people."""


def audit(
    machine: Machine,
    script: str,
    plays: Sequence[Trajectory],
    master: Master,
    history: History = "told",
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The whole audit with the keys that others rely on: turns, agreement, cost."""
    began = time.perf_counter()
    counts = Counts()
    answers: list[Answer] = []
    total = sum(len(play.turns) for play in plays)
    games = [_Game(machine, script, play, history == "free") for play in plays]
    while going := [game for game in games if not game.over]:
        rulings = master.rule([game.case() for game in going])
        for game, (ruling, answer) in zip(going, rulings, strict=True):
            answers.append(answer)
            if answer.ended == "failed":
                game.stop(answer.failure)
            else:
                counts.add(game.take(ruling), ruling, machine.hash)
        if progress is not None:
            progress(min(len(answers), total), total)
    seconds = time.perf_counter() - began
    for game in games:
        if not game.failure:
            counts.games[game.ended] += 1
    failures = [game.failure for game in games if game.failure]
    if failures and not counts.turns:
        raise AuditError(f"{master.model.name} answered nothing: {failures[0]}")
    taken = {
        "dollars": cost(master.model, answers),
        "prompt_tokens": sum(answer.prompt_tokens for answer in answers),
        "completion_tokens": sum(answer.completion_tokens for answer in answers),
        "seconds": round(seconds, 3),
        "turns_per_second": round(counts.turns / seconds, 2) if seconds else None,
        "machine_turns_per_second": _machine_speed(machine, plays),
    }
    return {
        "model": master.model.name,
        "history": history,
        **counts.told(),
        "failed": len(failures),
        "failure": failures[0] if failures else "",
        "cost": taken,
    }


def recorded(run: Run) -> dict[str, Any]:
    """The same of a run that was played with a model in the chair, from what is on record:
    no model is asked again. The history was the master's own. RunError for another run."""
    counts = Counts()
    rulings: list[Ruling] = []
    worlds: dict[str, Counts] = {}
    for row in run.rows():
        if row.trajectory is None:
            raise RunError(f"{run.folder}, {row.where}: {row.problem}")
        machine = run.machine(row.trajectory.machine_hash)
        own = worlds.setdefault(machine.hash, Counts())
        last = ("running", "running")
        for truth, turn in zip(
            true_turns(machine, row.trajectory), row.trajectory.turns, strict=True
        ):
            if turn.notes is None or turn.notes.ruling is None:
                raise RunError(
                    f"{run.folder} was played with the Machine as Dungeon Master: there is "
                    "nothing to compare; play with --player dm:MODEL@URL"
                )
            ruling = turn.notes.ruling.ruling()
            rulings.append(ruling)
            for each in (counts, own):
                each.add(truth, ruling, machine.hash)
            last = (truth.ending, ruling.ending or last[1])
        for each in (counts, own):
            each.games[last] += 1
    names = {world.machine_hash: world.name for world in run.manifest.worlds}
    return {
        "model": run.manifest.player.name,
        "history": "free",
        **counts.told(),
        "by_world": {names[world]: own.told() for world, own in sorted(worlds.items())},
        "cost": {
            "dollars": round(sum(ruling.cost for ruling in rulings), 6) or None,
            "prompt_tokens": sum(ruling.prompt_tokens for ruling in rulings),
            "completion_tokens": sum(ruling.reply_tokens for ruling in rulings),
        },
    }


class _Game:
    """One play, command by command. `ended` is how it stands for the Machine and the master."""

    def __init__(self, machine: Machine, script: str, play: Trajectory, free: bool) -> None:
        self._script, self._opening = script, play.opening
        self._truth = list(true_turns(machine, play))
        self._free = free
        self._past: list[Said] = []
        self._at = 0
        self.ended = ("running", "running")
        self.failure = ""

    @property
    def over(self) -> bool:
        return bool(self.failure) or self._at >= len(self._truth)

    def case(self) -> Case:
        return Case(self._script, self._opening, tuple(self._past), self._truth[self._at].command)

    def stop(self, failure: str) -> None:
        self.failure = failure

    def take(self, ruling: Ruling) -> Said:
        """Goes on by one command; what was true of it."""
        truth = self._truth[self._at]
        self._at += 1
        self._past.append(said(truth.command, ruling) if self._free else truth)
        self.ended = (truth.ending, ruling.ending or self.ended[1])
        return truth


def true_turns(machine: Machine, play: Trajectory) -> Iterator[Said]:
    """The commands of a play with what the Machine does; turn limits are not the master's."""
    runtime = runtime_of(machine)
    state = machine.start(play.variant)
    for turn in play.turns:
        done = runtime.step(state, turn.command)
        yield Said(turn.command, done.observation, done.outcome_name, done.status)
        state = done.state
        if done.status != "running":
            return


def _machine_speed(machine: Machine, plays: Sequence[Trajectory]) -> float | None:
    """Turns a second of the Machine, reference interpreter, for the same commands."""
    began = time.perf_counter()
    turns = sum(1 for play in plays for _ in true_turns(machine, play))
    seconds = time.perf_counter() - began
    return round(turns / seconds, 1) if seconds else None
