"""Hypothesis strategies for arbitrary syntax trees.

They leave out only what no script can say: reserved words in reserved places, an enum of one
bare value (that is a name), adjacent literals (they are merged)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from worldengine.syntax import ast, words

RESERVED_VALUES = {"true", "false", "not"}
some = st.sampled_from
raw_names = st.one_of(
    st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True),
    some(sorted({*words.KEYWORDS, *words.SCOPES, *words.CLASSES, "all", "count", "max", "list"})),
)


def names(*excluded: str) -> st.SearchStrategy[ast.Name]:
    return raw_names.filter(lambda name: name not in excluded).map(ast.Name)


NAME = names()
plain = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]) | some('\n{}"\\'),
    max_size=8,
)
refs = raw_names.filter(lambda name: name not in RESERVED_VALUES).map(ast.Ref)
numbers = st.integers(-(10**9), 10**9).map(ast.Number)
literals = st.one_of(numbers, st.booleans().map(ast.Boolean), plain.map(ast.String), refs)


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | strategy


def tuples(strategy: st.SearchStrategy[Any], least: int = 0, most: int = 3) -> Any:
    return st.lists(strategy, min_size=least, max_size=most).map(tuple)


def larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    several = tuples(inner, 2)
    return st.one_of(
        st.builds(ast.Attr, inner, NAME),
        st.builds(
            ast.Call,
            names(*RESERVED_VALUES, "any", "all", "count", "sum", "min", "max"),
            tuples(inner),
        ),
        st.builds(ast.Not, inner),
        st.builds(ast.And, several),
        st.builds(ast.Or, several),
        st.builds(ast.Compare, some(["==", "!=", "<", "<=", ">", ">="]), inner, inner),
        st.builds(ast.Member, inner, tuples(inner, 1), st.booleans()),
        st.builds(ast.IsKind, inner, names("not")),
        st.builds(ast.Arithmetic, some("+-*/%"), inner, inner),
        st.builds(ast.Quantifier, some(["any", "all", "count"]), NAME, NAME, optional(inner)),
        st.builds(ast.Fold, some(["sum", "min", "max"]), NAME, NAME, optional(inner), inner),
    )


expressions: st.SearchStrategy[Any] = st.recursive(literals, larger, max_leaves=6)


def merged(parts: list[Any]) -> tuple[Any, ...]:
    """Adjacent literals are one; an empty one is none."""
    done: list[Any] = []
    for part in parts:
        if isinstance(part, ast.Literal) and done and isinstance(done[-1], ast.Literal):
            done[-1] = ast.Literal(done[-1].value + part.value)
        elif not isinstance(part, ast.Literal) or part.value:
            done.append(part)
    return tuple(done)


STYLES = ["", "the", "a", "The", "A", "is", "has", "it", "s"]
pieces: st.SearchStrategy[Any] = st.one_of(
    plain.map(ast.Literal),
    st.builds(ast.Insert, some(STYLES), expressions),
    st.builds(ast.TextList, some(["", "the", "a"]), NAME, NAME, optional(expressions)),
)
parts = st.recursive(
    st.lists(pieces, max_size=3).map(merged),
    lambda inner: st.builds(
        lambda before, condition, then, otherwise: merged(
            [*before, ast.TextIf(condition, then, otherwise)]
        ),
        inner,
        expressions,
        inner,
        inner,
    ),
    max_leaves=4,
)
texts = parts.map(ast.Text)

# --- types and fields ---

enum_values = st.builds(ast.EnumValue, NAME, optional(plain))


def first_is_free(values: tuple[ast.EnumValue, ...]) -> bool:
    first = values[0].name.text not in ("bool", "text")
    return first and (len(values) > 1 or values[0].display is not None)


types = st.one_of(
    st.just(ast.BoolType()),
    st.just(ast.TextType()),
    st.builds(ast.RangeType, st.integers(-99, 99), st.integers(-99, 99)),
    tuples(enum_values, 1).filter(first_is_free).map(ast.EnumType),
    st.builds(ast.NamedType, names("bool", "text"), st.booleans()),
)
attributes = st.builds(
    ast.Attribute, names("describe", "exit"), optional(types), optional(expressions)
).filter(lambda field: field.type is not None or field.value is not None)
describes = st.builds(ast.Describe, texts, optional(expressions))
exits = st.builds(
    ast.Exit, NAME, NAME, optional(NAME), optional(expressions), optional(texts)
).filter(lambda field: field.when is not None or field.refusal is None)
fields = tuples(st.one_of(attributes, describes, exits))

# --- statements ---

targets = st.one_of(
    raw_names.map(ast.Ref),
    st.builds(ast.Call, NAME, tuples(expressions)),
    st.builds(ast.Attr, st.builds(ast.Attr, raw_names.map(ast.Ref), NAME), NAME),
)
simple = st.one_of(
    st.builds(ast.Set, targets, some(["=", "+=", "-="]), expressions),
    st.builds(ast.Say, texts),
    st.builds(ast.Remove, targets),
)


def blocks(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    body = tuples(inner)
    branches = tuples(st.builds(ast.Branch, expressions, body), 1)
    cases = tuples(st.builds(ast.Case, tuples(expressions, 1), body))
    return st.one_of(
        st.builds(ast.If, branches, optional(body)),
        st.builds(ast.Match, tuples(expressions, 1), cases, optional(body)),
        st.builds(ast.Each, NAME, NAME, optional(expressions), body),
    )


statements = st.recursive(simple, blocks, max_leaves=5)
requires = st.builds(
    ast.Require, expressions, optional(some(words.CLASSES)), optional(texts)
).filter(lambda part: part.text is not None or part.refusal is None)
patterns = st.from_regex(r"([a-z {}()|\[\]\"]|\\[a-z\\.]){0,8}", fullmatch=True)
forms = patterns.map(ast.Form)
regexes = patterns.filter(lambda raw: '"' not in raw).map(ast.Regex)

# --- items ---

parameters = tuples(st.builds(ast.Parameter, NAME, types, optional(some(words.SCOPES))), most=2)
objects = st.builds(
    ast.Object,
    names(*words.KEYWORDS),
    NAME,
    optional(st.integers(0, 99)),
    plain,
    st.booleans(),
    st.booleans(),
    tuples(plain),
    optional(NAME),
    fields,
)


@st.composite
def varies(draw: st.DrawFn) -> ast.Vary:
    width = draw(st.integers(1, 3))
    rows = draw(tuples(tuples(expressions, width, width), 1))
    return ast.Vary(draw(tuples(targets, width, width)), rows)


items = st.one_of(
    st.builds(ast.Use, tuples(NAME, 1)),
    st.builds(ast.Enum, NAME, tuples(enum_values, 1)),
    st.builds(ast.Kind, NAME, tuples(NAME), fields),
    objects,
    st.builds(ast.Player, optional(plain), NAME, fields),
    st.builds(ast.Fact, NAME, parameters, optional(types), optional(expressions)),
    st.builds(ast.Derive, NAME, parameters, optional(types), st.one_of(expressions, texts)),
    st.builds(ast.Start, tuples(statements)),
    varies(),
    st.builds(
        ast.Action, NAME, parameters, tuples(st.one_of(forms, regexes, requires, statements))
    ),
    st.builds(
        ast.Hook,
        some(["before", "after"]),
        NAME,
        parameters,
        tuples(st.one_of(requires, statements)),
    ),
    st.builds(ast.Rule, NAME, st.booleans(), optional(expressions), tuples(statements)),
    st.builds(ast.Milestone, NAME, plain, expressions),
    st.builds(ast.Ending, some(["win", "lose"]), expressions, optional(texts)),
    st.builds(ast.Proof, tuples(plain, 1)),
)
headers = st.builds(
    ast.Header,
    NAME,
    plain,
    optional(texts),
    optional(texts),
    optional(texts),
    optional(st.integers(0, 999)),
    optional(texts),
)
documents = st.builds(ast.Document, headers, tuples(items, most=5))
