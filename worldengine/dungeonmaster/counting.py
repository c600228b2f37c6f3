"""How far a Dungeon Master agrees with the Machine, turn by turn and game by game.

In: what is true of a turn, a ruling. Out: shares with intervals, by class of refusal.
Agreement in observation is in words: the share of the words of both that they have in common
(F1 over counted words), and how often the texts are the same up to case and space. An answer
that cannot be read agrees in nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from worldengine.evaluation.intervals import bootstrap, clustered, wilson
from worldengine.evaluation.paired import mean
from worldengine.players.models.master import Said
from worldengine.players.replies.ruling import CLASSES, Ruling

UNREADABLE = "unreadable"


@dataclass(slots=True)
class Counts:
    """`confusion` is by (the Machine's class, the master's), `games` by how a game stood at
    its end for both. `worlds` says of each turn in which world it was."""

    readable: int = 0
    same_text: int = 0
    endings: list[bool] = field(default_factory=list)
    classes: list[bool] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    worlds: list[str] = field(default_factory=list)
    confusion: Counter[tuple[str, str]] = field(default_factory=Counter)
    games: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def turns(self) -> int:
        return len(self.worlds)

    def add(self, truth: Said, ruling: Ruling, world: str) -> None:
        """One turn."""
        observation = ruling.observation if ruling.readable else ""
        self.readable += ruling.readable
        self.same_text += ruling.readable and plain(observation) == plain(truth.observation)
        self.endings.append(ruling.readable and ruling.ending == truth.ending)
        self.classes.append(ruling.readable and ruling.outcome == truth.outcome)
        self.words.append(common_words(truth.observation, observation) if ruling.readable else 0.0)
        self.worlds.append(world)
        said = ruling.outcome if ruling.readable else UNREADABLE
        self.confusion[truth.outcome, said] += 1

    def told(self) -> dict[str, Any]:
        """With the keys that others rely on: turns, agreement."""
        turns = self.turns
        agreement = {
            "class": mean([float(each) for each in self.classes]),
            "observation": mean(self.words),
            "same_observation": self.same_text / turns if turns else None,
            "ending": mean([float(each) for each in self.endings]),
        }
        intervals = {
            "class": wilson(sum(self.classes), turns),
            "observation": bootstrap(self.words),
            "ending": wilson(sum(self.endings), turns),
        }
        if len(set(self.worlds)) > 1:
            of_class = [float(each) for each in self.classes]
            intervals["class_by_worlds"] = clustered(of_class, self.worlds)
        return {
            "turns": turns,
            "readable": self.readable / turns if turns else None,
            "agreement": agreement,
            "ci": intervals,
            "by_class": {name: self._of_class(name) for name in CLASSES},
            "games": [
                {"machine": machine, "master": master, "games": number}
                for (machine, master), number in sorted(self.games.items())
            ],
        }

    def _of_class(self, name: str) -> dict[str, Any]:
        row = {said: n for (true, said), n in sorted(self.confusion.items()) if true == name}
        turns, same = sum(row.values()), row.get(name, 0)
        return {
            "turns": turns,
            "agreement": same / turns if turns else None,
            "ci": wilson(same, turns),
            "said": row,
        }


def common_words(one: str, other: str) -> float:
    """F1 over counted words, 1 for two empty texts."""
    first, second = Counter(plain(one).split()), Counter(plain(other).split())
    if not first and not second:
        return 1.0
    shared = sum((first & second).values())
    return 2 * shared / (sum(first.values()) + sum(second.values()))


def plain(text: str) -> str:
    return " ".join(text.lower().split())
