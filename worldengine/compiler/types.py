"""The types of the world language, and the declarations that carry them.

Values are integers everywhere: booleans 0/1, numbers themselves, enum values global symbol
numbers, references object numbers (NONE for empty), texts numbers of interned strings.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from worldengine.machine.schema import NONE
from worldengine.source import Span
from worldengine.syntax import ast


@dataclass(frozen=True, slots=True)
class Type:
    """`kind`: bool, int (low..high), enum (`symbols`), ref (`of`, `optional`), text,
    none (the literal `none`) or error (already reported; fits everything)."""

    kind: str
    low: int = 0
    high: int = 0
    symbols: tuple[int, ...] = ()
    of: str = ""
    optional: bool = False
    name: str = ""

    def fits(self, other: Type) -> bool:
        """Whether a value of `self` may be stored in or compared with `other`."""
        if "error" in (self.kind, other.kind):
            return True
        if self.kind == "none":
            return other.kind in ("ref", "none", "int")
        return self.kind == other.kind or (other.kind == "none" and self.kind in ("ref", "int"))


BOOL = Type("bool", 0, 1)
TEXT = Type("text")
NONE_TYPE = Type("none")
ERROR = Type("error")
INT_LIMIT = 10**6
"""Numbers of a script stay within +-this, so that sums of them stay within 32 bits."""


def integer(low: int, high: int) -> Type:
    return Type("int", low, high)


def reference(of: str, optional: bool = True) -> Type:
    return Type("ref", of=of, optional=optional)


@dataclass(frozen=True, slots=True)
class AttributeType:
    """An attribute as its owner declares it; `default` is an expression or None."""

    name: str
    type: Type
    default: ast.Expr | None
    span: Span


@dataclass(slots=True)
class KindInfo:
    """A kind: its ancestors (itself first, nearest next), attributes and description."""

    name: str
    span: Span
    parents: tuple[str, ...]
    node: ast.Kind | None
    library: bool
    ancestors: tuple[str, ...] = ()
    attributes: dict[str, AttributeType] = field(default_factory=dict)
    describes: tuple[ast.Describe, ...] = ()


@dataclass(slots=True)
class ObjectInfo:
    """One object. `attributes` are its own and inherited ones; `values` the initial values."""

    index: int
    id: str
    name: str
    aka: tuple[str, ...]
    kind: str
    role: str
    plural: bool
    proper: bool
    numbered: bool
    span: Span
    node: ast.Object | ast.Player | None
    attributes: dict[str, AttributeType] = field(default_factory=dict)
    values: dict[str, int] = field(default_factory=dict)
    describes: tuple[ast.Describe, ...] = ()
    exit: ast.Exit | None = None


@dataclass(frozen=True, slots=True)
class FactInfo:
    name: str
    parameters: tuple[Type, ...]
    type: Type
    default: int
    span: Span


def names_nothing(parameters: Iterable[Type], arguments: tuple[int, ...]) -> bool:
    """Whether some argument is none where its parameter must name something."""
    return any(
        value == NONE and declared.kind == "ref" and not declared.optional
        for declared, value in zip(parameters, arguments, strict=True)
    )


@dataclass(slots=True)
class DeriveInfo:
    """`body` is filled when first asked for (derives may refer to one another)."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    type: Type
    node: ast.Derive
    body: object = None
    recursive: bool = False

    @property
    def types(self) -> tuple[Type, ...]:
        return tuple(declared for _, declared in self.parameters)

    @property
    def library(self) -> bool:
        return self.node.span.source.name.startswith("library/")
