"""Mistakes of spelling: quotes, comments, operators and names written another way.

In: where the grammar stopped. Out: a diagnostic if the characters there tell the mistake.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from worldengine.diagnostics import Diagnostic, visible
from worldengine.syntax import words
from worldengine.syntax.explain import Rule, Stop

_OPERATORS: Final = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "!": "not",
    "<>": "!=",
    "=<": "<=",
    "≠": "!=",
    "≤": "<=",
    "≥": ">=",
    "×": "*",
    "−": "-",
    "–": "-",
    "÷": "/",
}
_LITERALS: Final = {"True": "true", "False": "false", "None": "none", "Nowhere": "nowhere"}


def snake(name: str) -> str:
    """A name as the language writes it, made from what the author wrote."""
    plain = unicodedata.normalize("NFKD", name)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", plain)
    plain = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")
    if not plain:
        return "name"
    return plain if not plain[0].isdigit() else "n_" + plain


def fence(where: Stop) -> Diagnostic | None:
    if where.token().kind != "fence":
        return None
    return where.say(
        "syntax-markdown-fence",
        "a script is not wrapped in a Markdown code block",
        "remove the lines of backticks",
    )


def quotes(where: Stop) -> Diagnostic | None:
    token, before = where.token(), where.token(-1)
    if before.kind == "string" and before.end == token.start and token.kind != "op":
        return where.say(
            "syntax-quote-inside",
            "the string ends here, and its text goes on",
            'a quote inside a string is written \\"',
            before,
            token,
        )
    if token.kind == "unclosed":
        return where.say(
            "syntax-unclosed-string",
            "this string is not closed on its line",
            'end it with `"`; inside a string write \\n for a line break and \\" for a quote',
        )
    if token.kind == "single":
        inner = token.text[1:-1].replace('"', '\\"')
        hint = f'write "{visible(inner)}"'
        return where.say(
            "syntax-single-quotes", "strings stand in double quotes, not single ones", hint
        )
    if token.kind == "smart":
        return where.say(
            "syntax-smart-quotes",
            "these are typographic quotes; a string stands in straight double quotes",
            f'write "{visible(token.text.strip("“”„«»‘’‚"))}"',
        )
    return None


def doubled(where: Stop) -> Diagnostic | None:
    token, before = where.token(), where.token(-1)
    if token.text != before.text or token.kind not in ("name", "op") or token.text in "(){}":
        return None
    return where.say("syntax-doubled", f"`{visible(token.text)}` is written twice", "remove one")


def comment(where: Stop) -> Diagnostic | None:
    token = where.token()
    sign = token.text if token.text in ("#", "--") or token.kind == "block" else None
    if sign is None or (sign == "--" and not token.first):
        return None
    return where.say(
        "syntax-comment-style", f"`{sign}` does not begin a comment", "comments begin with //"
    )


def assignment(where: Stop) -> Diagnostic | None:
    token = where.token()
    if token.text == ":=":
        return where.say(
            "syntax-assign-equals", "`:=` is not used here", "set and fields use one `=`"
        )
    if token.text == "==" and "COMPARE" not in where.accepted:
        return where.say(
            "syntax-assign-equals",
            "a value is given with one `=`; `==` compares",
            "write `=`",
        )
    if token.text == "=" and "COMPARE" in where.accepted:
        return where.say(
            "syntax-compare-equals",
            "a condition compares with `==`; one `=` gives a value",
            "write `==`",
        )
    if token.text == "++" or (token.text == "--" and where.takes("EQUAL", "LOWER")):
        return where.say(
            "syntax-step", f"`{token.text}` is not used here", f"write `{token.text[0]}= 1`"
        )
    return None


def operator(where: Stop) -> Diagnostic | None:
    token = where.token()
    right = _OPERATORS.get(token.text)
    if right is None or token.kind != "op":
        return None
    return where.say("syntax-operator-word", f"`{token.text}` is written `{right}`", None)


def arrow(where: Stop) -> Diagnostic | None:
    token = where.token()
    if token.text not in ("->", "=>"):
        return None
    if where.only("TO"):
        hint = "an exit reads `exit north to hall`"
    elif any(token.text == "match" for token in where.tokens[where.head : where.at]):
        hint = 'what happens stands in braces: `value { say "…" }`'
    else:
        hint = "remove it"
    return where.say("syntax-arrow", f"`{token.text}` is not part of the language", hint)


def dots(where: Stop) -> Diagnostic | None:
    token, before, after = where.token(), where.token(-1), where.token(1)
    if token.text == "..." and before.kind == after.kind == "number":
        return where.say(
            "syntax-range-dots",
            "a range is written with two dots, not three",
            f"write {before.text}..{after.text}",
            before,
            after,
        )
    if where.only("RANGE") and before.kind == "number":
        if token.text in ("-", "...", "…", "–", "to") and after.kind == "number":
            return where.say(
                "syntax-range-dots",
                f"a range is written with two dots, not `{token.text}`",
                f"write {before.text}..{after.text}",
                before,
                after,
            )
        return where.say(
            "syntax-range-dots",
            "`:` is followed by a type; a number alone is none",
            f"write `= {before.text}` for a value, or a range such as 0..{before.text}",
            before,
        )
    if before.text == ".." and where.only("INT", "MINUS"):
        return where.say(
            "syntax-range-end", "a range needs both its ends", "for example 0..9", before
        )
    if token.text == ".." and before.kind == "number":
        return where.say(
            "syntax-range-value",
            "a range is a type, not a value",
            "write `name : 0..9 = 0`: the type after `:`, the first value after `=`",
        )
    return None


def names(where: Stop) -> Diagnostic | None:
    token, before, after = where.token(), where.token(-1), where.token(1)
    halfway = where.offset > token.start  # a part of it was taken for a name
    if token.kind == "odd" and (halfway or where.accepted & {"NAME", "TRUE"}):
        right = _LITERALS.get(token.text) or snake(token.text)
        if where.at == where.head and right not in (*words.ITEM_WORDS, "world"):
            third = where.token(2)
            if after.kind not in ("name", "odd") or third.kind not in ("string", "number"):
                return None
        if right in (*words.ITEM_WORDS, "world") and where.at == where.head:
            return where.say(
                "syntax-keyword-case",
                f"`{token.text}` is written in small letters",
                f"write `{right}`",
            )
        return where.say(
            "syntax-name-case",
            f"`{visible(token.text)}` is no name: names are small letters a–z, digits and _",
            f"write `{right}`",
        )
    glued = token.text == "-" and before.end == token.start and token.end == after.start
    if glued and before.kind in ("name", "odd") and "MINUS" not in where.accepted:
        last = after
        for distance in range(2, 12, 2):
            dash, part = where.token(distance), where.token(distance + 1)
            if dash.text != "-" or dash.start != last.end or part.start != dash.end:
                break
            last = part
        start, end = where.span(before).start, where.span(last).end
        written = where.placed.source.text[start:end]
        return where.say(
            "syntax-name-hyphen",
            "a name has no hyphen",
            f"write `{snake(written)}`",
            before,
            last,
        )
    return None


def brackets(where: Stop) -> Diagnostic | None:
    token, before = where.token(), where.token(-1)
    if token.text == "[":
        hint = "write {a, b} for a choice: `x in {a, b}`"
        return where.say("syntax-member-braces", "square brackets are not used here", hint)
    if before.text == "in" and where.only("LBRACE"):
        if token.text == "(":
            return where.say("syntax-member-braces", "a choice stands in braces", "`x in {a, b}`")
        if token.kind == "name":
            return where.say(
                "syntax-member-braces",
                "`in` is followed by a choice in braces",
                f"write `x.in == {token.text}` for a place, `x in {{{token.text}}}` for a choice",
                before,
                token,
            )
    return None


def character(where: Stop) -> Diagnostic | None:
    token = where.token()
    if where.offset < token.start and token.kind != "end":
        return Diagnostic(
            "syntax-bad-character",
            "error",
            "an unusual blank stands here",
            where.placed.span(where.offset, where.offset + 1),
            "use plain spaces and line breaks",
        )
    known = set('{}(),.:;=|?+-*/%<>!"') | {"==", "!=", "<=", ">=", "..", "+=", "-="}
    if token.kind == "op" and token.text not in known:
        return where.say(
            "syntax-bad-character", f"`{visible(token.text)}` is not part of the language"
        )
    return None


RULES: Final[tuple[Rule, ...]] = (
    fence,
    quotes,
    comment,
    doubled,
    assignment,
    operator,
    arrow,
    dots,
    names,
    brackets,
    character,
)
