"""`worldengine play`: the full-screen app, or line by line, or a file's or a proof's commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from worldengine.cli.printing import counted, document, harmless, loaded, out, say
from worldengine.cli.show import _variant as check_variant
from worldengine.inputs import InputError, find
from worldengine.machine import Machine
from worldengine.players.reply import write
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance
from worldengine.runtime.prompt import command_lines

SCRIPT_LIMIT = 1 << 20
LINE_LIMIT = 4096
"""A longer line is cut: what is left is still too long for a command, and is refused."""


def run(arguments: argparse.Namespace) -> int:
    """Status 0 however the episode ends; 1 if the world does not compile."""
    if _wants_the_app(arguments):
        return _app(arguments)
    if arguments.file is None:
        raise InputError("name a script or a world, as in `worldengine play tide_clock --plain`")
    if _is_run(Path(arguments.file)):
        raise InputError(
            f"{arguments.file} is the folder of a run: it is watched full screen, on a terminal and"
            f" without --plain, --json, --script or --proof; `worldengine report {arguments.file}`"
            " writes it as a page"
        )
    machine = loaded(arguments.file)
    if machine is None:
        return 1
    check_variant(machine, arguments.variant)
    commands = _commands(machine, arguments)
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
        out(harmless(_beginning(episode)) + "\n")
        if not _recorded(arguments):
            say("(`help` lists the commands, `quit` ends the play; neither takes a turn)")
    return _turns(episode, commands, arguments)


def _recorded(arguments: argparse.Namespace) -> bool:
    """Whether the commands come from a file or a proof instead of somebody who types."""
    return bool(arguments.script) or arguments.proof is not None


def _commands(machine: Machine, arguments: argparse.Namespace) -> Iterator[str]:
    if arguments.script and arguments.proof is not None:
        raise InputError("--script and --proof both give commands; name one of them")
    if arguments.script:
        return _script(arguments.script)
    if arguments.proof is None:
        return _typed(arguments)
    if not 1 <= arguments.proof <= len(machine.proofs):
        has = counted(len(machine.proofs), "proof")
        raise InputError(f"{machine.name} has {has}, not number {arguments.proof}")
    return iter(machine.proofs[arguments.proof - 1])


def _beginning(episode: Episode) -> str:
    """What a person is told at first: a model is told also how to write its replies."""
    machine = episode.machine
    parts = [machine.title]
    if machine.persona:
        parts.append(f"You are: {machine.persona}")
    if machine.goal:
        parts.append(f"Goal: {machine.goal}")
    parts += [f"You have {machine.turns} turns.", _help(machine), episode.opening]
    return "\n\n".join(parts)


def _help(machine: Machine) -> str:
    return "Commands:\n" + "\n".join(command_lines(machine))


def _outside(machine: Machine, command: str) -> str:
    """`help` or `quit` where they are no commands of the world itself, else ""."""
    word = command.strip().lower()
    own = any(form.template == (word,) for schema in machine.schemas for form in schema.forms)
    return word if word in ("help", "quit") and not own else ""


def _wants_the_app(arguments: argparse.Namespace) -> bool:
    """Line by line where that was asked for, and where there is no terminal to fill."""
    asked = arguments.plain or arguments.json or _recorded(arguments)
    return not asked and sys.stdin.isatty() and sys.stdout.isatty()


def _app(arguments: argparse.Namespace) -> int:
    """The app opens broken scripts too: it shows what is wrong with them. A run's folder is
    watched instead of played."""
    path = None
    if arguments.file is not None:
        folder = Path(arguments.file)
        paths = (folder,) if _is_run(folder) else find([arguments.file])
        if len(paths) != 1:
            raise InputError(f"{arguments.file} holds {len(paths)} worlds; name one of them")
        path = paths[0]
    status: int = import_module("worldengine.tui.app").run(path, arguments.variant)
    return status


def _is_run(path: Path) -> bool:
    """Whether a path is the folder of a run instead of a script or a folder of worlds."""
    return (path / "manifest.json").is_file()


def _turns(episode: Episode, commands: Iterator[str], arguments: argparse.Namespace) -> int:
    recorded = _recorded(arguments)
    first_refused = 0
    for command in commands:
        if not command.strip() and recorded:
            continue
        if episode.over:
            left = 1 + sum(1 for rest in commands if rest.strip())
            were = "command was" if left == 1 else "commands were"
            say(f"the episode is over; {left} {were} left")
            break
        outside = "" if recorded or arguments.json else _outside(episode.machine, command)
        if outside == "quit":
            break
        if outside == "help":
            out(harmless(_help(episode.machine)) + "\n")
            sys.stdout.flush()
            continue
        turn = episode.take(write("", command))
        if arguments.json:
            shown = turn.model_dump(
                include={"action", "outcome", "observation", "progress", "score", "status"}
            )
            document({"turn": turn.index + 1, "command": command, **shown})
        else:
            if recorded:
                out(harmless(f"> {command}"))
            out(harmless(turn.observation) + "\n")
            sys.stdout.flush()
        if turn.outcome != "ok" and not first_refused:
            first_refused = turn.index + 1
        if episode.over and not recorded:
            break
    if not arguments.json:
        turns = counted(len(episode.turns), "turn")
        say(f"{episode.status} after {turns}, progress {episode.progress:.2f}")
        if arguments.proof is not None:
            _where_it_stops(episode, arguments.proof, first_refused)
    return 0


def _where_it_stops(episode: Episode, proof: int, first_refused: int) -> None:
    """What a proof comes to in this start."""
    machine, turns = episode.machine, episode.turns
    total = len(machine.proofs[proof - 1])
    said = turns[-1].command if turns else ""
    what = "ends" if episode.status != "running" else "stops"
    line = f"proof {proof} of {len(machine.proofs)} {what} at command {len(turns)} of {total}"
    say(f"{line}: '{said}'; it {'wins' if episode.status == 'won' else 'does not win'}")
    if first_refused:
        refused = turns[first_refused - 1]
        say(f"refused first at command {first_refused}: '{refused.command}' ({refused.outcome})")


def _script(name: str) -> Iterator[str]:
    path = Path(name)
    if not path.exists():
        raise InputError(f"there is no file {name!r}")
    if path.is_dir():
        raise InputError(f"{name!r} is a folder, not a list of commands")
    with path.open("rb") as file:  # a pipe will do, as `<(…)` of a shell gives one
        data = file.read(SCRIPT_LIMIT + 1)
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
