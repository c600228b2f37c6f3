"""Lark's tree of a script → the `Document` of `ast`.

In: the tree of the rule `start`. Out: header, items and statements. Reported here, because
the grammar cannot count: a header line or a tag that is written twice.
"""

from __future__ import annotations

import re
from typing import Any

from lark import Token

from worldengine.source import Span
from worldengine.syntax import ast
from worldengine.syntax.expressions import (
    Children,
    ExpressionBuilder,
    Group,
    has_token,
    nodes,
    token_after,
)


def _group(children: Children, kind: str) -> tuple[Any, ...]:
    for child in children:
        if isinstance(child, Group) and child.kind == kind:
            return child.values
    return ()


def _kept(escape: re.Match[str]) -> str:
    return '"' if escape[1] == '"' else escape[0]


class DocumentBuilder(ExpressionBuilder):
    """Adds header, items, fields and statements to the expressions."""

    def on_start(self, children: Children, span: Span) -> ast.Document:
        header = children[0] if children and isinstance(children[0], ast.Header) else None
        items = children if header is None else children[1:]
        return ast.Document(header, tuple(items), span=span)

    # --- header ---

    def on_header(self, children: Children, span: Span) -> ast.Header:
        fields: dict[str, Any] = {}
        for child in children:
            if not isinstance(child, Group):
                continue
            if child.kind in fields:
                self.report(
                    "syntax-repeated", f"the header has a second `{child.kind}`", child.span
                )
            fields[child.kind] = child.values[0]
        return ast.Header(
            self.name(children[1]),
            self.plain(children[2]),
            fields.get("persona"),
            fields.get("intro"),
            fields.get("goal"),
            fields.get("turns"),
            fields.get("timeout"),
            span=span,
        )

    def _header_text(self, children: Children, span: Span) -> Group:
        return Group(span, (self.text(children[1]),), str(children[0]))

    on_persona = on_intro = on_goal = on_timeout = _header_text

    def on_turns(self, children: Children, span: Span) -> Group:
        return Group(span, (self.integer(children[1]),), "turns")

    # --- declarations ---

    def on_use(self, children: Children, span: Span) -> ast.Use:
        return ast.Use(self.names(children), span=span)

    def on_enum(self, children: Children, span: Span) -> ast.Enum:
        return ast.Enum(self.name(children[1]), nodes(children), span=span)

    def on_kind(self, children: Children, span: Span) -> ast.Kind:
        name, *parents = self.names(children)
        return ast.Kind(name, tuple(parents), _group(children, "fields"), span=span)

    def on_object(self, children: Children, span: Span) -> ast.Object:
        tags: dict[str, Group] = {}
        aka: tuple[str, ...] = ()
        for child in children:
            if not isinstance(child, Group) or child.kind == "fields":
                continue
            if child.kind == "aka":
                aka += child.values
            elif child.kind in tags:
                self.report(
                    "syntax-repeated",
                    f"`{children[1]}` has a second `{child.kind}`",
                    child.span,
                    "an object stands in one place" if child.kind == "in" else None,
                )
            else:
                tags[child.kind] = child
        counted = isinstance(children[2], Token) and children[2].type == "INT"
        return ast.Object(
            self.name(children[0]),
            self.name(children[1]),
            self.integer(children[2]) if counted else None,
            self.plain(children[3] if counted else children[2]),
            "plural" in tags,
            "proper" in tags,
            aka,
            tags["in"].values[0] if "in" in tags else None,
            _group(children, "fields"),
            span=span,
        )

    def on_plural(self, children: Children, span: Span) -> Group:
        return Group(span, (), "plural")

    def on_proper(self, children: Children, span: Span) -> Group:
        return Group(span, (), "proper")

    def on_aka(self, children: Children, span: Span) -> Group:
        return Group(span, self.plains(children), "aka")

    def on_location(self, children: Children, span: Span) -> Group:
        return Group(span, (self.name(children[1]),), "in")

    def on_player(self, children: Children, span: Span) -> ast.Player:
        display = self.plains(children)
        return ast.Player(
            display[0] if display else None,
            self.names(children)[0],
            _group(children, "fields"),
            span=span,
        )

    def on_fact(self, children: Children, span: Span) -> ast.Fact:
        return ast.Fact(
            self.name(children[1]),
            _group(children, "parameters"),
            token_after(children, "COLON"),
            token_after(children, "EQUAL"),
            span=span,
        )

    def on_derive(self, children: Children, span: Span) -> ast.Derive:
        declared = token_after(children, "COLON")
        body = children[-1]
        if isinstance(body, ast.String) and body.span.text.startswith('"'):
            # A lone string is a text with insertions; in brackets it stays a value.
            body = self.text_at(body.span.text, body.span.start)
        return ast.Derive(
            self.name(children[1]), _group(children, "parameters"), declared, body, span=span
        )

    def on_start_block(self, children: Children, span: Span) -> ast.Start:
        return ast.Start(children[1].values, span=span)

    def on_vary(self, children: Children, span: Span) -> ast.Vary:
        target, *values = nodes(children)
        return ast.Vary((target,), tuple((value,) for value in values), span=span)

    def on_vary_rows(self, children: Children, span: Span) -> ast.Vary:
        rows = tuple(child.values for child in children if isinstance(child, Group))
        return ast.Vary(nodes(children), rows, span=span)

    def on_row(self, children: Children, span: Span) -> Group:
        return Group(span, nodes(children), "row")

    def on_action(self, children: Children, span: Span) -> ast.Action:
        parameters = _group(children, "parameters")
        return ast.Action(self.name(children[1]), parameters, nodes(children), span=span)

    def on_hook(self, children: Children, span: Span) -> ast.Hook:
        return ast.Hook(
            str(children[0]),
            self.name(children[1]),
            _group(children, "parameters"),
            nodes(children),
            span=span,
        )

    def on_rule(self, children: Children, span: Span) -> ast.Rule:
        when = token_after(children, "WHEN")
        body = tuple(child for child in nodes(children) if child is not when)
        return ast.Rule(self.name(children[1]), has_token(children, "ONCE"), when, body, span=span)

    def on_milestone(self, children: Children, span: Span) -> ast.Milestone:
        return ast.Milestone(
            self.name(children[1]), self.plain(children[2]), children[4], span=span
        )

    def on_ending(self, children: Children, span: Span) -> ast.Ending:
        said = token_after(children, "SAY")
        text = None if said is None else self.text(said)
        return ast.Ending(str(children[0]), children[2], text, span=span)

    def on_proof(self, children: Children, span: Span) -> ast.Proof:
        return ast.Proof(self.plains(children), span=span)

    def on_parameters(self, children: Children, span: Span) -> Group:
        return Group(span, nodes(children), "parameters")

    def on_parameter(self, children: Children, span: Span) -> ast.Parameter:
        scope = str(children[3]) if len(children) == 4 else None
        return ast.Parameter(self.name(children[0]), children[2], scope, span=span)

    # --- fields ---

    def on_fields(self, children: Children, span: Span) -> Group:
        return Group(span, nodes(children), "fields")

    def on_attribute(self, children: Children, span: Span) -> ast.Attribute:
        value = token_after(children, "EQUAL")
        return ast.Attribute(self.name(children[0]), children[2], value, span=span)

    def on_override(self, children: Children, span: Span) -> ast.Attribute:
        return ast.Attribute(self.name(children[0]), None, children[2], span=span)

    def on_describe(self, children: Children, span: Span) -> ast.Describe:
        when = token_after(children, "WHEN")
        return ast.Describe(self.text(children[1]), when, str(children[0]), span=span)

    def on_exit(self, children: Children, span: Span) -> ast.Exit:
        direction, target, *door = self.names(children)
        refusal = token_after(children, "ELSE")
        return ast.Exit(
            direction,
            target,
            door[0] if door else None,
            token_after(children, "WHEN"),
            None if refusal is None else self.text(refusal),
            span=span,
        )

    # --- parts and statements ---

    def on_form(self, children: Children, span: Span) -> ast.Form:
        """Kept as written; only a quote that had to be escaped is undone."""
        return ast.Form(re.sub(r"\\(.)", _kept, str(children[1])[1:-1]), span=span)

    def on_regex(self, children: Children, span: Span) -> ast.Regex:
        return ast.Regex(str(children[1])[1:-1], span=span)

    def on_require(self, children: Children, span: Span) -> ast.Require:
        refusal: str | None = None
        text: ast.Text | None = None
        if has_token(children, "ELSE"):
            text = self.text(children[-1])
            word = children[-2]
            refusal = str(word) if isinstance(word, Token) and word.type == "REFUSAL" else None
        return ast.Require(children[1], refusal, text, span=span)

    def on_set(self, children: Children, span: Span) -> ast.Set:
        return ast.Set(children[1], str(children[2]), children[3], span=span)

    def on_if(self, children: Children, span: Span) -> ast.If:
        branches: list[ast.Branch] = []
        otherwise: tuple[ast.Statement, ...] | None = None
        for index, child in enumerate(children):
            if not isinstance(child, Group):
                continue
            before = children[index - 1]
            if isinstance(before, Token):
                otherwise = child.values
            else:
                where = self.between(children[index - 2], child)
                branches.append(ast.Branch(before, child.values, span=where))
        return ast.If(tuple(branches), otherwise, span=span)

    def on_match(self, children: Children, span: Span) -> ast.Match:
        subjects = tuple(c for c in nodes(children) if not isinstance(c, ast.Case))
        cases = tuple(c for c in children if isinstance(c, ast.Case))
        otherwise = token_after(children, "ELSE")
        return ast.Match(subjects, cases, otherwise and otherwise.values, span=span)

    def on_case(self, children: Children, span: Span) -> ast.Case:
        return ast.Case(nodes(children), children[-1].values, span=span)

    def on_each(self, children: Children, span: Span) -> ast.Each:
        variable, kind = self.names(children)
        where = token_after(children, "WHERE")
        return ast.Each(variable, kind, where, children[-1].values, span=span)

    def on_say(self, children: Children, span: Span) -> ast.Say:
        return ast.Say(self.text(children[1]), span=span)

    def on_remove(self, children: Children, span: Span) -> ast.Remove:
        return ast.Remove(children[1], span=span)

    def on_block(self, children: Children, span: Span) -> Group:
        return Group(span, nodes(children), "block")
