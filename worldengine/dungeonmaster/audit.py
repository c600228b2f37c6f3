"""`audit-dm`: a Dungeon Master against the Machine, on the same script and commands.

In: a world, its script, plays of it, a master. Out: how often the two agree, by class of
refusal, in observation and in ending; what it cost. Two ways of keeping the game:

- told: before each command the master is given the true history, so every turn is judged by
  itself;
- free: it is given its own, as a Dungeon Master has nothing else. What it got wrong once goes
  on, and agreement is counted turn by turn until the Machine's game is over.

Agreement in observation is in words: the share of the words of both that they have in common
(F1 over counted words), and how often the texts are the same up to case and space.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from worldengine.dungeonmaster.master import CLASSES, Master, Ruling, Said
from worldengine.evaluation.intervals import bootstrap, wilson
from worldengine.evaluation.paired import mean
from worldengine.machine import Machine
from worldengine.models.protocol import Answer, cost
from worldengine.rollout.trajectory import Trajectory
from worldengine.runtime import runtime_of

History = Literal["told", "free"]
Progress = Callable[[int, int], None]


@dataclass(slots=True)
class Counts:
    """What is counted turn by turn. `confusion` is by (the Machine's class, the master's)."""

    turns: int = 0
    readable: int = 0
    endings: int = 0
    same_text: int = 0
    words: list[float] = field(default_factory=list)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    answers: list[Answer] = field(default_factory=list)

    def add(self, truth: Said, ruling: Ruling, answer: Answer) -> None:
        self.turns += 1
        self.readable += ruling.readable
        self.endings += ruling.readable and ruling.ending == truth.ending
        self.same_text += _plain(ruling.observation) == _plain(truth.observation)
        self.words.append(common_words(truth.observation, ruling.observation))
        self.confusion[truth.outcome, ruling.outcome if ruling.readable else "unreadable"] += 1
        self.answers.append(answer)


def audit(
    machine: Machine,
    plays: Sequence[Trajectory],
    master: Master,
    history: History = "told",
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The whole audit with the keys that others rely on: turns, agreement, cost."""
    began = time.perf_counter()
    counts = Counts()
    total = sum(len(play.turns) for play in plays)
    games = [_Game(machine, play, history) for play in plays]
    while going := [game for game in games if not game.over]:
        rulings = master.rule([game.asked() for game in going])
        for game, (ruling, answer) in zip(going, rulings, strict=True):
            counts.add(game.take(ruling), ruling, answer)
        if progress is not None:
            progress(counts.turns, total)
    seconds = time.perf_counter() - began
    return _told(counts, master, history, seconds, _machine_seconds(machine, plays))


class _Game:
    """One play, command by command."""

    def __init__(self, machine: Machine, play: Trajectory, history: History) -> None:
        self._opening = play.opening
        self._truth = list(_true(machine, play))
        self._free = history == "free"
        self._past: list[Said] = []
        self._at = 0

    @property
    def over(self) -> bool:
        return self._at >= len(self._truth)

    def asked(self) -> tuple[str, Sequence[Said], str]:
        return self._opening, self._past, self._truth[self._at].command

    def take(self, ruling: Ruling) -> Said:
        """Goes on by one command; what was true of it."""
        truth = self._truth[self._at]
        self._at += 1
        if self._free:
            said = Said(truth.command, ruling.observation, ruling.outcome, ruling.ending)
            self._past.append(said)
        else:
            self._past.append(truth)
        return truth


def _true(machine: Machine, play: Trajectory) -> Iterator[Said]:
    """The commands of a play with what the Machine does; turn limits are not the master's."""
    runtime = runtime_of(machine)
    state = machine.start(play.variant)
    for turn in play.turns:
        done = runtime.step(state, turn.command)
        yield Said(turn.command, done.observation, done.outcome_name, done.status)
        state = done.state
        if done.status != "running":
            return


def _machine_seconds(machine: Machine, plays: Sequence[Trajectory]) -> float:
    """How long the Machine takes for the same turns."""
    began = time.perf_counter()
    for play in plays:
        for _ in _true(machine, play):
            pass
    return time.perf_counter() - began


def _told(
    counts: Counts, master: Master, history: History, seconds: float, machine: float
) -> dict[str, Any]:
    by_class: dict[str, Any] = {}
    right = 0
    for name in CLASSES:
        row = {said: n for (true, said), n in sorted(counts.confusion.items()) if true == name}
        turns = sum(row.values())
        same = row.get(name, 0)
        right += same
        by_class[name] = {
            "turns": turns,
            "agreement": same / turns if turns else None,
            "ci": wilson(same, turns),
            "said": row,
        }
    turns = counts.turns
    return {
        "model": master.model.name,
        "history": history,
        "turns": turns,
        "readable": counts.readable / turns if turns else None,
        "agreement": {
            "class": right / turns if turns else None,
            "observation": mean(counts.words),
            "same_observation": counts.same_text / turns if turns else None,
            "ending": counts.endings / turns if turns else None,
        },
        "ci": {
            "class": wilson(right, turns),
            "observation": bootstrap(counts.words),
            "ending": wilson(counts.endings, turns),
        },
        "by_class": by_class,
        "cost": {
            "dollars": cost(master.model, counts.answers),
            "prompt_tokens": sum(answer.prompt_tokens for answer in counts.answers),
            "completion_tokens": sum(answer.completion_tokens for answer in counts.answers),
            "seconds": round(seconds, 3),
            "turns_per_second": round(turns / seconds, 2) if seconds else None,
            "machine_turns_per_second": round(turns / machine, 1) if machine else None,
        },
    }


def common_words(one: str, other: str) -> float:
    """F1 over counted words, 1 for two empty texts."""
    first, second = Counter(_plain(one).split()), Counter(_plain(other).split())
    if not first and not second:
        return 1.0
    shared = sum((first & second).values())
    return 2 * shared / (sum(first.values()) + sum(second.values()))


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
