"""Asking for memory before it is read, so that it is there when it is.

A table that is larger than the caches costs a wait for each look. Where many looks are known
beforehand, all are asked for first, and the waits go side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir

from worldengine.batch.compiling.teaching import Lesson, taught

_NUMBER = ir.IntType(32)
_KEEP, _DATA = 3, 1  # as near as may be; not code


class _Prefetch:
    """`prefetch(array, row)`: the first bytes of a row of an array will be read soon."""

    def __init__(self) -> None:
        taught(self, self._lesson)

    def _lesson(self) -> Lesson:
        import numba

        types = cast("Any", numba.types)

        def typed(_: Any, arguments: Any, named: Any) -> Any:
            return types.void(arguments[0], types.int64)

        def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            stride = builder.extract_value(array.strides, 0)
            byte = ir.IntType(8).as_pointer()
            start = builder.bitcast(array.data, byte)
            place = builder.gep(start, [builder.mul(stride, arguments[1])])
            kind = ir.FunctionType(ir.VoidType(), [byte, _NUMBER, _NUMBER, _NUMBER])
            name = "llvm.prefetch.p0i8"
            made = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
            numbers = [ir.Constant(_NUMBER, each) for each in (0, _KEEP, _DATA)]
            builder.call(made, [place, *numbers])
            return context.get_dummy_value()

        return Lesson(typed, lowered, types.VarArg(types.Any))

    def __call__(self, array: Any, row: Any) -> None:
        raise TypeError("this function is called from compiled functions only")


prefetch: Callable[[Any, Any], None] = _Prefetch()
