"""`worldengine rollout`: many episodes into a run."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from worldengine.cli.printing import complaints, counted, document, out, say
from worldengine.cli.progress import progress_of
from worldengine.compiler import compile_source
from worldengine.inputs import InputError, find, read
from worldengine.machine import Machine
from worldengine.outputs import refuse_another_run
from worldengine.players.catalogue import described, documents, make
from worldengine.players.explorer import BELIEF
from worldengine.players.protocol import Scripted
from worldengine.proof.starts import named, unproven
from worldengine.rollout.runner import rollout
from worldengine.rollout.seeds import starts_in, variant_of
from worldengine.rollout.shelf import Shelf
from worldengine.rollout.storage import Run
from worldengine.rollout.summary import Summary
from worldengine.runtime import let_go


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if a script does not compile; nothing is played then."""
    if arguments.players:
        return _players(arguments.json)
    if not arguments.files or not arguments.out:
        raise InputError("name worlds and a folder, as in `worldengine rollout ferry --out run`")
    refuse_another_run(Path(arguments.out))
    worlds = _worlds(arguments)
    if worlds is None:
        return 1
    machines, scripts = worlds
    with progress_of("episodes") as progress:
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
            progress=progress,
            batch=arguments.batch,
            packing=arguments.packing,
            scripts=scripts,
        )
    told = summary.told()
    master = _master(arguments, summary)
    if arguments.json:
        document(told | {"out": arguments.out} | ({"dungeon_master": master} if master else {}))
    else:
        out(
            f"{counted(summary.episodes, 'episode')} in {arguments.out}: {summary.won} won, "
            f"{summary.lost} lost, {summary.truncated} truncated{_left(summary)}; "
            f"{counted(summary.turns, 'turn')}, {counted(summary.refinements, 'refinement')}"
        )
        models = _of_models(summary)
        if models:
            out(models)
        if master:
            out(
                f"{master['model']} as Dungeon Master: the Machine's class in "
                f"{master['agreement']['class']:.3f} of {counted(master['turns'], 'turn')}; "
                f"more: worldengine audit-dm {arguments.out}"
            )
    if summary.interrupted:
        say(f"stopped; go on with: --resume --out {arguments.out}")
        return 130
    return 0


def _players(as_json: bool) -> int:
    """Who there is to play, and what may be set of them."""
    if as_json:
        document({"players": list(documents())})
    else:
        out("\n".join(described()))
    return 0


def _warning(machine: Machine, arguments: argparse.Namespace) -> str:
    """What a player that lives on known ways says of a world where it knows none, else ""."""
    if not machine.proofs:
        return (
            f"{machine.name} has no proof: the {arguments.player} knows no way through it "
            "and explores without a plan"
        )
    bare = unproven(machine, _to_be_played(machine, arguments))
    let_go(machine)  # what was needed to ask that is not kept of a thousand worlds
    if not bare:
        return ""
    return (
        f"{machine.name}: the {arguments.player} knows no way through {named(bare)}, "
        f"which no proof of the world wins; `worldengine solve` with `--variant {bare[0]}` "
        "looks for one, to be written as its `proof`"
    )


def _to_be_played(machine: Machine, arguments: argparse.Namespace) -> list[int]:
    """The starts of the episodes that are asked for; none where that cannot be."""
    count = len(machine.variants)
    if arguments.variant is not None:
        return [arguments.variant] if 0 <= arguments.variant < count else []
    starts = starts_in(arguments.part, machine.shape, count)
    numbers = range(min(arguments.episodes, len(starts)))
    return sorted(variant_of(arguments.seed, machine.hash, each, starts) for each in numbers)


def _master(arguments: argparse.Namespace, summary: Summary) -> dict[str, Any]:
    """How far a model in the Dungeon Master's chair agrees with the Machine, and how fast it
    was; empty where none was, or nothing was played."""
    if not arguments.player.startswith("dm:") or not summary.turns:
        return {}
    from worldengine.dungeonmaster.audit import recorded

    found = recorded(Run(Path(arguments.out)))
    speed = summary.told()["steps_per_second"] if summary.turns_played else None
    found["cost"]["turns_per_second"] = speed
    return found


def _left(summary: Summary) -> str:
    return f", {summary.left} left while going on" if summary.left else ""


def _worlds(arguments: argparse.Namespace) -> tuple[Shelf, dict[str, str]] | None:
    """Every world, and their texts by hash for a player that reads them. What is to be said of
    worlds is said once all of them compile."""
    player = make(arguments.player)
    worlds, scripts, warnings = Shelf(), {}, []
    broken = False
    for path in find(arguments.files):
        script = read(path)
        if script.problem is not None:
            complaints([script.problem])
            broken = True
            continue
        compilation = compile_source(script.source)
        machine = compilation.machine
        if machine is None:
            complaints(item for item in compilation.diagnostics if item.severity == "error")
            broken = True
        elif not broken and machine.hash not in worlds.labels:
            if player.guidance == BELIEF:
                warnings.append(_warning(machine, arguments))
            if isinstance(player, Scripted):
                scripts[machine.hash] = script.source.text
            worlds.add(machine)
    if broken:
        return None
    for warning in filter(None, warnings):
        say(warning)
    return worlds, scripts


def _of_models(summary: Summary) -> str:
    """What models took and how their replies fared, "" where none played."""
    said = []
    if summary.prompt_tokens or summary.reply_tokens:
        said.append(f"{summary.prompt_tokens} tokens read, {summary.reply_tokens} written")
    if summary.cost:
        said.append(f"cost {summary.cost:.4f}")
    replies = {
        "repaired": summary.repaired_replies,
        "empty": summary.empty_replies,
        "cut": summary.cut_replies,
        "failed": summary.failed_replies,
    }
    fared = ", ".join(f"{number} {how}" for how, number in replies.items() if number)
    if fared:
        said.append(f"replies: {fared}")
    if summary.thoughts_reworded or summary.thoughts_kept:
        said.append(
            f"thoughts: {summary.thoughts_reworded} in the model's words, {summary.thoughts_kept} "
            "kept as they were"
        )
    if summary.retries:
        said.append(f"{summary.retries} requests tried again")
    return "; ".join(said)
