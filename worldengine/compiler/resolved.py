"""The resolved tree: every name replaced by what it means, every expression typed.

Parameters and variables of quantifiers are numbered places in an environment (a list of
values), so grounding an action is evaluating its tree under one environment.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from worldengine.compiler.types import DeriveInfo, FactInfo, KindInfo, ObjectInfo, Type
from worldengine.machine.schema import Form
from worldengine.source import Span


@dataclass(frozen=True, slots=True)
class Const:
    value: int
    type: Type


@dataclass(frozen=True, slots=True)
class Local:
    """Parameter or bound variable: place `index` of the environment."""

    index: int
    type: Type


@dataclass(frozen=True, slots=True)
class AttrOf:
    base: Expr
    name: str
    type: Type
    total: bool
    """Whether every object the base may name has the attribute."""


@dataclass(frozen=True, slots=True)
class FactOf:
    fact: FactInfo
    arguments: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class DeriveOf:
    derive: DeriveInfo
    arguments: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Turn:
    type: Type


@dataclass(frozen=True, slots=True)
class NotOf:
    item: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class AllOf:
    """Conjunction; `AnyOf` is the disjunction."""

    items: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class AnyOf:
    items: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Cmp:
    op: str
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class IsUndefined:
    """`min(…) == none`: a number has no value here."""

    item: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class OneOf:
    """`item is KIND`: the value is one of `values`."""

    item: Expr
    values: frozenset[int]
    type: Type


@dataclass(frozen=True, slots=True)
class Arith:
    op: str
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Quant:
    """`which` is any, all, count, sum, min or max over `values` bound to place `index`."""

    which: str
    index: int
    values: tuple[int, ...]
    where: Expr | None
    value: Expr | None
    type: Type


@dataclass(frozen=True, slots=True)
class Prior:
    item: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Changed:
    item: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Lookup:
    """A fixed table over the value of `item` (next, prev)."""

    item: Expr
    rows: tuple[tuple[int, int], ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Builtin:
    """`held here visible reachable adjacent inside passable in_light` of its arguments."""

    name: str
    arguments: tuple[Expr, ...]
    type: Type


Expr: TypeAlias = (
    Const
    | Local
    | AttrOf
    | FactOf
    | DeriveOf
    | Turn
    | NotOf
    | AllOf
    | AnyOf
    | Cmp
    | IsUndefined
    | OneOf
    | Arith
    | Quant
    | Prior
    | Changed
    | Lookup
    | Builtin
)


# --- texts --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InsertOf:
    style: str
    value: Expr


@dataclass(frozen=True, slots=True)
class DescriptionOf:
    """`{x.describe}`, `{x.read}`, or `{e.refusal}` of an exit (`what` says which)."""

    what: str
    base: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class TextOf:
    """A derived text inserted with its arguments."""

    derive: DeriveInfo
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class LookHere:
    """`{look}`: what `look` would print."""


@dataclass(frozen=True, slots=True)
class IfText:
    condition: Expr
    then: tuple[TextPart, ...]
    otherwise: tuple[TextPart, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ListText:
    style: str
    index: int
    values: tuple[int, ...]
    where: Expr | None


TextPart: TypeAlias = str | InsertOf | DescriptionOf | TextOf | LookHere | IfText | ListText
TextTree: TypeAlias = tuple[TextPart, ...]


Lines: TypeAlias = tuple[tuple[TextTree, Expr | None, Span], ...]
"""Texts with their conditions; the first whose condition holds is shown."""


# --- statements ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SetTo:
    target: AttrOf | FactOf
    op: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class IfDo:
    branches: tuple[tuple[Expr, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class EachDo:
    index: int
    values: tuple[int, ...]
    where: Expr | None
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SayText:
    text: TextTree
    span: Span


Statement: TypeAlias = SetTo | IfDo | EachDo | SayText


@dataclass(frozen=True, slots=True)
class Demand:
    """A requirement. `guard` limits a hook to some arguments: (place, values) pairs."""

    condition: Expr
    refusal: int
    text: TextTree
    guard: tuple[tuple[int, frozenset[int]], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Guarded:
    """Statements of an after-hook that apply to some arguments only."""

    guard: tuple[tuple[int, frozenset[int]], ...]
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """`kind` is object, symbol or number; `values` its candidates (none for a number)."""

    name: str
    kind: str
    scope: str
    noun: str
    values: tuple[int, ...]
    type: Type
    span: Span
    scope_given: bool = True


@dataclass(frozen=True, slots=True)
class ActionInfo:
    name: str
    own: bool
    parameters: tuple[ParameterInfo, ...]
    forms: tuple[Form, ...]
    demands: tuple[Demand, ...]
    body: tuple[Guarded, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """`kind` is rule, milestone, lose or win; `says` is the text of an ending."""

    name: str
    kind: str
    title: str
    once: bool
    when: Expr | None
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class VaryInfo:
    """Rows of (target, value) pairs; exactly one row holds in a variant."""

    targets: tuple[AttrOf | FactOf, ...]
    rows: tuple[tuple[Const, ...], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Resolved:
    """The whole world with every name settled; input of grounding."""

    name: str
    title: str
    persona: str
    intro: str
    goal: str
    timeout: str
    turns: int
    objects: tuple[ObjectInfo, ...]
    kinds: dict[str, KindInfo]
    symbols: tuple[tuple[str, str], ...]
    strings: tuple[str, ...]
    facts: tuple[FactInfo, ...]
    actions: tuple[ActionInfo, ...]
    rules: tuple[RuleInfo, ...]
    varies: tuple[VaryInfo, ...]
    starts: tuple[Statement, ...]
    look: tuple[Statement, ...]
    proofs: tuple[tuple[str, ...], ...]
    player: int
    uses_turn: bool
    descriptions: dict[tuple[int, str], Lines] = field(default_factory=dict)
    refusals: dict[int, tuple[TextTree, Span]] = field(default_factory=dict)
    passable: dict[int, Expr] = field(default_factory=dict)
