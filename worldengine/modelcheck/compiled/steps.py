"""Compiling for this room, and the comparison of two values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from worldengine.machine.schema import EQ, GE, GT, LE, LT, NE

Function = TypeVar("Function")

if TYPE_CHECKING:

    def compiled(function: Function) -> Function:
        """For the type checker a compiled function is the function."""
        return function
else:
    from worldengine.modelcheck.compiled.jit import compiled


@compiled
def holds(value: Any, op: Any, against: Any) -> Any:
    """One test of two defined values."""
    if op == EQ:
        return value == against
    if op == NE:
        return value != against
    if op == LT:
        return value < against
    if op == LE:
        return value <= against
    if op == GT:
        return value > against
    return value >= against and op == GE
