"""Strings of the script: characters in, `Text` or plain `str` out.

In: what stands between the quotes, and where it stands. Out: literals and insertions with
spans at the right characters, escapes undone. Refused, as diagnostics: an insertion that is
not closed, not understood or empty, a brace too many, an escape that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from worldengine.diagnostics import Diagnostic
from worldengine.source import Source, Span
from worldengine.syntax import ast
from worldengine.syntax.limits import MAX_DIAGNOSTICS

STYLES: Final = ("the", "a", "The", "A", "is", "has", "it", "s")
ESCAPES: Final = {'"': '"', "\\": "\\", "n": "\n", "{": "{", "}": "}"}
MAX_OPEN: Final = 32

_NAME = r"[a-z_][a-z0-9_]*"
_PLAIN = re.compile(r"[^\\{}]+")
_SIMPLE = re.compile(rf"\{{(?:(the|a|The|A|is|has|it|s) )?({_NAME}(?:\.{_NAME})*)\}}")
CONTROL = re.compile(r"\s*(?:(if)\b(?!\.)|(else\s*if|elif|elsif)\b|(else)\s*$|(end)\s*$)")
LIST = re.compile(rf"\s*list\s+(?:(the|a)\s+)?({_NAME})\s*:\s*({_NAME})\s*(?:where\b(.*))?$", re.S)
STYLED = re.compile(r"\s*(the|a|The|A|is|has|it|s)\s+(?=[a-z_(])(?!(?:and|or|in|is|not)\b)")
_NOT_NAMES: Final = frozenset({"true", "false", "not", "if", "else", "end"})

Expressions = Callable[[str, list[int]], ast.Expr | None]
"""Reads an expression whose i-th character stands at the i-th offset of the source."""


@dataclass(slots=True)
class _Open:
    """An `{if}` that waits for its `{end}`."""

    start: int
    condition: ast.Expr
    chained: bool
    then: list[ast.Part] = field(default_factory=list)
    otherwise: list[ast.Part] = field(default_factory=list)
    in_else: bool = False

    def parts(self) -> list[ast.Part]:
        return self.otherwise if self.in_else else self.then


def unescape(raw: str) -> str:
    """A string read as plain characters."""
    if "\\" not in raw:
        return raw
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[0]), raw)


def unknown_escapes(source: Source, raw: str, offset: int) -> list[Diagnostic]:
    """A complaint for each backslash that stands before something it cannot escape."""
    found = []
    for match in re.finditer(r"\\(.)", raw) if "\\" in raw else ():
        if match[1] not in ESCAPES:
            found.append(
                Diagnostic(
                    "text-unknown-escape",
                    "error",
                    f"`{match[0]}` is not an escape",
                    Span(source, offset + match.start(), offset + match.end()),
                    'a string knows \\", \\\\, \\n, \\{ and \\}; write \\\\ for a backslash',
                )
            )
    return found


class TextReader:
    """Reads one string as text with insertions."""

    def __init__(self, source: Source, expressions: Expressions) -> None:
        self.source = source
        self.expressions = expressions
        self.diagnostics: list[Diagnostic] = []

    def read(self, raw: str, offset: int) -> ast.Text:
        """The text between the quotes, which begins at `offset` of the source."""
        span = Span(self.source, offset - 1, offset + len(raw) + 1)
        if "{" not in raw and "}" not in raw:
            if not raw:
                return ast.Text((), span=span)
            inner = Span(self.source, offset, offset + len(raw))
            self.diagnostics += unknown_escapes(self.source, raw, offset)
            return ast.Text((ast.Literal(unescape(raw), span=inner),), span=span)
        self.raw, self.offset = raw, offset
        self.top: list[ast.Part] = []
        self.open: list[_Open] = []
        at = 0
        while at < len(raw) and len(self.diagnostics) < MAX_DIAGNOSTICS:
            at = self._step(at)
        self._unclosed()
        return ast.Text(tuple(self.top), span=span)

    # --- pieces ---

    def _step(self, at: int) -> int:
        character = self.raw[at]
        if character == "{":
            return self._insertion(at)
        if character == "}":
            self._report(
                "text-stray-brace", "this `}` closes nothing", at, at + 1, "write \\} for a brace"
            )
            return at + 1
        if character == "\\":
            escape = self.raw[at : at + 2]
            self.diagnostics += unknown_escapes(self.source, escape, self.offset + at)
            self._literal(unescape(escape), at, at + 2)
            return at + 2
        match = _PLAIN.match(self.raw, at)
        assert match is not None
        self._literal(match.group(), at, match.end())
        return match.end()

    def _literal(self, value: str, start: int, end: int) -> None:
        parts = self._parts()
        span = self._span(start, end)
        if parts and isinstance(last := parts[-1], ast.Literal):
            parts[-1] = ast.Literal(last.value + value, span=last.span.to(span))
        else:
            parts.append(ast.Literal(value, span=span))

    def _insertion(self, at: int) -> int:
        simple = _SIMPLE.match(self.raw, at)
        if simple is not None and simple[2].split(".", 1)[0] not in _NOT_NAMES:
            self._parts().append(self._simple(simple))
            return simple.end()
        body, places, end = self._body(at)
        if end is None:
            self._report(
                "text-unclosed-insertion",
                "this `{` is never closed",
                at,
                at + 1,
                "close the insertion with `}`, or write \\{ for a brace that is shown",
            )
            return len(self.raw)
        if not body.strip():
            self._report("text-empty-insertion", "nothing stands between the braces", at, end)
        else:
            self._filled(body, places, at, end)
        return end

    def _filled(self, body: str, places: list[int], at: int, end: int) -> None:
        control = CONTROL.match(body)
        if control is not None:
            self._control(control, body, places, at, end)
            return
        listed = LIST.match(body)
        if listed is not None:
            self._list(listed, body, places, at, end)
            return
        styled = STYLED.match(body)
        begin = styled.end() if styled else 0
        value = self.expressions(body[begin:], places[begin:])
        if value is not None:
            style = styled[1] if styled else ""
            self._parts().append(ast.Insert(style, value, span=self._span(at, end)))

    def _simple(self, match: re.Match[str]) -> ast.Insert:
        """`{x}` and `{the x.y}` make up nearly all insertions: no need for the grammar."""
        names = match[2].split(".")
        start = match.start(2)
        end = start + len(names[0])
        value: ast.Expr = ast.Ref(names[0], span=self._span(start, end))
        for name in names[1:]:
            part = ast.Name(name, span=self._span(end + 1, end + 1 + len(name)))
            end += 1 + len(name)
            value = ast.Attr(value, part, span=self._span(start, end))
        return ast.Insert(match[1] or "", value, span=self._span(*match.span()))

    def _body(self, at: int) -> tuple[str, list[int], int | None]:
        """What stands in the braces, escapes undone once, and where each character is."""
        raw, index = self.raw, at + 1
        body: list[str] = []
        places: list[int] = []
        depth, quoted, escaped = 1, False, False
        while index < len(raw):
            start, character = index, raw[index]
            if character == "\\" and raw[index + 1 : index + 2] in ('"', "\\"):
                index += 1
                character = raw[index]
            index += 1
            if escaped:
                escaped = False
            elif quoted and character == "\\":
                escaped = True
            elif character == '"':
                quoted = not quoted
            elif not quoted and character in "{}":
                depth += 1 if character == "{" else -1
                if depth == 0:
                    places.append(self.offset + start)
                    return "".join(body), places, index
            body.append(character)
            places.append(self.offset + start)
        return "", [], None

    # --- if and list ---

    def _control(
        self, match: re.Match[str], body: str, places: list[int], at: int, end: int
    ) -> None:
        if match[1]:
            condition = self._condition(body, places, match.end())
            self._push(_Open(at, condition, chained=False), at, end)
        elif not self.open or (self.open[-1].in_else and not match[4]):
            word = "{end}" if match[4] else "{else}"
            self._report(
                "text-stray-control",
                f"this `{word}` belongs to no `{{if …}}`",
                at,
                end,
                "the form is {if COND}…{else}…{end}",
            )
        elif match[2]:
            self.open[-1].in_else = True
            condition = self._condition(body, places, match.end())
            self._push(_Open(at, condition, chained=True), at, end)
        elif match[3]:
            self.open[-1].in_else = True
        else:
            self._close(end)

    def _condition(self, body: str, places: list[int], begin: int) -> ast.Expr:
        value = self.expressions(body[begin:], places[begin:])
        return ast.Boolean(True) if value is None else value

    def _push(self, opened: _Open, at: int, end: int) -> None:
        if len(self.open) < MAX_OPEN:
            self.open.append(opened)
        else:
            self._report("text-too-deep", "too many {if …} inside each other", at, end)

    def _close(self, end: int) -> None:
        """`{end}` closes an `{if}` with all its `{else if}`."""
        while self.open:
            done = self.open.pop()
            part = ast.TextIf(
                done.condition,
                tuple(done.then),
                tuple(done.otherwise),
                span=self._span(done.start, end),
            )
            self._parts().append(part)
            if not done.chained:
                return

    def _list(self, match: re.Match[str], body: str, places: list[int], at: int, end: int) -> None:
        where: ast.Expr | None = None
        if match[4] is not None:
            begin = match.start(4)
            where = self.expressions(body[begin:], places[begin:])
        style = match[1] or ""
        variable, kind = (
            ast.Name(match[i], span=Span(self.source, places[match.start(i)], places[match.end(i)]))
            for i in (2, 3)
        )
        span = self._span(at, end)
        self._parts().append(ast.TextList(style, variable, kind, where, span=span))

    def _unclosed(self) -> None:
        if not self.open:
            return
        first = self.open[0].start
        self._report(
            "text-unclosed-if",
            "this `{if …}` has no `{end}`",
            first,
            first + 1,
            "the form is {if COND}…{else}…{end}",
        )

    # --- places ---

    def _parts(self) -> list[ast.Part]:
        return self.open[-1].parts() if self.open else self.top

    def _span(self, start: int, end: int) -> Span:
        return Span(self.source, self.offset + start, self.offset + end)

    def _report(
        self, name: str, message: str, start: int, end: int, hint: str | None = None
    ) -> None:
        self.diagnostics.append(Diagnostic(name, "error", message, self._span(start, end), hint))
