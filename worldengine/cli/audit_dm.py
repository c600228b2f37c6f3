"""`worldengine audit-dm`: a model as Dungeon Master against the Machine."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from worldengine.cli.printing import complaints, document, harmless, out, say, table
from worldengine.cli.progress import progress_of
from worldengine.compiler import compile_source
from worldengine.dungeonmaster.audit import audit, recorded
from worldengine.inputs import InputError, find, read
from worldengine.machine import Machine
from worldengine.models.specs import make
from worldengine.players.catalogue import make as make_player
from worldengine.players.models.master import Master
from worldengine.players.protocol import Scripted
from worldengine.rollout.batching import play_many
from worldengine.rollout.plan import planned
from worldengine.rollout.storage import Manifest, Run, WorldRecord
from worldengine.rollout.trajectory import PlayerRecord, Trajectory


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if the script does not compile."""
    if (Path(arguments.file) / "manifest.json").is_file():
        return _of_a_run(arguments)
    if arguments.model is None:
        raise InputError(
            "say which model, with --model hf:PATH or --model openai:MODEL@URL; a run that "
            "was played with --player dm:… is counted without one"
        )
    paths = find([arguments.file])
    if len(paths) != 1:
        raise InputError(f"{arguments.file} holds {len(paths)} scripts; name one of them")
    script = read(paths[0])
    compilation = compile_source(script.source)
    if script.problem is not None or compilation.machine is None:
        complaints([script.problem] if script.problem else compilation.diagnostics)
        return 1
    machine = compilation.machine
    model = make(arguments.model)
    why = model.unconstrained() if arguments.constrain else ""
    if why:
        raise InputError(f"--constrain cannot be kept to: {why}")
    with progress_of("turns") as progress:
        told = audit(
            machine,
            script.source.text,
            _plays(machine, arguments),
            Master(model, arguments.max_tokens, arguments.constrain),
            "free" if arguments.free else "told",
            progress,
        )
    if arguments.json:
        document(told | {"world": machine.name, "machine_hash": machine.hash})
        return 0
    out(harmless(shown(told)))
    taken = told["cost"]
    say(
        f"{taken['seconds']} s for {told['turns']} turns: {taken['turns_per_second']} a second; "
        f"the Machine does {taken['machine_turns_per_second']} a second"
    )
    return 0


def _of_a_run(arguments: argparse.Namespace) -> int:
    """What a run has on record."""
    if arguments.model is not None:
        raise InputError(f"{arguments.file} is a run: its rulings are on record, without --model")
    told = recorded(Run(Path(arguments.file)))
    if arguments.json:
        document(told)
    else:
        out(harmless(shown(told)))
    return 0


def _plays(machine: Machine, arguments: argparse.Namespace) -> list[Trajectory]:
    """Episodes of a player: some of what it says is right, some is refused, as in real play."""
    player = make_player(arguments.player)
    if isinstance(player, Scripted):
        raise InputError(
            f"--player {arguments.player} has a model in the Dungeon Master's chair already; "
            "here the Machine has it, and --model is compared with it"
        )
    manifest = Manifest(
        program="",
        player=PlayerRecord(
            name=player.name, settings=dict(player.settings), guidance=player.guidance
        ),
        command_set="known",
        seed=arguments.seed,
        episodes=arguments.episodes,
        variant=None,
        worlds=(WorldRecord(name=machine.name, machine_hash=machine.hash),),
    )
    jobs = [(machine, planned(machine, manifest, n)) for n in range(arguments.episodes)]
    return list(play_many(player, jobs))


def shown(told: dict[str, Any]) -> str:
    """The main figures as a table and two lines."""
    rows = [["the Machine's class", "turns", "agreement", "the master said"]]
    for name, each in told["by_class"].items():
        said = ", ".join(f"{what} {n}" for what, n in each["said"].items())
        rows.append([name, str(each["turns"]), _share(each["agreement"]), said])
    agreement = told["agreement"]
    lines = [
        f"{told['model']} as Dungeon Master, history {told['history']}: "
        f"{_share(told['readable'])} of its answers can be read",
        table(rows, right=(1, 2)),
        f"class {_share(agreement['class'])}, words of the observation "
        f"{_share(agreement['observation'])}, same observation "
        f"{_share(agreement['same_observation'])}, ending {_share(agreement['ending'])}",
        "games, the Machine's end and the master's: "
        + (", ".join(f"{g['machine']}/{g['master']} {g['games']}" for g in told["games"]) or "-"),
    ]
    if told.get("failed"):
        lines.append(f"{told['failed']} games broken off: {told['failure']}")
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
