"""The Gymnasium door: registered, checked, and the batch engine behind `make_vec`."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from tests.worlds import WIN, lamp

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
MODES = ("NextStep", "SameStep", "Disabled")


@pytest.fixture(autouse=True)
def registered() -> None:
    import worldengine.adapters.gymnasium  # noqa: F401


def test_check_env_has_nothing_to_say() -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("worldengine/Text-v0", world=lamp())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)


def test_a_win_is_terminated_with_reward_one() -> None:
    env: Any = gymnasium.make("worldengine/Text-v0", world=lamp())
    observation, info = env.reset(seed=1, options={"variant": 0})
    assert observation and info["variant"] == 0
    for command in WIN[:-1]:
        observation, reward, terminated, truncated, info = env.step(command)
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert info["outcome"] == "ok"
    observation, reward, terminated, truncated, info = env.step(WIN[-1])
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["won"] and info["progress"] == 1.0


def test_the_applicable_list_is_told_where_it_is_asked_for() -> None:
    env: Any = gymnasium.make("worldengine/Text-v0", world=lamp(), applicable=True)
    _, info = env.reset(seed=1, options={"variant": 0})
    assert WIN[0] in info["applicable"]
    for command in WIN:
        *_, info = env.step(command)
    assert info["applicable"] == ()
    with pytest.raises(ValueError, match="has variants"):
        env.reset(options={"variant": "first"})


def test_turns_run_out_as_truncation() -> None:
    env: Any = gymnasium.make("worldengine/Text-v0", world=lamp())
    env.reset(seed=1)
    flags = [env.step("dial \u00e9")[2:4] for _ in range(lamp().turns)]
    assert flags[-1] == (False, True) and not any(any(flag) for flag in flags[:-1])


@pytest.mark.parametrize("mode", MODES)
def test_make_vec_is_the_batch_engine(mode: str) -> None:
    env: Any = gymnasium.make_vec(
        "worldengine/Text-v0", num_envs=3, world=lamp(), vectorization_mode="vector_entry_point",
        autoreset_mode=mode,
    )  # fmt: skip
    opening, _ = env.reset(seed=3)
    assert env.observation_space.contains(opening)
    for command in WIN:
        texts, rewards, terminated, truncated, infos = env.step((command, "look", "dial 2"))
        assert env.observation_space.contains(texts) and not truncated.any()
    assert rewards.tolist() == [1.0, 0.0, 0.0] and terminated.tolist() == [True, False, False]
    if mode == "SameStep":
        assert infos["final_obs"][0] and infos["_final_obs"].tolist() == [True, False, False]
        assert texts[0] == opening[0]
    elif mode == "NextStep":
        texts, rewards, *_ = env.step(("look", "look", "look"))
        assert texts[0] == opening[0] and rewards.tolist() == [0.0] * 3
    else:
        texts, _ = env.reset(options={"reset_mask": np.array([True, False, False])})
        assert texts[0] == opening[0] and texts[2] != opening[2]
