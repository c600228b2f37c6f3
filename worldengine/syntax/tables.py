"""Lark's parse tables, kept as plain JSON beside the grammar.

Working them out takes about a third of the time in which `check --fast` is done, and they
never change between two edits of the grammar. `grammars/world.tables.json` holds them with
the hash of the grammar and Lark's version; where either differs they are worked out anew, so
a stale file costs time and nothing else. Lark's own cache is not used: it is a pickle.

    make grammar        writes the file (a test keeps it in step)
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

from worldengine import resources

NAME = "world.tables.json"
OPTIONS: dict[str, Any] = {
    "parser": "lalr",
    "lexer": "contextual",
    "start": ["start", "insertion"],
    "keep_all_tokens": True,
    "maybe_placeholders": False,
}


def build(grammar: str) -> Lark:
    """The parser, worked out from the grammar's text."""
    return Lark(grammar, **OPTIONS)


def stamp(grammar: str) -> str:
    """What the tables depend on."""
    digest = hashlib.sha256(grammar.encode()).hexdigest()
    return f"lark {lark.__version__} {digest}"


def dump(grammar: str) -> str:
    """The tables of a grammar as JSON. Lark numbers its states differently in every process,
    so two dumps differ in numbers, not in what they parse."""
    data, memo = build(grammar).memo_serialize([TerminalDef, Rule])
    return json.dumps(
        {"stamp": stamp(grammar), "data": data, "memo": memo}, separators=(",", ":"), sort_keys=True
    )


def load(grammar: str) -> Lark:
    """The parser from the stored tables if they are this grammar's, else worked out."""
    path = resources.folder("grammars") / NAME
    if path.is_file():
        found = json.loads(path.read_text(encoding="utf-8"))
        if found.get("stamp") == stamp(grammar):
            return _revived(found["data"], found["memo"])
    return build(grammar)


def _revived(data: dict[str, Any], memo: dict[str, Any]) -> Lark:
    """JSON knows no whole numbers as keys and no tuples; Lark wants both back."""
    table = data["parser"]["parser"]
    table["tokens"] = {int(key): value for key, value in table["tokens"].items()}
    table["states"] = {
        int(state): {int(token): tuple(move) for token, move in row.items()}
        for state, row in table["states"].items()
    }
    whole = {int(key): value for key, value in memo.items()}
    for item in whole.values():
        options = item.get("options")
        if isinstance(options, dict) and "empty_indices" in options:
            options["empty_indices"] = tuple(options["empty_indices"])
    parser: Lark = Lark._load_from_dict(data, whole)  # type: ignore[no-untyped-call]
    return parser


def main() -> None:
    """Write the tables of the shipped grammar."""
    grammar = resources.read("grammars", "world.lark")
    (resources.folder("grammars") / NAME).write_text(dump(grammar), encoding="utf-8")
