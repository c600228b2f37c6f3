"""Many episodes side by side: the episode layer over the batch engine.

In: Machines, and for every slot which of them it plays, with which variant or seed. Out: one
`Turn` a step. Slots know nothing of one another: what a slot does depends on its machine, its
seed and its commands, never on the size of the batch, its place in it, or threads.

*won*, *lost* and *truncated* are three outcomes. Every command counts as a turn, refused ones
too; after the last one a running episode is truncated. What happens to a slot that is over is
the `autoreset` mode, as Gymnasium names them:

- `next_step`: its next step ignores the command and begins the next episode;
- `same_step`: the next episode begins in the very step that ended the last; `Turn.final`
  holds the text that the ended one was left with;
- `disabled`: the caller resets it; stepping it is a ValueError.

Refused with ValueError: wrong shapes, unknown modes and engines, snapshots of other machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from worldengine.batch.asking import Asking
from worldengine.batch.endings import Endings, Openings
from worldengine.batch.engine import Engine
from worldengine.batch.episodes import (
    Snapshot,
    Turn,
    branched,
    check_commands,
    check_names,
    check_operators,
    check_options,
    check_variants,
    column_of,
    not_to_be_stepped,
    on_torch,
    one_or_more,
    rows_of,
    seeds_of,
    slots_of,
    worlds_of,
)
from worldengine.batch.ready import BATCH, batch_ready
from worldengine.batch.rows import Step
from worldengine.batch.seeing import Seeing
from worldengine.batch.slots.starts import start_rows
from worldengine.batch.tables.layout import SCOPE_FAILED
from worldengine.batch.tables.tables import Tables, tables_of
from worldengine.batch.texts.rendering import renderer
from worldengine.batch.typed import Typed, Typing
from worldengine.machine.given import machines_given
from worldengine.machine.schema import RUNNING, Machine


class BatchEnv(Seeing):
    """See the module. `worlds` (n,) says which machine a slot plays (default: each machine in
    turn, `size` slots); `variants` (n,) fixes starts, -1 draws one an episode by the seed."""

    def __new__(cls, machines: Sequence[Machine], **options: Any) -> BatchEnv:
        """With `engine="torch"`: a `tensors.env.TorchBatch`, whose arrays are tensors."""
        check_names(options)
        if options.get("engine") != "torch":
            return super().__new__(cls)
        return cast("BatchEnv", on_torch()(machines, **options))

    def __init__(
        self,
        machines: Sequence[Machine],
        *,
        size: int | None = None,
        worlds: ArrayLike | None = None,
        variants: ArrayLike | None = None,
        engine: str = "numba",
        device: str | None = None,
        threads: int = 1,
        autoreset: str = "next_step",
        texts: bool = True,
    ) -> None:
        check_options(engine, device, autoreset)
        machines = machines_given(machines, "BatchEnv")
        self.tables: Tables = tables_of(machines)
        batch_ready(self.tables, BATCH)
        self.engine = Engine(self.tables, threads)
        self.autoreset = autoreset
        self._wants_texts = texts
        self._typing = Typing(self.tables, self.engine)
        self._asking = Asking(self.engine, self._typing.commands)
        self._renderer = renderer(self.tables)
        self._openings = Openings(self.tables, self.engine)
        chosen = worlds_of(worlds, size, len(machines))
        count = len(chosen)
        self.size = count
        fixed = np.full(count, -1, np.int32)
        if variants is not None:
            fixed[:] = column_of(variants, count)
        check_variants(machines, chosen, fixed)
        self._now = Snapshot(
            hashes=tuple(machine.hash for machine in machines),
            states=np.zeros((count, self.tables.width), self.tables.state_type),
            worlds=chosen,
            fixed=fixed,
            variants=np.zeros(count, np.int32),
            seeds=np.arange(count, dtype=np.int64),
            episodes=np.full(count, -1, np.int64),
            turns=np.zeros(count, np.int32),
            over=np.ones(count, np.bool_),
        )
        # One zero that is seen in every slot: it takes no room and cannot be written to.
        self._nothing = np.broadcast_to(np.int64(0), (count,))
        self._no_numbers = np.zeros(count, np.int32)
        self._look_at_heads()

    def _look_at_heads(self) -> None:
        """What a step needs to know beforehand of the slots as they are now."""
        self._endings = Endings(self.tables, self._now.worlds)
        self._some_over = True

    def fix(self, variants: ArrayLike) -> None:
        """Fix the variants that slots will begin with, (n,); -1 leaves it to the seed."""
        fixed = column_of(variants, self.size)
        check_variants(self.tables.machines, self._now.worlds, fixed)
        self._now.fixed[:] = fixed

    # -- episodes ----------------------------------------------------------------------

    def reset(
        self, seed: int | ArrayLike | None = None, mask: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int64]:
        """Begin new episodes, in all slots or where `mask` (n,) holds. An integer seed gives
        slot i the seed `seed + i`; an array gives one a slot; None goes on with the seeds
        there are. Gives back ids of the opening texts (0 elsewhere)."""
        # A copy: the mask may be `over` itself, which is written to on the way.
        wanted = np.ones(self.size, np.bool_) if mask is None else np.array(mask)
        if wanted.shape != (self.size,) or wanted.dtype != np.bool_:
            raise ValueError(f"a reset mask must be bool of shape ({self.size},)")
        now = self._now
        if seed is not None:
            now.seeds[wanted] = seeds_of(seed, self.size)[wanted]
            now.episodes[wanted] = -1
        return self._begin(wanted)

    def _begin(self, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
        now = self._now
        now.episodes[wanted] += 1
        now.turns[wanted] = 0
        now.over[wanted] = False
        start_rows(
            self.tables.head, self.tables.wide, now.worlds, wanted, now.fixed, now.seeds,
            now.episodes, now.variants, now.states,
        )  # fmt: skip
        if not self._wants_texts:
            return self._nothing
        return self._openings.of(now.worlds, now.variants, now.states, wanted)

    def step(self, operators: ArrayLike, numbers: ArrayLike | None = None) -> Turn:
        """One command in every slot: an operator and, for those that take one, a number. Where
        `applicable_mask` and `number_mask` have 1 it is accepted. ValueError for an operator that
        no machine here has; one that only the slot's machine lacks is refused (`parameter`)."""
        ops = column_of(operators, self.size)
        check_operators(ops, self.tables.operators)
        given = self._no_numbers if numbers is None else column_of(numbers, self.size)
        return self._step(Typed(ops, given))

    def step_texts(self, commands: Sequence[str]) -> Turn:
        """One typed command in every slot."""
        check_commands(commands, self.size)
        self.engine.texts.forget()
        typed = self._typing.read(self._now.worlds, commands, self._states_of)
        return self._step(typed, commands)

    def _step(self, typed: Typed, commands: Sequence[str] | None = None) -> Turn:
        operators, numbers, refused = typed.operators, typed.numbers, typed.refused
        now, waiting, opened = self._now, self._endings.nothing().won, self._nothing
        waits = self._some_over and bool(now.over.any())
        if waits:
            waiting = now.over.copy()
            if self.autoreset != "next_step":
                not_to_be_stepped(int(np.argmax(waiting)), now.episodes)
            opened = self._begin(waiting)
            operators = np.where(waiting, np.int32(-1), operators)  # their command is not heard
        step = self.engine.step(now.worlds, now.states, operators, numbers, self._wants_texts)
        if commands is not None:
            scope = np.flatnonzero((step.failed <= SCOPE_FAILED) & ~waiting)
            words = self._typing.explain(now.worlds, commands, scope.tolist(), self._states_of)
            self._explain(step, {**refused, **words})
        turns = now.turns
        turns += 1
        if waits:
            self._unheard(step, waiting)
        texts = np.where(waiting, opened, step.texts) if waits and self._wants_texts else step.texts
        return self._finish(step, waiting, texts)

    def _explain(self, step: Step, refused: dict[int, tuple[int, str]]) -> None:
        """The words and classes of commands that were not understood."""
        for row, (outcome, words) in refused.items():
            step.outcomes[row] = outcome
            if self._wants_texts:
                step.texts[row] = self.engine.texts.literal(words)

    def _unheard(self, step: Step, waiting: NDArray[np.bool_]) -> None:
        """Nothing happened in the slots that have only begun."""
        self._now.turns[waiting] = 0
        step.outcomes[waiting], step.failed[waiting] = 0, -1
        step.progress[waiting] = 0.0
        step.statuses[waiting] = RUNNING

    def _finish(self, step: Step, began: NDArray[np.bool_], texts: NDArray[np.int64]) -> Turn:
        """Tell endings apart, and begin anew where that is due."""
        now, final = self._now, self._nothing
        ended = self._endings.tell(step.statuses, now.turns, now.over)
        self._some_over = ended is not None
        if not self._wants_texts:
            texts = self._nothing
        if self._some_over and self.autoreset == "same_step":
            began = now.over.copy()
            final = np.where(began, texts, 0)
            texts = np.where(began, self._begin(began), texts)
        won, lost, truncated, scores = ended or self._endings.nothing()
        return Turn(
            texts, step.outcomes, step.failed, step.progress, scores, won, lost, truncated,
            began, final,
        )  # fmt: skip

    # -- keeping and branching -----------------------------------------------------------

    def snapshot(self, slots: ArrayLike | None = None) -> Snapshot:
        """Copies of some slots (default all)."""
        return rows_of(self._now, slots_of(slots, self.size))

    def restore(self, snapshot: Snapshot, slots: ArrayLike | None = None) -> None:
        """Put the slots of a snapshot back, in their order, into `slots` (default all)."""
        if snapshot.hashes != self._now.hashes:
            raise ValueError("this snapshot is of other machines")
        rows = slots_of(slots, self.size)
        if len(rows) != len(snapshot.worlds):
            raise ValueError(f"{len(snapshot.worlds)} slots do not go into {len(rows)}")
        for item in fields(Snapshot):
            if item.name != "hashes":
                getattr(self._now, item.name)[rows] = getattr(snapshot, item.name)
        self._look_at_heads()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a BatchEnv is not copied: make another of the same machines and have it `restore`"
            " a `snapshot` of this one"
        )

    def branch(self, sources: ArrayLike, targets: ArrayLike) -> None:
        """Make the slots `targets` go on from where the slots `sources` are: from one for all of
        them, or one each."""
        self.restore(self.snapshot(branched(sources, targets)), one_or_more(targets))
