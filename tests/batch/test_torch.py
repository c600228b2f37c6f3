"""The torch engine beside the numba engine, which is judged by the reference elsewhere."""

from __future__ import annotations

import importlib.util
import random
from typing import Any, cast

import pytest

from tests.batch.random_machines import random_machine
from tests.batch.test_env import starts, typed
from tests.worlds import lamp
from worldengine.batch import BatchEnv, tables_of

torch = pytest.importorskip("torch", reason="torch is not installed: the torch engine is untested")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.mark.parametrize("seed", range(4))
def test_turns_and_masks_are_equal(seed: int) -> None:
    from tests.batch.abreast import play

    machines = [random_machine(8 * seed + index) for index in range(8)]
    play([*machines, lamp()], rows=27, turns=8, seed=seed)


def test_trouble_is_told_at_the_next_reading() -> None:
    from worldengine.batch.tensors.engine import TorchEngine
    from worldengine.machine.errors import MachineError

    engine = TorchEngine(tables_of([lamp()]))
    engine.trouble |= 2
    with pytest.raises(MachineError, match="more rounds"):
        engine.check()
    engine.check()


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_episodes_are_equal(autoreset: str) -> None:
    machines = [random_machine(3), random_machine(4), lamp()]
    one = BatchEnv(machines, size=9, autoreset=autoreset)
    two = cast("Any", BatchEnv(machines, size=9, engine="torch", autoreset=autoreset))
    assert two.reset(seed=4).tolist() == one.reset(seed=4).tolist()
    chance = random.Random(1)
    for _ in range(22):
        counts = [len(machines[world].operators) for world in one.worlds.tolist()]
        operators = [chance.randrange(count) for count in counts]
        a, b = one.step(operators, [2] * 9), two.step(torch.tensor(operators), torch.full((9,), 2))
        for name in ("texts", "outcomes", "failed", "progress", "won", "lost", "truncated",
                     "began", "final"):  # fmt: skip
            assert getattr(a, name).tolist() == getattr(b, name).tolist(), name
        assert one.texts(a.texts) == two.texts(b)
        assert one.variants.tolist() == two.variants.tolist()


def test_bad_use_is_told() -> None:
    env = cast("Any", BatchEnv([lamp()], engine="torch", autoreset="disabled"))
    with pytest.raises(ValueError, match="shape"):
        env.step(torch.zeros(2, dtype=torch.int64))
    turn = env.step(torch.zeros(1, dtype=torch.int64))
    with pytest.raises(ValueError, match="slot that is over"):
        env.texts(turn)
    if torch.cuda.is_available():
        return
    with pytest.raises(ValueError, match="no CUDA"):
        BatchEnv(
            [lamp()],
            engine="torch",
            device="cuda:0" if not torch.cuda.is_available() else "cuda:99",
        )


def test_kernels_are_named() -> None:
    with pytest.raises(ValueError, match="plain and triton, not 'fast'"):
        cast("Any", BatchEnv)([lamp()], engine="torch", kernel="fast")
    if importlib.util.find_spec("triton") is None:
        with pytest.raises(ImportError, match="pip install triton"):
            cast("Any", BatchEnv)([lamp()], engine="torch", kernel="triton")


def test_the_most_rounds_of_a_step_are_known() -> None:
    env = cast("Any", BatchEnv([lamp()], size=8, engine="torch"))
    env.reset(seed=1)
    env.step(torch.arange(8))
    assert env.engine.rounds > 1


@pytest.mark.parametrize("autoreset", ["next_step", "same_step"])
def test_text_in_text_out_is_equal(autoreset: str) -> None:
    machines = [starts(), lamp()]
    one = BatchEnv(machines, size=8, autoreset=autoreset, variants=[0, -1] * 4)
    two = cast(
        "Any",
        BatchEnv(machines, size=8, engine="torch", autoreset=autoreset, variants=[0, -1] * 4),
    )
    assert one.reset(seed=2).tolist() == two.reset(seed=2).tolist()
    chance = random.Random(7)
    for _ in range(40):
        commands = [
            typed(machines[world], tuple(state[: len(machines[world].variables)]), chance)
            for world, state in zip(one.worlds.tolist(), one.states.tolist(), strict=True)
        ]
        a, b = one.step_texts(commands), two.step_texts(commands)
        assert one.texts(a.texts) == two.texts(b)
        assert one.texts(a.final) == two.engine.texts.texts(b.final.numpy(), two._renderer)
        for name in ("outcomes", "won", "lost", "truncated", "began"):
            assert getattr(a, name).tolist() == getattr(b, name).tolist(), name
        assert (one.schema_mask() == two.schema_mask().numpy()).all()


def test_snapshot_and_branch_on_the_device() -> None:
    machines = [random_machine(5), lamp()]
    env = cast("Any", BatchEnv(machines, size=6, engine="torch", autoreset="next_step"))
    env.reset(seed=3)
    env.step(torch.zeros(6, dtype=torch.int64))
    kept = env.snapshot()
    env.branch(torch.tensor([1, 2]), torch.tensor([4, 5]))
    assert env.states[4].tolist() == kept.states[1].tolist()
    assert env.worlds[5] == kept.worlds[2]
    after = [env.step(torch.ones(6, dtype=torch.int64)).outcomes[:4].tolist() for _ in range(2)]
    env.restore(kept)
    again = [env.step(torch.ones(6, dtype=torch.int64)).outcomes[:4].tolist() for _ in range(2)]
    assert after == again
    other = cast("Any", BatchEnv([lamp()], size=6, engine="torch"))
    with pytest.raises(ValueError, match="other machines"):
        other.restore(kept)
    with pytest.raises(ValueError, match="do not go into"):
        env.restore(kept, torch.tensor([1]))


def test_numbers_are_the_reference() -> None:
    machine = lamp()
    env = cast("Any", BatchEnv([machine], size=2, engine="torch"))
    host = BatchEnv([machine], size=2)
    env.reset(seed=1), host.reset(seed=1)
    weighs = [
        index
        for index, operator in enumerate(machine.operators)
        if any(item.type == "number" for item in machine.schemas[operator.schema].parameters)
    ]
    assert weighs
    for operator in weighs:
        assert env.numbers(1, operator) == host.numbers(1, operator)


def test_tokens_on_the_device_are_those_of_the_host() -> None:
    from worldengine.batch.tensors.tokens import DeviceTokens
    from worldengine.batch.texts.tokens import TokenTable

    env = cast("Any", BatchEnv([lamp()], size=4, engine="torch"))
    ids = env.reset(seed=1)
    store = TokenTable(
        lambda text: list(text.encode()), lambda ids: env.engine.texts.texts(ids, env._renderer)
    )
    device = DeviceTokens(store, 2000, pad=-1)
    tokens, lengths, found = device.look_up(ids)
    assert not found.any() and (tokens == -1).all() and not lengths.any()
    assert device.fill(ids) == 1 and device.fill(ids) == 0
    tokens, lengths, found = device.look_up(ids)
    opening = env.engine.texts.texts(ids.numpy(), env._renderer)[0].encode()
    assert found.all() and bytes(tokens[0, : int(lengths[0])].tolist()) == opening
