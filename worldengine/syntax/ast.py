"""The syntax tree: what an author wrote, before anybody asks what it means.

Frozen nodes of tuples. Two trees are equal when they say the same thing: spans and
comments take no part in comparison, so `parse(print(tree)) == tree` is a fair law.
Names are not resolved here: `Ref("mossy")` may be an object, a value or a parameter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from worldengine.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Node:
    """Base of all nodes; `span` covers the whole construct."""

    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Name(Node):
    """An identifier, `[a-z_][a-z0-9_]*`, with the place it stands."""

    text: str


# --- text ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """Characters of a text, escapes already undone."""

    value: str


@dataclass(frozen=True, slots=True)
class Insert(Node):
    """`{x}`, `{the x}`, `{a x}`, `{The x}`, `{is x}`, `{has x}`, `{it x}`, `{s x}`.

    `style` is one of "", "the", "a", "The", "A", "is", "has", "it", "s".
    """

    style: str
    value: Expr


@dataclass(frozen=True, slots=True)
class TextIf(Node):
    """`{if COND}…{else}…{end}`; an `{else if COND}` is a TextIf alone in `otherwise`."""

    condition: Expr
    then: tuple[Part, ...]
    otherwise: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class TextList(Node):
    """`{list f: file where COND}`; `style` ("", "the", "a") puts an article on each item."""

    style: str
    variable: Name
    kind: Name
    where: Expr | None


Part: TypeAlias = Literal | Insert | TextIf | TextList


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string of the script, read as text with insertions. Adjacent literals are merged."""

    parts: tuple[Part, ...]

    @property
    def plain(self) -> str | None:
        """The characters, if there is no insertion in it; else None."""
        if not self.parts:
            return ""
        if len(self.parts) == 1 and isinstance(self.parts[0], Literal):
            return self.parts[0].value
        return None


# --- expressions --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


@dataclass(frozen=True, slots=True)
class Boolean(Node):
    value: bool


@dataclass(frozen=True, slots=True)
class String(Node):
    """A string used as a value: the content of a `text` attribute, never with insertions."""

    value: str


@dataclass(frozen=True, slots=True)
class Ref(Node):
    """A bare name: parameter, object, value, fact, derived value, `none`, `nowhere`,
    `turn`, `player`."""

    name: str


@dataclass(frozen=True, slots=True)
class Attr(Node):
    """`base.name`."""

    base: Expr
    name: Name


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`name(arguments)`: a fact, a derived value or a built-in such as `held`, `next`, `prior`."""

    name: Name
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    item: Expr


@dataclass(frozen=True, slots=True)
class And(Node):
    """Two or more items; nested `and` without parentheses is one node."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Compare(Node):
    """`left op right`, op in == != < <= > >=."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Member(Node):
    """`item in {a, b}` or `item not in {a, b}`."""

    item: Expr
    options: tuple[Expr, ...]
    negated: bool


@dataclass(frozen=True, slots=True)
class IsKind(Node):
    """`item is KIND`."""

    item: Expr
    kind: Name


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`left op right`, op in + - * / %."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Quantifier(Node):
    """`any|all|count(variable: kind where where)`."""

    which: str
    variable: Name
    kind: Name
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Fold(Node):
    """`sum|min|max(variable: kind where where of value)`."""

    which: str
    variable: Name
    kind: Name
    where: Expr | None
    value: Expr


Expr: TypeAlias = (
    Number
    | Boolean
    | String
    | Ref
    | Attr
    | Call
    | Not
    | And
    | Or
    | Compare
    | Member
    | IsKind
    | Arithmetic
    | Quantifier
    | Fold
)


# --- types --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EnumValue(Node):
    name: Name
    display: str | None


@dataclass(frozen=True, slots=True)
class BoolType(Node):
    pass


@dataclass(frozen=True, slots=True)
class TextType(Node):
    pass


@dataclass(frozen=True, slots=True)
class RangeType(Node):
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class EnumType(Node):
    """`a | b "shown so"`; a single value without `|` parses as NamedType."""

    values: tuple[EnumValue, ...]


@dataclass(frozen=True, slots=True)
class NamedType(Node):
    """A kind or a named enum; `optional` is the `?` of a reference."""

    name: Name
    optional: bool


Type: TypeAlias = BoolType | TextType | RangeType | EnumType | NamedType


# --- fields of kinds and objects -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attribute(Node):
    """`name : type = value` (declares) or `name = value` (overrides, `type` is None)."""

    name: Name
    type: Type | None
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Describe(Node):
    """`describe TEXT [when COND]`, or `read TEXT [when COND]` (`what` says which)."""

    text: Text
    when: Expr | None
    what: str = "describe"


@dataclass(frozen=True, slots=True)
class Exit(Node):
    """`exit DIRECTION to PLACE [through DOOR] [when COND [else TEXT]]`."""

    direction: Name
    target: Name
    door: Name | None
    when: Expr | None
    refusal: Text | None


Field: TypeAlias = Attribute | Describe | Exit


# --- statements ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Set(Node):
    """`set target op value`, op in = += -=; target is Ref, Attr or Call (a fact)."""

    target: Expr
    op: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Branch(Node):
    condition: Expr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if … { } else if … { } else { }`; `otherwise` is None where there is no else."""

    branches: tuple[Branch, ...]
    otherwise: tuple[Statement, ...] | None


@dataclass(frozen=True, slots=True)
class Case(Node):
    """One line of a match: as many patterns as the match has subjects."""

    patterns: tuple[Expr, ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Match(Node):
    subjects: tuple[Expr, ...]
    cases: tuple[Case, ...]
    otherwise: tuple[Statement, ...] | None


@dataclass(frozen=True, slots=True)
class Each(Node):
    variable: Name
    kind: Name
    where: Expr | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Say(Node):
    text: Text


@dataclass(frozen=True, slots=True)
class Remove(Node):
    """`remove x` = `set x.in = nowhere`."""

    target: Expr


@dataclass(frozen=True, slots=True)
class Require(Node):
    """`require COND [else [CLASS] TEXT]`; class is parameter, place, logic or None."""

    condition: Expr
    refusal: str | None
    text: Text | None


@dataclass(frozen=True, slots=True)
class Form(Node):
    """`form "pour [some] water (on|over) {p}"`, kept as written."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Regex(Node):
    """`regex "^\\s*cd\\s+(.*?)\\s*$"`; group i is parameter i. Backslashes are kept."""

    pattern: str


Statement: TypeAlias = Set | If | Match | Each | Say | Remove
ActionPart: TypeAlias = Form | Regex | Require | Statement


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`name: type [scope]`; scope is here, held, visible, reachable, adjacent, anywhere or None."""

    name: Name
    type: Type
    scope: str | None


# --- items --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Header(Node):
    """`world name "title" { persona … intro … goal … turns … timeout … }`, None where left out."""

    name: Name
    title: str
    persona: Text | None
    intro: Text | None
    goal: Text | None
    turns: int | None
    timeout: Text | None


@dataclass(frozen=True, slots=True)
class Use(Node):
    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Enum(Node):
    name: Name
    values: tuple[EnumValue, ...]


@dataclass(frozen=True, slots=True)
class Kind(Node):
    name: Name
    parents: tuple[Name, ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Object(Node):
    """`KIND id [count] "display" [plural|proper] [aka …] [in place] { fields }`.

    Places and doors are objects too. `location` is None where no `in` was written.
    """

    kind: Name
    name: Name
    count: int | None
    display: str
    plural: bool
    proper: bool
    aka: tuple[str, ...]
    location: Name | None
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Player(Node):
    """`player ["display"] in place { fields }` (also written `player player in place`)."""

    display: str | None
    location: Name
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Fact(Node):
    name: Name
    parameters: tuple[Parameter, ...]
    type: Type | None
    value: Expr | None


@dataclass(frozen=True, slots=True)
class Derive(Node):
    """`derive name(parameters) [: type] = body`; a body of type `text` is a Text."""

    name: Name
    parameters: tuple[Parameter, ...]
    type: Type | None
    body: Expr | Text


@dataclass(frozen=True, slots=True)
class Start(Node):
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Vary(Node):
    """`vary target among …` (rows of one) or `vary (targets) among (row), …`."""

    targets: tuple[Expr, ...]
    rows: tuple[tuple[Expr, ...], ...]


@dataclass(frozen=True, slots=True)
class Action(Node):
    """`parts` keeps forms, regexes, requirements and statements in the order written."""

    name: Name
    parameters: tuple[Parameter, ...]
    parts: tuple[ActionPart, ...]


@dataclass(frozen=True, slots=True)
class Hook(Node):
    """`before|after action(parameters) { … }`."""

    when: str
    action: Name
    parameters: tuple[Parameter, ...]
    parts: tuple[Require | Statement, ...]


@dataclass(frozen=True, slots=True)
class Rule(Node):
    name: Name
    once: bool
    when: Expr | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Milestone(Node):
    name: Name
    display: str
    when: Expr


@dataclass(frozen=True, slots=True)
class Ending(Node):
    """`win|lose when COND [say TEXT]`."""

    which: str
    when: Expr
    text: Text | None


@dataclass(frozen=True, slots=True)
class Proof(Node):
    """A winning play. Several are allowed: each variant is won by the first that fits it."""

    commands: tuple[str, ...]


Item: TypeAlias = (
    Use
    | Enum
    | Kind
    | Object
    | Player
    | Fact
    | Derive
    | Start
    | Vary
    | Action
    | Hook
    | Rule
    | Milestone
    | Ending
    | Proof
)


@dataclass(frozen=True, slots=True)
class Comment:
    """`// …` with its span; `text` is without the slashes and outer blanks."""

    text: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Document(Node):
    """A whole script. A library file has no header."""

    header: Header | None
    items: tuple[Item, ...]
    comments: tuple[Comment, ...] = field(default=(), compare=False, repr=False)
