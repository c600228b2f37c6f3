"""A step asks the device nothing and sends it nothing, shown where asking is impossible.

Tensors of the device `meta` have shapes and no values: whatever depends on a value (`item`, `if`,
`nonzero`, a mask as an index, a way to the host) raises there. What is sent there from the host
would pass unseen, so that is watched for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import pytest

from tests.batch.random_machines import random_machine
from tests.worlds import lamp
from worldengine.batch import BatchEnv

torch = pytest.importorskip("torch", reason="torch is not installed: the torch engine is untested")


@contextmanager
def silence() -> Iterator[None]:
    """AssertionError where a tensor goes to another device or is made of values of Python."""
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    makers = (torch.tensor, torch.as_tensor, torch.asarray, torch.from_numpy)

    def making(_: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        assert func not in makers, f"{func.__name__} sends values to the device"
        return func(*args, **(kwargs or {}))

    def moving(_: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        done = func(*args, **(kwargs or {}))
        tensors = [each for each in (*args, done) if isinstance(each, torch.Tensor)]
        away = [each for each in tensors if each.device.type != "meta"]
        assert not away, f"{func} works on {away[0].device}"
        return done

    made_here = type("Made", (cast("Any", TorchFunctionMode),), {"__torch_function__": making})
    moved_here = type("Moved", (cast("Any", TorchDispatchMode),), {"__torch_dispatch__": moving})
    with cast("Any", moved_here)(), cast("Any", made_here)():
        yield


def made(autoreset: str) -> Any:
    """Episodes of two worlds where nothing can be asked."""
    machines = [lamp(), random_machine(3)]
    env = cast(
        "Any", BatchEnv(machines, size=4, engine="torch", device="meta", autoreset=autoreset)
    )
    env.engine.calibrate(1)
    env.reset(seed=1)
    return env


def step(env: Any) -> None:
    commands = torch.zeros(4, dtype=torch.int64, device="meta")
    with silence():
        turn = env.step(commands)
    assert turn.outcomes.shape == (4,) and turn.texts.device.type == "meta"


@pytest.mark.parametrize("autoreset", ["next_step", "same_step", "disabled"])
def test_a_step_asks_and_sends_nothing(autoreset: str) -> None:
    env = made(autoreset)
    step(env)
    with silence():
        env.reset(mask=env.over)
        env.restore(env.snapshot())


def test_numbers_ask_nothing() -> None:
    env = cast("Any", BatchEnv([lamp()], size=4, engine="torch", device="meta"))
    env.engine.calibrate(1)
    assert env._asking.widest == 9
    env._asking.widest = 2  # all go the same way
    operators = torch.zeros(4, dtype=torch.int64, device="meta")
    with silence():
        lowest, fits = env.number_mask(operators)
    assert lowest.shape == (4,) and fits.shape == (4, 2)


def test_masks_ask_nothing_once_they_have_been_asked_for() -> None:
    env = made("next_step")
    env.applicable_mask()
    with silence():
        env.schema_mask()


@pytest.mark.parametrize(
    "question",
    [
        lambda rows: rows.any().item(),
        lambda rows: bool(rows.any()),
        lambda rows: rows.nonzero(),
        lambda rows: rows[rows],
        lambda rows: rows.tolist(),
        lambda rows: rows.cpu(),
        lambda rows: rows.to("cpu"),
        lambda rows: torch.tensor(1, device=rows.device),
        lambda rows: torch.as_tensor([1, 2], device=rows.device),
        lambda rows: torch.from_numpy(np.ones(4)).to(rows.device),
        lambda rows: torch.ones(4).to(rows.device),
        lambda rows: torch.ones(4) > 0,
    ],
)
def test_a_step_that_asks_or_sends_is_found(
    question: Callable[[Any], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same step fails as soon as anything of this kind stands in the kernel."""
    from worldengine.batch.tensors import kernel as torch_kernel

    def asking(room: Any, tables: Any) -> None:
        question(room.tangled)

    env = made("next_step")
    step(env)
    monkeypatch.setattr(torch_kernel, "advance", asking)
    with pytest.raises((AssertionError, RuntimeError, NotImplementedError)):
        step(env)
