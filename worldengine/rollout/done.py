"""Which episodes of a run are there: a byte for each, since they may be millions.

In: worlds' hashes and episode numbers. Out: whether one was there before. A manifest that
plans more than anybody plays is kept by what is there instead of by what is planned.
"""

from __future__ import annotations

from worldengine.rollout.storage import Manifest

MOST_BYTES = 1 << 28


class Done:
    """See the module. Episodes that the manifest does not plan are never there."""

    def __init__(self, manifest: Manifest) -> None:
        self._episodes = manifest.episodes
        self._few = manifest.episodes * len(manifest.worlds) > MOST_BYTES
        self._have: dict[str, bytearray] = {w.machine_hash: bytearray() for w in manifest.worlds}
        self._numbers: set[tuple[str, int]] = set()

    def add(self, machine_hash: str, episode: int) -> bool:
        """Whether that was news."""
        have = self._have.get(machine_hash)
        if have is None or not 0 <= episode < self._episodes:
            return False
        if (machine_hash, episode) in self:
            return False
        if self._few:
            self._numbers.add((machine_hash, episode))
            return True
        if not have:
            have.extend(bytes(self._episodes))
        have[episode] = 1
        return True

    def __contains__(self, task: tuple[str, int]) -> bool:
        if self._few:
            return task in self._numbers
        have = self._have.get(task[0])
        return bool(have) and have is not None and bool(have[task[1]])
