"""What an export takes from its runs: the trajectories that verify, are wanted and were picked.

In: runs, options. Out: trajectories one at a time, everything else counted by reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypeAlias

from worldengine.curation.selection import Selection, SelectionError
from worldengine.machine import Machine
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.rollout.verification import Verification
from worldengine.rollout.verify import verified
from worldengine.tuning.masks import Mask
from worldengine.tuning.preferences import Pairs
from worldengine.tuning.tokens import Tokens
from worldengine.tuning.variants import MachineOf, Variant

Include: TypeAlias = Literal["accepted", "won", "verified"]
Progress: TypeAlias = Callable[[int, int], None]

ENDINGS = {
    "lost": "were lost",
    "truncated": "ran out of turns",
    "running": "were never finished",
    "few_refinements": "hold fewer than two refinements",
}


@dataclass(frozen=True, slots=True)
class Options:
    """What is written and how. `include` None takes what suits the format: `rl` rows are
    starts, which need no win; everything else wants accepted trajectories. Of a selection
    only `split` is written, all of it where that is empty."""

    to: str = "messages"
    include: Include | None = None
    variants: tuple[Variant, ...] = (Variant("full"),)
    mask: Mask = field(default_factory=Mask)
    seed: int = 0
    pairs: Pairs = "after"
    tokens: Tokens | None = None
    selection: Selection | None = None
    split: str = ""

    @property
    def taken(self) -> Include:
        return self.include or ("verified" if self.to == "rl" else "accepted")


@dataclass(slots=True)
class Exported:
    """What was written, of all variants together. `tokens` is null where no tokenizer was
    given to count them."""

    rows: int = 0
    trained_turns: int = 0
    masked_turns: int = 0
    tokens: int | None = None
    files: list[str] = field(default_factory=list)
    verification: Verification = field(default_factory=Verification)
    aside: Counter[str] = field(default_factory=Counter)
    pairs: Counter[str] = field(default_factory=Counter)
    shortened: int = 0
    unjudged: int = 0
    """Turns of which it is not known whether they are harmful, where that was asked."""
    too_long: int = 0
    generated: Counter[str] = field(default_factory=Counter)
    """Replies in token rows whose ids are on record: `same`, `kept`, `unread`; and of those
    whose context is: `asked` as the row has it, or `asked_otherwise`."""

    def left_out(self) -> Iterator[tuple[int, str]]:
        """How many trajectories have no row, by why: the end of `trajectories that …`."""
        rejected = self.verification.rejected
        if rejected:
            first = f"{rejected[0].id}: {rejected[0].reason}"
            yield len(rejected), f"do not verify (first: {first})"
        for why, number in sorted(self.aside.items()):
            yield number, why

    def told(self) -> dict[str, object]:
        """With the keys that others rely on."""
        return {
            "rows": self.rows,
            "trained_turns": self.trained_turns,
            "masked_turns": self.masked_turns,
            "tokens": self.tokens,
            "rejected": len(self.verification.rejected),
            "left_out": {why: number for number, why in self.left_out()},
            "pairs_left_out": dict(sorted(self.pairs.items())),
            "rows_too_long": self.too_long,
            "rows_shortened": self.shortened,
            "turns_unjudged": self.unjudged,
            "generated": {
                name: self.generated[name]
                for name in ("same", "kept", "unread", "asked", "asked_otherwise")
            },
            "files": self.files,
        }


def chosen(
    runs: Sequence[Run], options: Options, summary: Exported, progress: Progress | None = None
) -> Iterator[Trajectory]:
    """The trajectories to be written: those that verify, are wanted and were selected. At the
    end a SelectionError, where trajectories were selected that no run holds."""
    total = sum(run.manifest.episodes * len(run.manifest.worlds) for run in runs)
    done = unread = 0
    seen: set[str] = set()
    for run in runs:
        for row, reason in verified(run):
            done += 1
            if progress is not None:
                progress(done, max(total, done))
            summary.verification.add(row, reason)
            trajectory = row.trajectory
            if trajectory is None:
                unread += 1
                continue
            again = trajectory.id in seen
            if options.selection is not None or not reason:
                seen.add(trajectory.id)
            if reason:
                continue
            why = _unwanted(trajectory, options)
            if len(runs) > 1 and again:
                why = "stand in another run too"
            if why:
                summary.aside[why] += 1
            else:
                yield trajectory
    _need_all(options, seen, unread)


def _need_all(options: Options, seen: set[str], unread: int) -> None:
    """Lines that cannot be read are complained of already: they may be what is absent."""
    if options.selection is None:
        return
    absent = options.selection.absent(seen, options.split)
    if len(absent) > unread:
        raise SelectionError(options.selection.missing(absent))


def _unwanted(trajectory: Trajectory, options: Options) -> str:
    if any(turn.notes is not None and turn.notes.ruling is not None for turn in trajectory.turns):
        return "answer the words of a model in the Dungeon Master's chair, not those they hold"
    if options.selection is not None:
        split = options.selection.split_of(trajectory)
        if split is None:
            return "were not selected"
        if options.split and split != options.split:
            return "belong to another split"
    if options.taken != "verified" and trajectory.status != "won":
        return ENDINGS[trajectory.status]
    if options.taken == "accepted" and not trajectory.wanted:
        return ENDINGS["few_refinements"]
    return ""


def machines_of(runs: Sequence[Run]) -> MachineOf:
    """The Machine of a hash, from whichever run holds it; the last few are kept."""
    homes = {world.machine_hash: run for run in reversed(runs) for world in run.manifest.worlds}

    @lru_cache(maxsize=64)
    def machine(machine_hash: str) -> Machine:
        return homes[machine_hash].machine(machine_hash)

    return machine
