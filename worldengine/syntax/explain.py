"""Where the grammar stopped → one diagnostic in the author's words.

In: Lark's error, the loose tokens around it. Out: a `Diagnostic` whose id names the mistake.
The known mistakes are tried in order (`slips` for characters, `habits` for the ways of other
languages, `shapes` for what an item lacks); what none of them knows is told as "expected …,
found …".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from lark import UnexpectedInput

from worldengine.diagnostics import Diagnostic, Label, visible
from worldengine.source import Span
from worldengine.syntax import grammar, words
from worldengine.syntax.expressions import Placed
from worldengine.syntax.tokens import Loose, index_at, scan


@dataclass(frozen=True, slots=True)
class Stop:
    """Everything a rule may look at. `at` is the index of the token that did not fit."""

    placed: Placed
    tokens: Sequence[Loose]
    at: int
    head: int
    """Index of the first token of the item."""
    offset: int
    accepted: frozenset[str]
    closed: bool = True
    """False where the text ends before the item does."""

    def token(self, distance: int = 0) -> Loose:
        """The token at `distance` from the one that did not fit; an empty one beyond the ends."""
        index = self.at + distance
        if 0 <= index < len(self.tokens):
            return self.tokens[index]
        end = self.tokens[-1].end if self.tokens else 0
        return Loose("end", "", end, end, 0, True, 1)

    def takes(self, *terminals: str) -> bool:
        return all(name in self.accepted for name in terminals)

    def only(self, *terminals: str) -> bool:
        return self.accepted == frozenset(terminals)

    def opening(self) -> Loose:
        return self.tokens[self.head] if self.head < len(self.tokens) else self.token()

    def statement(self) -> Loose | None:
        """The word that opened the statement or field in which the parser stopped."""
        for index in range(self.at - 1, max(self.head, self.at - 200) - 1, -1):
            token = self.tokens[index]
            if token.text in ("{", "}"):
                return None
            if token.text in words.PART_WORDS or token.text in words.FIELD_WORDS:
                return token
        return None

    def into(self) -> int:
        """How many tokens of the item were fine."""
        return self.at - self.head

    def span(self, first: Loose | None = None, last: Loose | None = None) -> Span:
        first = first or self.token()
        last = last or first
        return self.placed.span(first.start, max(last.end, first.start))

    def say(
        self,
        name: str,
        message: str,
        hint: str | None = None,
        first: Loose | None = None,
        last: Loose | None = None,
        labels: tuple[Label, ...] = (),
    ) -> Diagnostic:
        return Diagnostic(name, "error", message, self.span(first, last), hint, labels)

    def owner(self) -> str:
        """ "action `water`": the item in which the parser stopped."""
        opening = self.opening()
        if self.head + 1 >= len(self.tokens):
            return "this item"
        name = self.tokens[self.head + 1]
        nameless = ("player", "win", "lose", "start", "vary", "use", "proof")
        named = name.kind == opening.kind == "name" and opening.text not in nameless
        if named and self.at > self.head + 1:
            return f"{opening.text} `{name.text}`"
        return f"this `{opening.text}`" if opening.text in words.KEYWORDS else "this item"


Rule: TypeAlias = Callable[[Stop], Diagnostic | None]


def found(token: Loose) -> str:
    """A token in words."""
    text = token.text if len(token.text) <= 40 else token.text[:39] + "…"
    match token.kind:
        case "end":
            return "the end of the script"
        case "string":
            return f"the string {text}"
        case "number":
            return f"the number {text}"
        case "name":
            return f"the word `{text}`" if text in words.KEYWORDS else f"the name `{text}`"
        case _:
            return f"`{text}`"


def position(error: UnexpectedInput, text: str) -> int:
    """Where the parser stopped; the end of the text if it wanted more."""
    token = getattr(error, "token", None)
    offset = error.pos_in_stream
    if offset is None or offset < 0 or (token is not None and token.type == "$END"):
        return len(text)
    return offset


def stop(error: UnexpectedInput, placed: Placed, tokens: Sequence[Loose], head: int) -> Stop:
    """Gathers what the rules look at. Offsets are those of the text that was parsed."""
    end = tokens[-1].end if tokens else 0
    offset = min(position(error, " " * end), end) if end else 0
    token = getattr(error, "token", None)
    closed = not (token is not None and token.type == "$END")
    at = index_at(tokens, offset) if closed else len(tokens)
    return Stop(placed, tokens, at, head, offset, grammar.accepted(error), closed)


MISPLACED: Final = {
    "require": "requirements stand in the action itself, not inside `if`, `each` or `match`: "
    "write `require not A or B` for B where A holds",
    "form": "forms stand in the action itself, before what it does",
}
"""What to do about a word that is right elsewhere."""


def explain(where: Stop) -> Diagnostic:
    """The first rule that knows the mistake, or the plain words."""
    from worldengine.syntax import habits, heads, shapes, slips

    known = (*slips.RULES, *heads.RULES, *shapes.EARLY, *habits.RULES, *shapes.RULES)
    for rule in known:
        diagnostic = rule(where)
        if diagnostic is not None:
            return diagnostic
    token = where.token()
    expected = words.expectation(where.accepted)
    name = "syntax-unexpected" if where.closed else "syntax-unexpected-end"
    message = f"expected {expected}, found {visible(found(token))}"
    if where.head < where.at:
        message = f"in {where.owner()}: {message}"
    return where.say(name, message, MISPLACED.get(token.text))


def insertion(error: UnexpectedInput, text: str, placed: Placed) -> Diagnostic:
    """The same for an expression inside a string; its end is the end of the insertion."""
    tokens = scan(text)
    where = stop(error, placed, tokens, 0)
    token = where.token()
    if token.kind == "end":
        last = tokens[-1] if tokens else Loose("end", "", 0, 0, 0, True, 1)
        expected = words.expectation(where.accepted - {"$END"})
        span = placed.span(last.start, last.end) if tokens else placed.span(0, 0)
        message = f"this insertion stops too early: expected {expected}"
        return Diagnostic("text-bad-insertion", "error", message, span)
    known = explain(where)
    if known.id.startswith("syntax-unexpected"):
        expected = words.expectation(where.accepted - {"$END"})
        if where.only("$END"):
            expected = "an operator"
        message = f"in this insertion: expected {expected} or `}}`, found {visible(found(token))}"
        hint = "write \\{ for a brace that is shown"
        return Diagnostic("text-bad-insertion", "error", message, known.span, hint)
    return known
