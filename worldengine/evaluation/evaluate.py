"""`evaluate`: players on worlds, with everything that is claimed counted.

In: worlds with their wordings, players, how to play. Out: one report as a plain dictionary,
the same bytes for the same seeds and players. It has a summary for each player and wording,
by family, world and difficulty, comparisons of the players on the same starts, and what was
asked of them word for word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import worldengine
from worldengine.evaluation.difficulty import difficulty
from worldengine.evaluation.formats import prompt
from worldengine.evaluation.intervals import bootstrap
from worldengine.evaluation.metrics import Figures
from worldengine.evaluation.paired import compare
from worldengine.evaluation.playing import (
    PLAIN,
    EvaluationError,
    Playing,
    World,
    play,
    starts_there,
)
from worldengine.evaluation.seen import seen
from worldengine.evaluation.summary import best_of, grouped, summary

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Played:
    """The episodes of one player, by wording."""

    player: str
    by_words: dict[str, list[Figures]]


def evaluate(
    worlds: Sequence[World],
    players: Sequence[str],
    playing: Playing,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The whole report. Worlds without a start in the part are left out and named in it.
    EvaluationError for what cannot be played, and where no world is left."""
    if not worlds or not players:
        raise EvaluationError("name at least one world and one player")
    if len(set(players)) != len(players):
        raise EvaluationError("the same player is named twice")
    plain = [world for world in worlds if world.words == PLAIN]
    out = [world.machine.name for world in plain if not starts_there(playing, world)]
    worlds = [world for world in worlds if starts_there(playing, world)]
    if not worlds:
        raise EvaluationError(
            f"none of these worlds has a start that is kept for {playing.part}; play every start "
            "with --part all, or give worlds more starts with `vary`"
        )
    wordings = list(dict.fromkeys(world.words for world in worlds))
    played: list[Played] = []
    for player in players:
        by_words: dict[str, list[Figures]] = {}
        for words in wordings:
            label = player if words == PLAIN else f"{player} in the words of {words}"

            def show(at: int, of: int, label: str = label) -> None:
                if progress is not None:
                    progress(label, at, of)

            some = [world for world in worlds if world.words == words]
            by_words[words] = play(playing, player, some, show)
        played.append(Played(player, by_words))
    return report(worlds, played, playing) | {"left_out": out}


def report(worlds: Sequence[World], played: Sequence[Played], playing: Playing) -> dict[str, Any]:
    """The report of episodes that have been played."""
    plain = [world for world in worlds if world.words == PLAIN]
    first = {
        "format": 1,
        "program": worldengine.__version__,
        "part": playing.part,
        "plays": playing.plays,
        "seed": playing.seed,
        "commands": playing.command_set,
        "reply": playing.form,
        "worlds": [
            {
                "name": world.machine.name,
                "hash": world.machine.hash,
                "family": world.family,
                "starts": len(world.machine.variants),
                "prompt": prompt(world.machine, playing.form),
            }
            for world in plain
        ],
    }
    results = [_result(each, plain, playing) for each in played]
    pairs = [
        {"first": one.player, "second": other.player}
        | compare(one.by_words[PLAIN], other.by_words[PLAIN]).told()
        for at, one in enumerate(played)
        for other in played[at + 1 :]
    ]
    return first | {"players": results, "comparisons": pairs}


def _result(played: Played, worlds: Sequence[World], playing: Playing) -> dict[str, Any]:
    episodes = played.by_words[PLAIN]
    machines = {world.machine.hash: world.machine for world in worlds}
    families = {world.machine.hash: world.family for world in worlds}
    found = {"player": played.player, "seen": seen(played.player, [e.start for e in episodes])}
    found |= summary(episodes)
    found["by_family"] = grouped(episodes, lambda each: families[each.machine_hash])
    found["by_world"] = grouped(episodes, lambda each: each.world)
    found["by_difficulty"] = grouped(
        episodes, lambda each: difficulty(machines[each.machine_hash], each.variant)
    )
    if playing.plays > 1:
        found["best_of"] = best_of(episodes, playing.plays)
    if len(played.by_words) > 1:
        found["robustness"] = _robustness(played)
    return found


def _robustness(played: Played) -> dict[str, Any]:
    """Success in each wording on the same starts; mean and standard deviation over them."""
    plain = played.by_words[PLAIN]
    found: dict[str, Any] = {}
    rates: list[float] = []
    for words, episodes in played.by_words.items():
        told = summary(episodes)
        keys = ("episodes", "success", "progress", "grounding")
        found[words] = {key: told[key] for key in keys} | {"ci": told["ci"]}
        if told["success"] is not None:
            rates.append(told["success"])
        if words != PLAIN:
            found[words]["against_plain"] = compare(plain, episodes).told()
    mean = sum(rates) / len(rates) if rates else None
    spread = None
    if mean is not None and len(rates) > 1:
        spread = math.sqrt(sum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1))
    return {"mean": mean, "deviation": spread, "ci": bootstrap(rates), "by_words": found}
