"""How items begin, and what goes wrong there: misspelt words, headers, prose, strays.

In: where the grammar stopped. Out: a diagnostic if the beginning of the item tells the
mistake. These rules come before those about single words, which they would mislead.
"""

from __future__ import annotations

from typing import Final

from worldengine.diagnostics import Diagnostic, did_you_mean
from worldengine.syntax import words
from worldengine.syntax.explain import Rule, Stop

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
    if opening.kind != "name" or opening.text in words.KEYWORDS or not where.into():
        return None
    guess = did_you_mean(opening.text, [*words.ITEM_WORDS, "world"])
    headless = all(token.text != "{" for token in where.tokens[where.head : where.at])
    if where.into() > (6 if guess == "world" or headless else 3):
        return None
    kinds = words.BUILT_IN_KINDS
    if guess is None or opening.text in kinds or did_you_mean(opening.text, kinds):
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
    if opening.text not in _INNER or where.into() > 2:
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
    if opening.kind not in ("name", "odd") or opening.text in words.KEYWORDS or where.into() > 3:
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
    if where.only("STRING") and where.into() == 2:
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


RULES: Final[tuple[Rule, ...]] = (
    misspelt_head,
    misspelt_field,
    misplaced,
    object_fields,
    header,
    prose,
)
