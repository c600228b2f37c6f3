"""`dm:MODEL@URL`: a model in the Dungeon Master's chair, and a player before it.

In: views, the scripts of the worlds. The player inside (`player=…`) sees the opening and then
what the model answers, never what the Machine does; what it says goes to both. Out: its
replies, each with the model's ruling. So the run that is recorded is the Machine's answer to
the same commands, it verifies as every run does, and both stand side by side turn by turn.
The player leaves when the model says that the game is over; it stops with the Machine's game
where that is over first.

`dm:hf:PATH` takes a transformers model in a folder. A model keeps no sets of commands: only
`--commands known` can be shown, and what is known follows from the model's words.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from worldengine.models.protocol import ModelError, ModelSpecError
from worldengine.models.specs import make as make_model
from worldengine.players.models.master import MAX_TOKENS, Case, Master, said
from worldengine.players.options import Option, OptionError
from worldengine.players.protocol import (
    Player,
    PlayerError,
    Retrying,
    Scripted,
    Setting,
    Settings,
    Start,
)
from worldengine.players.replies.ruling import Ruling
from worldengine.players.reply import Reply
from worldengine.players.view import Shown, View

NAME = "dm"
FOLDER = "hf:"
OPTIONS = (
    Option("player", "text", "explorer",
           "who plays before it; options after semicolons: hf:PATH;batch=8"),
    Option("max_tokens", "integer", MAX_TOKENS, "of one answer of the model", low=8, high=65_536),
    Option("constrain", "yes", False, "hold its answers to the form that is asked for"),
    Option("width", "integer", None, "commands it is asked about at once", low=1, high=4096,
           recorded=False),
    Option("device", "text", None, "of a folder's model: cpu, cuda, …", recorded=False),
    Option("dtype", "text", None, "of its weights", ("auto", "float32", "bfloat16", "float16")),
    Option("timeout", "number", None, "seconds for an answer of a server", low=0.1, high=86_400,
           recorded=False),
    Option("retries", "integer", None, "of a request that failed", low=0, high=100,
           recorded=False),
    Option("key_env", "text", None, "the variable that holds a server's key", recorded=False),
    Option("price_in", "number", None, "for a million tokens read", low=0, high=1e6,
           recorded=False),
    Option("price_out", "number", None, "for a million tokens written", low=0, high=1e6,
           recorded=False),
)  # fmt: skip
_OF_MODELS = ("width", "device", "dtype", "timeout", "retries", "key_env", "price_in", "price_out")


@dataclass(slots=True)
class _Game:
    """An episode as the master has it."""

    world: str
    rulings: list[Ruling] = field(default_factory=list)


class DungeonMaster:
    """See the module. `player` is who plays; `scripts` come before the first episode."""

    def __init__(self, name: str, master: Master, player: Player, settings: Settings) -> None:
        if isinstance(player, Retrying | Scripted):
            raise OptionError(f"{NAME} seats a player that plays once, not {player.name}")
        self.name = name
        self.guidance = player.guidance
        self.width = master.model.width
        own: dict[str, Setting] = {o.name: settings[o.name] for o in OPTIONS if o.recorded}
        of_player = {f"player.{key}": value for key, value in player.settings.items()}
        self.settings: Settings = {**own, "player": player.name, **of_player}
        self._master, self._player = master, player
        self._scripts: Mapping[str, str] = {}
        self._games: dict[int, _Game] = {}

    def hand(self, scripts: Mapping[str, str]) -> None:
        digest = hashlib.sha256()
        for world in sorted(scripts):
            digest.update(f"{world}|{scripts[world]}|".encode("utf-8", "replace"))
        self.settings = {**self.settings, "scripts": digest.hexdigest()[:16]}
        self._scripts = scripts

    def reset(self, starts: Sequence[Start]) -> None:
        for start in starts:
            if start.world not in self._scripts:
                raise PlayerError(
                    f"the player {self.name} was given no script of this world to rule by: it "
                    "plays where scripts are named, as in `worldengine rollout FILE`"
                )
            if start.view.command_set != "known":
                raise PlayerError(
                    f"the player {self.name} plays with --commands known: a model keeps no set "
                    f"of {start.view.command_set} commands"
                )
            self._games[start.slot] = _Game(start.world)
        self._player.reset(starts)

    def act(self, views: Sequence[View]) -> Sequence[Reply | None]:
        replies = list(self._player.act([self._told(view) for view in views]))
        asked = [
            (at, view, reply)
            for at, (view, reply) in enumerate(zip(views, replies, strict=True))
            if reply is not None
        ]
        rulings = self._ruled([(view, reply) for _, view, reply in asked])
        for (at, view, reply), ruling in zip(asked, rulings, strict=True):
            self._games[view.slot].rulings.append(ruling)
            replies[at] = replace(reply, ruling=ruling, last=ruling.ends)
        return replies

    def _told(self, view: View) -> View:
        """The same game as the player has been told of it."""
        rulings = self._games[view.slot].rulings
        turns = tuple(
            Shown(turn.reply, ruling.taken_as, ruling.observation)
            for turn, ruling in zip(view.turns, rulings, strict=True)
        )
        return replace(view, turns=turns, choices=partial(view.retold, turns))

    def _ruled(self, asked: Sequence[tuple[View, Reply]]) -> list[Ruling]:
        if not asked:
            return []
        cases = [self._case(view, reply) for view, reply in asked]
        try:
            answered = self._master.rule(cases)
        except ModelError as error:
            raise PlayerError(str(error)) from None
        for _, answer in answered:
            if answer.ended == "failed":
                raise PlayerError(
                    f"{self.name}: {answer.failure}; what was played is kept: go on with --resume"
                )
        return [ruling for ruling, _ in answered]

    def _case(self, view: View, reply: Reply) -> Case:
        game = self._games[view.slot]
        past = [
            said(turn.reply.command, ruling)
            for turn, ruling in zip(view.turns, game.rulings, strict=True)
        ]
        return Case(self._scripts[game.world], view.opening, past, reply.command)


def make(argument: str, settings: Settings) -> Player:
    """What `dm:MODEL@URL` and `dm:hf:PATH` name. PlayerError where there is no such model."""
    from worldengine.players.catalogue import make as make_player

    given = "".join(
        f",{name}={settings[name]}" for name in _OF_MODELS if settings[name] is not None
    )
    of_folder = argument.startswith(FOLDER)
    try:
        model = make_model(f"{argument if of_folder else f'openai:{argument}'}{given}")
    except (ModelError, ModelSpecError) as error:
        raise PlayerError(str(error)) from None
    player = make_player(str(settings["player"]).replace(";", ","))
    master = Master(model, int(settings["max_tokens"] or 1), settings["constrain"] is True)
    if of_folder:
        from worldengine.players.models.hf import fingerprint

        folder = Path(argument.removeprefix(FOLDER)).resolve()
        made = DungeonMaster(f"{NAME}:{FOLDER}{folder.name}", master, player, settings)
        made.settings = {**made.settings, "model": fingerprint(folder)}
        return made
    return DungeonMaster(f"{NAME}:{argument.rpartition('@')[0]}", master, player, settings)
