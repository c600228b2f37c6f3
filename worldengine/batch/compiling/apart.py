"""Large compiled functions that are compiled once and called where they stand.

numba puts a copy of whatever a function calls into that function, and goes over it again: a
large function with ten callers costs eleven times its compilation. What is marked `apart` is
called by its address instead, which stands in a column of the machine's row of `head`; the
address is written there (`attach`) when room to work in is made, in every process anew. A row
without it raises.

In other types than those that are told beforehand it is compiled into its callers as usual.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from worldengine.batch.compiling.entries import entry_of
from worldengine.batch.compiling.jit import FOLDER, OPTIONS, inner
from worldengine.batch.compiling.kinds import Kind, kind_of
from worldengine.batch.compiling.teaching import Lesson, taught

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
Samples = Callable[[Any], tuple[Any, ...]]
"""From the type of `code` to one argument of each type a function takes."""


class Apart:
    """A function that is called by its address; see the module."""

    def __init__(self, function: Any, column: int, samples: Samples, row: int) -> None:
        self.column = column
        self.row = row  # which argument is the machine's row of `head`
        self.inlined: Any = inner(function)
        self.entry: Any = entry_of(function, OPTIONS, FOLDER, bare=True)
        self.samples = samples
        taught(self, lambda: _lesson(self))

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError("this function is called from compiled functions only")

    @cache  # noqa: B019 - one a process and function, as long as both
    def types(self, code: Any) -> tuple[Kind, ...]:
        """The kinds of its arguments where `code` is of this type."""
        return tuple(kind_of(sample) for sample in self.samples(code))

    @cache  # noqa: B019
    def address(self, code: Any) -> int:
        """Where it stands; compiled or loaded when this is first asked for."""
        made = self.entry.ready(self.types(code))
        assert made.address != 0 and made.returns == "int64"
        return int(made.address)

    def attach(self, head: Any, code: Any) -> None:
        """Write the address into every row of `head`, for tables whose `code` is of a type."""
        head[:, self.column] = self.address(code)


def apart(
    column: int, samples: Samples, row: int
) -> Callable[[Callable[Arguments, Result]], Callable[Arguments, Result]]:
    """Compile a function apart from its callers; it gives back an integer."""

    def mark(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
        return cast("Callable[Arguments, Result]", Apart(function, column, samples, row))

    return mark


def attach(function: Callable[..., Any], head: Any, code: Any) -> None:
    """See `Apart.attach`."""
    cast("Any", function).attach(head, code)


def _lesson(unit: Apart) -> Lesson:
    """How compiled functions call it."""
    import numba
    from llvmlite import ir
    from numba.core import cgutils

    from worldengine.batch.compiling.doors import type_of

    types, unlikely = cast("Any", numba.types), cast("Any", cgutils.if_unlikely)
    known = [tuple(map(type_of, unit.types(kind))) for kind in (np.int16, np.int32)]

    def typed(_: Any, arguments: Any, named: Any) -> Any:
        whole = tuple(
            types.int64 if isinstance(each, types.Integer) else each for each in arguments
        )
        if whole in known:
            return types.int64(*whole)
        unit.inlined.dispatcher.get_call_template(whole, {})
        return unit.inlined.dispatcher.overloads[whole].signature

    def lowered(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if signature.args not in known:
            called = context.get_function(types.Dispatcher(unit.inlined.dispatcher), signature)
            context.add_linking_libs(builder, getattr(called, "libs", ()))
            return called(builder, arguments)
        rows = context.make_array(signature.args[unit.row])(context, builder, arguments[unit.row])
        number = builder.load(builder.gep(rows.data, [ir.Constant(ir.IntType(64), unit.column)]))
        missing = builder.icmp_signed("==", number, ir.Constant(number.type, 0))
        with unlikely(builder, missing):
            sentence = "these tables were not made ready: make their room (Scratch) first"
            context.call_conv.return_user_exc(builder, RuntimeError, (sentence,))
        kind = context.call_conv.get_function_type(signature.return_type, signature.args)
        target = builder.inttoptr(number, kind.as_pointer())
        status, result = context.call_conv.call_function(
            builder, target, signature.return_type, signature.args, arguments
        )
        with unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return result

    return Lesson(typed, lowered, types.VarArg(types.Any))
