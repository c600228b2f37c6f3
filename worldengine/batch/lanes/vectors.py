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
from functools import cache
from typing import Any, TypeAlias, cast

from llvmlite import ir

from worldengine.batch.compiling.teaching import Lesson, taught
from worldengine.batch.tables.arrays import Integers

BLOCK = 64
"""Lanes of a block: as many as an integer has bits."""
Block: TypeAlias = Any
"""BLOCK integers of 32 bits."""

_NARROW = ir.IntType(32)
_WIDE = ir.VectorType(_NARROW, BLOCK)
_BITS = ir.IntType(BLOCK)
_EACH = ir.VectorType(ir.IntType(1), BLOCK)
_ROW, _PLACE, _SET, _LANES, _NOTHING = None, "int64", "int64", "block", "void"
"""What operations take and give; a row is whatever it is."""


@cache
def _block_type() -> Any:
    """numba's type of a block."""
    import numba
    from numba.extending import models, register_model

    class Type(cast("Any", numba.types.Type)):  # type: ignore[misc]
        """Blocks."""

        def __init__(self) -> None:
            super().__init__(name=f"int32x{BLOCK}")

    class Model(cast("Any", models.PrimitiveModel)):  # type: ignore[misc]
        """How a block is held: as one vector."""

        def __init__(self, manager: Any, kind: Any) -> None:
            super().__init__(manager, kind, _WIDE)

    cast("Any", register_model)(Type)(Model)
    return Type()


class _Operation:
    """A function of blocks, rows and numbers: `build(builder, *values)` gives its value."""

    def __init__(
        self, kinds: tuple[str | None, ...], result: str, build: Callable[..., Any]
    ) -> None:
        self._kinds, self._result, self._build = kinds, result, build
        taught(self, self._lesson)

    def _lesson(self) -> Lesson:
        import numba

        types = cast("Any", numba.types)
        known = {
            _ROW: None, _PLACE: types.int64, _LANES: _block_type(), _NOTHING: types.void
        }  # fmt: skip
        kinds, result = [known[kind] for kind in self._kinds], known[self._result]

        def typed(_: Any, arguments: Any, named: Any) -> Any:
            pairs = zip(kinds, arguments, strict=True)
            return result(*(given if kind is None else kind for kind, given in pairs))

        def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            values = [
                context.make_array(kind)(context, builder, value).data if known is None else value
                for known, kind, value in zip(kinds, signature.args, arguments, strict=True)
            ]
            made = self._build(builder, *values)
            return context.get_dummy_value() if made is None else made

        return Lesson(typed, lowered, types.VarArg(types.Any))

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


block: Callable[[Integers, int], Block] = _Operation((_ROW, _PLACE), _LANES, _get)
"""The lanes of a row from one on."""
put: Callable[[Integers, int, int, Block], None] = _Operation(
    (_ROW, _PLACE, _SET, _LANES), _NOTHING, _put
)
"""Store into the lanes of a row from one on that bits stand for."""
every: Callable[[int], Block] = _Operation((_PLACE,), _LANES, _every)
"""One number in all lanes."""
_TWO = (_LANES, _LANES)
equal: Callable[[Block, Block], int] = _Operation(_TWO, _SET, _told("=="))
less: Callable[[Block, Block], int] = _Operation(_TWO, _SET, _told("<"))
"""Bits of the lanes in which the first is less than the second."""
sum_of, difference_of, smallest, largest = (
    cast("Callable[[Block, Block], Block]", _Operation(_TWO, _LANES, _named(name, *[_WIDE] * 3)))
    for name in ("sadd.sat", "ssub.sat", "smin", "smax")
)
"""Sums and differences stop at both ends of 32 bits."""
chosen: Callable[[int, Block, Block], Block] = _Operation((_SET, *_TWO), _LANES, _chosen)
"""One block in the lanes that bits stand for, another in the others."""


def _lowest(builder: Any, bits: Any) -> Any:
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))


lowest: Callable[[int], int] = _Operation((_PLACE,), _PLACE, _lowest)
"""The place of the lowest bit that is set; there is one."""
