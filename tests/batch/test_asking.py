"""From masks and numbers to a step that is accepted, and to the command that would be typed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.batch.random_machines import random_machine
from tests.worlds import lamp
from worldengine import load
from worldengine.batch import BatchEnv
from worldengine.batch.texts import texts
from worldengine.machine.schema import ACCEPTED, Machine

ENGINES = ("numba", "torch")


@cache
def machines() -> list[Machine]:
    return [load("tide_clock"), lamp(), *map(random_machine, range(4))]


def batch(engine: str, size: int, **options: Any) -> Any:
    if engine == "torch":
        torch = pytest.importorskip("torch", reason="torch is not installed: it is untested")
        torch.set_num_threads(1)
    return BatchEnv(
        machines()[: 2 if engine == "torch" else 6], size=size, engine=engine, **options
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_what_masks_and_numbers_allow_is_accepted(engine: str) -> None:
    """Arrays all the way, no look at single slots."""
    env, chance = batch(engine, 24), np.random.default_rng(5)
    env.reset(seed=2)
    drawn = 0
    for _ in range(12 if engine == "numba" else 5):
        mask = np.asarray(env.applicable_mask())
        operators = (mask * chance.random(mask.shape)).argmax(1)
        lows, fits = map(np.asarray, env.number_mask(operators))
        numbers = lows + (fits * chance.random(fits.shape)).argmax(1)
        begins, meant = np.asarray(env.over), np.flatnonzero(mask.any(1))
        turn = env.step(operators, numbers)
        heard = meant[~begins[meant]]
        assert (np.asarray(turn.outcomes)[heard] == ACCEPTED).all()
        worlds = np.asarray(env.worlds)
        takes = env.number_ranges[worlds, operators, 0] <= env.number_ranges[worlds, operators, 1]
        drawn += int(takes[heard].sum())
    assert drawn > 0


@pytest.mark.parametrize("engine", ENGINES)
def test_numbers_are_those_of_one_slot(engine: str) -> None:
    env = batch(engine, 12)
    env.reset(seed=1)
    worlds, ranges = np.asarray(env.worlds), env.number_ranges
    scoped, met = np.asarray(env.scoped_mask()), 0
    orders = [  # those that take a number first
        np.argsort(ranges[at, : len(each.operators), 1] < ranges[at, : len(each.operators), 0])
        for at, each in enumerate(machines())
        if at < len(ranges)
    ]
    for shift in range(40 if engine == "numba" else 12):
        operators = np.array([orders[world][shift % len(orders[world])] for world in worlds])
        lows, fits = map(np.asarray, env.number_mask(operators))
        for slot, (world, operator) in enumerate(zip(worlds, operators, strict=True)):
            low, high = ranges[world, operator].tolist()
            if low > high:
                assert lows[slot] == 0 and np.flatnonzero(fits[slot]).tolist() == [0]
            elif scoped[slot, operator]:
                spans = env.numbers(slot, operator)
                want = [number for a, b in spans for number in range(a, b + 1)]
                assert (lows[slot] + np.flatnonzero(fits[slot])).tolist() == want
                met += 1
            else:
                assert lows[slot] == low and not fits[slot].any()
    assert met > 0


@pytest.mark.parametrize("engine", ENGINES)
def test_commands_mean_their_operators(engine: str) -> None:
    env, chance = batch(engine, 12), np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(6 if engine == "numba" else 2):
        mask = np.asarray(env.applicable_mask())
        operators = (mask * chance.random(mask.shape)).argmax(1)
        lows, fits = map(np.asarray, env.number_mask(operators))
        numbers = lows + (fits * chance.random(fits.shape)).argmax(1)
        commands = env.commands(operators, numbers)
        for slot in range(env.size):
            given = int(operators[slot]), int(numbers[slot])
            assert env.command(slot, *given) == commands[slot]
        before, kept = env.snapshot(), env.step(operators, numbers)
        env.restore(before)
        typed = env.step_texts(commands)
        assert np.array_equal(np.asarray(typed.texts), np.asarray(kept.texts))


@pytest.mark.parametrize("engine", ENGINES)
def test_what_cannot_be_asked(engine: str) -> None:
    env = batch(engine, 6)
    env.reset(seed=1)
    dial = next(i for i, (low, high) in enumerate(env.number_ranges[1].tolist()) if low <= high)
    with pytest.raises(ValueError, match=r"takes a number 1\.\.9, none was given"):
        env.command(1, dial)
    with pytest.raises(ValueError, match=r"takes a number 1\.\.9, not 11"):
        env.command(1, dial, 11)
    assert env.command(1, dial, 4) == "dial 4"
    beyond = len(lamp().operators)
    asked: list[Callable[[], object]] = [
        lambda: env.command(1, beyond),
        lambda: env.number_mask([0, beyond, 0, 0, 0, 0]),
    ]
    for ask in asked:
        with pytest.raises(ValueError, match=r"slot 1 plays .* which has operators"):
            ask()
    for operator in (99_999, -7):
        with pytest.raises(ValueError, match=rf"slot 2: operators are 0\.\.\d+, not {operator}"):
            env.step([0, 0, operator, 0, 0, 0])


@pytest.mark.parametrize("engine", ENGINES)
def test_engines_read_alike(engine: str) -> None:
    env = batch(engine, 6, autoreset="same_step")
    opening = env.texts(env.reset(seed=np.arange(6)))
    assert all(opening) and env.texts(np.asarray(env.reset(seed=0)))[0] == opening[0]
    turn = env.step(np.zeros(6, np.int32), [1] * 6)
    assert env.texts(turn) == env.texts(turn.texts) and all(env.texts(turn))
    turn = env.step_texts(["xyzzy"] * 6)
    assert env.texts(turn)[0] == env.texts(turn.texts)[0] != ""
    asked: list[tuple[Callable[[], object], str]] = [
        (lambda: env.texts(5), "texts are asked for by a turn, or by ids"),
        (lambda: env.texts([5]), "no text has the id 5 here"),
        (lambda: env.step(["a"] * 6), "expected integers"),
        (lambda: env.step(np.zeros(6)), "expected integers"),
        (lambda: env.step_texts("look"), "not one text"),
        (lambda: env.reset(seed="a"), "seeds are integers"),
        (lambda: env.reset(mask=[1, 0, 1, 0, 1, 0]), "reset mask must be bool"),
        (lambda: env.branch([0, 1], [2, 3, 4]), "2 slots do not go into 3"),
        (lambda: env.branch(0, [7]), r"slots are 0\.\.5"),
    ]
    for ask, why in asked:
        with pytest.raises(ValueError, match=why):
            ask()


@pytest.mark.parametrize("engine", ENGINES)
def test_one_slot_becomes_many(engine: str) -> None:
    env = batch(engine, 6)
    env.reset(seed=1)
    env.step_texts(["look"] * 6)
    for source, targets in ((1, [2, 3]), ([1], range(2, 6)), (1, 0)):
        env.branch(source, targets)
        for slot in np.atleast_1d(targets):
            assert env.states[slot].tolist() == env.states[1].tolist()
            assert env.worlds[slot] == env.worlds[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_options_that_there_are_not(engine: str) -> None:
    with pytest.raises(TypeError, match=f"BatchEnv on {engine} takes .*no option 'thread'"):
        batch(engine, 1, thread=2)
    with pytest.raises(ValueError, match="next_step, same_step, disabled, not 'never'"):
        batch(engine, 1, autoreset="never")
    with pytest.raises(ValueError, match=r"not .*'gpu'"):
        batch(engine, 1, device="gpu")


def test_before_the_first_reset() -> None:
    with pytest.raises(ValueError, match="slot 0 has not begun; reset it"):
        batch("numba", 2, autoreset="disabled").step([0, 0])


@pytest.mark.parametrize("engine", ENGINES)
def test_what_was_typed_is_forgotten_but_for_what_is_shown(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refusals quote what was typed, which may be anything."""
    monkeypatch.setattr(texts, "LITERALS", 20)
    env = batch(engine, 6)
    env.reset(seed=0)
    store, old = env.engine.texts, None
    for turn in range(30):
        done = env.step_texts([f"xyzzy {turn} {slot}" for slot in range(5)] + ["look"])
        shown = env.texts(done)
        assert shown == env.texts(done.texts) and all(shown)
        old = done.texts if old is None else old
        assert len(store._literal) + len(store._before) <= 2 * (20 + 5)
        assert len(store._rendered) <= len(store) + 2 * (20 + 5) + 1
    with pytest.raises(ValueError, match="only the latest are kept"):
        env.texts(old)
