"""What can be seen of the slots of a batch on the numba engine; nothing here changes them.

In: the slots as they are. Out: arrays of one row a slot, masks of commands, texts by their ids.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from worldengine.batch.asking import Commanding
from worldengine.batch.engine import Engine
from worldengine.batch.episodes import Snapshot, Turn, column_of, slots_of, text_ids
from worldengine.batch.schemas import schema_mask
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.tables import Tables
from worldengine.batch.texts.texts import Renderer
from worldengine.machine.schema import ACCEPTED


class Seeing(Commanding):
    """See the module; `BatchEnv` is one."""

    tables: Tables
    engine: Engine
    _now: Snapshot
    _renderer: Renderer

    @property
    def states(self) -> Integers:
        """(n, width) the states as they are; not to be written to."""
        return self._now.states

    @property
    def worlds(self) -> NDArray[np.int32]:
        """(n,) the machine that each slot plays."""
        return self._now.worlds

    @property
    def variants(self) -> NDArray[np.int32]:
        """(n,) the variant that each slot's episode began with."""
        return self._now.variants

    @property
    def turns(self) -> NDArray[np.int32]:
        """(n,) commands given in each slot's episode."""
        return self._now.turns

    @property
    def over(self) -> NDArray[np.bool_]:
        """(n,) whether each slot's episode has ended."""
        return self._now.over

    def applicable_mask(self) -> NDArray[np.uint8]:
        """(n, operators): 1 where an operator would be accepted (with some number)."""
        return self.engine.mask(self._now.worlds, self._now.states, True)

    def scoped_mask(self) -> NDArray[np.uint8]:
        """(n, operators): 1 where an operator's arguments are within their scopes."""
        return self.engine.mask(self._now.worlds, self._now.states, False)

    def schema_mask(self, required: bool = True) -> NDArray[np.uint8]:
        """(n, schemas): 1 where an action has an operator that would be accepted (with some
        number; or that is scoped, unless `required`)."""
        mask = self.engine.mask(self._now.worlds, self._now.states, required)
        return schema_mask(self.tables, self._now.worlds, mask)

    def numbers(self, slot: int, operator: int) -> tuple[tuple[int, int], ...]:
        """The numbers a scoped operator would be accepted with, as closed intervals."""
        (row,) = slots_of([slot], self.size)
        return self.engine.numbers(int(self._now.worlds[row]), self._now.states, row, operator)

    def number_mask(self, operators: ArrayLike) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
        """For an operator in every slot, in scope there: (n,) the lowest number it takes, and
        (n, width): 1 where it would be accepted with the number that much above. One that takes
        no number has lowest 0 and 1 in the first column alone, whether it is accepted or not.
        As wide as the widest range of those asked for."""
        return self._asking.numbers(
            self._now.worlds, column_of(operators, self.size), ~self._now.over, self._accepts
        )

    def _accepts(
        self, rows: NDArray[np.int64], operators: Integers, numbers: Integers
    ) -> NDArray[np.bool_]:
        worlds, states = self._now.worlds[rows], self._now.states[rows]
        done = self.engine.step(worlds, states, operators, numbers, False)
        return np.equal(done.outcomes, ACCEPTED)

    def texts(self, ids: ArrayLike | Turn) -> list[str]:
        """Texts by their ids; "" for 0. Of a `Turn`: what players read. ValueError for an id that
        no text has had here."""
        wanted = text_ids(ids.texts if isinstance(ids, Turn) else ids)
        return self.engine.texts.texts(wanted, self._renderer)

    def _worlds_now(self) -> Integers:
        return self._now.worlds

    def _states_of(self, rows: list[int]) -> Integers:
        return self._now.states[rows]

    def _on_host(self, column: ArrayLike) -> ArrayLike:
        return column
