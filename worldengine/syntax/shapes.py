"""What an item lacks: a name, a title, a brace, a small word; or what stands where it cannot.

In: where the grammar stopped. Out: a diagnostic that shows the shape of the item.
"""

from __future__ import annotations

from typing import Final

from worldengine.diagnostics import Diagnostic, did_you_mean
from worldengine.syntax import words
from worldengine.syntax.explain import Rule, Stop
from worldengine.syntax.slips import snake

_INNER: Final = frozenset([*words.PART_WORDS, *words.FIELD_WORDS, *words.HEADER_WORDS])

SHAPES: Final = {
    "world": 'world NAME "Title" { persona "…" intro "…" goal "…" turns 40 }',
    "kind": "kind NAME is thing { attribute : type = value }",
    "enum": 'enum NAME : first | second "shown so"',
    "action": 'action NAME(p: kind here) { form "…" … }',
    "rule": "rule NAME { when COND … }",
    "milestone": 'milestone NAME "what was reached" when COND',
    "fact": "fact NAME(a: kind, b: kind) : type = value",
    "derive": "derive NAME(a: kind) = COND",
    "player": "player in PLACE { … }",
    "vary": "vary a.in among x, y",
    "use": "use travel, take",
    "before": "before ACTION(p: kind) { require … }",
    "after": "after ACTION(p: kind) { … }",
    "exit": "exit DIRECTION to PLACE [through DOOR] [when COND]",
    "each": "each NAME: KIND where COND { … }",
    "win": 'win when COND say "…"',
    "lose": 'lose when COND say "…"',
}


def misspelt_head(where: Stop) -> Diagnostic | None:
    """`actoin water(` begins like an object of kind `actoin`; near its start that is a slip."""
    opening = where.opening()
    if opening.kind != "name" or opening.text in words.KEYWORDS or not _into(where):
        return None
    guess = did_you_mean(opening.text, [*words.ITEM_WORDS, "world"])
    if _into(where) > (6 if guess == "world" else 3):
        return None
    if guess is None or did_you_mean(opening.text, words.BUILT_IN_KINDS):
        return None
    return where.say(
        "syntax-keyword-misspelt",
        f"`{opening.text}` is not a word of the language",
        f"did you mean `{guess}`?",
        opening,
    )


def misspelt_field(where: Stop) -> Diagnostic | None:
    """`exti north to hall` reads like an attribute `exti` without its `=`."""
    before = where.token(-1)
    if not where.only("COLON", "EQUAL") or before.kind != "name":
        return None
    guess = did_you_mean(before.text, words.FIELD_WORDS)
    if guess is not None:
        return where.say(
            "syntax-keyword-misspelt",
            f"`{before.text}` is not a word of the language",
            f"did you mean `{guess}`?",
            before,
        )
    hint = f"write `{before.text} = …`"
    if before.text in words.PART_WORDS:
        hint = f"`{before.text}` belongs into an action or a rule"
    return where.say("syntax-field-value", f"the field `{before.text}` has no value", hint, before)


def misplaced(where: Stop) -> Diagnostic | None:
    opening = where.opening()
    if opening.text not in _INNER or _into(where) > 2:
        return None
    home = "the header" if opening.text in words.HEADER_WORDS else "an action or a rule"
    if opening.text in words.FIELD_WORDS:
        home = "a place, thing or kind"
    return where.say(
        "syntax-misplaced",
        f"`{opening.text}` stands inside the braces of {home}, not on its own",
        "move it inside; an item before it may be closed too early",
        opening,
    )


def prose(where: Stop) -> Diagnostic | None:
    """Sentences around a script: words in a row that make no item."""
    opening = where.opening()
    if opening.kind not in ("name", "odd") or opening.text in words.KEYWORDS or _into(where) > 3:
        return None
    if where.only("INT", "STRING") and where.token().text in (*words.TAG_WORDS, "{"):
        return None
    line = [opening]
    for token in where.tokens[where.head + 1 : where.head + 40]:
        if token.first:
            break
        line.append(token)
    plain = sum(token.kind in ("name", "odd") for token in line)
    if plain < 3 or any(token.text in ("{", "(", "=") or token.kind == "string" for token in line):
        return None
    return where.say(
        "syntax-prose",
        "this line is not part of the language",
        "remove it, or make it a comment with //",
        opening,
        line[-1],
    )


def header(where: Stop) -> Diagnostic | None:
    opening, token, before = where.opening(), where.token(), where.token(-1)
    if opening.text != "world":
        return None
    if where.only("STRING") and _into(where) == 2:
        return where.say(
            "syntax-missing-title",
            f"the world `{before.text}` has no title",
            f'write `world {before.text} "Title" {{ … }}`',
            before,
        )
    if "PERSONA" in where.accepted and token.kind in ("name", "odd"):
        guess = did_you_mean(token.text, words.HEADER_WORDS)
        return where.say(
            "syntax-header-field",
            f"a header has no `{token.text}`",
            f"did you mean `{guess}`?" if guess else "it holds " + ", ".join(words.HEADER_WORDS),
        )
    if token.text in (":", "=") and before.text in words.HEADER_WORDS:
        return where.say(
            "syntax-header-colon",
            f"no `{token.text}` stands after `{before.text}`",
            f"write `{before.text} 40`" if before.text == "turns" else f'`{before.text} "…"`',
        )
    if before.text == "turns" and where.only("INT"):
        return where.say("syntax-header-turns", "`turns` is followed by a number", "turns 40")
    return None


def missing_name(where: Stop) -> Diagnostic | None:
    token, before, opening = where.token(), where.token(-1), where.opening()
    if not where.only("NAME") or _into(where) != 1:
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
        return where.say(
            "syntax-scope-word",
            f"`{token.text}` is no scope word",
            "one of " + ", ".join(words.SCOPES),
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


def object_fields(where: Stop) -> Diagnostic | None:
    """Fields after an object whose `{` is missing read like further items."""
    token, before = where.token(), where.token(-1)
    if before.text in words.FIELD_WORDS and where.only("NAME") and token.kind == "string":
        return where.say(
            "syntax-misplaced",
            f"`{before.text}` stands inside the braces of a place, thing or kind",
            "open them with `{` before it",
            before,
        )
    if where.only("INT", "STRING") and where.token(-2).text in words.FIELD_WORDS:
        return where.say(
            "syntax-misplaced",
            f"`{where.token(-2).text}` stands inside the braces of a place, thing or kind",
            "open them with `{` before it",
            where.token(-2),
        )
    return None


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


def _into(where: Stop) -> int:
    """How many tokens of the item were fine."""
    return where.at - where.head


EARLY: Final[tuple[Rule, ...]] = (
    misspelt_head,
    misspelt_field,
    misplaced,
    object_fields,
    header,
    prose,
    missing_name,
    missing_in,
    enumerations,
    exits,
)
RULES: Final[tuple[Rule, ...]] = (
    missing_display,
    parameters,
    missing_brace,
    parentheses,
    keyword_as_name,
)
