"""`worldengine show`: what was compiled, readable; or the map, as text or SVG."""

from __future__ import annotations

import argparse
import json

from worldengine.cli.printing import document, harmless, loaded, out
from worldengine.machine import Machine


def run(arguments: argparse.Namespace) -> int:
    """Without an option: what a reader wants to know first."""
    machine = loaded(arguments.file)
    if machine is None:
        return 1
    _variant(machine, arguments.variant)
    if arguments.map or arguments.svg:
        return _map(machine, arguments)
    if arguments.machine:
        return _machine(machine, arguments.json)
    if arguments.json:
        document(_summary(machine))
    else:
        out(harmless(_readable(machine, arguments.variant)))
    return 0


def _variant(machine: Machine, variant: int) -> None:
    from worldengine.inputs import InputError

    if not 0 <= variant < len(machine.variants):
        last = len(machine.variants) - 1
        raise InputError(f"{machine.name} has variants 0 to {last}, not {variant}")


def _map(machine: Machine, arguments: argparse.Namespace) -> int:
    from worldengine.atlas import as_svg, as_text, atlas

    chart = atlas(machine, arguments.variant)
    if arguments.json:
        document(
            {
                "places": [
                    {"name": chart.names[place], "column": x, "row": y}
                    for place, (x, y) in chart.cells.items()
                ],
                "svg": as_svg(chart),
                "text": as_text(chart),
            }
        )
    elif arguments.svg:
        out(as_svg(chart).rstrip("\n"))
    else:
        out(harmless(as_text(chart)))
    return 0


def _machine(machine: Machine, as_json: bool) -> int:
    from worldengine.machine.show import show
    from worldengine.machine.storage import to_json

    if as_json:
        document(json.loads(to_json(machine)))
    else:
        out(harmless(show(machine)).rstrip("\n"))
    return 0


def _summary(machine: Machine) -> dict[str, object]:
    return {
        "name": machine.name,
        "title": machine.title,
        "hash": machine.hash,
        "shape": machine.shape,
        "goal": machine.goal,
        "turns": machine.turns,
        "variants": len(machine.variants),
        "proofs": [list(proof) for proof in machine.proofs],
        "places": [item.name for item in machine.objects if item.role == "place"],
        "actions": [schema.name for schema in machine.schemas],
        "operators": len(machine.operators),
        "variables": len(machine.variables),
        "milestones": [rule.title for rule in machine.rules if rule.kind == "milestone"],
    }


def _readable(machine: Machine, variant: int) -> str:
    from worldengine.runtime.prompt import prompt

    what = _summary(machine)
    facts = (
        f"{what['variables']} variables, {what['operators']} operators of "
        f"{len(machine.schemas)} actions, {len(machine.rules)} rules and endings, "
        f"{what['variants']} starts, {machine.turns} turns"
    )
    milestones = [f"  {rule.title}" for rule in machine.rules if rule.kind == "milestone"]
    lines = [f"{machine.title} ({machine.name}, {machine.hash[:12]})", facts, ""]
    if milestones:
        lines += ["milestones:", *milestones, ""]
    return "\n".join([*lines, "what a player is told:", "", prompt(machine, variant)])
