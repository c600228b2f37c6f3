"""What is read, by number: equal numbers for equal words.

In: an engine's ids of texts. Out: numbers. An id names how a text was put together; a player
sees only what came of it, so that two ways of saying the same words tell it nothing.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from worldengine.batch import Engine
from worldengine.batch.texts.rendering import renderer

FEW = 256
"""So many are looked up one by one for less than they can be sorted for."""


class Words:
    """Remembers every text of one engine that it was asked about."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._render = renderer(engine.tables)
        self._by_text: dict[str, int] = {}
        self._by_id: dict[int, int] = {}

    def numbers(self, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """The numbers of the words, in the shape of `ids`."""
        if ids.size <= FEW:
            known = self._by_id
            told = [known.get(each, -1) for each in ids.ravel().tolist()]
            if -1 not in told:
                return np.array(told, np.int32).reshape(ids.shape)
        found, places = np.unique(ids, return_inverse=True)
        numbers = np.array([self._number(value) for value in found.tolist()], np.int32)
        return numbers[places].reshape(ids.shape)

    def texts(self, ids: npt.NDArray[np.int64]) -> list[str]:
        """The words themselves."""
        return self._engine.texts.texts(ids, self._render)

    def _number(self, value: int) -> int:
        number = self._by_id.get(value)
        if number is None:
            text = self._engine.texts.text(value, self._render)
            number = self._by_text.setdefault(text, len(self._by_text))
            self._by_id[value] = number
        return number
