"""Playing validation starts while a model is trained, to choose its checkpoint.

In: worlds, how many starts. Out: a function from a model's folder to the share of starts it
wins greedily. Test starts are never among them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from worldengine.evaluation.playing import World
from worldengine.machine import Machine
from worldengine.players.catalogue import make
from worldengine.rollout.batching import play_many
from worldengine.rollout.seeds import Part, starts_in
from worldengine.rollout.trajectory import PlayerRecord, Provenance


def jobs(worlds: Sequence[World], part: Part, most: int) -> list[tuple[Machine, Provenance]]:
    """The starts in turns: the first of every world, then the second, and so on."""
    found: list[tuple[Machine, Provenance]] = []
    starts = [starts_in(part, world.machine.shape, len(world.machine.variants)) for world in worlds]
    for round_ in range(max(map(len, starts), default=0)):
        for world, there in zip(worlds, starts, strict=True):
            if round_ < len(there):
                origin = Provenance(
                    machine_hash=world.machine.hash,
                    variant=there[round_],
                    seed=0,
                    episode=round_,
                    player=PlayerRecord(name="validation"),
                    command_set="known",
                )
                found.append((world.machine, origin))
    return found[:most]


def success(
    worlds: Sequence[World], part: Part, most: int, device: str = "", batch: int = 32
) -> Callable[[Path], float]:
    """See the module. ValueError where the worlds have no such starts."""
    wanted = jobs(worlds, part, most)
    if not wanted:
        raise NoValidation("the worlds of [validation] have no validation starts; vary them more")
    where = "" if device in ("", "auto") else f",device={device}"

    def play(folder: Path) -> float:
        player = make(f"hf:{folder},batch={batch},max_tokens=96{where}")
        won = sum(each.status == "won" for each in play_many(player, wanted))
        return won / len(wanted)

    return play


class NoValidation(ValueError):
    """There is nothing to choose a checkpoint on; the message is for people."""
