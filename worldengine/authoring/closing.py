"""The shortest ending of a script that broke off.

In: the beginning of a script that a grammar steered, cut where the tokens ran out. Out: a
script that the parser takes, a few characters longer (a piece of a word at its very end may
go). A small model under a grammar would write for ever, as the grammar nowhere says enough;
this way what it wrote is whole, and the compiler can say what is wrong with it.
Refused, with None: what is no beginning of a script.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import count
from typing import Any, Final

from lark import Token, UnexpectedInput

from worldengine.syntax import grammar

_TRIES: Final = 64
_MOST_STEPS: Final = 20_000
_SPELT: Final = {
    "NAME": "x", "INT": "1", "STRING": '""', "RANGE": "..", "RAISE": "+=", "LOWER": "-=",
    "COMPARE": "==", "SCOPE": "here", "REFUSAL": "logic", "LBRACE": "{", "RBRACE": "}",
    "LPAR": "(", "RPAR": ")", "COMMA": ",", "COLON": ":", "EQUAL": "=", "VBAR": "|",
    "QMARK": "?", "MINUS": "-", "PLUS": "+", "DOT": ".", "SLASH": "/", "STAR": "*",
    "PERCENT": "%", "SEMICOLON": ";",
}  # fmt: skip
"""How a terminal is written here; a keyword is its own name in lower case."""


def closed(text: str) -> str | None:
    """See the module."""
    for beginning in _beginnings(text):
        parser = _fed(beginning)
        if parser is None:
            continue
        ending = _ending(parser)
        if ending is not None:
            whole = f"{beginning} {' '.join(ending)}".rstrip() + "\n"
            if _takes(whole):
                return whole
    return None


def _beginnings(text: str) -> Iterator[str]:
    """`text` with its last string ended, or without its last pieces, longest first."""
    kept = text
    for _ in range(_TRIES):
        for tail in ("", '"', '\\"', "\n"):
            yield kept + tail
        at = _trouble(kept)
        if at is None or at <= 0:
            return
        kept = kept[:at] if at < len(kept) else kept[:-1]


def _trouble(text: str) -> int | None:
    """Where the parser stops, None if it takes all of the text."""
    try:
        parser = grammar.load().parse_interactive(text, start="start")
        for _ in parser.exhaust_lexer():
            pass
    except UnexpectedInput as error:
        token = getattr(error, "token", None)
        start = token.start_pos if isinstance(token, Token) else error.pos_in_stream
        return len(text) if start is None else int(start)
    return len(text.rstrip()) - 1


def _fed(text: str) -> Any | None:
    """A parser that has read `text`, or None where it cannot."""
    try:
        parser = grammar.load().parse_interactive(text, start="start")
        for _ in parser.exhaust_lexer():
            pass
    except UnexpectedInput:
        return None
    return parser


def _ending(parser: Any) -> list[str] | None:
    """The words that end it soonest: a best-first search that likes short stacks."""
    order = count()
    waiting: list[tuple[int, int, Any, list[str]]] = [(0, next(order), parser, [])]
    seen: set[tuple[int, ...]] = set()
    for _ in range(_MOST_STEPS):
        if not waiting:
            return None
        _, _, here, words = heapq.heappop(waiting)
        accepted = here.accepts()
        if "$END" in accepted:
            return words
        for name in sorted(accepted):
            following = here.copy(deepcopy_values=False)
            word = _SPELT.get(name, name.lower())
            following.feed_token(Token(name, word))
            stack = tuple(following.parser_state.state_stack)
            if stack not in seen:
                seen.add(stack)
                cost = len(words) + 1 + len(stack)
                heapq.heappush(waiting, (cost, next(order), following, [*words, word]))
    return None


def _takes(text: str) -> bool:
    try:
        grammar.load().parse(text, start="start")
    except UnexpectedInput:
        return False
    return True
