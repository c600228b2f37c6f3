"""What `BatchEnv` and `Single` are given: taken as it is meant, or refused in one sentence."""

from __future__ import annotations

import copy
import os
import pickle
import signal
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.worlds import WIN, lamp
from worldengine.batch import BatchEnv, Single
from worldengine.batch.lanes.turns import step_lanes

LARGE = 2**32
MASK = np.array([True, False, True, False])


def begun(**options: Any) -> BatchEnv:
    env = BatchEnv([lamp()], size=4, autoreset="disabled", **options)
    env.reset(seed=0)
    return env


MADE: list[tuple[dict[str, Any], str]] = [
    ({"size": -1}, "0 or more, not -1"),
    ({"size": 1.5}, "0 or more, not 1.5"),
    ({"size": True}, "0 or more, not True"),
    ({"worlds": [0.5]}, "expected integers"),
    ({"worlds": [True, False]}, "expected integers"),
    ({"worlds": np.array([LARGE])}, "integers of 32 bits, not 4294967296"),
    ({"worlds": [-1]}, "indices of the 1 machines"),
    ({"worlds": [[0]]}, r"shape \(n,\), not \(1, 1\)"),
    ({"size": 1, "variants": np.array([LARGE])}, "integers of 32 bits"),
]


@pytest.mark.parametrize("options, why", MADE)
def test_what_it_is_made_with(options: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        BatchEnv([lamp()], **options)


ASKED: list[tuple[Callable[[BatchEnv], object], str]] = [
    (lambda env: env.step(np.full(4, LARGE)), "integers of 32 bits, not 4294967296"),
    (lambda env: env.step([0] * 4, np.full(4, -LARGE)), "integers of 32 bits, not -4294967296"),
    (lambda env: env.step(np.full(4, 2**63, np.uint64)), "integers of 32 bits"),
    (lambda env: env.step_texts("look"), "one a slot, not one text"),
    (lambda env: env.step_texts([b"look"] * 4), "commands are texts, not bytes"),  # type: ignore[list-item]
    (lambda env: env.step_texts([None] * 4), "commands are texts, not NoneType"),  # type: ignore[list-item]
    (lambda env: env.reset(seed=1.5), "integers of 64 bits, not float64"),
    (lambda env: env.reset(seed=2**70), "integers of 64 bits"),
    (lambda env: env.reset(seed=np.full(4, 2**63, np.uint64)), "integers of 64 bits"),
    (lambda env: env.snapshot(0), "list of indices"),
    (lambda env: env.snapshot(MASK), "np.flatnonzero makes one of a mask"),
    (lambda env: env.snapshot([0.9]), "list of indices"),
    (lambda env: env.snapshot([-1]), r"slots are 0\.\.3"),
    (lambda env: env.restore(env.snapshot([0, 1, 2, 3]), MASK), "list of indices"),
    (lambda env: env.branch([0], [4]), r"slots are 0\.\.3, not \[4\]"),
    (lambda env: env.numbers(0, 9_999), "no operator 9999 that takes a number"),
    (lambda env: env.numbers(0, -1), "no operator -1 that takes a number"),
    (lambda env: env.numbers(9, 0), r"slots are 0\.\.3"),
]


@pytest.mark.parametrize("ask, why", ASKED)
def test_what_it_is_asked(ask: Callable[[BatchEnv], object], why: str) -> None:
    env = begun()
    before = env.snapshot()
    with pytest.raises((ValueError, TypeError), match=why):
        ask(env)
    assert (env.states == before.states).all() and (env.turns == before.turns).all()
    assert env.texts(env.step_texts(["look"] * 4).texts)[0].startswith("You are in the hall")


def test_what_is_taken() -> None:
    env = begun()
    assert env.texts([0]) == [""] and len(env.snapshot([]).worlds) == 0
    env.reset(seed=np.arange(4, dtype=np.uint64))
    turn = env.step_texts(np.array(["look"] * 4))  # type: ignore[arg-type]
    assert turn.outcomes.tolist() == [0] * 4
    none = BatchEnv([lamp()], size=0)
    none.reset(seed=1)
    for turn in (none.step([]), none.step_texts([]), none.step([], [])):
        assert len(turn.texts) == 0
    assert none.applicable_mask().shape == (0, none.tables.operators)


def test_the_callers_arrays_stay_the_callers() -> None:
    """Slots that come from elsewhere change neither an array that was handed in nor others."""
    machines, worlds = [lamp(), lamp()], np.array([0, 1], np.int32)
    one, other = (BatchEnv(machines, worlds=worlds, autoreset="disabled") for _ in range(2))
    one.reset(seed=0)
    one.branch([1], [0])
    worlds[:] = 7
    assert one.worlds.tolist() == [1, 1] and other.worlds.tolist() == [0, 1]
    other.reset(seed=0)


@pytest.mark.parametrize("name", ["closed", "apart", "seen everywhere"])
def test_columns_of_any_form_are_taken_without_compiling_anew(name: str) -> None:
    env = begun()
    wait = lamp().operators.__len__() - 1
    columns = {
        "closed": np.full(4, wait, np.int32),
        "apart": np.full(8, wait, np.int32)[::2],
        "seen everywhere": np.broadcast_to(np.int32(wait), (4,)),
    }
    columns["closed"].flags.writeable = False
    known = len(step_lanes.overloads)  # type: ignore[attr-defined]
    want = begun().step([wait] * 4, [2] * 4)
    got = env.step(columns[name], columns[name] * 0 + 2)
    assert (got.texts == want.texts).all() and (got.outcomes == want.outcomes).all()
    assert len(step_lanes.overloads) <= max(known, 1)  # type: ignore[attr-defined]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_has_threads_of_its_own() -> None:
    """Its parent's do not come along: it waited for them for ever."""
    env = BatchEnv([lamp()], size=2048, threads=2)
    env.reset(seed=0)
    snapshot = env.snapshot()
    want = env.step_texts(["look"] * 2048).texts
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        env.restore(snapshot)
        os._exit(0 if (env.step_texts(["look"] * 2048).texts == want).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("seed", [None, "a", 1.5, 2**63, -(2**70)])
def test_seeds_of_one_player(seed: Any) -> None:
    game = Single(lamp())
    with pytest.raises(ValueError, match="seeds are integers of 64 bits"):
        game.reset(seed)


def test_one_player_is_copied_and_plays_on() -> None:
    game = Single(lamp(), memory=100)
    unborn = copy.deepcopy(game)
    assert unborn.over and unborn.reset(variant=0) == game.reset(variant=0)
    for at, command in enumerate(WIN):
        other = copy.deepcopy(game) if at % 2 else pickle.loads(pickle.dumps(game))
        assert (other.state, other.turn, other.variant) == (game.state, game.turn, game.variant)
        assert other.applicable() == game.applicable()
        assert other.step("look") == Single.step(copy.deepcopy(game), "look")
        other = copy.deepcopy(game)
        assert game.step(command) == other.step(command) and game.over == other.over
    with pytest.raises(ValueError, match="over"):
        copy.deepcopy(game).step("look")


def test_a_batch_says_how_it_is_copied() -> None:
    for how in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="`restore` a `snapshot`"):
            how(begun())


def test_columns_on_a_device_are_looked_at() -> None:
    """Nothing that is refused leaves a trace: the batch goes on."""
    torch = pytest.importorskip("torch", reason="torch is not installed: its engine is untested")
    env: Any = begun(engine="torch")
    whole, wrong = torch.zeros(4, dtype=torch.int64), "must be integers"
    for columns in ((torch.zeros(4),), (whole[:1],), (whole, whole[:1]), (whole, torch.zeros(4))):
        with pytest.raises(ValueError, match=wrong):
            env.step(*columns)
    for mask in (whole, torch.ones(1, dtype=torch.bool)):
        with pytest.raises(ValueError, match="a reset mask must be bool"):
            env.reset(mask=mask)
    for seed in (1.5, [1, 2]):
        with pytest.raises(ValueError, match="seeds"):
            env.reset(seed=seed)
    with pytest.raises(ValueError, match="expected integers"):
        env.step(np.zeros(4))
    env.reset(seed=np.arange(4, dtype=np.int64) + 7)
    assert env.seeds.tolist() == [7, 8, 9, 10]
    assert env.texts(env.step_texts(["look"] * 4))[0].startswith("You are in the hall")
