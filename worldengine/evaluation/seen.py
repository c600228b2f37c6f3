"""What a trained model has seen of the starts it is tested on.

In: a player as text, the starts that are played. Out: a sentence's worth of facts: how many
of the starts were trained on or used to choose the checkpoint, how many worlds were. Only a
model folder that `train` wrote can tell; built-in programs were not trained; of any other
player nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from worldengine.documents import DocumentError, json_of
from worldengine.players.spec import Spec, parse

UNTRAINED = frozenset({"expert", "explorer", "random"})
"""Players that are programs: nothing of them was trained."""
UNKNOWN = "unknown: nothing says what this player was trained on"
NOT_TRAINED = "not trained"


def seen(player: str, starts: Iterable[tuple[str, int]]) -> dict[str, Any]:
    """`split` words the claim that results may make."""
    spec = _innermost(parse(player))
    record = _record(spec)
    played = sorted(set(starts))
    if record is None:
        return {"split": NOT_TRAINED if spec.name in UNTRAINED else UNKNOWN}
    trained = _starts(record.get("train", {}))
    judged = _starts(record.get("validation", {}))
    worlds = {world for world, _ in trained}
    told = {
        "starts": len(played),
        "trained_on": sum(start in trained for start in played),
        "checkpoint_chosen_on": sum(start in judged for start in played),
        "worlds": len({world for world, _ in played}),
        "worlds_trained_on": len({world for world, _ in played if world in worlds}),
    }
    return {"split": _split(told, int(record.get("rows_of_unknown_starts", 0)))} | told


def _split(told: dict[str, int], unknown: int) -> str:
    if unknown:
        return f"unknown: {unknown} training rows do not say where they were played"
    if told["trained_on"] or told["checkpoint_chosen_on"]:
        return "seen: some of these starts were trained on, or chose the checkpoint"
    if told["worlds_trained_on"] == told["worlds"]:
        return "unseen starts of worlds that were trained on"
    if told["worlds_trained_on"]:
        return "unseen starts, of worlds of which some were trained on"
    return "unseen worlds"


def _innermost(spec: Spec) -> Spec:
    while spec.inner is not None:
        spec = spec.inner
    return spec


def _record(spec: Spec) -> dict[str, Any] | None:
    path = Path(spec.argument) / "trained_on.json"
    if spec.name != "hf" or not path.is_file():
        return None
    try:
        found = json_of(path)
    except DocumentError:
        return None
    return found if isinstance(found, dict) else None


def _starts(by_world: Any) -> set[tuple[str, int]]:
    if not isinstance(by_world, dict):
        return set()
    return {(world, variant) for world, variants in by_world.items() for variant in variants}
