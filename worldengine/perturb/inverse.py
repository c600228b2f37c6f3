"""Inverse wording: what is done or so, said by what is not.

`open {x}` becomes `do not leave {x} closed`, `ring {x}` becomes `do not fail to ring {x}`, and
a lamp that "is lit" is one that "is not unlit". Only words that are each other's exact
opposites are swapped, and in texts only behind a form of *be*, where the sentence keeps its
grammar. What a text inserts by itself (`{is x}`, the name of a value) stays as it is.
"""

from __future__ import annotations

import re
from random import Random

from worldengine.perturb import tables
from worldengine.perturb.rewriting import (
    Change,
    Table,
    Words,
    all_text,
    in_forms,
    in_texts,
)
from worldengine.syntax import ast

FORM = "form "
"""Begins the entries that are whole forms; the others are words of texts."""
_HEAD = re.compile(r"(?P<verb>[\w'-]+(?: (?:on|off|out|up))?)(?= \{| \[|$)(?P<rest>.*)$")
_FIRST = re.compile(r"^ (?P<slot>\{\w+\})(?P<tail>.*)$")


def inverse(document: ast.Document, draw: Random) -> Change:
    """Forms and states of being by their opposites; `draw` says which verbs get the long way
    round (`do not fail to …`) although they have an opposite."""
    forms: Table = {}
    used: set[str] = set()

    def change(pattern: str) -> str:
        made = _negated(pattern, plainly=draw.random() < 0.8)
        if made in used:
            made = _negated(pattern, plainly=False)
        used.add(made)
        forms[FORM + pattern] = FORM + made
        return made

    changed = in_forms(document, change)
    states = _states(all_text(document))
    return in_texts(changed, Words(states)), {**forms, **states}


def _negated(pattern: str, plainly: bool) -> str:
    if pattern.lower() in tables.DO_NOTHING:
        return "do nothing"
    found = _HEAD.match(pattern)
    opposite = tables.OPPOSITE_DEEDS.get(found["verb"].lower()) if found and plainly else None
    place = _FIRST.match(found["rest"]) if found else None
    if found is None or opposite is None or place is None:
        return pattern if pattern.startswith("{") else f"do not fail to {pattern}"
    before, after = opposite
    if place["tail"] and not after:  # `do not leave {x} from {c}` would say something else
        return f"do not fail to {pattern}"
    words = f"{before} {place['slot']} {after}".rstrip()
    return f"{words}{place['tail']}"


def _states(text: str) -> Table:
    """`is open` → `is not closed`, for what the world says and does not also say inversely."""
    found: Table = {}
    for one, other in tables.OPPOSITE_STATES:
        for old, new in ((one, other), (other, one)):
            for be in ("is", "are", "was", "were"):
                said, made = f"{be} {old}", f"{be} not {new}"
                if re.search(rf"(?<!\w){said}(?!\w)", text) and made not in text:
                    found[said] = made
    return found


def affirmed(document: ast.Document, table: Table) -> ast.Document:
    """The words before `inverse`."""
    back = {new: old for old, new in table.items()}
    forms = {
        new.removeprefix(FORM): old.removeprefix(FORM)
        for new, old in back.items()
        if new.startswith(FORM)
    }
    states = {new: old for new, old in back.items() if not new.startswith(FORM)}
    changed = in_forms(document, lambda pattern: forms.get(pattern, pattern))
    return in_texts(changed, Words(states))
