"""What an episode of a run is to be: which variant, whose play, with which guidance.

In: a Machine, a manifest, an episode number. Out: its provenance, and so its id, before
anything is played. The runner plays by it; verification holds trajectories against it.
"""

from __future__ import annotations

from worldengine.machine import Machine
from worldengine.rollout.seeds import NoStarts, some_of, starts_in, variant_of
from worldengine.rollout.storage import Manifest
from worldengine.rollout.trajectory import Provenance


def planned(machine: Machine, manifest: Manifest, episode: int) -> Provenance:
    """The provenance of one episode."""
    variant = manifest.variant
    if variant is None:
        variant = variant_of(manifest.seed, machine.hash, episode, starts_of(machine, manifest))
    return Provenance(
        machine_hash=machine.hash,
        variant=variant,
        seed=manifest.seed,
        episode=episode,
        player=manifest.player,
        command_set=manifest.command_set,
    )


def starts_of(machine: Machine, manifest: Manifest) -> tuple[int, ...]:
    """The starts that a run's episodes go through. NoStarts where its part has none."""
    return starts_among(machine.name, machine.shape, len(machine.variants), manifest)


def starts_among(name: str, shape: str, count: int, manifest: Manifest) -> tuple[int, ...]:
    """The same, for a world of that name and shape with so many starts."""
    starts = starts_in(manifest.part, shape, count)
    if not starts:
        raise NoStarts(
            f"{name} has {count} start{'' if count == 1 else 's'} and none is kept for "
            f"{manifest.part}; give it more with `vary`, or take the part all"
        )
    return some_of(starts, shape, manifest.starts) if manifest.starts else starts
