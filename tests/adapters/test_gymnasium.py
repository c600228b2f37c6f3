"""The Gymnasium door: registered, checked, and the batch engine behind `make_vec`."""

from __future__ import annotations

import copy
import random
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
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
        check_env(env.unwrapped)


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


@pytest.mark.parametrize("mode", MODES)
def test_it_does_what_gymnasium_does_with_as_many_environments(mode: str) -> None:
    """Everything that environments one by one tell, and where they tell it."""
    from gymnasium.vector import SyncVectorEnv

    from worldengine.adapters.gymnasium import TextEnv, TextVectorEnv

    count, chance = 3, random.Random(mode)
    machine = replace(lamp(), turns=9)
    many: Any = SyncVectorEnv([lambda: TextEnv(machine)] * count, autoreset_mode=mode)
    batch: Any = TextVectorEnv(machine, count, mode)
    one, other = many.reset(seed=3), batch.reset(seed=3)
    for turn in range(40):
        held_against(one, other)
        commands = [chance.choice(["look", "dial 2", WIN[turn % len(WIN)]]) for _ in range(count)]
        one, other = many.step(commands), batch.step(commands)
        over = one[2] | one[3]
        if mode == "Disabled" and over.any():
            held_against(one, other)
            one, other = (env.reset(options={"reset_mask": over.copy()}) for env in (many, batch))


def held_against(one: Any, other: Any) -> None:
    assert tuple(one[0]) == other[0]
    for ours, theirs in zip(other[1:-1], one[1:-1], strict=True):
        assert np.array_equal(ours, theirs)
    assert_told(one[-1], other[-1])


def assert_told(one: dict[str, Any], other: dict[str, Any]) -> None:
    for key, values in one.items():
        if key == "final_info":
            assert_told(values, other[key])
        elif key.startswith("_"):
            assert np.array_equal(values, other[key]), key
        else:
            where = one[f"_{key}"]
            assert list(values[where]) == list(other[key][where]), key
    for key in other.keys() - one.keys():  # theirs has no key where nobody tells anything
        assert key.lstrip("_") not in one and not other["_" + key.lstrip("_")].any(), key


def test_a_variant_is_fixed_for_one_episode_of_the_batch() -> None:
    machine = replace(lamp(), turns=1, variants=lamp().variants * 5)
    env: Any = gymnasium.make_vec("worldengine/Text-v0", num_envs=4, world=machine)
    assert env.reset(seed=1, options={"variant": 3})[1]["variant"].tolist() == [3] * 4
    assert env.reset(options={"variant": [0, 1, 2, 3]})[1]["variant"].tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match=r"has variants 0\.\."):
        env.reset(options={"variant": 9})
    drawn = [tuple(env.step(["look"] * 4)[4]["variant"]) for _ in range(12)]
    assert len(set(drawn)) > 3


@pytest.mark.parametrize("name", ["ClipReward", "TransformReward", "RecordEpisodeStatistics"])
def test_wrappers_may_write_to_what_a_step_gives(name: str) -> None:
    import gymnasium.wrappers.vector as wrappers

    made = {"ClipReward": (-1, 1), "TransformReward": (lambda reward: 2 * reward,)}
    env = gymnasium.make_vec("worldengine/Text-v0", num_envs=2, world=lamp())
    wrapped: Any = getattr(wrappers, name)(env, *made.get(name, ()))
    wrapped.reset(seed=0, options={"variant": 0})
    for command in WIN:
        _, rewards, _, truncated, infos = wrapped.step([command, "look"])
        truncated |= False
        infos["won"] |= False
    assert rewards[0] > 0


def test_an_environment_is_copied_and_plays_on() -> None:
    env: Any = gymnasium.make("worldengine/Text-v0", world=lamp())
    env.reset(seed=1, options={"variant": 0})
    for command in WIN:
        other = copy.deepcopy(env)
        assert other.step(command) == env.step(command)


def test_a_script_with_a_mistake_is_named(tmp_path: Path) -> None:
    script = tmp_path / "wrong.world"
    script.write_text("world wrong {\n", "utf-8")
    with pytest.raises(ValueError, match=r"wrong\.world:1:1"):
        gymnasium.make("worldengine/Text-v0", world=str(script))


def test_what_was_read_last_is_rendered() -> None:
    one: Any = gymnasium.make("worldengine/Text-v0", world=lamp(), render_mode="ansi")
    assert one.reset(seed=1)[0] == one.render() != ""
    assert one.step("look")[0] == one.render()
    many: Any = gymnasium.make_vec(
        "worldengine/Text-v0", num_envs=2, world=lamp(), render_mode="ansi"
    )
    many.reset(seed=1)
    assert many.step(["look", "xyzzy"])[0] == many.render()
    assert "ansi" in one.metadata["render_modes"] and "ansi" in many.metadata["render_modes"]


def test_worlds_of_a_list_are_played_in_turn() -> None:
    env: Any = gymnasium.make_vec(
        "worldengine/Text-v0", num_envs=4, world=["tide_clock", lamp()], autoreset_mode="Disabled"
    )
    texts, _ = env.reset(seed=0)
    assert texts[0].startswith("The harbour clock") and texts[1] == texts[3] != texts[0]
    assert env.observation_space.contains(texts)
    assert env.unwrapped.batch.applicable_mask().shape[0] == 4


def single(**options: Any) -> Any:
    env: Any = gymnasium.make("worldengine/Text-v0", **{"world": lamp(), **options})
    env.reset(seed=0)
    return env


def vector(**options: Any) -> Any:
    given: dict[str, Any] = {"num_envs": 2, "world": lamp(), **options}
    env: Any = gymnasium.make_vec("worldengine/Text-v0", **given)
    env.reset(seed=0)
    return env


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: single().reset(options={"varaint": 1}), "are variant; there is no 'varaint'"),
    (lambda: vector().reset(options={"varaint": 1}), "variant, reset_mask; there is no 'varaint'"),
    (lambda: single(render_mode="human"), "None or 'ansi'"),
    (lambda: vector(render_mode="human"), "None or 'ansi'"),
    (lambda: single().unwrapped.step(3), "text of a command, not int"),
    (lambda: single().unwrapped.step(None), "text of a command, not NoneType"),
    (lambda: vector().step([1, 2]), "text of a command, not int"),
    (lambda: vector().step("look"), "2 commands, one an environment, not a text"),
    (lambda: vector().step(["look"]), "2 slots, but 1 commands"),
    (lambda: vector(num_envs=0), "how many environments there are, not 0"),
    (lambda: vector(applicable=True), "env.unwrapped.batch"),
    (lambda: single(world=["tide_clock"]), "`gymnasium.make_vec` takes a list"),
    (lambda: single(world=3), "takes a Machine, not int"),
    (lambda: single(world="tide_clokc"), "did you mean tide_clock"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("ask, why", REFUSED)
def test_what_is_not_taken_is_told(ask: Callable[[], object], why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=why):
        ask()
