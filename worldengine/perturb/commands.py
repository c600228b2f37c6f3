"""Perturbations of what is typed: verbs, small words, the order of arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from worldengine.compiler.library import SYNONYMS, library_file
from worldengine.perturb import tables
from worldengine.perturb.rewriting import (
    Change,
    Kind,
    Table,
    Words,
    in_form,
    in_forms,
    rewrite,
)
from worldengine.source import NOWHERE
from worldengine.syntax import ast


def verbs(document: ast.Document, draw: Random) -> Change:
    """Another verb at the head of the world's own forms."""
    return _first_words(document, tables.VERBS, draw)


def _first_words(
    document: ast.Document, choices: Mapping[str, tuple[str, ...]], draw: Random
) -> Change:
    used = _form_words(document)
    table: Table = {}
    for pattern in _forms(document):
        first = re.match(r"[\w'-]+", pattern)
        word = first[0].lower() if first else ""
        if word and word not in table:
            fresh = [new for new in choices.get(word, ()) if not set(new.split()) & used]
            if fresh:
                table[word] = draw.choice(fresh)
                used |= set(table[word].split())

    return in_forms(document, headed(table)), table


def headed(table: Mapping[str, str]) -> Callable[[str], str]:
    """Replaces the words with which a form begins."""
    starts = sorted(table, key=lambda word: (-len(word), word))

    def change(pattern: str) -> str:
        for start in starts:
            if re.match(rf"{re.escape(start)}(?![\w'-])", pattern, re.IGNORECASE):
                return table[start] + pattern[len(start) :]
        return pattern

    return change


def _forms(document: ast.Document) -> list[str]:
    found: list[str] = []

    def note(pattern: str) -> str:
        found.append(pattern)
        return pattern

    in_forms(document, note)
    return found


def _form_words(document: ast.Document) -> set[str]:
    return set(re.findall(r"[\w'-]+", " ".join(_forms(document)).lower()))


def joints(document: ast.Document, draw: Random) -> Change:
    """Other small words between the parameters: `with` becomes `using`."""
    used = _form_words(document)
    table: Table = {}
    for word in sorted(used & set(tables.JOINTS)):
        fresh = [new for new in tables.JOINTS[word] if not set(new.split()) & used]
        if fresh:
            table[word] = draw.choice(fresh)
    return in_forms(document, behind(Words(table))), table


def behind(words: Words) -> Callable[[str], str]:
    """Replaces words of a form, but not the first."""

    def change(pattern: str) -> str:
        first = re.match(r"[\w'-]+", pattern)
        head = first[0] if first else ""
        return head + in_form(pattern[len(head) :], words)

    return change


def fixed_joint(old: str, new: str) -> Kind:
    """One small word for another, always; where both are in use they change places, so that
    the first form of an action, which lists of commands show, has the new one."""

    def apply(document: ast.Document, draw: Random) -> Change:
        used = _form_words(document)
        table = {old: new} if old in used else {}
        if table and new in used:
            table[new] = old
        return in_forms(document, behind(Words(table))), table

    return apply


def fixed_head(old: str, new: str) -> Kind:
    """One verb for another, always; where both begin forms they change places."""

    def apply(document: ast.Document, draw: Random) -> Change:
        heads = {pattern.split(" ")[0].lower() for pattern in _forms(document)}
        table = {old: new} if old in heads else {}
        if table and new in heads:
            table[new] = old
        return in_forms(document, headed(table)), table

    return apply


FRONTED = re.compile(r"^(?P<verb>[^{}]*?\S \{\w+\}.*?) (?P<joint>\w+) (?P<last>\{\w+\})$")


def order(document: ast.Document, draw: Random) -> Change:
    """`take {x} from {y}` becomes `from {y} take {x}`."""
    table: Table = {}

    def change(pattern: str) -> str:
        found = FRONTED.match(pattern)
        if found is None or "[" in pattern or "(" in pattern:
            return pattern
        made = f"{found['joint']} {found['last']} {found['verb']}"
        table[pattern] = made
        return made

    return in_forms(document, change), table


def library(verb: str) -> Kind:
    """One of the library's verbs written out in the script, so that the kinds after it reach
    its forms. What clashes with the script's own forms stays in the library."""

    def apply(document: ast.Document, draw: Random) -> Change:
        used = [name for item in document.items if isinstance(item, ast.Use) for name in item.names]
        meant = [name for name in used if SYNONYMS.get(name.text, name.text) == verb]
        own = {item.name.text for item in document.items if isinstance(item, ast.Action)}
        file = library_file(verb)
        actions = [item for item in file.items if isinstance(item, ast.Action)]
        names = {item.name.text for item in actions}
        if not meant or own & names or len(actions) < len(file.items):
            return document, {}
        kept = tuple(name for name in used if name not in meant)
        rest: list[ast.Item] = [item for item in document.items if not isinstance(item, ast.Use)]
        if kept:
            rest.insert(0, ast.Use(kept))
        items = (*rest, *(_placed(item) for item in actions))
        before = ", ".join(name.text for name in used)
        return replace(document, items=items), {verb: ", ".join(sorted(names)), "use": before}

    return apply


def _placed(item: ast.Action) -> ast.Action:
    """Without the places of the library's file, which say nothing about this one."""
    made: ast.Action = rewrite(item, lambda node: replace(node, span=NOWHERE))
    return made
