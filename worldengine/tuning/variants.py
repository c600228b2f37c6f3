"""Variants of one corpus for experiments: the same trajectories, other labels or other turns.

In: verified trajectories in order, and variants by name. Out: for every trajectory one
conversation a variant, side by side, so that row i of one variant and row i of another come
from the same episode and only the thing under test differs:

| name | differs from `full` in |
|---|---|
| `full` | nothing: refused turns stay in context, masked |
| `no-refinement` | refused turns are gone, later thoughts worded anew (`retelling`) |
| `keep-errors` | the loss of erroneous turns is kept: every reply is trained |
| `mask-refinement` | the turns that set a refusal right are masked too |
| `mask-harmful` | accepted turns that lead away from winning are masked too (`harm`) |
| `flip:SHARE` | that share of the labels is flipped, trained to masked and back |
| `success-only` | episodes that were not won are left out |
| `no-thoughts` | replies are the action alone |

A flip is decided by (seed, trajectory, turn) alone: the turns flipped at a share of 0.1 are
among those flipped at 0.2, and no order or selection changes them. A trajectory that gives no
trained turn in one of the variants asked for is left out of all of them and counted;
`success-only` alone is a subset, since leaving out is what it is about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from worldengine.machine import Machine
from worldengine.rollout.trajectory import Trajectory
from worldengine.tuning.conversation import Conversation, conversation
from worldengine.tuning.harm import Harm
from worldengine.tuning.masks import HARMFUL, KINDS, Mask
from worldengine.tuning.retelling import (
    RetellingError,
    chance,
    without_refusals,
    without_thoughts,
)

NAMES = (
    "full",
    "no-refinement",
    "keep-errors",
    "mask-refinement",
    "mask-harmful",
    "flip",
    "success-only",
    "no-thoughts",
)
FULL = "full"

MachineOf = Callable[[str], Machine]
"""The Machine of a hash, as `Run.machine` gives it."""


class VariantError(ValueError):
    """There is no such variant; the message is for people."""


@dataclass(frozen=True, slots=True)
class Variant:
    """`share` is that of the labels flipped, 0..1; 0 for all other variants."""

    name: str
    share: float = 0.0

    def __str__(self) -> str:
        return f"{self.name}:{self.share:g}" if self.name == "flip" else self.name


def variant(text: str) -> Variant:
    """A variant by its name, as `full` or `flip:0.2`."""
    name, colon, number = text.partition(":")
    if name not in NAMES:
        raise VariantError(f"there is no variant {text!r}; there are: {', '.join(NAMES)}")
    if name != "flip":
        if colon:
            raise VariantError(f"{name} takes no share: {text!r}")
        return Variant(name)
    try:
        share = float(number)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise VariantError(f"say which share of the labels is flipped, as in flip:0.2, not {text}")
    return Variant(name, share)


def matched(
    trajectories: Iterable[Trajectory],
    variants: Sequence[Variant],
    machine_of: MachineOf,
    *,
    mask: Mask | None = None,
    seed: int = 0,
    left_out: Counter[str] | None = None,
    harm: Harm | None = None,
) -> Iterator[tuple[Conversation | None, ...]]:
    """One tuple a trajectory, one conversation a variant, in their order. None stands only
    where `success-only` leaves a trajectory out. `left_out` counts trajectories without a row
    by why, the end of `trajectories that …`."""
    mask = mask or Mask()
    shaper = Shaper(machine_of, mask, seed, harm or Harm(machine_of))
    counts: Counter[str] = Counter() if left_out is None else left_out
    for trajectory in trajectories:
        row: list[Conversation | None] = []
        problem = ""
        for each in variants:
            if each.name == "success-only" and trajectory.status != "won":
                row.append(None)
                continue
            try:
                shaped = shaper.shape(trajectory, each)
            except RetellingError:
                problem = "do not lead to the same end without their refused turns"
                break
            if not shaped.trained_turns:
                problem = "have no turn to train on"
                break
            row.append(shaped)
        if problem:
            counts[problem] += 1
        elif all(shaped is None for shaped in row):
            counts["were not won"] += 1
        else:
            yield tuple(row)


@dataclass(frozen=True, slots=True)
class Shaper:
    """Makes conversations of one corpus. `seed` decides flips and wording. Harmful turns are
    looked for only where a mask wants them."""

    machine_of: MachineOf
    mask: Mask
    seed: int
    harm: Harm

    def shape(self, trajectory: Trajectory, asked: Variant) -> Conversation:
        """The conversation of one variant, up to its last trained reply; may have none."""
        if asked.name == "no-refinement":
            machine = self.machine_of(trajectory.machine_hash)
            trajectory = without_refusals(machine, trajectory, self.seed)
        elif asked.name == "no-thoughts":
            trajectory = without_thoughts(self.machine_of(trajectory.machine_hash), trajectory)
        mask = self._mask(asked)
        wanted = HARMFUL in mask.kinds
        harmful = self.harm.turns(trajectory) if wanted else frozenset[int]()
        shaped = conversation(trajectory, mask, harmful)
        if asked.name == "mask-refinement":
            shaped = _relabelled(shaped, [e.train and not e.mends for e in shaped.exchanges])
        elif asked.name == "flip":
            shaped = self._flipped(shaped, asked.share)
        return shaped.until_trained()

    def _mask(self, asked: Variant) -> Mask:
        if asked.name == "keep-errors":
            return Mask(())
        if asked.name == "mask-harmful":
            kinds = {*self.mask.kinds, HARMFUL}
            return Mask(tuple(kind for kind in KINDS if kind in kinds))
        return self.mask

    def _flipped(self, shaped: Conversation, share: float) -> Conversation:
        """Every turn draws its number whether or not it is flipped: so shares nest."""
        random = chance(self.seed, shaped.trajectory, "flip")
        drawn = [random.random() < share for _ in shaped.exchanges]
        labels = [
            (each.train != flip) and bool(each.reply.strip())
            for each, flip in zip(shaped.exchanges, drawn, strict=True)
        ]
        return _relabelled(shaped, labels)


def _relabelled(shaped: Conversation, labels: Sequence[bool]) -> Conversation:
    exchanges = tuple(
        replace(each, train=train) for each, train in zip(shaped.exchanges, labels, strict=True)
    )
    return replace(shaped, exchanges=exchanges)
