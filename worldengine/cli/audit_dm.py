"""`worldengine audit-dm`: a model as Dungeon Master against the Machine."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from worldengine.cli.printing import complaints, document, harmless, out, say, table
from worldengine.cli.rollout import bar
from worldengine.compiler import compile_source
from worldengine.dungeonmaster.audit import audit
from worldengine.dungeonmaster.master import Master
from worldengine.inputs import InputError, find, read
from worldengine.models.specs import make
from worldengine.players.catalogue import make as make_player
from worldengine.rollout.batching import play_many
from worldengine.rollout.plan import planned
from worldengine.rollout.storage import Manifest, WorldRecord
from worldengine.rollout.trajectory import PlayerRecord


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if the script does not compile."""
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
    plays = _plays(machine, arguments)
    told = audit(
        machine,
        plays,
        Master(model, script.source.text, arguments.max_tokens),
        "free" if arguments.free else "told",
        bar("turns") if sys.stderr.isatty() else None,
    )
    if arguments.json:
        document(told | {"world": machine.name, "machine_hash": machine.hash})
        return 0
    out(harmless(_shown(told)))
    taken = told["cost"]
    say(
        f"{taken['seconds']} s for {told['turns']} turns: {taken['turns_per_second']} a second; "
        f"the Machine does {taken['machine_turns_per_second']} a second"
    )
    return 0


def _plays(machine: Any, arguments: argparse.Namespace) -> list[Any]:
    """Episodes of a player: half of what it says is right, half is refused, as in real play."""
    player = make_player(arguments.player)
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


def _shown(told: dict[str, Any]) -> str:
    rows = [["the Machine's class", "turns", "agreement", "the master said"]]
    for name, each in told["by_class"].items():
        said = ", ".join(f"{what or 'nothing'} {n}" for what, n in each["said"].items())
        rows.append([name, str(each["turns"]), _share(each["agreement"]), said])
    agreement = told["agreement"]
    lines = [
        f"{told['model']} as Dungeon Master, history {told['history']}: "
        f"{_share(told['readable'])} of its answers can be read",
        table(rows, right=(1, 2)),
        f"class {_share(agreement['class'])}, words of the observation "
        f"{_share(agreement['observation'])}, same observation "
        f"{_share(agreement['same_observation'])}, ending {_share(agreement['ending'])}",
    ]
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
