"""What the trajectories of runs are like: lengths, errors, yields, diversity.

In: trajectories, one at a time. Out: numbers, as JSON values and for tables and plots. What is
kept of a trajectory is a few integers; diversity is measured on a sample of fixed size.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field

from worldengine.curation.diversity import Diversity, Sample, diversity
from worldengine.curation.filters import KINDS, size
from worldengine.curation.mistakes import AGENTREFINE, Mistakes, share
from worldengine.curation.plays import Plays, hash_of
from worldengine.rollout.trajectory import Trajectory

TEXT_LIMIT = 20_000
"""Characters of a world's own text that are kept for comparing worlds."""
QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


@dataclass(slots=True)
class World:
    """One world's yield. `text` is what the world itself said, up to TEXT_LIMIT."""

    name: str
    machine_hash: str
    trajectories: int = 0
    won: int = 0
    accepted: int = 0
    turns: int = 0
    pairs: int = 0
    starts: set[int] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    plays: set[int] = field(default_factory=set)
    text: str = ""

    def told(self) -> dict[str, object]:
        count = max(self.trajectories, 1)
        return {
            "world": self.name,
            "machine_hash": self.machine_hash,
            "trajectories": self.trajectories,
            "starts": len(self.starts),
            "won": self.won,
            "accepted": self.accepted,
            "yield": round(self.accepted / count, 4),
            "mean_turns": round(self.turns / count, 2),
            "refinements": self.pairs,
            "refusals": {kind: self.kinds[kind] for kind in KINDS},
            "distinct_plays": len(self.plays),
        }


class Numbers:
    """Whole numbers with their spread."""

    def __init__(self) -> None:
        self.values = array("q")

    def add(self, value: int) -> None:
        self.values.append(value)

    def told(self) -> dict[str, object]:
        """Mean and quantiles (nearest rank)."""
        ordered = sorted(self.values)
        if not ordered:
            return {"count": 0, "mean": None, "quantiles": {}}
        last = len(ordered) - 1
        return {
            "count": len(ordered),
            "mean": round(sum(ordered) / len(ordered), 3),
            "quantiles": {f"{at:g}": ordered[round(at * last)] for at in QUANTILES},
        }


class Statistics:
    """Filled by `add`; read by `told`, tables and plots."""

    def __init__(self, sample: int = 5000) -> None:
        self.trajectories = 0
        self.turns = Numbers()
        self.characters = Numbers()
        self.reply_words = Numbers()
        self.pairs = Numbers()
        self.recovery = Numbers()
        """Turns from a refusal to the turn that set it right."""
        self.kinds: Counter[str] = Counter()
        self.mended: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.rewrites: Counter[str] = Counter()
        """What became of thoughts that a model was to reword."""
        self.mistakes = Mistakes()
        self.plays = Plays()
        self.worlds: dict[str, World] = {}
        self._thoughts = Sample(sample)
        self._actions = Sample(sample)

    def add(self, trajectory: Trajectory) -> None:
        """One trajectory more."""
        counts = trajectory.counts
        self.trajectories += 1
        self.statuses[trajectory.status] += 1
        self.turns.add(counts.turns)
        self.characters.add(size(trajectory))
        self.pairs.add(len(trajectory.refinements))
        for pair in trajectory.refinements:
            self.recovery.add(pair.recovered - pair.refused)
            self.mended[trajectory.turns[pair.refused].outcome] += 1
        self.mistakes.add(trajectory)
        self.plays.add(trajectory)
        own = " ".join(dict.fromkeys(turn.command for turn in trajectory.turns))
        for turn in trajectory.turns:
            self.kinds[turn.outcome] += 1
            self.reply_words.add(len(turn.reply.split()))
            if turn.notes is not None and turn.notes.rewrite:
                self.rewrites[turn.notes.rewrite] += 1
            key = f"{trajectory.id}|{turn.index}"
            if turn.thought:
                self._thoughts.offer(key, turn.thought, turn.command, own)
            self._actions.offer(key, turn.command)
        self._world(trajectory)

    def _world(self, trajectory: Trajectory) -> None:
        counts, key = trajectory.counts, trajectory.machine_hash
        world = self.worlds.setdefault(key, World(trajectory.world, key))
        world.trajectories += 1
        world.won += trajectory.status == "won"
        world.accepted += trajectory.wanted
        world.turns += counts.turns
        world.pairs += len(trajectory.refinements)
        world.starts.add(trajectory.variant)
        world.kinds.update({"parameter": counts.parameter, "place": counts.place})
        world.kinds["logic"] += counts.logic
        world.plays.add(hash_of(turn.command for turn in trajectory.turns))
        if len(world.text) < TEXT_LIMIT:
            said = [] if world.text else [trajectory.prompt]
            said += [trajectory.opening, *(turn.observation for turn in trajectory.turns)]
            world.text = (world.text + "\n" + "\n".join(said))[:TEXT_LIMIT]

    def thoughts(self, most: int | None = None) -> Diversity:
        """Of the thoughts that were sampled, of `most` of them at most."""
        return diversity(self._thoughts, most)

    def actions(self) -> Diversity:
        return diversity(self._actions)

    def told(self) -> dict[str, object]:
        """Everything but the similarity of worlds, with stable keys."""
        refused = sum(self.kinds[kind] for kind in KINDS)
        turns = sum(self.kinds.values())
        return {
            "trajectories": self.trajectories,
            "statuses": dict(sorted(self.statuses.items())),
            "turns": self.turns.told(),
            "characters": self.characters.told(),
            "reply_words": self.reply_words.told(),
            "refinements": self.pairs.told(),
            "turns_to_recovery": self.recovery.told(),
            "errors": {
                kind: {
                    "turns": self.kinds[kind],
                    "share_of_errors": share(self.kinds[kind], refused),
                    "recovered": share(self.mended[kind], self.kinds[kind]),
                }
                for kind in KINDS
            },
            "refused_share": share(refused, turns),
            "mistakes": self.mistakes.told(),
            "agentrefine": AGENTREFINE,
            "rewrites": dict(sorted(self.rewrites.items())),
            "thoughts": self.thoughts().told(),
            "actions": self.actions().told(),
            "plays": self.plays.told(),
            "distinct_plays": sum(len(world.plays) for world in self.worlds.values()),
            "worlds": [world.told() for world in self.worlds.values()],
        }
