"""The way from Python into a compiled function.

numba has a way of its own, which needs numba to be there, and looks up the type of each argument
by its name. A *door* is compiled for arguments of certain kinds: it finds an array's numbers where
numpy's own extensions find them, and says at once if an argument is of another kind. It asks for
nothing but Python's public functions and the objects of `loading.OBJECTS`.

In: what numba has compiled. Out: one function more beside it, `PyObject *door(PyObject *self,
PyObject *const *arguments, Py_ssize_t count)`. It gives back what the function does, or bytes:
none if an argument is of another kind (nothing was done then), else the exception that the
function raised, as numba describes it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, cast

import numba
from llvmlite import ir
from numba.core import cgutils
from numba.np import arrayobj

from worldengine.batch.compiling.kinds import Kind, Number, Parts, Rows
from worldengine.batch.compiling.loading import HEADER, OBJECT, accepted_types

_types, _tools, _arrays = cast("Any", numba.types), cast("Any", cgutils), cast("Any", arrayobj)
_BYTE, _WIDE, _SMALL = ir.IntType(8), ir.IntType(64), ir.IntType(32)
_LONG = ir.IntType(8 * ctypes.sizeof(ctypes.c_long))
_ANY = _BYTE.as_pointer()
_TYPE = HEADER - 8
"""Where a Python object says of what type it is, in bytes."""
_DATA, _DIMENSIONS, _SHAPE, _STRIDES, _NUMBERS, _FLAGS = (
    HEADER + each for each in (0, 8, 16, 24, 40, 48)
)
"""Where an array has its parts: numpy's extensions are compiled with the same numbers."""
_WHOLE, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400
"""Of an array's flags."""


def type_of(kind: Kind) -> Any:
    """numba's type of that kind."""
    if isinstance(kind, Number):
        return _number(kind.name)
    if isinstance(kind, Rows):
        layout = "C" if kind.whole else "A"
        return _types.Array(_number(kind.name), kind.dimensions, layout, readonly=kind.fixed)
    made = None if kind.made is tuple else kind.made
    return _types.BaseTuple.from_types(tuple(map(type_of, kind.parts)), made)


def _number(name: str) -> Any:
    return getattr(_types, {"bool": "boolean"}.get(name, name))


class Door:
    """One that is being built into a module of its own."""

    def __init__(self, context: Any, made: Any, name: str) -> None:
        self.context, self.made = context, made
        self.module = context.create_module("door")
        kind = ir.FunctionType(_ANY, [_ANY, _ANY.as_pointer(), _WIDE])
        self.function = ir.Function(self.module, kind, name)
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))
        self.other = self.function.append_basic_block("other")
        self.raised = self.function.append_basic_block("raised")

    def build(self, kinds: Sequence[Kind]) -> Any:
        """The whole module."""
        _, given, count = self.function.args
        self._unless(self.builder.icmp_signed("==", count, _WIDE(len(kinds))), self.other)
        values = []
        for place, kind in enumerate(kinds):
            one = self.builder.load(self.builder.gep(given, [_WIDE(place)]))
            values.append(self._value(one, kind))
        self._call(values)
        self.builder.position_at_end(self.other)
        self.builder.ret(self._bytes(ir.Constant(_ANY, None), _WIDE(0)))
        self.builder.position_at_end(self.raised)
        self.builder.ret(ir.Constant(_ANY, None))
        return self.module

    def _call(self, values: list[Any]) -> None:
        """Call the function while others have the interpreter, and give back what it gives."""
        builder, made = self.builder, self.made
        kind = self.context.call_conv.get_function_type(made.restype, made.argtypes)
        function = ir.Function(self.module, kind, made.llvm_func_name)
        mine = self._python("PyEval_SaveThread", _ANY)
        status, result = self.context.call_conv.call_function(
            builder, function, made.restype, made.argtypes, values
        )
        self._python("PyEval_RestoreThread", ir.VoidType(), mine)
        with _tools.if_unlikely(builder, status.is_error):
            self._unless(status.is_user_exc, self.raised)
            told = builder.load(status.excinfoptr)
            length = builder.zext(builder.extract_value(told, 1), _WIDE)
            builder.ret(self._bytes(builder.extract_value(told, 0), length))
        builder.ret(self._given_back(made.restype, result))

    def _given_back(self, kind: Any, value: Any) -> Any:
        """A Python object of what the function gives."""
        builder = self.builder
        if kind == _types.none:
            self._python("Py_IncRef", ir.VoidType(), self._object("None"))
            return self._object("None")
        if isinstance(kind, _types.Boolean):
            return self._python("PyBool_FromLong", _ANY, builder.zext(value, _LONG))
        if isinstance(kind, _types.Integer) and kind.signed:
            return self._python("PyLong_FromLongLong", _ANY, _widened(builder.sext, value))
        if isinstance(kind, _types.Integer):
            return self._python("PyLong_FromUnsignedLongLong", _ANY, _widened(builder.zext, value))
        if kind == _types.float64:
            return self._python("PyFloat_FromDouble", _ANY, value)
        if isinstance(kind, _types.BaseTuple) and not isinstance(kind, _types.BaseNamedTuple):
            whole = self._python("PyTuple_New", _ANY, _WIDE(len(kind)))
            for place, part in enumerate(kind):
                one = self._given_back(part, builder.extract_value(value, place))
                self._python("PyTuple_SetItem", _SMALL, whole, _WIDE(place), one)
            return whole
        raise TypeError(f"{self.made.qualname} gives back {kind}, which Python cannot be handed")

    # -- arguments -------------------------------------------------------------------------

    def _value(self, one: Any, kind: Kind) -> Any:
        if isinstance(kind, Number):
            return self._one_number(one, kind)
        if isinstance(kind, Rows):
            return self._rows(one, kind)
        return self._parts(one, kind)

    def _parts(self, one: Any, kind: Parts) -> Any:
        """A tuple of that many; its class is not asked for."""
        builder = self.builder
        made = self._python("PyTuple_Size", _WIDE, one)
        with _tools.if_unlikely(builder, builder.icmp_signed("<", made, _WIDE(0))):
            self._python("PyErr_Clear", ir.VoidType())
        self._unless(builder.icmp_signed("==", made, _WIDE(len(kind.parts))), self.other)
        values = []
        for place, part in enumerate(kind.parts):
            each = self._python("PyTuple_GetItem", _ANY, one, _WIDE(place))
            values.append(self._value(each, part))
        return self.context.make_tuple(builder, type_of(kind), values)

    def _rows(self, one: Any, kind: Rows) -> Any:
        builder, made = self.builder, type_of(kind)
        self._is_of(one, ["array"])
        numbers = self._at(one, _NUMBERS, _ANY)
        same = builder.icmp_unsigned("==", numbers, self._object(f"dtype {kind.name}"))
        self._unless(same, self.other)
        count = self._at(one, _DIMENSIONS, _SMALL)
        self._unless(builder.icmp_signed("==", count, _SMALL(kind.dimensions)), self.other)
        asked = builder.and_(self._at(one, _FLAGS, _SMALL), _SMALL(_WHOLE | _ALIGNED | _WRITEABLE))
        wanted = _WHOLE * kind.whole | _ALIGNED | _WRITEABLE * (not kind.fixed)
        self._unless(builder.icmp_signed("==", asked, _SMALL(wanted)), self.other)
        places = range(kind.dimensions)
        shape, strides = (self._at(one, at, _WIDE.as_pointer()) for at in (_SHAPE, _STRIDES))
        lengths = [builder.load(builder.gep(shape, [_WIDE(place)])) for place in places]
        steps = [builder.load(builder.gep(strides, [_WIDE(place)])) for place in places]
        array = self.context.make_array(made)(self.context, builder)
        size = self.context.get_abi_sizeof(self.context.get_data_type(made.dtype))
        _arrays.populate_array(
            array, data=builder.bitcast(self._at(one, _DATA, _ANY), array.data.type),
            shape=_tools.pack_array(builder, lengths, _WIDE),
            strides=_tools.pack_array(builder, steps, _WIDE), itemsize=_WIDE(size), meminfo=None,
        )  # fmt: skip
        return array._getvalue()

    def _one_number(self, one: Any, kind: Number) -> Any:
        builder, made = self.builder, type_of(kind)
        self._is_of(one, accepted_types(kind.name))
        if isinstance(made, _types.Boolean):
            value = self._python("PyObject_IsTrue", _SMALL, one)
            self._unless(builder.icmp_signed(">=", value, _SMALL(0)), self.raised)
            return builder.icmp_signed("!=", value, _SMALL(0))
        if isinstance(made, _types.Float):
            value = self._python("PyFloat_AsDouble", ir.DoubleType(), one)
            return value if made == _types.float64 else builder.fptrunc(value, ir.FloatType())
        whole = self._python("PyNumber_Index", _ANY, one)
        self._unless(builder.icmp_unsigned("!=", whole, ir.Constant(_ANY, None)), self.raised)
        name = "PyLong_AsLongLong" if made.signed else "PyLong_AsUnsignedLongLong"
        value = self._python(name, _WIDE, whole)
        self._python("Py_DecRef", ir.VoidType(), whole)
        with _tools.if_unlikely(builder, builder.icmp_signed("==", value, _WIDE(-1))):
            wrong = self._python("PyErr_Occurred", _ANY)
            self._unless(builder.icmp_unsigned("==", wrong, ir.Constant(_ANY, None)), self.raised)
        return value if made.bitwidth == 64 else builder.trunc(value, ir.IntType(made.bitwidth))

    # -- pieces ----------------------------------------------------------------------------

    def _is_of(self, one: Any, names: Sequence[str]) -> None:
        """Go on only with an object of exactly one of these types."""
        builder, found = self.builder, None
        made = self._at(one, _TYPE, _ANY)
        for name in names:
            same = builder.icmp_unsigned("==", made, self._object(name))
            found = same if found is None else builder.or_(found, same)
        self._unless(found, self.other)

    def _at(self, one: Any, offset: int, kind: Any) -> Any:
        """What stands in an object at some bytes from its beginning."""
        place = self.builder.gep(one, [_WIDE(offset)])
        return self.builder.load(self.builder.bitcast(place, kind.as_pointer()))

    def _unless(self, holds: Any, otherwise: Any) -> None:
        """Go on if something holds."""
        on = self.builder.append_basic_block()
        self.builder.cbranch(holds, on, otherwise).set_weights([99, 1])
        self.builder.position_at_end(on)

    def _object(self, name: str) -> Any:
        """One of the objects that loading has names for."""
        known = OBJECT + name
        return self.module.globals.get(known) or ir.GlobalVariable(self.module, _BYTE, known)

    def _bytes(self, start: Any, length: Any) -> Any:
        return self._python("PyBytes_FromStringAndSize", _ANY, start, length)

    def _python(self, name: str, result: Any, *values: Any) -> Any:
        """Call one of Python's own functions."""
        kind = ir.FunctionType(result, [value.type for value in values])
        function = self.module.globals.get(name) or ir.Function(self.module, kind, name)
        return self.builder.call(function, values)


def _widened(widen: Any, value: Any) -> Any:
    return value if value.type.width == 64 else widen(value, _WIDE)
