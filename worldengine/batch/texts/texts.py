"""The memory of which numbers stand for which texts.

In: what the kernels report (`naming.note`). Out: texts by id, rendered when somebody reads
them and kept. A text that no kernel has met has no meaning here (KeyError).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import TypeAlias

from worldengine.batch.tables.arrays import Integers

Emission: TypeAlias = tuple[int, tuple[int, ...]]
"""A text and the values of its arguments, as the interpreter says it."""
Said: TypeAlias = tuple[int, int, tuple[Emission, ...]]
"""The machine's index, the kind of text (`layout.REFUSED` and its like), what was said."""
Renderer: TypeAlias = Callable[[int, int, Sequence[Emission]], str]
"""What makes a text of it; see `worldengine.batch.texts.rendering`."""


LITERALS = 100_000
"""Texts that no kernel says that are met before those that were met as many ago are forgotten."""


class UnknownText(KeyError, ValueError):
    """An id that no text has had."""

    def __str__(self) -> str:
        return str(self.args[0])


class TextStore:
    """Every text met, by id. Rendered on first reading and kept. Texts that no kernel says may
    quote whatever is typed, and are without end: of them `forget` leaves the last ones."""

    def __init__(self) -> None:
        self._said: dict[int, Said] = {}
        self._literal: dict[str, int] = {}
        self._before: dict[str, int] = {}  # met before those, and not since
        self._rendered: dict[int, str] = {0: ""}

    def __len__(self) -> int:
        return len(self._said)

    def collect(self, news: Integers) -> None:
        """Take over what a kernel has reported and empty its report."""
        rows = news[2 : 2 + int(news[0])].tolist()
        at = 0
        while at < len(rows):
            machine, kind, low, high, length = rows[at : at + 5]
            value = ((high & 0xFFFFFFFF) << 32) | (low & 0xFFFFFFFF)
            value -= (value >> 63) << 64
            at += 5
            if value not in self._said:
                self._said[value] = machine, kind, emissions(rows[at : at + length])
            at += length
        news[0] = 0

    def literal(self, text: str) -> int:
        """The id of a text that no kernel says, such as why a command was not understood."""
        known = self._literal.get(text)
        if known is not None:
            return known
        value = self._before.pop(text, 0)
        if not value:
            # Typed text may hold half of a character in two, which no encoding has.
            digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
            value = int.from_bytes(digest, "little", signed=True) or 1
            self._rendered[value] = text
        self._literal[text] = value
        return value

    def forget(self) -> None:
        """Between two turns: where many texts that no kernel says were met, forget those that
        were not met since this last happened. What the last turn shows can still be read."""
        if len(self._literal) >= LITERALS:
            for value in self._before.values():
                if value not in self._said:
                    del self._rendered[value]
            self._before, self._literal = self._literal, {}

    def knows(self, value: int) -> bool:
        """Whether a text was met."""
        return value in self._said or value in self._rendered

    def learn(self, value: int, machine: int, kind: int, said: tuple[Emission, ...]) -> None:
        """Take over one text that another kernel reports."""
        self._said.setdefault(value, (machine, kind, said))

    def said(self, value: int) -> Said:
        """What a text consists of. KeyError if no such text was met."""
        return self._said[value]

    def text(self, value: int, renderer: Renderer) -> str:
        """A text by its id."""
        found = self._rendered.get(value)
        if found is None:
            if value not in self._said:
                raise UnknownText(
                    f"no text has the id {value} here: ids are read from the batch whose step or"
                    " reset gave them, and of what was typed only the latest are kept"
                )
            machine, kind, said = self._said[value]
            found = self._rendered[value] = renderer(machine, kind, said)
        return found

    def texts(self, values: Integers, renderer: Renderer) -> list[str]:
        """Many texts by their ids."""
        wanted = values.tolist()
        try:
            return list(map(self._rendered.__getitem__, wanted))
        except KeyError:
            return [self.text(value, renderer) for value in wanted]


def emissions(flat: Sequence[int]) -> tuple[Emission, ...]:
    """What was said, from (text, count, values…) behind one another."""
    found: list[Emission] = []
    at = 0
    while at < len(flat):
        end = at + 2 + flat[at + 1]
        found.append((flat[at], tuple(flat[at + 2 : end])))
        at = end
    return tuple(found)
