"""The typed model of a PDDL task: what a domain and a problem say, names folded to lower case.

Frozen values of tuples, each with the span where it was written. Variables keep their `?`,
so a term that begins with one is a variable and any other is an object.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from worldengine.source import NOWHERE, Span

ROOT = "object"
"""The type of everything."""


@dataclass(frozen=True, slots=True)
class Spanned:
    span: Span = field(default=NOWHERE, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Typed(Spanned):
    """A name with its types: more than one stands for `either`."""

    name: str
    types: tuple[str, ...]


# --- formulas ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atom(Spanned):
    predicate: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Equal(Spanned):
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Negation(Spanned):
    item: Formula


@dataclass(frozen=True, slots=True)
class Conjunction(Spanned):
    """All of them; with no items it is true."""

    items: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Disjunction(Spanned):
    """One of them; with no items it is false."""

    items: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Quantified(Spanned):
    """`which` is any or all."""

    which: str
    variables: tuple[Typed, ...]
    body: Formula


@dataclass(frozen=True, slots=True)
class Comparison(Spanned):
    """op in == < <= > >=."""

    op: str
    left: Numeric
    right: Numeric


@dataclass(frozen=True, slots=True)
class Constant(Spanned):
    value: Fraction


@dataclass(frozen=True, slots=True)
class Fluent(Spanned):
    function: str
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sum(Spanned):
    """left op right, op in + - * /."""

    op: str
    left: Numeric
    right: Numeric


Numeric: TypeAlias = Constant | Fluent | Sum
Formula: TypeAlias = Atom | Equal | Negation | Conjunction | Disjunction | Quantified | Comparison
TRUE = Conjunction(())


# --- effects ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Change(Spanned):
    """One literal (`value` a bool) or one assignment (`op` one of = += -= *= /=) that happens
    for all `variables` for which `condition` held before the action."""

    variables: tuple[Typed, ...]
    condition: Formula
    target: Atom | Fluent
    op: str
    value: bool | Numeric

    @property
    def conditional(self) -> bool:
        return self.condition != TRUE


# --- the task ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Predicate(Spanned):
    name: str
    parameters: tuple[Typed, ...]


@dataclass(frozen=True, slots=True)
class Axiom(Spanned):
    """`(:derived (head …) body)`."""

    head: Predicate
    body: Formula


@dataclass(frozen=True, slots=True)
class Action(Spanned):
    name: str
    parameters: tuple[Typed, ...]
    precondition: Formula
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """`types` maps each type to its parents; `objects` each object to its types. `numbers`
    holds the functions' first values."""

    domain: str
    problem: str
    types: dict[str, tuple[str, ...]]
    objects: dict[str, tuple[str, ...]]
    predicates: dict[str, Predicate]
    functions: dict[str, Predicate]
    axioms: tuple[Axiom, ...]
    actions: tuple[Action, ...]
    init: tuple[Atom, ...]
    numbers: tuple[tuple[Fluent, Fraction], ...]
    goal: Formula

    def ancestors(self, type: str) -> frozenset[str]:
        """The type itself and everything above it."""
        found: set[str] = set()
        waiting = [type]
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.types.get(name, ())
        return frozenset({*found, ROOT})

    def is_of(self, name: str, types: tuple[str, ...]) -> bool:
        """Whether an object belongs to one of the types."""
        every = {above for own in self.objects[name] for above in self.ancestors(own)}
        return bool(every & set(types))

    def members(self, types: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in self.objects if self.is_of(name, types))
