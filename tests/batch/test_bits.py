"""Lanes by the block, each function beside plain numpy: sets of lanes, tests, sums, fetching.

The functions are called from one compiled function a test, for parts of a row that begin and end
anywhere in their blocks; lanes outside a part must stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
import pytest

from worldengine.batch.compiling.entries import entry_of
from worldengine.batch.compiling.jit import OPTIONS, i64
from worldengine.batch.lanes.bits import divide, everybody, join, some
from worldengine.batch.lanes.columns import exact_test, fill, number_test, put_number, put_sum
from worldengine.batch.lanes.fetching import gather, scatter
from worldengine.batch.lanes.steps import LANES, WORDS
from worldengine.batch.tables.layout import CAREFUL, MASK_OF_OP, UNDEFINED_TEST
from worldengine.machine.schema import ADD, COPY, SUB, UNDEFINED

PARTS = [(0, LANES), (0, 5), (3, 61), (60, 70), (64, 128), (63, 65), (130, LANES - 1)]
HOLDS = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """With the options of the engine, and kept nowhere."""
    return cast("Function", entry_of(function, OPTIONS, None))


def lanes_of(mask: Any) -> Any:
    """(LANES,) bool of a row of words."""
    return np.unpackbits(mask.view(np.uint8), bitorder="little").astype(bool)


def words_of(lanes: Any) -> Any:
    """A row of words of (LANES,) bool."""
    return np.packbits(lanes, bitorder="little").view(np.int64).copy()


def drawn(seed: int, b: int, e: int) -> tuple[Any, Any, Any]:
    """Three rows of numbers, small, huge and undefined ones among them; a set of lanes between
    two; what is in the part."""
    chance = np.random.default_rng(seed)
    cols = chance.integers(-4, 5, (3, LANES)).astype(np.int32)
    strange = chance.random((3, LANES)) < 0.2
    cols[strange] = chance.choice([UNDEFINED, 2**31 - 1, -(2**31) + 1], strange.sum())
    inside = np.zeros(LANES, bool)
    inside[b:e] = True
    return cols, inside & (chance.random(LANES) < 0.7), inside


@compiled
def _sets(masks: Any, b: int, e: int) -> Any:
    everybody(masks, i64(0), b, e)
    divide(masks, i64(1), i64(2), i64(3), b, e)
    join(masks, i64(4), masks, i64(2), b, e)
    return some(masks, i64(1), b, e), some(masks, i64(4), b, e)


@pytest.mark.parametrize(("b", "e"), PARTS)
def test_sets_of_lanes(b: int, e: int) -> None:
    chance = np.random.default_rng(b)
    _, came, inside = drawn(1, b, e)
    holds = came & (chance.random(LANES) < 0.5)
    others = inside & ~came
    masks = np.stack([words_of(each) for each in (came, came, holds, others, others)])
    assert _sets(masks, b, e) == (False, bool((holds | others).any()))
    touched = np.zeros(LANES, bool)
    touched[b - b % 64 : -(-e // 64) * 64] = True
    assert (lanes_of(masks[0]) == np.where(touched, inside, came)).all()
    assert not lanes_of(masks[1]).any()
    assert (lanes_of(masks[3]) == (others | came & ~holds)).all()
    assert (lanes_of(masks[4]) == (others | holds)).all()


@compiled
def _test(masks: Any, cols: Any, mask: int, offset: int, two: bool, b: int, e: int) -> Any:
    if two:
        return exact_test(masks, i64(0), i64(1), cols, i64(0), i64(1), mask, offset, b, e)
    return number_test(masks, i64(0), i64(1), cols, i64(0), mask, offset, b, e)


@pytest.mark.parametrize(("b", "e"), PARTS)
@pytest.mark.parametrize("offset", [0, -3, 2, 2**30])
def test_comparisons(b: int, e: int, offset: int) -> None:
    for op, holds in enumerate(HOLDS):
        for two in (False, True):
            cols, came, _ = drawn(op, b, e)
            masks = np.zeros((2, WORDS), np.int64)
            masks[0] = words_of(came)
            found = _test(masks, cols, MASK_OF_OP[op] | CAREFUL, offset, two, b, e)
            left = cols[0].astype(np.int64)
            right = cols[1].astype(np.int64) + offset if two else np.int64(offset)
            gone = (left == UNDEFINED) | (right == UNDEFINED) | two & (cols[1] == UNDEFINED)
            expected = came & holds(left, right) & ~gone
            assert (lanes_of(masks[1]) == expected).all(), (op, two)
            assert found == expected.any()
            assert (lanes_of(masks[0]) == came).all()


def test_what_is_undefined() -> None:
    cols, came, _ = drawn(5, 0, LANES)
    masks = np.zeros((2, WORDS), np.int64)
    masks[0] = words_of(came)
    _test(masks, cols, UNDEFINED_TEST | CAREFUL, 0, True, 0, LANES)
    assert (lanes_of(masks[1]) == (came & (cols[0] == UNDEFINED))).all()


@compiled
def _store(masks: Any, cols: Any, op: int, constant: int, register: int, b: int, e: int) -> Any:
    if op < 0:
        return put_number(cols, i64(2), constant, masks, i64(0), b, e)
    return put_sum(cols, i64(2), op, i64(0), i64(1), constant, i64(-9), i64(7), register, masks,
                   i64(0), b, e)  # fmt: skip


@pytest.mark.parametrize(("b", "e"), PARTS)
@pytest.mark.parametrize(("op", "constant"), [(-1, 3), (COPY, 2), (ADD, 0), (SUB, 0), (SUB, 4)])
@pytest.mark.parametrize("register", [0, 1])
def test_storing(b: int, e: int, op: int, constant: int, register: int) -> None:
    cols, came, _ = drawn(op + 7, b, e)
    masks = words_of(came)[None]
    first, second, old = cols.astype(np.int64)
    gone = first == UNDEFINED
    if op == -1:
        value, gone = np.full(LANES, constant), np.zeros(LANES, bool)
    elif op == COPY:
        value = first + constant
    else:
        value = (first + second if op == ADD else first - second) + constant
        gone = gone | (second == UNDEFINED)
    value = value if op == -1 else value.clip(-9, 7)
    value = np.where(gone, UNDEFINED if register else old, value)
    expected = np.where(came, value, old)
    changed = _store(masks, cols, op, constant, register, b, e)
    assert (cols[2] == expected).all()
    assert changed == (expected != old).any()


@compiled
def _carry(cols: Any, states: Any, rows: Any, variable: int, size: int, b: int, e: int) -> Any:
    gather(cols, i64(0), states, rows, variable, size, b, e)
    fill(cols, i64(1), i64(6), b, e)
    return scatter(cols, i64(2), states, rows, variable, size, b, e)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize(("b", "e"), PARTS)
def test_fetching_and_putting_back(kind: Any, b: int, e: int) -> None:
    chance, limits = np.random.default_rng(e), np.iinfo(kind)
    states = chance.integers(limits.min, limits.max, (LANES, 5)).astype(kind)
    rows = chance.permutation(LANES).astype(np.int32)
    cols = chance.integers(limits.min, limits.max, (3, LANES)).astype(np.int32)
    expected, before = states.copy(), cols.copy()
    expected[rows[b:e], 3] = cols[2, b:e]
    read = states[rows[b:e], 3].copy()
    assert _carry(cols, states.view(np.uint8), rows, 3, states.itemsize, b, e)
    assert (states == expected).all()
    before[0, b:e], before[1, b:e] = read, 6
    assert (cols == before).all()
    if kind != np.int32:
        cols[2, b] = limits.max + 1
        assert not _carry(cols, states.view(np.uint8), rows, 3, states.itemsize, b, e)
