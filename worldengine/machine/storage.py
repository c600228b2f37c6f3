"""Machines as bytes, and the two fingerprints of a Machine.

In: a Machine, or bytes of any origin. Out: JSON in UTF-8 with sorted keys and nothing that
depends on process, platform or hash seed; or a Machine that has been validated. Refused with
MachineError: more than `LIMIT` bytes, what is not JSON, another format (by its number), what
does not have the schema's shape, what `validate` refuses. Bytes are data: nothing in them is
ever imported or run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from worldengine.machine.errors import MachineError
from worldengine.machine.schema import FORMAT, Machine
from worldengine.machine.validate import validate

if TYPE_CHECKING:
    from pydantic import TypeAdapter

LIMIT = 256 * 1024 * 1024
"""The largest Machine read, in bytes."""

LOCATIONS = frozenset({"span", "spans"})
"""Where things were written: never part of what a Machine is."""
PROSE = {"name", "title", "persona", "intro", "goal", "timeout", "strings", "texts", "values"}
NAMES = {"id", "aka", "noun", "display", "direction", "forms", "plural", "proper", "numbered"}
SHOWN = {"Step.text", "Step.arguments", "opening", "proofs", "Object.kind", "Object.kinds"}
SURFACE = LOCATIONS | PROSE | NAMES | SHOWN
"""What another surface may change while the Machine stays the same."""


def to_json(machine: Machine) -> bytes:
    """The Machine as JSON, the same bytes for equal Machines in every process."""
    return _encoded(_tree(machine, frozenset()))


def from_json(data: bytes) -> Machine:
    """A validated Machine from JSON; MachineError says in one sentence why not."""
    if len(data) > LIMIT:
        raise MachineError(f"{len(data)} bytes are more than a Machine may have ({LIMIT})")
    from pydantic_core import from_json as parsed

    try:
        document = parsed(data)
    except ValueError:
        raise MachineError("this is not a saved Machine: it is not JSON") from None
    if not isinstance(document, dict) or not isinstance(document.get("format"), int):
        raise MachineError("this is not a saved Machine: it names no format")
    if document["format"] != FORMAT:
        raise MachineError(
            f"this Machine was saved in format {document['format']};"
            f" this version reads format {FORMAT}"
        )
    machine = _shaped(data)
    validate(machine)
    return machine


def save(machine: Machine, path: Path | str) -> None:
    """Write the Machine to a file."""
    Path(path).write_bytes(to_json(machine))


def load(path: Path | str) -> Machine:
    """Read a Machine from a file; MachineError if it holds none."""
    with Path(path).open("rb") as file:
        return from_json(file.read(LIMIT + 1))


def content_hash(machine: Machine) -> str:
    """SHA-256 of everything but where it was written: formatting a script keeps it."""
    return hashlib.sha256(_encoded(_tree(machine, LOCATIONS))).hexdigest()


def shape_hash(machine: Machine) -> str:
    """SHA-256 of what the Machine does, without its names, prose, forms and texts: the order
    and the values of variables, objects and programs stay, so renaming keeps it."""
    return hashlib.sha256(_encoded(_tree(machine, SURFACE))).hexdigest()


def _encoded(tree: Any) -> bytes:
    text = json.dumps(tree, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return text.encode("ascii")


def _tree(value: Any, without: frozenset[str]) -> Any:
    """Plain lists and dictionaries of a value. Named tuples are written as lists: a Machine
    has very many steps, and their fields are fixed by the format's number."""
    kind: Any = type(value)
    if _as_it_is(kind, without):
        return value
    if kind is tuple:
        held: set[Any] = set(map(type, value))
        if all(_as_it_is(each, without) for each in held):
            return value
        return [_tree(item, without) for item in value]
    if isinstance(value, str | int):
        return value
    names, is_tuple = _fields(kind, without)
    if is_tuple:
        return [_tree(getattr(value, name), without) for name in names]
    return {name: _tree(getattr(value, name), without) for name in names}


@cache
def _fields(kind: type, without: frozenset[str]) -> tuple[tuple[str, ...], bool]:
    """The fields of a type that are written, and whether as a list."""
    named = getattr(kind, "_fields", None)
    every = named if named is not None else tuple(part.name for part in fields(kind))
    return _kept(kind.__name__, every, without), named is not None


@cache
def _as_it_is(kind: type, without: frozenset[str]) -> bool:
    """Whether JSON is written of such values as they are: plain ones, and named tuples that
    keep all their fields, of plain values and of others like them."""
    named = getattr(kind, "_fields", None)
    if named is None:
        return kind in (int, str, bool)
    if _kept(kind.__name__, named, without) != named:
        return False
    return all(_plain(hint, without) for hint in get_type_hints(kind).values())


def _plain(hint: Any, without: frozenset[str]) -> bool:
    if get_origin(hint) is tuple:
        return all(part is Ellipsis or _plain(part, without) for part in get_args(hint))
    return isinstance(hint, type) and _as_it_is(hint, without)


@cache
def _kept(owner: str, names: tuple[str, ...], without: frozenset[str]) -> tuple[str, ...]:
    """The fields of a type that are written."""
    return tuple(name for name in names if not without & {name, f"{owner}.{name}"})


@cache
def _adapter() -> TypeAdapter[Machine]:
    """The reader of the schema; pydantic is imported when it is first needed."""
    from pydantic import TypeAdapter

    return TypeAdapter(Machine)


def _shaped(data: bytes) -> Machine:
    from pydantic import ValidationError

    try:
        return _adapter().validate_json(data, strict=True)
    except ValidationError as error:
        first: Mapping[str, Any] = dict(error.errors(include_url=False, include_input=False)[0])
        where = ".".join(str(part) for part in first["loc"])
        raise MachineError(
            f"this is not a saved Machine: {where or 'it'}: {first['msg']}"
        ) from None
