"""Lark's tree of an expression, a type or a string → nodes of `ast`.

In: a Lark tree with all its tokens, and where its text stands in the source. Out: frozen
nodes with spans. What the grammar cannot see (a number too big, a bad insertion) is
collected in `diagnostics`. `tree` adds items and statements on top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from lark import Token, Tree

from worldengine.diagnostics import Diagnostic
from worldengine.source import Source, Span
from worldengine.syntax import ast
from worldengine.syntax.depth import MAX_DEPTH, depth, too_deep
from worldengine.syntax.limits import MAX_CHAIN, MAX_DIGITS
from worldengine.syntax.text import Expressions, TextReader, unescape, unknown_escapes

Children = list[Any]
"""Built children of a tree: tokens, nodes and `Group`s."""


@dataclass(frozen=True, slots=True)
class Group:
    """Something built that is no node of its own: a block, a list of fields, a tag."""

    span: Span
    values: tuple[Any, ...]
    kind: str = ""


@dataclass(slots=True)
class Placed:
    """Where a parsed text stands: an offset, or one offset for each character."""

    source: Source
    base: int = 0
    places: list[int] | None = None

    def span(self, start: int, end: int) -> Span:
        if self.places is None:
            return Span(self.source, self.base + start, self.base + end)
        last = self.places[end - 1] + 1 if end > start else self.places[start]
        return Span(self.source, self.places[start], last)


def token_after(children: Children, kind: str) -> Any:
    """The child that follows the token of type `kind`, or None where there is none."""
    for index, child in enumerate(children):
        if isinstance(child, Token) and child.type == kind:
            return children[index + 1]
    return None


def has_token(children: Children, kind: str) -> bool:
    return any(isinstance(child, Token) and child.type == kind for child in children)


def nodes(children: Iterable[Any]) -> tuple[Any, ...]:
    """The children that are nodes, without words and punctuation."""
    return tuple(child for child in children if isinstance(child, ast.Node))


@dataclass
class ExpressionBuilder:
    """Builds bottom-up: a method for each rule, named as in the grammar."""

    placed: Placed
    expressions: Expressions
    diagnostics: list[Diagnostic] = field(default_factory=list)
    longest_chain: int = 0

    def build(self, tree: Tree[Token]) -> Any:
        built: Children = []
        for child in tree.children:
            built.append(self.build(child) if isinstance(child, Tree) else child)
        span = self.between(built[0], built[-1]) if built else self.placed.span(0, 0)
        method = cast(Callable[[Children, Span], Any], getattr(self, "on_" + tree.data))
        return method(built, span)

    # --- places and words ---

    def between(self, first: Any, last: Any) -> Span:
        if not isinstance(first, Token):
            return cast(Span, first.span).to(self.span_of(last))
        assert first.start_pos is not None
        if isinstance(last, Token):
            assert last.end_pos is not None
            return self.placed.span(first.start_pos, last.end_pos)
        return self.span_of(first).to(cast(Span, last.span))

    def span_of(self, child: Any) -> Span:
        if not isinstance(child, Token):
            return cast(Span, child.span)
        assert child.start_pos is not None and child.end_pos is not None
        return self.placed.span(child.start_pos, child.end_pos)

    def report(self, name: str, message: str, span: Span, hint: str | None = None) -> None:
        self.diagnostics.append(Diagnostic(name, "error", message, span, hint))

    def name(self, token: Token) -> ast.Name:
        return ast.Name(str(token), span=self.span_of(token))

    def names(self, children: Children) -> tuple[ast.Name, ...]:
        return tuple(self.name(c) for c in children if isinstance(c, Token) and c.type == "NAME")

    def plain(self, token: Token) -> str:
        """A string that stays characters: a display name, a title, an alias."""
        raw = str(token)[1:-1]
        self.diagnostics += unknown_escapes(self.placed.source, raw, self.span_of(token).start + 1)
        return unescape(raw)

    def plains(self, children: Children) -> tuple[str, ...]:
        return tuple(self.plain(c) for c in children if isinstance(c, Token) and c.type == "STRING")

    def text(self, token: Token) -> ast.Text:
        return self.text_at(str(token), self.span_of(token).start)

    def text_at(self, quoted: str, offset: int) -> ast.Text:
        reader = TextReader(self.placed.source, self.expressions)
        text = reader.read(quoted[1:-1], offset + 1)
        self.diagnostics += reader.diagnostics
        return text

    def integer(self, token: Token, negative: bool = False) -> int:
        digits = str(token)
        if len(digits) > MAX_DIGITS:
            self.report(
                "syntax-number-too-big",
                f"a number has at most {MAX_DIGITS} digits",
                self.span_of(token),
            )
            return 0
        return -int(digits) if negative else int(digits)

    # --- atoms ---

    def on_number(self, children: Children, span: Span) -> ast.Number:
        first = children[0]
        value = first.values[0] if isinstance(first, Group) else self.integer(first)
        return ast.Number(value, span=span)

    def on_signed(self, children: Children, span: Span) -> Group:
        return Group(span, (self.integer(children[-1], negative=len(children) == 2),))

    def on_true(self, children: Children, span: Span) -> ast.Boolean:
        return ast.Boolean(True, span=span)

    def on_false(self, children: Children, span: Span) -> ast.Boolean:
        return ast.Boolean(False, span=span)

    def on_string(self, children: Children, span: Span) -> ast.String:
        return ast.String(self.plain(children[0]), span=span)

    def on_ref(self, children: Children, span: Span) -> ast.Ref:
        return ast.Ref(str(children[0]), span=span)

    def on_group(self, children: Children, span: Span) -> ast.Expr:
        """Brackets leave no node; the span keeps them, so it covers what was written."""
        return cast(ast.Expr, replace(children[1], span=span))

    def on_call(self, children: Children, span: Span) -> ast.Call:
        return ast.Call(self.name(children[0]), nodes(children), span=span)

    def on_attr(self, children: Children, span: Span) -> ast.Attr:
        return ast.Attr(children[0], self.name(children[2]), span=span)

    def on_postfix(self, children: Children, span: Span) -> ast.Expr:
        value = cast(ast.Expr, children[0])
        if self.chain(len(children) // 2, span):
            return value
        for token in children[2::2]:
            value = ast.Attr(value, self.name(token), span=self.between(value, token))
        return value

    def on_quantifier(self, children: Children, span: Span) -> ast.Quantifier:
        variable, kind = self.names(children)
        where = token_after(children, "WHERE")
        return ast.Quantifier(str(children[0]), variable, kind, where, span=span)

    def on_fold(self, children: Children, span: Span) -> ast.Fold:
        variable, kind = self.names(children)
        where = token_after(children, "WHERE")
        value = token_after(children, "OF")
        return ast.Fold(str(children[0]), variable, kind, where, value, span=span)

    # --- operators ---

    def on_negative(self, children: Children, span: Span) -> ast.Expr:
        operand = children[1]
        if isinstance(operand, ast.Number):
            return ast.Number(-operand.value, span=span)
        return ast.Arithmetic("-", ast.Number(0, span=span), operand, span=span)

    def on_total(self, children: Children, span: Span) -> ast.Expr:
        value = cast(ast.Expr, children[0])
        if self.chain(len(children) // 2, span):
            return value
        for operator, right in zip(children[1::2], children[2::2], strict=True):
            value = ast.Arithmetic(str(operator), value, right, span=self.between(value, right))
        return value

    on_product = on_total

    def on_compare(self, children: Children, span: Span) -> ast.Compare:
        return ast.Compare(str(children[1]), children[0], children[2], span=span)

    def on_options(self, children: Children, span: Span) -> Group:
        return Group(span, nodes(children))

    def on_member(self, children: Children, span: Span) -> ast.Member:
        return ast.Member(children[0], children[-1].values, False, span=span)

    def on_not_member(self, children: Children, span: Span) -> ast.Member:
        return ast.Member(children[0], children[-1].values, True, span=span)

    def on_is_kind(self, children: Children, span: Span) -> ast.IsKind:
        return ast.IsKind(children[0], self.name(children[2]), span=span)

    def on_is_not_kind(self, children: Children, span: Span) -> ast.Not:
        return ast.Not(ast.IsKind(children[0], self.name(children[3]), span=span), span=span)

    def on_negation(self, children: Children, span: Span) -> ast.Expr:
        value = cast(ast.Expr, children[-1])
        if self.chain(len(children) - 1, span):
            return value
        for token in reversed(children[:-1]):
            value = ast.Not(value, span=self.between(token, value))
        return value

    def on_conjunction(self, children: Children, span: Span) -> ast.And:
        return ast.And(nodes(children), span=span)

    def on_expr(self, children: Children, span: Span) -> ast.Or:
        return ast.Or(nodes(children), span=span)

    def on_insertion(self, children: Children, span: Span) -> ast.Expr:
        return cast(ast.Expr, children[0])

    def chain(self, length: int, span: Span) -> bool:
        """Notes how deep a row of operators goes; True if it is refused already."""
        self.longest_chain = max(self.longest_chain, length)
        if length > MAX_DEPTH:
            self.diagnostics.append(too_deep(span))
        return length > MAX_DEPTH

    def depth_complaints(self, root: ast.Node, nesting: int) -> list[Diagnostic]:
        """Measures only what could be too deep: nearly no script is walked."""
        if self.longest_chain <= MAX_CHAIN and nesting <= MAX_CHAIN // 2:
            return []
        return [too_deep(root.span)] if depth(root) > MAX_DEPTH else []

    # --- types ---

    def on_bool_type(self, children: Children, span: Span) -> ast.BoolType:
        return ast.BoolType(span=span)

    def on_text_type(self, children: Children, span: Span) -> ast.TextType:
        return ast.TextType(span=span)

    def on_range_type(self, children: Children, span: Span) -> ast.RangeType:
        return ast.RangeType(children[0].values[0], children[2].values[0], span=span)

    def on_optional_type(self, children: Children, span: Span) -> ast.NamedType:
        return ast.NamedType(self.name(children[0]), True, span=span)

    def on_enum_type(self, children: Children, span: Span) -> ast.Type:
        values = cast(Sequence[ast.EnumValue], nodes(children))
        if len(values) == 1 and values[0].display is None:
            return ast.NamedType(values[0].name, False, span=span)
        return ast.EnumType(tuple(values), span=span)

    def on_value(self, children: Children, span: Span) -> ast.EnumValue:
        display = self.plain(children[1]) if len(children) == 2 else None
        return ast.EnumValue(self.name(children[0]), display, span=span)
