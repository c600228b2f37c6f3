"""`worldengine rollout`: many episodes into a run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from worldengine.cli.printing import complaints, counted, document, out, say
from worldengine.compiler import compile_source
from worldengine.inputs import find, read
from worldengine.machine import Machine
from worldengine.players.catalogue import make
from worldengine.proof import winning_plan
from worldengine.rollout.runner import rollout
from worldengine.rollout.tutor import PROOF


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if a script does not compile; nothing is played then."""
    machines = _machines(arguments.files)
    if machines is None:
        return 1
    _warn_of_no_proof(machines, arguments)
    summary = rollout(
        machines,
        arguments.player,
        episodes=arguments.episodes,
        seed=arguments.seed,
        out=arguments.out,
        workers=arguments.workers,
        command_set=arguments.commands,
        variant=arguments.variant,
        part=arguments.part,
        resume=arguments.resume,
        progress=bar("episodes") if sys.stderr.isatty() else None,
    )
    told = summary.told()
    if arguments.json:
        document(told | {"out": arguments.out})
    else:
        out(
            f"{counted(summary.episodes, 'episode')} in {arguments.out}: {summary.won} won, "
            f"{summary.lost} lost, {summary.truncated} truncated; "
            f"{counted(summary.turns, 'turn')}, {counted(summary.refinements, 'refinement')}"
        )
    if summary.interrupted:
        say(f"stopped; go on with: --resume --out {arguments.out}")
        return 130
    return 0


def _warn_of_no_proof(machines: list[Machine], arguments: argparse.Namespace) -> None:
    """A player that leans on proofs says where it has none to lean on."""
    if make(arguments.player).guidance != PROOF:
        return
    for machine in machines:
        starts = range(len(machine.variants))
        asked = starts if arguments.variant is None else [arguments.variant]
        bare = [n for n in asked if n in starts and winning_plan(machine, n) is None]
        if bare:
            word = "start" if len(bare) == 1 else "starts"
            say(
                f"{machine.name}: no proof wins {word} {', '.join(map(str, bare))}: the "
                f"{arguments.player} has nothing to follow there; those episodes are "
                "explored at random"
            )


def _machines(names: list[str]) -> list[Machine] | None:
    machines: list[Machine] = []
    broken = False
    for path in find(names):
        script = read(path)
        if script.problem is not None:
            complaints([script.problem])
            broken = True
            continue
        compilation = compile_source(script.source)
        if compilation.machine is None:
            complaints(item for item in compilation.diagnostics if item.severity == "error")
            broken = True
        else:
            machines.append(compilation.machine)
    return None if broken else machines


def bar(what: str) -> Callable[[int, int], None]:
    """A progress bar on standard error; the caller asks for one only on a terminal."""

    def show(done: int, total: int) -> None:
        width = 30
        full = width * done // max(total, 1)
        line = f"\r[{'#' * full}{'.' * (width - full)}] {done}/{total} {what}"
        sys.stderr.write(line + ("\n" if done >= total else ""))
        sys.stderr.flush()

    return show
