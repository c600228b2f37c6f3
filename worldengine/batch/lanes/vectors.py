"""Lanes by the block: numbers that a machine's vector unit holds side by side.

A loop over lanes goes from block to block; what these functions say is done to all lanes of one.
They are written down as vector code as they stand, so a compiler need neither find out that lanes
have nothing to do with one another nor make a second loop for those that are left over: a block
is always worked out in full, and `put` leaves the lanes as they were that no bit stands for.
Which lanes of a block something holds for is one integer, a bit a lane, lowest first: a set of
lanes is joined, divided and found empty in one instruction. Blocks begin at whole multiples of
`BLOCK`, so rows hold a whole number of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numba
from llvmlite import ir
from numba.extending import models, register_model

from worldengine.batch.compiling.jit import taught
from worldengine.batch.tables.arrays import Integers

BLOCK = 64
"""Lanes of a block: as many as an integer has bits."""
Block: TypeAlias = Any
"""BLOCK integers of 32 bits."""

_types = cast("Any", numba.types)
_NARROW = ir.IntType(32)
_WIDE = ir.VectorType(_NARROW, BLOCK)
_BITS = ir.IntType(BLOCK)
_EACH = ir.VectorType(ir.IntType(1), BLOCK)


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


def _put(builder: Any, row: Any, lane: Any, bits: Any, value: Any) -> None:
    place = _place(builder, row, lane)
    old = builder.load(place, align=4)
    builder.store(_chosen(builder, bits, value, old), place, align=4)


def _chosen(builder: Any, bits: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.bitcast(bits, _EACH), one, other)


def _told(sign: str) -> Callable[..., Any]:
    """In which lanes a comparison holds."""

    def build(builder: Any, one: Any, other: Any) -> Any:
        return builder.bitcast(builder.icmp_signed(sign, one, other), _BITS)

    return build


def _named(name: str, result: Any, *kinds: Any) -> Callable[..., Any]:
    """An instruction of LLVM that has no sign of its own."""

    def build(builder: Any, *values: Any) -> Any:
        whole = f"llvm.{name}.v{BLOCK}i32"
        made = builder.module.globals.get(whole)
        if made is None:
            made = ir.Function(builder.module, ir.FunctionType(result, kinds), whole)
        return builder.call(made, values)

    return build


_ROW, _PLACE, _SET = None, _types.int64, _types.int64

block: Callable[[Integers, int], Block] = _Operation((_ROW, _PLACE), _BLOCK, _get)
"""The lanes of a row from one on."""
put: Callable[[Integers, int, int, Block], None] = _Operation(
    (_ROW, _PLACE, _SET, _BLOCK), _types.void, _put
)
"""Store into the lanes of a row from one on that bits stand for."""
every: Callable[[int], Block] = _Operation((_types.int64,), _BLOCK, _every)
"""One number in all lanes."""
_TWO = (_BLOCK, _BLOCK)
equal: Callable[[Block, Block], int] = _Operation(_TWO, _SET, _told("=="))
less: Callable[[Block, Block], int] = _Operation(_TWO, _SET, _told("<"))
"""Bits of the lanes in which the first is less than the second."""
sum_of, difference_of, smallest, largest = (
    cast("Callable[[Block, Block], Block]", _Operation(_TWO, _BLOCK, _named(name, *[_WIDE] * 3)))
    for name in ("sadd.sat", "ssub.sat", "smin", "smax")
)
"""Sums and differences stop at both ends of 32 bits."""
chosen: Callable[[int, Block, Block], Block] = _Operation((_SET, *_TWO), _BLOCK, _chosen)
"""One block in the lanes that bits stand for, another in the others."""


def _lowest(builder: Any, bits: Any) -> Any:
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))


lowest: Callable[[int], int] = _Operation((_types.int64,), _types.int64, _lowest)
"""The place of the lowest bit that is set; there is one."""
