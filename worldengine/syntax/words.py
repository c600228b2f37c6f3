"""The words of the language, in groups, and how a token is called in a message.

In: names of terminals. Out: the author's words for them. A test holds the lists against
the grammar.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

ITEM_WORDS: Final = [
    "use",
    "enum",
    "kind",
    "player",
    "fact",
    "derive",
    "start",
    "vary",
    "action",
    "before",
    "after",
    "rule",
    "milestone",
    "win",
    "lose",
    "proof",
]
HEADER_WORDS: Final = ["persona", "intro", "goal", "turns", "timeout"]
STATEMENT_WORDS: Final = ["set", "if", "match", "each", "say", "remove"]
PART_WORDS: Final = ["form", "regex", "require", *STATEMENT_WORDS]
FIELD_WORDS: Final = ["describe", "exit", "read"]
TAG_WORDS: Final = ["aka", "plural", "proper", "in", "on"]
CLASSES: Final = ["parameter", "place", "logic"]
SCOPES: Final = ["here", "held", "visible", "reachable", "adjacent", "anywhere"]
BUILT_IN_KINDS: Final = ["place", "thing", "container", "surface", "door", "person", "device"]
JOINING_WORDS: Final = [
    "when",
    "where",
    "else",
    "among",
    "through",
    "to",
    "of",
    "is",
    "once",
    "and",
    "or",
    "not",
    "true",
    "false",
    "bool",
    "text",
    "world",
]

KEYWORDS: Final = frozenset(
    [*ITEM_WORDS, *HEADER_WORDS, *PART_WORDS, *FIELD_WORDS, *TAG_WORDS, *JOINING_WORDS]
)
"""Words that cannot name anything in at least one place of the grammar."""

_CALLED: Final = {
    "NAME": "a name",
    "STRING": 'a string in "double quotes"',
    "INT": "a number",
    "RANGE": "`..`",
    "RAISE": "`+=`",
    "LOWER": "`-=`",
    "$END": "the end of the script",
    "LBRACE": "`{`",
    "RBRACE": "`}`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "EQUAL": "`=`",
    "VBAR": "`|`",
    "QMARK": "`?`",
    "MINUS": "`-`",
    "PLUS": "`+`",
    "DOT": "`.`",
    "SLASH": "`/`",
    "STAR": "`*`",
    "PERCENT": "`%`",
    "COMPARE": "a comparison",
    "REFUSAL": "`place`, `logic` or `parameter`",
    "SCOPE": "a scope word such as `here`",
}
_OPERATORS: Final = frozenset(
    ["PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "COMPARE", "AND", "OR", "NOT", "IN", "IS", "DOT"]
)
_SILENT: Final = frozenset(["SEMICOLON", "ANY", "ALL", "COUNT", "SUM", "MIN", "MAX"])


def terminals(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.upper() for word in words)


_STATEMENTS: Final = terminals(STATEMENT_WORDS)
_ITEMS: Final = terminals(ITEM_WORDS)


def expectation(accepted: frozenset[str]) -> str:
    """What could have stood here, in words: "`else`, an operator or the next statement"."""
    left = set(accepted) - _SILENT
    called: list[str] = []
    if left >= _ITEMS:
        left -= _ITEMS | {"NAME", "$END", "WORLD"}
        called.append("the next item")
    if left >= _STATEMENTS:
        left -= _STATEMENTS
        called.append("a statement")
    starts_expression = {"NAME", "LPAR", "TRUE", "FALSE"} <= left
    if starts_expression:
        left -= {"NAME", "LPAR", "TRUE", "FALSE", "NOT", "MINUS", "INT", "STRING"}
        called.append("a value or condition")
    elif "COMPARE" in left or "PLUS" in left:
        left -= _OPERATORS
        left -= {"LPAR"}
        called.append("an operator")
    words = [_CALLED.get(name, f"`{name.lower()}`") for name in sorted(left)]
    words += called
    if not words:
        return "something else"
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def accepted_words(accepted: frozenset[str]) -> list[str]:
    """The keywords among the accepted terminals."""
    return sorted(
        name.lower() for name in accepted if name.lower() in KEYWORDS and name not in ("NAME",)
    )
