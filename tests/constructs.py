"""Which constructs of the language a script uses, each by a name of its own.

In: syntax trees. Out: the names found. What the language has is listed here a second time, on
purpose: a new construct fails the test of the shipped worlds until one of them shows it.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from worldengine.compiler.library import VERBS, library_file
from worldengine.syntax import ast

SCOPES = ("here", "held", "visible", "reachable", "adjacent", "anywhere")
CLASSES = ("parameter", "place", "logic")
BUILT_IN = (
    *("held", "here", "visible", "reachable", "adjacent", "inside", "next", "prev"),
    *("prior", "changed"),
)
LIBRARY = frozenset(
    item.name.text
    for verb in ("always", *VERBS)
    for item in library_file(verb).items
    if isinstance(item, ast.Action)
)
ARRIVING = frozenset({"travel", "go", "go_to", "leave", "enter"})
NODES = frozenset(
    each.__name__
    for each in vars(ast).values()
    if isinstance(each, type) and issubclass(each, ast.Node) and each is not ast.Node
)
"""Every kind of node that a tree may have."""

CONSTRUCTS = NODES | {
    *("persona", "intro", "goal", "turns", "timeout", "comment"),
    *(f"use {verb}" for verb in VERBS),
    # kinds and things
    *("kind without parent", "kind with one parent", "kind with several parents"),
    *("kind of own kind", "attribute without default", "attribute with default", "override"),
    *("described value", "negative range", "optional reference", "reference", "enum by name"),
    *("numbered object", "plural", "proper", "one alias", "several aliases", "concept", "topic"),
    *("thing in a thing", "thing nowhere", "field on the player", "carries", "display of player"),
    *("describe when", "describe always", "read", "read when"),
    *("exit plain", "exit through a door", "exit when", "exit when else", "one-way exit"),
    *("dark", "light", "transparent", "locked", "key", "wearable", "content"),
    # facts, derived values, starts
    *("fact bare", "fact unary", "fact n-ary", "fact typed", "fact with default"),
    *("derive bare", "derive with parameters", "derive typed", "derive text", "derive recursive"),
    *("vary single", "vary correlated"),
    # actions and hooks
    *(f"scope {word}" for word in SCOPES),
    *("scope left out", "parameter of kind", "parameter of range", "parameter of enum"),
    *("parameter of named enum", "action without parameters", "several forms"),
    *("optional word", "alternative words"),
    *(f"refusal {name}" for name in (*CLASSES, "default class", "default text")),
    *(f"{when} {whose} action" for when in ("before", "after") for whose in ("library", "own")),
    *("before arriving", "after arriving", "hook for one thing"),
    *("rule once", "rule when", "rule always"),
    # statements
    *(f"set {op}" for op in ("=", "+=", "-=")),
    *("set attribute", "set unary fact", "set bare fact", "set n-ary fact", "set to nowhere"),
    *("if", "if else", "else if", "match one subject", "match two subjects", "match else"),
    *("each", "each where", "nested statement"),
    # expressions
    *(f"compare {op}" for op in ("==", "!=", "<", "<=", ">", ">=")),
    *(f"arithmetic {op}" for op in "+-*/%"),
    *(f"{which} where" for which in ("any", "all", "count", "sum", "min", "max")),
    *("in", "not in", "is", "is not", "and", "or", "not", "chained reference"),
    *("quantifier over all", "fold over all"),
    *(f"{name}()" for name in BUILT_IN),
    *("none", "nowhere", "turn", "player", "this", "true", "false", "number", "string"),
    # texts
    *(f"insert {style or 'bare'}" for style in ("", "the", "a", "The", "is", "has", "it", "s")),
    *("insert attribute", "insert describe", "insert fact", "insert count"),
    *("text if", "text else", "text else if", "text list", "text list the", "text list a"),
    *("text list where", "escaped brace"),
    # endings
    *("several win", "several lose", "win says", "lose says", "one proof", "several proofs"),
}


def used(document: ast.Document) -> set[str]:
    """The names of all constructs in one script."""
    found = {name for node in walk(document) for name in _names(node, document)}
    found |= set(_whole(document))
    if document.comments:
        found.add("comment")
    return found


def walk(node: object) -> Iterator[ast.Node]:
    """A node and everything below it."""
    if isinstance(node, ast.Node):
        yield node
        for item in dataclasses.fields(node):
            if item.name not in ("span", "comments"):
                yield from walk(getattr(node, item.name))
    elif isinstance(node, tuple):
        for each in node:
            yield from walk(each)


def _names(node: ast.Node, document: ast.Document) -> Iterator[str]:
    yield type(node).__name__
    match node:
        case ast.Header():
            yield from (name for name in _HEADER if getattr(node, name) is not None)
        case ast.Use():
            yield from (f"use {name.text}" for name in node.names)
        case ast.Kind() | ast.Object() | ast.Player() | ast.Attribute() | ast.EnumValue():
            yield from _thing(node, document)
        case ast.Describe() | ast.Exit():
            yield from _field(node, document)
        case ast.RangeType() | ast.NamedType():
            yield from _type(node, document)
        case ast.Fact() | ast.Derive() | ast.Vary():
            yield from _value(node)
        case ast.Action() | ast.Hook() | ast.Parameter() | ast.Form() | ast.Require() | ast.Rule():
            yield from _doing(node, document)
        case ast.Set() | ast.If() | ast.Match() | ast.Each() | ast.Branch() | ast.Case():
            yield from _statement(node)
        case ast.Literal() | ast.Insert() | ast.TextIf() | ast.TextList():
            yield from _text(node)
        case _:
            yield from _expression(node)


_HEADER = ("persona", "intro", "goal", "turns", "timeout")


def _thing(node: ast.Node, document: ast.Document) -> Iterator[str]:
    match node:
        case ast.Kind(parents=parents):
            yield f"kind with{('out', ' one', ' several')[min(len(parents), 2)]} parent" + (
                "s" if len(parents) > 1 else ""
            )
            if {each.text for each in parents} & _kinds(document):
                yield "kind of own kind"
        case ast.Object():
            yield from _object(node, document)
        case ast.Player():
            if node.display is not None:
                yield "display of player"
            if any(isinstance(item, ast.Attribute) and item.type for item in node.fields):
                yield "field on the player"
        case ast.Attribute(type=None):
            yield "override"
            if node.name.text in _OVERRIDES:
                yield node.name.text
        case ast.Attribute():
            yield f"attribute with{'out' if node.value is None else ''} default"
        case ast.EnumValue(display=display) if display is not None:
            yield "described value"


_OVERRIDES = frozenset(
    {"dark", "light", "transparent", "locked", "key", "wearable", "content", "carries"}
)


def _object(node: ast.Object, document: ast.Document) -> Iterator[str]:
    if node.count is not None:
        yield "numbered object"
    if node.plural:
        yield "plural"
    if node.proper:
        yield "proper"
    if node.aka:
        yield "one alias" if len(node.aka) == 1 else "several aliases"
    if node.kind.text == "topic":
        yield "topic"
    elif node.kind.text in _concepts(document):
        yield "concept"
    places = {item.name.text for item in document.items if isinstance(item, ast.Object)}
    if node.location is not None and node.location.text == "nowhere":
        yield "thing nowhere"
    elif node.location is not None and node.location.text in places - _places(document):
        yield "thing in a thing"


def _field(node: ast.Describe | ast.Exit, document: ast.Document) -> Iterator[str]:
    if isinstance(node, ast.Describe):
        always = "describe always" if node.what == "describe" else "read"
        yield f"{node.what} when" if node.when is not None else always
        return
    if node.door is not None:
        yield "exit through a door"
    if node.when is not None:
        yield "exit when" if node.refusal is None else "exit when else"
    if node.door is None and node.when is None:
        yield "exit plain"
    back = {
        each.target.text
        for item in document.items
        if isinstance(item, ast.Object) and item.name.text == node.target.text
        for each in item.fields
        if isinstance(each, ast.Exit)
    }
    if not any(
        isinstance(item, ast.Object) and item.name.text in back and node in item.fields
        for item in document.items
    ):
        yield "one-way exit"


def _type(node: ast.RangeType | ast.NamedType, document: ast.Document) -> Iterator[str]:
    if isinstance(node, ast.RangeType):
        if node.low < 0:
            yield "negative range"
    elif node.optional:
        yield "optional reference"
    else:
        yield "enum by name" if node.name.text in _enums(document) else "reference"


def _value(node: ast.Fact | ast.Derive | ast.Vary) -> Iterator[str]:
    if isinstance(node, ast.Vary):
        yield "vary single" if len(node.targets) == 1 else "vary correlated"
    elif isinstance(node, ast.Fact):
        yield f"fact {('bare', 'unary', 'n-ary')[min(len(node.parameters), 2)]}"
        if node.type is not None:
            yield "fact typed"
        if node.value is not None:
            yield "fact with default"
    else:
        yield "derive with parameters" if node.parameters else "derive bare"
        if node.type is not None:
            yield "derive text" if isinstance(node.type, ast.TextType) else "derive typed"
        if any(isinstance(each, ast.Call) and each.name == node.name for each in walk(node.body)):
            yield "derive recursive"


def _doing(node: ast.Node, document: ast.Document) -> Iterator[str]:
    match node:
        case ast.Action():
            if not node.parameters:
                yield "action without parameters"
            if sum(isinstance(part, ast.Form) for part in node.parts) > 1:
                yield "several forms"
        case ast.Parameter(type=kind):
            if node.scope is not None:
                yield f"scope {node.scope}"
            elif isinstance(kind, ast.NamedType) and kind.name.text not in _enums(document):
                yield "scope left out"
            if isinstance(kind, ast.NamedType):
                named = kind.name.text in _enums(document)
                yield "parameter of named enum" if named else "parameter of kind"
            yield {ast.RangeType: "parameter of range", ast.EnumType: "parameter of enum"}.get(
                type(kind), "Parameter"
            )
        case ast.Form(pattern=pattern):
            if "[" in pattern:
                yield "optional word"
            if "|" in pattern:
                yield "alternative words"
        case ast.Require():
            if node.text is None:
                yield "refusal default text"
            else:
                yield f"refusal {node.refusal or 'default class'}"
        case ast.Hook(action=action):
            whose = "library" if action.text in LIBRARY | ARRIVING else "own"
            yield f"{node.when} {whose} action"
            if action.text == "travel":
                yield f"{node.when} arriving"
            things = {item.name.text for item in document.items if isinstance(item, ast.Object)}
            kinds = (each.type for each in node.parameters)
            if any(isinstance(each, ast.NamedType) and each.name.text in things for each in kinds):
                yield "hook for one thing"
        case ast.Rule():
            yield "rule always" if node.when is None else "rule when"
            if node.once:
                yield "rule once"


def _statement(node: ast.Node) -> Iterator[str]:
    match node:
        case ast.Set(target=target):
            yield f"set {node.op}"
            match target:
                case ast.Call(arguments=arguments):
                    yield "set unary fact" if len(arguments) == 1 else "set n-ary fact"
                case ast.Ref():
                    yield "set bare fact"
                case _:
                    yield "set attribute"
            if node.value == ast.Ref("nowhere"):
                yield "set to nowhere"
        case ast.If():
            yield "if"
            if node.otherwise is not None:
                yield "if else"
            if len(node.branches) > 1:
                yield "else if"
        case ast.Match():
            yield f"match {('', 'one subject', 'two subjects')[min(len(node.subjects), 2)]}"
            if node.otherwise is not None:
                yield "match else"
        case ast.Each():
            yield "each" if node.where is None else "each where"
        case ast.Branch(body=body) | ast.Case(body=body):
            if any(isinstance(each, ast.If | ast.Match | ast.Each) for each in body):
                yield "nested statement"


def _text(node: ast.Node) -> Iterator[str]:
    match node:
        case ast.Literal(value=value) if "{" in value:
            yield "escaped brace"
        case ast.Insert():
            yield f"insert {node.style or 'bare'}"
            match node.value:
                case ast.Attr(name=name):
                    yield "insert describe" if name.text == "describe" else "insert attribute"
                case ast.Call():
                    yield "insert fact"
                case ast.Quantifier(which="count"):
                    yield "insert count"
        case ast.TextIf(otherwise=otherwise):
            yield "text if"
            if len(otherwise) == 1 and isinstance(otherwise[0], ast.TextIf):
                yield "text else if"
            elif otherwise:
                yield "text else"
        case ast.TextList():
            yield f"text list {node.style}".rstrip()
            if node.where is not None:
                yield "text list where"


def _expression(node: ast.Node) -> Iterator[str]:
    match node:
        case ast.Compare(op=op):
            yield f"compare {op}"
        case ast.Arithmetic(op=op):
            yield f"arithmetic {op}"
        case ast.Quantifier() | ast.Fold() if node.where is not None:
            yield f"{node.which} where"
        case ast.Quantifier() | ast.Fold():
            yield f"{type(node).__name__.lower()} over all"
        case ast.Member():
            yield "not in" if node.negated else "in"
        case ast.IsKind():
            yield "is"
        case ast.Not(item=item):
            yield "is not" if isinstance(item, ast.IsKind) else "not"
        case ast.And() | ast.Or():
            yield type(node).__name__.lower()
        case ast.Attr(base=ast.Attr()):
            yield "chained reference"
        case ast.Call(name=name) if name.text in BUILT_IN:
            yield f"{name.text}()"
        case ast.Ref(name=name) if name in ("none", "nowhere", "turn", "player", "this"):
            yield name
        case ast.Boolean(value=value):
            yield str(value).lower()
        case ast.Number() | ast.String():
            yield type(node).__name__.lower()


def _whole(document: ast.Document) -> Iterator[str]:
    endings = [item for item in document.items if isinstance(item, ast.Ending)]
    for which in ("win", "lose"):
        these = [item for item in endings if item.which == which]
        if len(these) > 1:
            yield f"several {which}"
        if any(item.text is not None for item in these):
            yield f"{which} says"
    proofs = sum(isinstance(item, ast.Proof) for item in document.items)
    yield "one proof" if proofs == 1 else "several proofs"


def _kinds(document: ast.Document) -> set[str]:
    return {item.name.text for item in document.items if isinstance(item, ast.Kind)}


def _concepts(document: ast.Document) -> set[str]:
    """Kinds without a parent: what is of them is nowhere."""
    kinds = (item for item in document.items if isinstance(item, ast.Kind))
    return {item.name.text for item in kinds if not item.parents}


def _enums(document: ast.Document) -> set[str]:
    return {item.name.text for item in document.items if isinstance(item, ast.Enum)}


def _places(document: ast.Document) -> set[str]:
    """Objects of the kind place, or of a kind below it."""
    kinds = {"place"}
    for _ in document.items:
        kinds |= {
            item.name.text
            for item in document.items
            if isinstance(item, ast.Kind) and {each.text for each in item.parents} & kinds
        }
    objects = (item for item in document.items if isinstance(item, ast.Object))
    return {item.name.text for item in objects if item.kind.text in kinds}


def mechanics(text: str) -> str:
    """What a world's head comment says, in one line of lower case."""
    head = re.split(r"^world ", text, maxsplit=1, flags=re.MULTILINE)[0]
    lines = (line.removeprefix("//").strip() for line in head.splitlines())
    return " ".join(lines).lower()
