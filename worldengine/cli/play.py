"""`worldengine play`: the full-screen app, or line by line, or from a file of commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from worldengine.cli.printing import document, harmless, loaded, out, say
from worldengine.cli.show import _variant as check_variant
from worldengine.inputs import InputError, find
from worldengine.players.reply import write
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance

SCRIPT_LIMIT = 1 << 20
LINE_LIMIT = 4096
"""A longer line is cut: what is left is still too long for a command, and is refused."""


def run(arguments: argparse.Namespace) -> int:
    """Status 0 however the episode ends; 1 if the world does not compile."""
    if _wants_the_app(arguments):
        return _app(arguments)
    if arguments.file is None:
        raise InputError("name a script or a world, as in `worldengine play tide_clock --plain`")
    machine = loaded(arguments.file)
    if machine is None:
        return 1
    check_variant(machine, arguments.variant)
    commands = _script(arguments.script) if arguments.script else _typed(arguments)
    episode = Episode(
        machine,
        Provenance(
            machine_hash=machine.hash,
            variant=arguments.variant,
            seed=0,
            episode=0,
            player=PlayerRecord(name="human"),
            command_set="known",
        ),
    )
    if not arguments.json:
        out(harmless(f"{episode.prompt}\n\n{episode.opening}\n"))
    return _turns(episode, commands, arguments)


def _wants_the_app(arguments: argparse.Namespace) -> bool:
    """Line by line where that was asked for, and where there is no terminal to fill."""
    asked = arguments.plain or arguments.json or arguments.script
    return not asked and sys.stdin.isatty() and sys.stdout.isatty()


def _app(arguments: argparse.Namespace) -> int:
    """The app opens broken scripts too: it shows what is wrong with them. A run's folder is
    watched instead of played."""
    path = None
    if arguments.file is not None:
        folder = Path(arguments.file)
        paths = (folder,) if (folder / "manifest.json").is_file() else find([arguments.file])
        if len(paths) != 1:
            raise InputError(f"{arguments.file} holds {len(paths)} worlds; name one of them")
        path = paths[0]
    status: int = import_module("worldengine.tui.app").run(path, arguments.variant)
    return status


def _turns(episode: Episode, commands: Iterator[str], arguments: argparse.Namespace) -> int:
    for command in commands:
        if not command.strip() and arguments.script:
            continue
        if episode.over:
            left = 1 + sum(1 for rest in commands if rest.strip())
            were = "command was" if left == 1 else "commands were"
            say(f"the episode is over; {left} {were} left")
            break
        turn = episode.take(write("", command))
        if arguments.json:
            shown = turn.model_dump(
                include={"action", "outcome", "observation", "progress", "score", "status"}
            )
            document({"turn": turn.index + 1, "command": command, **shown})
        else:
            if arguments.script:
                out(harmless(f"> {command}"))
            out(harmless(turn.observation) + "\n")
            sys.stdout.flush()
        if episode.over and not arguments.script:
            break
    if not arguments.json:
        say(f"{episode.status} after {len(episode.turns)} turns, progress {episode.progress:.2f}")
    return 0


def _script(name: str) -> Iterator[str]:
    path = Path(name)
    if not path.is_file():
        raise InputError(f"there is no file {name!r}")
    data = path.read_bytes()
    if len(data) > SCRIPT_LIMIT:
        raise InputError(f"{name} is larger than 1 MiB; that is no list of commands")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text") from None
    return iter(text.replace("\r\n", "\n").split("\n"))


def _typed(arguments: argparse.Namespace) -> Iterator[str]:
    """Lines from standard input, however they are encoded, until it ends."""
    prompted = sys.stdin.isatty() and not arguments.json
    while True:
        if prompted:
            print("> ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.buffer.readline(LINE_LIMIT)
        if not line:
            return
        rest = line
        while not rest.endswith(b"\n") and len(rest) == LINE_LIMIT:
            rest = sys.stdin.buffer.readline(LINE_LIMIT)
        yield line.decode("utf-8", "replace").rstrip("\r\n")
