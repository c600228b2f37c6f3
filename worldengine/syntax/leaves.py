"""Nodes that stand on a line of their own → that line, and blocks → their heads.

In: items, fields and statements. Out: strings with `SOFT` breaks. What holds a block gives
its head here (`action water(p: plant)`); the printer lays out what stands in the braces.
"""

from __future__ import annotations

from worldengine.syntax import ast
from worldengine.syntax.spelling import (
    SOFT,
    bound,
    commas,
    constant,
    enum_values,
    expr,
    parameters,
    pattern,
    quote,
    text,
    type_of,
)
from worldengine.syntax.words import KEYWORDS

Leaf = (
    ast.Use
    | ast.Enum
    | ast.Fact
    | ast.Derive
    | ast.Vary
    | ast.Milestone
    | ast.Ending
    | ast.Proof
    | ast.Attribute
    | ast.Describe
    | ast.Exit
    | ast.Set
    | ast.Say
    | ast.Remove
    | ast.Require
    | ast.Form
    | ast.Regex
)


def leaf(node: Leaf) -> str:
    if isinstance(node, ast.Attribute | ast.Describe | ast.Exit):
        return _field(node)
    if isinstance(node, ast.Set | ast.Say | ast.Remove | ast.Require | ast.Form | ast.Regex):
        return _statement(node)
    return _item(node)


def _item(node: Leaf) -> str:
    match node:
        case ast.Use():
            return "use " + commas(name.text for name in node.names)
        case ast.Enum():
            return f"enum {node.name.text} : {enum_values(node.values)}"
        case ast.Fact():
            value = "" if node.value is None else f" = {expr(node.value)}"
            return f"fact {node.name.text}{parameters(node.parameters)}{_type(node.type)}{value}"
        case ast.Derive():
            head = f"derive {node.name.text}{parameters(node.parameters)}{_type(node.type)}"
            return f"{head} = {_body(node.body)}"
        case ast.Milestone():
            shown = quote(node.display)
            return f"milestone {node.name.text} {shown}{SOFT}when {expr(node.when)}"
        case ast.Ending():
            said = "" if node.text is None else f"{SOFT}say {text(node.text)}"
            return f"{node.which} when {expr(node.when)}{said}"
        case ast.Proof():
            return "proof " + commas(map(quote, node.commands))
        case ast.Vary():
            return _vary(node)
        case _:
            raise AssertionError(f"not an item of one line: {type(node).__name__}")


def _type(value: ast.Type | None) -> str:
    return "" if value is None else f" : {type_of(value)}"


def _body(body: ast.Expr | ast.Text) -> str:
    if isinstance(body, ast.Text):
        return text(body)
    # A lone string would be read as a text.
    return f"({expr(body)})" if isinstance(body, ast.String) else expr(body)


def _vary(node: ast.Vary) -> str:
    if len(node.targets) == 1:
        values = commas(expr(row[0]) for row in node.rows)
        return f"vary {expr(node.targets[0])} among{SOFT}{values}"
    rows = commas("(" + ", ".join(map(expr, row)) + ")" for row in node.rows)
    return f"vary ({commas(map(expr, node.targets))}) among{SOFT}{rows}"


def _field(node: ast.Attribute | ast.Describe | ast.Exit) -> str:
    match node:
        case ast.Attribute():
            value = "" if node.value is None else f" = {constant(node.value)}"
            return f"{node.name.text}{_type(node.type)}{value}"
        case ast.Describe():
            return f"{node.what} {text(node.text)}{_when(node.when)}"
        case ast.Exit():
            door = "" if node.door is None else f" through {node.door.text}"
            refusal = "" if node.refusal is None else f"{SOFT}else {text(node.refusal)}"
            head = f"exit {node.direction.text} to {node.target.text}{door}"
            return head + _when(node.when) + refusal


def _when(when: ast.Expr | None) -> str:
    return "" if when is None else f"{SOFT}when {expr(when)}"


def _statement(node: ast.Set | ast.Say | ast.Remove | ast.Require | ast.Form | ast.Regex) -> str:
    match node:
        case ast.Set():
            return f"set {expr(node.target)} {node.op} {expr(node.value)}"
        case ast.Say():
            return f"say {text(node.text)}"
        case ast.Remove():
            return f"remove {expr(node.target)}"
        case ast.Form():
            return f"form {pattern(node.pattern)}"
        case ast.Regex():
            return f"regex {pattern(node.pattern)}"
        case ast.Require():
            head = f"require {expr(node.condition)}"
            if node.text is None:
                return head
            refusal = "" if node.refusal is None else node.refusal + " "
            return f"{head}{SOFT}else {refusal}{text(node.text)}"


def field_ends(node: ast.Field, following: ast.Field) -> str:
    """A comma where the next field is called like a word that could continue a condition."""
    conditional = isinstance(node, ast.Describe | ast.Exit) and node.when is not None
    continues = isinstance(node, ast.Exit) and isinstance(following, ast.Attribute)
    if not (conditional or continues) or not isinstance(following, ast.Attribute):
        return ""
    return "," if following.name.text in KEYWORDS else ""


# --- heads of blocks ----------------------------------------------------------------

Block = (
    ast.Kind
    | ast.Object
    | ast.Player
    | ast.Start
    | ast.Action
    | ast.Hook
    | ast.Rule
    | ast.Each
    | ast.Match
)


def head(node: Block) -> str:
    match node:
        case ast.Kind():
            parents = commas(parent.text for parent in node.parents)
            return f"kind {node.name.text}" + (f" is {parents}" if parents else "")
        case ast.Object():
            return _object(node)
        case ast.Player():
            shown = "" if node.display is None else f" {quote(node.display)}"
            return f"player{shown} in {node.location.text}"
        case ast.Start():
            return "start"
        case ast.Action():
            return f"action {node.name.text}{parameters(node.parameters)}"
        case ast.Hook():
            return f"{node.when} {node.action.text}{parameters(node.parameters)}"
        case ast.Rule():
            return f"rule {node.name.text}" + (" once" if node.once else "")
        case ast.Each():
            return f"each {bound(node.variable, node.kind, node.where)}"
        case ast.Match():
            return f"match {commas(map(expr, node.subjects))}"


def _object(node: ast.Object) -> str:
    written = [node.kind.text, node.name.text]
    if node.count is not None:
        written.append(str(node.count))
    written.append(quote(node.display))
    written += [word for word in ("plural", "proper") if getattr(node, word)]
    if node.aka:
        written.append("aka " + commas(map(quote, node.aka)))
    if node.location is not None:
        written.append(f"in {node.location.text}")
    return " ".join(written)


def case_head(node: ast.Case) -> str:
    patterns = commas(map(expr, node.patterns))
    # A value called `else` would be read as the last case.
    first, *rest = node.patterns
    if isinstance(first, ast.Ref) and first.name == "else":
        patterns = commas(["(else)", *map(expr, rest)])
    return patterns
