"""Help from outside, by the name that a player's `guidance` gives it.

In: where an episode comes from. Out: what the player is handed with its `Start`, None where
it leans on nothing. Guides see Machines; the players they are for do not. Whatever is handed
over is named in every trajectory that was played with it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from worldengine.machine import Machine
from worldengine.players.expert import PLAN
from worldengine.players.explorer import BELIEF
from worldengine.proof import winning_plan
from worldengine.rollout.trajectory import Provenance

Guide = Callable[[Machine, Provenance, Random], object]


def _plan(machine: Machine, provenance: Provenance, random: Random) -> object:
    return winning_plan(machine, provenance.variant)


def _belief(machine: Machine, provenance: Provenance, random: Random) -> object:
    # Loaded when it is asked for: it brings the batch engine along.
    from worldengine.explorer.companion import Dial, Follower

    given = provenance.player.settings
    if "rules" not in given:  # of the player that sits before somebody else's seat
        given = {key.removeprefix("player."): value for key, value in given.items()}
    dial = Dial(
        str(given["rules"]), float(given["share"] or 0), bool(given["mistakes"]),
        int(given["daring"] or 0),
    )  # fmt: skip
    return Follower(machine, provenance.variant, dial, random)


GUIDES: dict[str, Guide] = {
    BELIEF: _belief,
    PLAN: _plan,
}


def guide(machine: Machine, provenance: Provenance, random: Random) -> object:
    """What the episode's player is given from outside."""
    make = GUIDES.get(provenance.player.guidance)
    return None if make is None else make(machine, provenance, random)


def prepare(guidance: str, machine: Machine) -> None:
    """Compile what guides of this name need in worlds like this one, before workers are started
    that would each do it for themselves."""
    if guidance == BELIEF:
        from worldengine.explorer.ready import ready_for

        ready_for(machine)
