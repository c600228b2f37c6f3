"""Lanes by the block: numbers that a machine's vector unit holds side by side.

A loop over lanes goes from block to block; what these functions say is done to all lanes of one.
They are written down as vector code as they stand, so a compiler need neither find out that lanes
have nothing to do with one another nor make a second loop for those that are left over: a block
that reaches beyond the last lane is worked out in full, and `put` leaves the others as they were.
Rows are therefore `BLOCK` longer than they hold lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numba
from llvmlite import ir
from numba.extending import models, register_model

from worldengine.batch.compiling.jit import taught
from worldengine.batch.tables.arrays import Integers

BLOCK = 8
"""Lanes of a block."""
Block: TypeAlias = Any
"""BLOCK integers of 32 bits; where it is a mask, each is -1 or 0."""

_types = cast("Any", numba.types)
_NARROW = ir.IntType(32)
_WIDE = ir.VectorType(_NARROW, BLOCK)


class _Type(numba.types.Type):
    def __init__(self) -> None:
        super().__init__(name=f"int32x{BLOCK}")


_BLOCK = _Type()


@register_model(_Type)
class _Model(models.PrimitiveModel):
    """How a block is held: as one vector."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _WIDE)  # type: ignore[no-untyped-call]


class _Operation:
    """A function of blocks, rows and numbers: `build(builder, *values)` gives its value."""

    def __init__(self, kinds: tuple[Any, ...], result: Any, build: Callable[..., Any]) -> None:
        def typed(_: Any, arguments: Any, named: Any) -> Any:
            pairs = zip(kinds, arguments, strict=True)
            return result(*(given if kind is None else kind for kind, given in pairs))

        def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            values = [
                context.make_array(kind)(context, builder, value).data if known is None else value
                for known, kind, value in zip(kinds, signature.args, arguments, strict=True)
            ]
            made = build(builder, *values)
            return context.get_dummy_value() if made is None else made

        taught(self, typed, lowered, _types.VarArg(_types.Any))

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError("this function is called from compiled functions only")


def _every(builder: Any, number: Any) -> Any:
    """A number of any width in every lane."""
    if number.type.width > 32:
        number = builder.trunc(number, _NARROW)
    one = builder.insert_element(ir.Constant(_WIDE, ir.Undefined), number, _at(0))
    places = ir.Constant(ir.VectorType(_NARROW, BLOCK), [0] * BLOCK)
    return builder.shuffle_vector(one, ir.Constant(_WIDE, ir.Undefined), places)


def _at(place: int) -> Any:
    return ir.Constant(_NARROW, place)


def _place(builder: Any, row: Any, lane: Any) -> Any:
    return builder.bitcast(builder.gep(row, [lane]), _WIDE.as_pointer())


def _get(builder: Any, row: Any, lane: Any) -> Any:
    return builder.load(_place(builder, row, lane), align=4)


def _put(builder: Any, row: Any, lane: Any, end: Any, value: Any) -> None:
    left = _every(builder, builder.sub(end, lane))
    counted = ir.Constant(_WIDE, list(range(BLOCK)))
    place = _place(builder, row, lane)
    counts = builder.icmp_signed("<", counted, left)
    builder.store(builder.select(counts, value, builder.load(place, align=4)), place, align=4)


def _before(builder: Any, lane: Any, end: Any) -> Any:
    counted = ir.Constant(_WIDE, list(range(BLOCK)))
    left = _every(builder, builder.sub(end, lane))
    return builder.sext(builder.icmp_signed("<", counted, left), _WIDE)


def _equal(builder: Any, one: Any, other: Any) -> Any:
    return builder.sext(builder.icmp_signed("==", one, other), _WIDE)


def _compared(builder: Any, one: Any, other: Any, under: Any, level: Any, over: Any) -> Any:
    less = builder.icmp_signed("<", one, other)
    more = builder.icmp_signed(">", one, other)
    return builder.select(less, under, builder.select(more, over, level))


def _chosen(builder: Any, mask: Any, one: Any, other: Any) -> Any:
    nothing = ir.Constant(_WIDE, [0] * BLOCK)
    return builder.select(builder.icmp_signed("!=", mask, nothing), one, other)


def _named(name: str, result: Any, *kinds: Any) -> Callable[..., Any]:
    """An instruction of LLVM that has no sign of its own."""

    def build(builder: Any, *values: Any) -> Any:
        whole = f"llvm.{name}.v{BLOCK}i32"
        made = builder.module.globals.get(whole)
        if made is None:
            made = ir.Function(builder.module, ir.FunctionType(result, kinds), whole)
        return builder.call(made, values)

    return build


_ROW, _PLACE = None, _types.int64

block: Callable[[Integers, int], Block] = _Operation((_ROW, _PLACE), _BLOCK, _get)
"""The lanes of a row from one on."""
put: Callable[[Integers, int, int, Block], None] = _Operation(
    (_ROW, _PLACE, _PLACE, _BLOCK), _types.void, _put
)
"""Store into the lanes of a row from one on, but not into lane `end` or what comes after it."""
every: Callable[[int], Block] = _Operation((_types.int64,), _BLOCK, _every)
"""One number in all lanes."""
_TWO = (_BLOCK, _BLOCK)
both: Callable[[Block, Block], Block] = _Operation(_TWO, _BLOCK, lambda b, x, y: b.and_(x, y))
either: Callable[[Block, Block], Block] = _Operation(_TWO, _BLOCK, lambda b, x, y: b.or_(x, y))
apart: Callable[[Block, Block], Block] = _Operation(_TWO, _BLOCK, lambda b, x, y: b.xor(x, y))
"""Bits in which two blocks differ."""
equal: Callable[[Block, Block], Block] = _Operation(_TWO, _BLOCK, _equal)
compared: Callable[[Block, Block, Block, Block, Block], Block] = _Operation(
    (*_TWO, *_TWO, _BLOCK), _BLOCK, _compared
)
"""What the third to fifth blocks hold where the first is less than the second, equal, more."""
before: Callable[[int, int], Block] = _Operation((_PLACE, _PLACE), _BLOCK, _before)
"""A mask of the lanes from one on that stand before another."""
sum_of, difference_of, smallest, largest = (
    cast("Callable[[Block, Block], Block]", _Operation(_TWO, _BLOCK, _named(name, *[_WIDE] * 3)))
    for name in ("sadd.sat", "ssub.sat", "smin", "smax")
)
"""Sums and differences stop at both ends of 32 bits."""
chosen: Callable[[Block, Block, Block], Block] = _Operation((_BLOCK, *_TWO), _BLOCK, _chosen)
"""One block where a mask is not 0, the other where it is."""
united: Callable[[Block], int] = _Operation(
    (_BLOCK,), _types.int32, _named("vector.reduce.or", _NARROW, _WIDE)
)
"""The bits that any lane has."""


def _lowest(builder: Any, bits: Any) -> Any:
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))


lowest: Callable[[int], int] = _Operation((_types.int64,), _types.int64, _lowest)
"""The place of the lowest bit that is set; there is one."""
