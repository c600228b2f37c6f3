"""Ways of other languages, in statements and conditions.

In: where the grammar stopped. Out: a diagnostic that says how it is written here.
"""

from __future__ import annotations

from typing import Final

from worldengine.diagnostics import Diagnostic, did_you_mean
from worldengine.syntax import words
from worldengine.syntax.explain import Rule, Stop

_ELSE_IF: Final = frozenset(["elif", "elsif", "elseif", "elsewhen", "elseif"])
_ENDS: Final = frozenset(["end", "endif", "fi", "done"])


def else_if(where: Stop) -> Diagnostic | None:
    token, before = where.token(), where.token(-1)
    if token.text in _ELSE_IF or (before.text == "else" and token.text in ("when", "where")):
        return where.say(
            "syntax-else-if", "another branch begins with `else if`", "write `else if COND { … }`"
        )
    if token.text in _ENDS and "RBRACE" in where.accepted:
        return where.say(
            "syntax-end-word", f"blocks end with `}}`, not with `{token.text}`", "write `}`"
        )
    if token.text == "else" and where.takes("SET", "RBRACE"):
        return where.say(
            "syntax-stray-else",
            "this `else` follows no `if`",
            "`else` stands right after the `}` of an `if`",
        )
    return None


def require(where: Stop) -> Diagnostic | None:
    token, before, statement = where.token(), where.token(-1), where.statement()
    if statement is None or statement.text != "require":
        return None
    if token.kind == "string" and "ELSE" in where.accepted:
        return where.say(
            "syntax-require-else",
            "between the condition and the text of a refusal stands `else`",
            'write `require COND else "text"`, or `else place "text"`',
        )
    if token.text in words.CLASSES and "ELSE" in where.accepted:
        return where.say(
            "syntax-require-else",
            f"`else` is missing before `{token.text}`",
            f'write `else {token.text} "text"`',
        )
    if token.text in words.CLASSES and before.kind == "string":
        return where.say(
            "syntax-require-order",
            f"`{token.text}` stands before the text",
            f"write `else {token.text} {before.text}`",
            before,
            token,
        )
    halfway = where.only("STRING") and where.offset > token.start and before.text == "else"
    if token.kind == "name" and (halfway or where.only("REFUSAL", "STRING")):
        guess = did_you_mean(token.text, words.CLASSES)
        return where.say(
            "syntax-refusal-class",
            f"a refusal is of class parameter, place or logic, not `{token.text}`",
            f"did you mean `{guess}`?" if guess else "logic fits what the state forbids",
        )
    if token.text == "{" and (where.only("REFUSAL", "STRING") or "ELSE" in where.accepted):
        return where.say(
            "syntax-require-else",
            "a requirement has no block, only a text",
            'write `require COND else logic "text"`',
        )
    return None


def when(where: Stop) -> Diagnostic | None:
    token, opening = where.token(), where.opening()
    if "WHEN" in where.accepted and token.text in ("if", "where", "while"):
        return where.say(
            "syntax-when",
            f"a condition here begins with `when`, not `{token.text}`",
            "write `when`",
        )
    if where.only("WHEN"):
        return where.say(
            "syntax-when",
            f"`when` is missing before the condition of {where.owner()}",
            "write `when COND`",
        )
    if token.text == "when" and opening.text == "rule" and "LBRACE" in where.accepted:
        return where.say(
            "syntax-rule-when",
            "the condition of a rule stands inside its braces",
            "write `rule NAME { when COND … }`",
        )
    if token.text == "when" and where.takes("SET", "RBRACE"):
        hint = (
            "the condition comes first: `rule NAME { when COND … }`; use `if` further down"
            if opening.text == "rule"
            else "use `require COND` for a condition of the whole, `if COND { … }` for a part"
        )
        return where.say("syntax-when-place", "`when` cannot stand here", hint)
    if token.text == "then" and "LBRACE" in where.accepted:
        return where.say("syntax-then", "`then` is not used here", "write `if COND { … }`")
    return None


def chained(where: Stop) -> Diagnostic | None:
    token = where.token()
    if token.text in ("==", "!=", "<", "<=", ">", ">=") and where.takes("AND", "OR"):
        return where.say(
            "syntax-chained-comparison",
            "one comparison cannot follow another",
            "join two with `and`: `0 < x and x < 5`",
        )
    if token.text == "{" and where.token(-1).text == "in":
        return where.say(
            "syntax-member-left",
            "`in` needs something before it",
            "write `x not in {a, b}`, with the left side repeated after `and` and `or`",
            where.token(-1),
        )
    if where.only("IN") and where.token(-1).text == "not":
        return where.say(
            "syntax-not-place",
            "`not` stands before a condition, or in `not in`",
            "write `not x`, `x != y` or `x not in {a, b}`",
            where.token(-1),
        )
    return None


def missing_set(where: Stop) -> Diagnostic | None:
    token, after = where.token(), where.token(1)
    if token.kind != "name" or not where.takes("SET", "RBRACE"):
        return None
    if token.text in ("let", "var", "change", "assign"):
        return where.say(
            "syntax-missing-set", f"a change begins with `set`, not `{token.text}`", "write `set`"
        )
    if token.text in ("print", "write", "echo", "display", "show", "tell") or (
        after.kind == "string" and did_you_mean(token.text, words.PART_WORDS) is None
    ):
        return where.say(
            "syntax-missing-say", f"a text is said with `say`, not `{token.text}`", "write `say`"
        )
    if token.text in ("for", "foreach", "forall"):
        return where.say(
            "syntax-each", "a loop over objects begins with `each`", "`each j: jar where … { … }`"
        )
    if after.text in ("=", "+=", "-=", ".", ":=", "++"):
        return where.say(
            "syntax-missing-set", "a change begins with `set`", f"write `set {token.text} …`"
        )
    return None


def text(where: Stop) -> Diagnostic | None:
    token, before, statement = where.token(), where.token(-1), where.statement()
    if before.kind == "string" and token.text in ("+", "%", ".") and statement is not None:
        return where.say(
            "syntax-text-plus",
            "texts are not added up",
            'put values into the text with braces: "You have {player.coins} coins."',
        )
    part_follows = token.text in words.PART_WORDS and before.text in (
        *words.KEYWORDS,
        *words.CLASSES,
    )
    if where.only("STRING") and part_follows:
        return where.say(
            "syntax-missing-string",
            f"`{before.text}` is followed by a text in double quotes",
            f'write `{before.text} "…"`',
            before,
        )
    if where.only("STRING") and token.kind in ("name", "odd", "number"):
        last = token
        for distance in range(1, 12):
            following = where.token(distance)
            if following.first or following.text in words.KEYWORDS:
                break
            if following.kind not in ("name", "odd", "number"):
                break
            last = following
        start, end = where.span(token).start, where.span(last).end
        written = where.placed.source.text[start:end]
        return where.say(
            "syntax-missing-quotes",
            f"after `{before.text}` a text in double quotes is expected",
            f'write "{written}"',
            token,
            last,
        )
    if where.only("STRING") and before.kind == "name":
        return where.say(
            "syntax-missing-string",
            f"`{before.text}` is followed by a text in double quotes",
            f'write `{before.text} "…"`',
            before,
        )
    return None


def lone_string(where: Stop) -> Diagnostic | None:
    token, before = where.token(), where.token(-1)
    if token.kind != "string":
        return None
    if before.kind == "string" and "AKA" in where.accepted:
        return where.say(
            "syntax-missing-aka", "another name of an object follows `aka`", f"aka {token.text}"
        )
    if not where.accepted & {"SET", "PERSONA", "DESCRIBE"}:
        return None
    choices = [w for w in ("form", "say", "goal", "describe") if w.upper() in where.accepted]
    word = " or ".join(f"`{choice}`" for choice in choices)
    return where.say(
        "syntax-lone-string",
        f"no word before this text says what it is for, such as {word}",
        f"write `{choices[0]} {token.text}`" if len(token.text) < 40 else None,
    )


def misspelt(where: Stop) -> Diagnostic | None:
    """A word that is nearly one of the words that could stand here."""
    token = where.token()
    if token.kind != "name" or not token.text:
        return None
    accepted = words.accepted_words(where.accepted)
    if "SCOPE" in where.accepted:
        accepted += words.SCOPES
    guess = did_you_mean(token.text, accepted)
    if guess is None:
        return None
    return where.say(
        "syntax-keyword-misspelt",
        f"`{token.text}` is not a word of the language",
        f"did you mean `{guess}`?",
    )


RULES: Final[tuple[Rule, ...]] = (
    else_if,
    require,
    when,
    chained,
    lone_string,
    missing_set,
    misspelt,
    text,
)
