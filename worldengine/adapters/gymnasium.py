"""Text worlds as Gymnasium environments.

    import gymnasium
    import worldengine.adapters.gymnasium
    env = gymnasium.make("worldengine/Text-v0", world="lighthouse")
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step("look")

`world` is a Machine, the path of a script, or the name of a world that ships. Actions and
observations are texts. The reward is 1 in the step that wins, else 0; `info` has `outcome`
(ok, parameter, place or logic), `progress`, `won`, `lost`, `turn` and `variant`. An episode
that runs out of turns is truncated, never terminated. `options={"variant": n}` fixes a start.
With `applicable=True`, `info["applicable"]` has the commands that would be accepted now; in one
such as `set clock to 1..12` the range stands for its numbers, and `worldengine.concrete` draws one.
With `render_mode="ansi"`, `render()` gives what was read last.
`gymnasium.make_vec` gives the batch engine itself, in all three autoreset modes; its seeds draw
other starts than those of single environments. Its `world` may be a list, played in turn. It has no
lists of commands: `env.unwrapped.batch` is the `BatchEnv`, with masks and `commands`.

Without gymnasium this module raises ImportError with one sentence.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldengine.adapters.given import (
    RENDERED,
    World,
    check_render,
    machine_of,
    machines_of,
    options_of,
    typed,
)
from worldengine.batch import BatchEnv, Single
from worldengine.machine.schema import CLASS_NAMES, Machine

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as missing:
    if missing.name != "gymnasium":
        raise
    sentence = (
        "this needs gymnasium: pip install 'worldengine-machine[gymnasium]', or in a checkout"
        " .venv/bin/pip install -c constraints.txt -e '.[gymnasium]'"
    )
    raise ImportError(sentence) from None

ID = "worldengine/Text-v0"
TYPED = frozenset(string.ascii_letters + string.digits + string.punctuation + " ")
LONGEST_COMMAND, LONGEST_OBSERVATION = 1_000, 200_000
MEMORY = 65_536
"""Texts whose letters were looked at before all are forgotten."""
FOREIGN = "\N{REPLACEMENT CHARACTER}"
"""Stands in an observation for a character that was typed and is in no space."""


class Spaces:
    """The spaces of some worlds, and observations made to lie in them."""

    def __init__(self, machines: Sequence[Machine]) -> None:
        written = set("".join(_strings(asdict(machine)) for machine in machines))
        self.letters = frozenset(written | TYPED | {"\n", FOREIGN})
        self.letters |= {c for letter in written for c in (letter.upper(), letter.lower())
                         if len(c) == 1}  # fmt: skip
        self._fitting: dict[str, str] = {}
        self.action = gymnasium.spaces.Text(LONGEST_COMMAND, charset=TYPED, min_length=0)
        self.observation = gymnasium.spaces.Text(
            LONGEST_OBSERVATION, charset=self.letters, min_length=0
        )

    def fit(self, text: str) -> str:
        """A text with letters that nobody foresaw replaced."""
        found = self._fitting.get(text)
        if found is None:
            found = text
            if not self.letters.issuperset(text):
                known = self.letters
                found = "".join(letter if letter in known else FOREIGN for letter in text)
            if len(self._fitting) >= MEMORY:
                self._fitting.clear()
            self._fitting[text] = found
        return found


def _strings(value: object) -> str:
    """All characters of all strings in a document."""
    if isinstance(value, str):
        return "".join(set(value))
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return "".join(set("".join(map(_strings, value))))
    return ""


class TextEnv(gymnasium.Env[str, str]):
    """One world, one player; see the module."""

    metadata: dict[str, Any] = {"render_modes": list(RENDERED), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self, world: World, render_mode: str | None = None, applicable: bool = False
    ) -> None:
        check_render(render_mode)
        self.render_mode, self._read = render_mode, ""
        self._game = Single(machine_of(world))
        self._applicable = applicable
        self._spaces = Spaces([self._game.machine])
        self.action_space = self._spaces.action
        self.observation_space = self._spaces.observation

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin an episode. The seed and how many episodes came after it fix the start."""
        variant = options_of(options, "variant").get("variant", -1)
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2**31))
        text = self._game.reset(drawn, None if variant == -1 else variant)
        self._read = self._spaces.fit(text)
        return self._read, self._told({"variant": self._game.variant, "turn": 0})

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """One command."""
        game = self._game
        text, outcome, progress, won, lost, truncated = game.step(typed(action))
        info = {
            "outcome": CLASS_NAMES[outcome],
            "progress": progress,
            "won": won,
            "lost": lost,
            "turn": game.turn,
            "variant": game.variant,
        }
        reward, self._read = 1.0 if won else 0.0, self._spaces.fit(text)
        return self._read, reward, won or lost, truncated, self._told(info)

    def render(self) -> str | None:  # type: ignore[override]
        """With `render_mode="ansi"` what was read last."""
        return self._read if self.render_mode else None

    def _told(self, info: dict[str, Any]) -> dict[str, Any]:
        if self._applicable:
            info["applicable"] = self._game.applicable()
        return info


MODES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


class TextVectorEnv(VectorEnv[tuple[str, ...], Sequence[str], NDArray[Any]]):
    """Many players on the batch engine, of one world or of some in turn; see the module."""

    def __init__(
        self,
        world: World | Sequence[World],
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        applicable: bool = False,
    ) -> None:
        check_render(render_mode)
        if applicable:
            raise ValueError(
                "many environments have no lists of commands: leave `applicable` out and ask"
                " env.unwrapped.batch, which has applicable_mask(), number_mask() and commands()"
            )
        if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
            raise ValueError(f"num_envs is how many environments there are, not {num_envs!r}")
        self.num_envs, self.render_mode = num_envs, render_mode
        mode = AutoresetMode(autoreset_mode)
        self.metadata = {**TextEnv.metadata, "autoreset_mode": mode}
        self._batch = BatchEnv(
            machines_of(world),
            size=num_envs,
            autoreset=MODES[mode],
            threads=threads,
        )
        self._spaces = Spaces(self._batch.tables.machines)
        self.single_action_space = self._spaces.action
        self.single_observation_space = self._spaces.observation
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._shown: list[str] = [""] * num_envs

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Begin all episodes, or those of `options["reset_mask"]`; `options["variant"]`, one for
        all or one each, fixes their starts."""
        given = options_of(options, "variant", "reset_mask")
        mask, variant = given.get("reset_mask"), given.get("variant")
        if isinstance(seed, list):
            seed = [index if one is None else one for index, one in enumerate(seed)]
        if variant is not None:
            self._batch.fix(np.broadcast_to(variant, (self.num_envs,)))
        try:
            ids = self._batch.reset(seed=seed, mask=mask)
        finally:
            self._batch.fix(np.full(self.num_envs, -1, np.int32))  # later ones are drawn again
        for index, text in enumerate(self._batch.texts(ids)):
            if ids[index]:
                self._shown[index] = self._spaces.fit(text)
        every = np.ones(self.num_envs, np.bool_)
        begun = every if mask is None else np.array(mask)
        return tuple(self._shown), _masked(self._where(), begun)

    def step(
        self, actions: Sequence[str]
    ) -> tuple[tuple[str, ...], NDArray[Any], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One command in every environment."""
        batch, before = self._batch, self._where()
        if isinstance(actions, str):
            raise TypeError(f"actions are {self.num_envs} commands, one an environment, not a text")
        turn = batch.step_texts([typed(action) for action in actions])
        told = {
            "outcome": np.array(CLASS_NAMES, dtype=object)[turn.outcomes],
            "progress": turn.progress,
            "won": turn.won.copy(),
            "lost": turn.lost.copy(),
        }
        # As of environments one by one: beginning tells where one is, not how a turn went.
        infos = _masked(told, ~turn.began) | _masked(self._where(), np.ones_like(turn.began))
        ended = turn.final != 0
        if ended.any():
            final = np.full(self.num_envs, None, dtype=object)
            final[ended] = [self._spaces.fit(text) for text in batch.texts(turn.final[ended])]
            told |= {"turn": before["turn"] + 1, "variant": before["variant"]}
            infos |= _masked({"final_obs": final, "final_info": _masked(told, ended)}, ended)
        self._shown = [self._spaces.fit(text) for text in batch.texts(turn.texts)]
        rewards, truncated = turn.scores.copy(), turn.truncated.copy()  # wrappers write to them
        return tuple(self._shown), rewards, turn.terminated, truncated, infos

    @property
    def batch(self) -> BatchEnv:
        """The batch engine that plays; stepping it here and there would be one too many."""
        return self._batch

    def render(self) -> tuple[str, ...] | None:  # type: ignore[override]
        """With `render_mode="ansi"` what was read last, one text an environment."""
        return tuple(self._shown) if self.render_mode else None

    def _where(self) -> dict[str, NDArray[Any]]:
        return {"turn": self._batch.turns.copy(), "variant": self._batch.variants.copy()}


def _masked(told: dict[str, Any], where: NDArray[np.bool_]) -> dict[str, Any]:
    """What is told, one array a key, and for each where it is."""
    return told | {f"_{key}": where.copy() for key in told}


def register() -> None:
    """Make `gymnasium.make` know the id; done when this module is imported."""
    if ID not in gymnasium.registry:
        gymnasium.register(
            ID,
            entry_point="worldengine.adapters.gymnasium:TextEnv",
            vector_entry_point="worldengine.adapters.gymnasium:TextVectorEnv",
        )


register()
