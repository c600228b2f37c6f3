"""A conversation as tokens that grow from turn to turn.

In: the rendered conversation of each turn, the tokens a model wrote. Out: tokens to go on
from. Text that is tokenised again may come out as other tokens than the model wrote, and then
it is trained, and goes on, from something it never said. So what it read and wrote stays as
it was, and only the text after it is tokenised. Where the template has changed what came
before (it strips earlier thinking, trims a reply, or old turns were left out) the text from
there on is tokenised anew. Either way the ids read back as the very text.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Said:
    """What was read and written so far, as text and as ids."""

    text: str
    ids: tuple[int, ...]


def digest(ids: Sequence[int]) -> str:
    """A short name of a list of ids: 16 hexadecimal digits."""
    data = struct.pack(f"<{len(ids)}q", *ids)
    return hashlib.blake2b(data, digest_size=8).hexdigest()


class Talk:
    """One conversation. Its moments are what was read, and that with the reply, in turn."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._moments: list[Said] = []

    def going_on(self, text: str) -> list[int]:
        """The ids of `text`, from the last moment that it still begins with."""
        while self._moments and not text.startswith(self._moments[-1].text):
            self._moments.pop()
        if self._moments:
            before = self._moments[-1]
            ids = [*before.ids, *_encoded(self._tokenizer, text[len(before.text) :])]
            if _decoded(self._tokenizer, ids) == text:
                return ids
        return _encoded(self._tokenizer, text)

    def wrote(self, text: str, ids: Sequence[int], written: Sequence[int]) -> None:
        """`text`, as `ids`, was read, and a model wrote `written`."""
        said = Said(text + _decoded(self._tokenizer, written), (*ids, *written))
        self._moments += [Said(text, tuple(ids)), said]


def _encoded(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _decoded(tokenizer: Any, ids: Sequence[int]) -> str:
    text = tokenizer.decode(
        list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False
    )
    return str(text)
