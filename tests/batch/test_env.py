"""The episode layer: endings, autoreset, seeds, snapshots, texts in and out."""

from __future__ import annotations

import random
import tracemalloc
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.batch.differences import start_states
from tests.batch.random_machines import random_machine
from tests.build_machine import lamp_world
from tests.worlds import TINY, WIN, lamp
from worldengine.batch import BatchEnv, Turn
from worldengine.machine.schema import Machine, Variant
from worldengine.runtime import runtime_of


@cache
def starts() -> Machine:
    """The lamp world with a hundred starts that differ in the dial."""
    world = lamp_world()
    dial = next(i for i, v in enumerate(world.variables) if v.name == "dial")
    return replace(
        world, name="starts", variants=tuple(Variant((), ((dial, 1 + i % 9),)) for i in range(90))
    )


def play(env: BatchEnv, seed: int, turns: int) -> list[Turn]:
    """Random operators; slot i's depend on its world, its seed and nothing else."""
    env.reset(seed=np.arange(env.size) * 0 + env.worlds + seed)
    chance = [random.Random(f"{seed} {world}") for world in env.worlds.tolist()]
    done = []
    for _ in range(turns):
        counts = [len(env.tables.machines[world].operators) for world in env.worlds.tolist()]
        operators = [c.randrange(count) for c, count in zip(chance, counts, strict=True)]
        done.append(env.step(operators, [c.randint(1, 9) for c in chance]))
    return done


def same(one: Turn, row: int, other: Turn, position: int) -> bool:
    return all(
        getattr(one, name)[row] == getattr(other, name)[position]
        for name in ("texts", "outcomes", "failed", "progress", "won", "lost", "truncated", "began")
    )


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_size_order_and_threads_do_not_matter(autoreset: str) -> None:
    machines = [random_machine(seed) for seed in range(6)] + [starts()]
    alone = [
        play(BatchEnv(machines, worlds=[world], autoreset=autoreset), 5, 30)
        for world in range(len(machines))
    ]
    order = np.random.default_rng(1).permutation(np.arange(1200) % len(machines))
    env = BatchEnv(machines, worlds=order, threads=3, autoreset=autoreset)
    together = play(env, 5, 30)
    for row, world in enumerate(order.tolist()):
        assert all(
            same(many, row, one, 0) for many, one in zip(together, alone[world], strict=True)
        )


def test_text_in_text_out_is_the_reference() -> None:
    from worldengine.compiler import compile

    for machine in (lamp(), compile(TINY)):
        runtime, chance = runtime_of(machine), random.Random(3)
        env = BatchEnv([machine], size=5, variants=[0] * 5, autoreset="disabled")
        opening = env.texts(env.reset())
        states = [machine.start(0)] * 5
        assert opening == [runtime.opening(states[0])] * 5
        for _ in range(29):
            if env.over.any():
                break
            commands = [typed(machine, state, chance) for state in states]
            turn = env.step_texts(commands)
            shown = env.texts(turn.texts)
            for row, command in enumerate(commands):
                expected = runtime.step(states[row], command)
                states[row] = expected.state
                assert shown[row] == expected.observation, command
                assert turn.outcomes[row] == expected.outcome, command
                assert turn.progress[row] == expected.progress
                assert tuple(env.states[row].tolist()) == expected.state
                assert turn.won[row] == (expected.status == "won")


def typed(machine: Machine, state: tuple[int, ...], chance: random.Random) -> str:
    """Something a player may type, sensible or not."""
    runtime = runtime_of(machine)
    kind = chance.randrange(4)
    if kind == 0:
        return chance.choice(
            ("", "xyzzy", "take", "dial 99", "take the moon", "go", "look and wait")
        )
    if kind == 1:
        return runtime.matcher.canonical(chance.randrange(len(machine.operators)), 3)
    if kind == 2:
        return "Take the key" if chance.random() < 0.5 else "  GO   NORTH. "
    actions = runtime.applicable(state)
    operator, intervals = chance.choice(actions)
    return runtime.matcher.canonical(operator, intervals[0][0] if intervals else 0)


def test_endings_and_autoreset() -> None:
    for autoreset in ("next_step", "same_step", "disabled"):
        env = BatchEnv([lamp()], size=2, autoreset=autoreset)
        env.reset(seed=1)
        for command in WIN[:-1]:
            turn = env.step_texts([command, "dial 3"])
            assert not (turn.won | turn.truncated).any()
        turn = env.step_texts([WIN[-1], "dial 3"])
        assert turn.won.tolist() == [True, False] and turn.scores.tolist() == [1.0, 0.0]
        assert turn.progress[0] == 1.0
        if autoreset == "same_step":
            assert turn.began.tolist() == [True, False]
            assert env.turns.tolist() == [0, 4] and turn.final[0] != 0
            assert env.texts(turn.texts[:1]) == [runtime_of(lamp()).opening(lamp().start(0))]
        elif autoreset == "next_step":
            turn = env.step_texts(["dial 2", "dial 2"])
            assert turn.began.tolist() == [True, False] and turn.won.tolist() == [False, False]
            assert env.turns.tolist() == [0, 5]
        else:
            with pytest.raises(ValueError, match="slot 0 is over"):
                env.step_texts(["dial 2", "dial 2"])
            env.reset(mask=np.array([True, False]))
            env.step_texts(["dial 2", "dial 2"])
            assert env.turns.tolist() == [1, 5]


def test_the_slots_that_are_over_can_be_reset() -> None:
    env = BatchEnv([replace(starts(), turns=2)], size=3, variants=[4] * 3, autoreset="disabled")
    opening = env.reset()
    for _ in range(2):
        env.step_texts(["dial 8"] * 3)
    assert env.over.all()
    begun = start_states(env.tables, [0] * 3, [4] * 3)
    assert (env.states != begun).any()
    assert (env.reset(mask=env.over) == opening).all() and not env.over.any()
    assert (env.states == begun).all()


def test_truncation_is_neither_won_nor_lost() -> None:
    machine = replace(lamp(), turns=3)
    env = BatchEnv([machine], autoreset="disabled")
    env.reset()
    turns = [env.step_texts(["xyzzy"]) for _ in range(3)]
    assert [bool(turn.truncated[0]) for turn in turns] == [False, False, True]
    assert not turns[-1].terminated[0]


def test_seeds_choose_variants_and_episodes_go_on() -> None:
    env = BatchEnv([starts()], size=40, autoreset="disabled")
    env.reset(seed=7)
    first = env.variants.copy()
    env.reset()
    second = env.variants.copy()
    env.reset(seed=7)
    assert (env.variants == first).all() and (first != second).any()
    assert len(set(first.tolist())) > 20
    shifted = BatchEnv([starts()], size=10, autoreset="disabled")
    shifted.reset(seed=12)
    assert shifted.variants.tolist() == first[5:15].tolist()


def test_snapshot_and_branch() -> None:
    machines = [random_machine(3), lamp()]
    env = BatchEnv(machines, size=4, autoreset="same_step")
    play(env, 2, 5)
    kept = env.snapshot()
    one = [env.step([2, 3, 1, 4], [1, 2, 3, 4]) for _ in range(5)]
    env.restore(kept)
    two = [env.step([2, 3, 1, 4], [1, 2, 3, 4]) for _ in range(5)]
    assert all(same(a, row, b, row) for a, b in zip(one, two, strict=True) for row in range(4))
    env.branch([0, 0], [1, 3])
    turn = env.step([1, 1, 1, 1])
    assert same(turn, 0, turn, 1) and same(turn, 0, turn, 3)
    with pytest.raises(ValueError, match="other machines"):
        BatchEnv([lamp()]).restore(kept)


def test_masks_follow_the_slots() -> None:
    env = BatchEnv([lamp(), random_machine(1)], size=6)
    env.reset()
    applicable, scoped = env.applicable_mask(), env.scoped_mask()
    assert (applicable <= scoped).all() and applicable.any()
    names = [lamp().schemas[operator.schema].name for operator in lamp().operators]
    assert env.numbers(0, names.index("dial")) == ((2, 9),)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (lambda: BatchEnv([]), "at least one machine"),
        (lambda: BatchEnv([lamp()], engine="abacus"), "numba and torch"),
        (lambda: BatchEnv([lamp()], device="cuda"), "runs on the cpu"),
        (lambda: BatchEnv([lamp()], autoreset="never"), "next_step"),
        (lambda: BatchEnv([lamp()], worlds=[1]), "indices of the 1 machines"),
        (lambda: BatchEnv([lamp()], variants=[5]), "has variants"),
        (lambda: BatchEnv([lamp()]).step([1, 2]), "shape"),
        (lambda: BatchEnv([lamp()]).step([0.5]), "integers"),
        (lambda: BatchEnv([lamp()]).step_texts(["a", "b"]), "1 slots"),
        (lambda: BatchEnv([lamp()]).reset(seed=[1, 2]), "seeds"),
    ],
)
def test_bad_use_is_told(action, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=message):
        action()


def test_memory_stays_flat() -> None:
    """A hundred thousand resets and steps leave nothing behind."""
    env = BatchEnv([lamp()], size=1000, autoreset="disabled")
    env.reset(seed=0)
    env.step(np.zeros(1000, np.int32))
    tracemalloc.start()
    before = None
    for count in range(100):
        env.reset()
        env.step(np.full(1000, count % 5, np.int32))
        if count == 20:
            before = tracemalloc.get_traced_memory()[0]
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert before is not None and after - before < 100_000
