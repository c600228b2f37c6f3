"""From what was said during a turn to the text a player reads.

In: emissions (a text's index and the values of its arguments). Out: one string. A saying is
one line; `more` goes on with it; a list is joined with commas and "and", an empty one is
"nothing". The first letter of a sentence is raised where an insertion begins it, and only if
it is an article or plain words: what the author wrote stays as it was written, and a file
name is never changed. Nothing is markup, nothing is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from worldengine.machine.schema import NONE, UNDEFINED, Insert, Machine
from worldengine.matching.names import agreeing, is_plain, joined, raise_first, with_article

Emission = tuple[int, tuple[int, ...]]

DONE = "Done."
"""What an accepted turn observes that said nothing."""

NOTHING = "nothing"
MEMORY = 16_384
"""Observations remembered by a printer before it forgets them all."""

_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?\u2026][\"'\u201d\u2019)\]]*\s)\s*[\"'\u201c\u2018(\[]*$")
TAIL = 64
"""Characters that decide whether a sentence begins: its end, a quote, some blanks. More than
that is looked at only in texts that nobody writes, and looking at all would be quadratic."""
_AGREEING = ("is", "has", "it", "s")


class Printer:
    """Prints the emissions of one Machine. Safe to share between threads: what it remembers
    is only ever replaced by equal text."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._memory: dict[tuple[Emission, ...], str] = {}

    def print(self, emissions: Sequence[Emission]) -> str:
        """All sayings, one a line; "" if nothing was said."""
        key = tuple(emissions)
        text = self._memory.get(key)
        if text is None:
            text = self._printed(key)
            if len(self._memory) >= MEMORY:
                self._memory = {}
            self._memory[key] = text
        return text

    def _printed(self, emissions: tuple[Emission, ...]) -> str:
        sayings = [""]
        lists: list[list[str]] = []
        for index, values in emissions:
            text = self._machine.texts[index]
            if text.kind == "say":
                while lists:
                    _close(sayings, lists)
                sayings.append("")
            if text.kind == "list":
                lists.append([])
            elif text.kind == "end":
                if lists:
                    _close(sayings, lists)
            elif text.kind == "item" and lists:
                before = _before(sayings, lists)
                lists[-1].append(self._filled(text.parts, values, before))
            else:
                before = _before(sayings, lists, within=True)
                _append(sayings, lists, self._filled(text.parts, values, before))
        while lists:
            _close(sayings, lists)
        return "\n".join(filter(None, (saying.strip() for saying in sayings)))

    def _filled(self, parts: Sequence[str | Insert], values: Sequence[int], before: str) -> str:
        """The parts of a text with their gaps filled; `before` is what stands before it."""
        filled = ""
        for part in parts:
            if isinstance(part, str):
                filled += part
                continue
            printed, raisable = self._insertion(part, values[part.index])
            if raisable and _SENTENCE_BEGINS.search(before + filled):
                printed = raise_first(printed)
            filled += printed
        return filled

    def _insertion(self, insert: Insert, value: int) -> tuple[str, bool]:
        """What fills a gap, and whether its first letter may be raised."""
        machine, style = self._machine, insert.style
        if insert.type == "number":
            return (NOTHING if value == UNDEFINED else str(value)), value == UNDEFINED
        if insert.type == "bool" and value != UNDEFINED:
            return ("yes" if value else "no"), True
        if value in (NONE, UNDEFINED):
            return (agreeing(False, style) if style in _AGREEING else NOTHING), style != "s"
        if insert.type == "symbol":
            display = machine.symbols[value].display
            return display, is_plain(display)
        if insert.type == "text":
            return machine.strings[value], False
        subject = machine.objects[value]
        if style in _AGREEING:
            return agreeing(subject.plural, style), style != "s"
        printed = with_article(subject, style)
        return printed, printed != subject.name or is_plain(subject.name)


def _before(sayings: list[str], lists: list[list[str]], within: bool = False) -> str:
    """The text in front of the next piece, as far as sentences are concerned: an item after
    the first never begins one."""
    before = sayings[-1][-TAIL:]
    for items in lists:
        before += ", ".join(items[-2:])[-TAIL:]
        if items and not (within and items is lists[-1]):
            before += ", "
    return before


def _append(sayings: list[str], lists: list[list[str]], piece: str) -> None:
    """Go on with the current item if a list is open, else with the current saying."""
    if not lists:
        sayings[-1] += piece
    elif lists[-1]:
        lists[-1][-1] += piece
    else:
        lists[-1].append(piece)


def _close(sayings: list[str], lists: list[list[str]]) -> None:
    """End the innermost list and put its text where the list stood."""
    items = lists.pop()
    text = joined(items)
    if not items and _SENTENCE_BEGINS.search(_before(sayings, lists, within=True)):
        text = raise_first(text)
    _append(sayings, lists, text)
