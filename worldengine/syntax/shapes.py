"""What an item lacks: a name, a title, a brace, a small word; or what stands where it cannot.

In: where the grammar stopped. Out: a diagnostic that shows the shape of the item.
"""

from __future__ import annotations

from typing import Final

from worldengine.diagnostics import Diagnostic, did_you_mean, visible
from worldengine.syntax import words
from worldengine.syntax.explain import Rule, Stop
from worldengine.syntax.heads import SHAPES
from worldengine.syntax.slips import snake


def missing_name(where: Stop) -> Diagnostic | None:
    token, before, opening = where.token(), where.token(-1), where.opening()
    if not where.only("NAME") or where.into() != 1:
        return None
    if token.kind == "string" and opening.text not in words.KEYWORDS:
        name = snake(token.text[1:-1])
        return where.say(
            "syntax-missing-name",
            f"this {opening.text} has no name of its own before the text",
            f"write `{opening.text} {name} {token.text}`",
        )
    hint = SHAPES.get(before.text)
    return where.say(
        "syntax-missing-name", f"after `{before.text}` a name is expected", hint, before
    )


def missing_display(where: Stop) -> Diagnostic | None:
    opening, name = where.opening(), where.token(-1)
    if not where.only("INT", "STRING") or opening.text in words.KEYWORDS:
        return None
    shown = name.text.replace("_", " ")
    return where.say(
        "syntax-missing-display",
        f"`{name.text}` has no name to show",
        f'write `{opening.text} {name.text} "{shown}"`',
        opening,
        name,
    )


def missing_in(where: Stop) -> Diagnostic | None:
    """`thing lamp "lamp" hall {`: the grammar takes `hall` for the kind of a next object."""
    name, string = where.token(-1), where.token(-2)
    place_follows = where.only("NAME") and name.kind == "name" and string.kind == "string"
    if place_follows and not name.first and name.text not in words.KEYWORDS:
        return where.say(
            "syntax-missing-in",
            f"`in` is missing before `{name.text}`",
            f"write `in {name.text}`",
            name,
        )
    if where.opening().text == "player" and "IN" in where.accepted:
        return where.say(
            "syntax-missing-in",
            "the player starts in a place",
            "write `player in PLACE { … }`",
        )
    return None


def exits(where: Stop) -> Diagnostic | None:
    token, before = where.token(), where.token(-1)
    if where.only("TO"):
        missing = "its direction" if before.text == "to" else "`to` before its place"
        return where.say(
            "syntax-exit-to", f"this exit lacks {missing}", "write `exit north to hall`"
        )
    if token.text in ("=", ":") and before.text in words.FIELD_WORDS:
        shape = SHAPES["exit"] if before.text == "exit" else 'describe "…"'
        return where.say(
            "syntax-keyword-as-name",
            f"`{before.text}` is a word of the language and no attribute",
            f"write `{shape}`, or choose another name",
            before,
        )
    return None


def keyword_as_name(where: Stop) -> Diagnostic | None:
    token, after, opening = where.token(), where.token(1), where.opening()
    if token.kind != "name" or token.text not in words.KEYWORDS:
        return None
    as_field = after.text in ("=", ":") and where.takes("DESCRIBE", "RBRACE")
    if as_field or ("NAME" in where.accepted and token.text not in words.STATEMENT_WORDS):
        return where.say(
            "syntax-keyword-as-name",
            f"`{token.text}` is a word of the language and cannot be a name here",
            f"put a comma before it, or choose another name such as `{token.text}_1`"
            if as_field
            else f"choose another name such as `{token.text}_1`",
        )
    if opening is token and after.kind in ("string", "end"):
        return where.say(
            "syntax-keyword-as-name", f"`{token.text}` cannot stand here on its own", None
        )
    return None


def parameters(where: Stop) -> Diagnostic | None:
    token, before = where.token(), where.token(-1)
    if where.only("COLON") and before.kind == "name" and token.text in (",", ")"):
        return where.say(
            "syntax-parameter-type",
            f"the parameter `{before.text}` has no kind",
            f"write `{before.text}: thing`",
            before,
        )
    if "SCOPE" in where.accepted and token.kind in ("name", "odd"):
        guess = did_you_mean(token.text, words.SCOPES)
        return where.say(
            "syntax-scope-word",
            f"`{visible(token.text)}` is no scope word",
            f"did you mean `{guess}`?" if guess else "one of " + ", ".join(words.SCOPES),
        )
    if before.text == "," and token.text in (")", "}", "{", "") and "NAME" in where.accepted:
        return where.say(
            "syntax-trailing-comma", "something is missing after this comma", None, before
        )
    return None


def enumerations(where: Stop) -> Diagnostic | None:
    token, opening = where.token(), where.opening()
    if opening.text != "enum" or not (where.only("COLON") or token.text == ","):
        return None
    return where.say(
        "syntax-enum-values",
        "the values of an enum follow a colon, with `|` between them",
        SHAPES["enum"],
    )


def missing_brace(where: Stop) -> Diagnostic | None:
    token, before = where.token(), where.token(-1)
    opens = "LBRACE" in where.accepted and token.kind in ("name", "string")
    words_inside = (*words.PART_WORDS, *words.FIELD_WORDS, *words.HEADER_WORDS, "when")
    if not opens or token.text not in words_inside:
        return None
    return where.say(
        "syntax-missing-brace",
        f"`{{` is missing after `{before.text}`" if before.text else "`{` is missing",
        "what belongs to it stands in braces",
        before,
    )


def parentheses(where: Stop) -> Diagnostic | None:
    token = where.token()
    if token.text == ")":
        return where.say("syntax-unbalanced-parenthesis", "this `)` closes nothing", None)
    closing = token.text in ("{", "}", "") or token.text in words.KEYWORDS
    if not closing or "RPAR" not in where.accepted:
        return None
    depth = 0
    for index in range(where.at - 1, where.head - 1, -1):
        text = where.tokens[index].text
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return where.say(
                "syntax-unclosed-parenthesis",
                "this `(` is never closed",
                "add `)`",
                where.tokens[index],
            )
    return None


EARLY: Final[tuple[Rule, ...]] = (missing_name, missing_in, enumerations, exits)
RULES: Final[tuple[Rule, ...]] = (
    missing_display,
    parameters,
    missing_brace,
    parentheses,
    keyword_as_name,
)
