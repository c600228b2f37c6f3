"""Token ids of observations, by text id, for one tokenizer.

In: ids of texts, a way to make them texts, a tokenizer's `encode`. Out: token ids, ragged or
padded. Whole texts are encoded, since pieces of a text do not encode to pieces of its tokens;
each text is encoded once, however often it is met. The many that repeat cost a look-up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from worldengine.batch.tables.arrays import Integers

Encode = Callable[[str], Sequence[int]]
Read = Callable[[Integers], list[str]]
"""Ids to texts, such as `BatchEnv.texts`."""


class TooLong(ValueError):
    """A text has more tokens than there is room for."""


class TokenTable:
    """See the module. `encode` must add no special tokens that are not wanted in each text."""

    def __init__(self, encode: Encode, read: Read) -> None:
        self._encode, self._read = encode, read
        self._rows: dict[int, int] = {}
        self._tokens = np.zeros(1024, np.int32)
        self._ends = [0]

    def __len__(self) -> int:
        return len(self._rows)

    def _places(self, ids: Integers) -> NDArray[np.int64]:
        """The row of each text, those that are new encoded first."""
        rows, wanted = self._rows, ids.tolist()
        new = [value for value in dict.fromkeys(wanted) if value not in rows]
        if new:
            for value, text in zip(new, self._read(np.array(new, np.int64)), strict=True):
                rows[value] = self._keep(self._encode(text))
        return np.array([rows[value] for value in wanted], np.int64)

    def _keep(self, tokens: Sequence[int]) -> int:
        begin, end = self._ends[-1], self._ends[-1] + len(tokens)
        while end > len(self._tokens):
            self._tokens = np.concatenate([self._tokens, np.zeros_like(self._tokens)])
        self._tokens[begin:end] = tokens
        self._ends.append(end)
        return len(self._ends) - 2

    def _bounds(self, ids: Integers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        places, ends = self._places(ids), np.array(self._ends, np.int64)
        return ends[places], ends[places + 1] - ends[places]

    def lengths(self, ids: Integers) -> NDArray[np.int64]:
        """(n,) how many tokens each text has."""
        return self._bounds(ids)[1]

    def ragged(self, ids: Integers) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """All tokens behind one another, and (n + 1,) where each text's begin."""
        begins, lengths = self._bounds(ids)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        shift = np.repeat(begins - offsets[:-1], lengths)
        return self._tokens[np.arange(offsets[-1]) + shift], offsets

    def padded(
        self, ids: Integers, length: int, pad: int, side: str = "right"
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """(n, length) tokens with `pad` on one side, and (n,) how many are the text's.
        TooLong if a text does not fit: cutting one would show a player half of it."""
        if side not in ("left", "right"):
            raise ValueError(f"texts are padded on the left or on the right, not {side!r}")
        begins, lengths = self._bounds(ids)
        if len(lengths) and int(lengths.max()) > length:
            raise TooLong(f"a text has {int(lengths.max())} tokens, there is room for {length}")
        columns = np.arange(length)
        shift = (length - lengths)[:, None] if side == "left" else 0
        inside = (columns >= shift) & (columns < lengths[:, None] + shift)
        places = np.where(inside, begins[:, None] + columns - shift, 0)
        return np.where(inside, self._tokens[places], np.int32(pad)), lengths
