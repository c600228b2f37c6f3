"""Compiled functions are called as Python's are: what they take, refuse and raise."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from worldengine.batch.compiling.entries import Entry, entry_of
from worldengine.batch.compiling.kinds import NAMES, kind_of, plain

OPTIONS = {"nogil": True, "_nrt": False}


class Pair(NamedTuple):
    rows: Any
    more: int


def total(rows: Any) -> Any:
    found = rows[0, 0]
    for row in range(rows.shape[0]):
        for at in range(rows.shape[1]):
            if row + at:
                found += rows[row, at]
    return found


def quotient(pair: Pair, value: int, by: int) -> Any:
    return value // by + pair.more + len(pair.rows)


def filled(rows: Any, value: int) -> None:
    for at in range(len(rows)):
        rows[at] = value


def several(one: int, holds: bool, share: float) -> Any:
    return one, not holds, 2.0 * share


def compiled(function: Any) -> Entry:
    """Kept nowhere."""
    return entry_of(function, OPTIONS, None)


@pytest.fixture(scope="module")
def dividing() -> Entry:
    return compiled(quotient)


@pytest.mark.parametrize("name", ["int8", "uint16", "uint64", "float64"])
def test_arrays_of_every_layout(name: str) -> None:
    entry, rows = compiled(total), np.arange(24, dtype=name).reshape(4, 6)
    fixed = rows.copy()
    fixed.flags.writeable = False
    for array in (rows, rows[::2, ::3], rows.T, rows[::-1], rows[:1, :1], fixed):
        assert entry(array) == array.sum()
    assert len(entry.doors) == 3, "in one piece, not, and not to be written to"


def test_numbers_and_truth_come_back_as_pythons(dividing: Entry) -> None:
    entry = compiled(several)
    made = entry(3, np.bool_(False), np.float64(0.25))
    assert made == (3, True, 0.5) and [type(each) for each in made] == [int, bool, float]
    assert entry(-(2**63), True, 0.0) == (-(2**63), False, 0.0) and len(entry.doors) == 1
    assert compiled(filled)(rows := np.zeros(3, np.int32), 7) is None and rows.tolist() == [7] * 3
    assert dividing(Pair(np.zeros(2), 1), np.int64(7), 2) == 6


def test_another_description_of_the_same_numbers_is_taken(dividing: Entry) -> None:
    """C has two names for an integer of 64 bits, and numpy as many types."""
    rows = np.zeros(5, np.dtype("longlong" if np.dtype("long").itemsize == 8 else "long"))
    assert dividing(Pair(rows.view(), np.longlong(1)), 9, 3) == 9  # type: ignore[arg-type]
    assert plain(Pair(rows, 1)).rows.dtype is np.dtype(rows.dtype.name)


def test_what_they_raise(dividing: Entry) -> None:
    pair = Pair(np.zeros(2), 1)
    with pytest.raises(ZeroDivisionError):
        dividing(pair, 1, 0)
    with pytest.raises(OverflowError):
        dividing(pair, 2**63, 1)
    assert dividing(pair, 9, 3) == 6


def test_what_they_refuse(dividing: Entry) -> None:
    pair = Pair(np.zeros(2), 1)
    assert dividing(pair, 9, 3) == 6
    for wrong in ("9", None, [9], 1j, np.zeros(2, np.complex128), np.array(["a"])):
        with pytest.raises(TypeError, match="compiled functions take"):
            dividing(pair, wrong, 1)
    odd = np.zeros(17, np.int8)[1:].view(np.int64)
    foreign = np.zeros(2, np.dtype(np.int32).newbyteorder())
    for rows in (odd, foreign):
        with pytest.raises(TypeError, match="compiled functions take"):
            dividing(Pair(rows, 1), 1, 1)
    with pytest.raises(TypeError):
        dividing(pair, 1)


def test_bare_ones_are_for_compiled_functions_only() -> None:
    entry = entry_of(quotient, OPTIONS, None, bare=True)
    with pytest.raises(TypeError, match="called from compiled functions only"):
        entry(Pair(np.zeros(2), 1), 1, 1)


@pytest.mark.parametrize("name", NAMES)
def test_every_number_has_a_kind(name: str) -> None:
    value = np.dtype(name).type(1)
    assert kind_of(value) == kind_of(plain(value))
    assert kind_of(np.zeros(1, name)) == kind_of(plain(np.zeros(1, name)))
