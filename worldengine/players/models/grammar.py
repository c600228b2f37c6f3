"""Grammars that hold a model to a form of reply.

In: a view. Out: Lark text as llguidance reads it: `react` is the strict form of a reply,
`commands` also holds the command to the ones of the episode's command set, numbers to their
digits. What a player may type beside those (other words for the same) is then shut out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from worldengine import resources
from worldengine.players.view import Choice, View

CONSTRAINTS = ("none", "react", "commands")
MOST_NUMBERS = 100
"""A range of more numbers is held to its digits alone."""
HELD = """start: [thought] action
thought: "Thought: " TEXT "\\n"
action: "Action: " command
command: {commands}
TEXT: /[^\\n]+/
DIGITS: /-?[0-9]+/
"""


def grammar_for(kind: str) -> Callable[[View], str | None]:
    """The grammar of each view for a kind of CONSTRAINTS."""
    if kind == "react":
        text = resources.read("grammars", "react.lark")
        return lambda view: text
    return _commands if kind == "commands" else lambda view: None


def _commands(view: View) -> str | None:
    found = dict.fromkeys(part for choice in view.choices() for part in _alternatives(choice))
    return HELD.format(commands=" | ".join(found)) if found else None


def _alternatives(choice: Choice) -> Iterator[str]:
    if not choice.numbered:
        yield _quoted(choice.text)
    elif choice.high - choice.low < MOST_NUMBERS:
        for number in range(choice.low, choice.high + 1):
            yield _quoted(choice.fill(number))
    else:
        before, _, after = choice.text.partition("{}")
        parts = (_quoted(before), "DIGITS", _quoted(after) if after else "")
        yield f"({' '.join(filter(None, parts))})"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
