"""`worldengine write`: worlds into a folder, by the seeded generator or by a model."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from worldengine.cli.printing import counted, document, out, say
from worldengine.inputs import InputError

MOST = 1_000_000
"""Worlds of one folder."""


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if fewer worlds were kept than were asked for."""
    if arguments.list:
        return _list(arguments.json)
    if arguments.out is None:
        raise InputError("name a folder with --out, or ask what there is with --list")
    if arguments.instances > MOST:
        raise InputError(
            f"{arguments.instances} worlds are too many for a folder: at most {MOST:,}"
        )
    generated = not (arguments.expand or arguments.model or arguments.complete)
    if not generated and (arguments.theme or arguments.task):
        dial = "--theme" if arguments.theme else "--task"
        raise InputError(f"{dial} is a dial of the seeded generator: leave it out here")
    if arguments.expand:
        from worldengine.cli.expand import run as expand

        return expand(arguments)
    if arguments.model or arguments.complete:
        from worldengine.cli.author import run as by_model

        return by_model(arguments, _range(arguments.plan))
    if arguments.persona:
        raise InputError("a persona is for a model to write about: add --model hf:FOLDER")
    return _generate(arguments)


def _generate(arguments: argparse.Namespace) -> int:
    from worldengine.cli.progress import progress_of
    from worldengine.generator import Settings
    from worldengine.generator.writing import write

    settings = Settings(
        family=arguments.family,
        plan=_range(arguments.plan),
        places=arguments.places,
        mistakes=arguments.mistakes,
        distractors=arguments.distractors,
        theme=arguments.theme,
        task=arguments.task,
    )
    with progress_of("worlds") as progress:
        written = write(
            Path(arguments.out),
            settings,
            instances=arguments.instances,
            seed=arguments.seed,
            workers=arguments.workers or min(2, os.cpu_count() or 1),
            resume=arguments.resume,
            progress=progress,
        )
    if arguments.json:
        document(written.told() | {"out": arguments.out})
    else:
        passed = ", ".join(f"{number} {why}" for why, number in written.reasons.items())
        out(
            f"{counted(written.kept, 'world')} in {arguments.out}, each proven"
            + (f"; passed over: {passed}" if passed else "")
        )
    if written.interrupted:
        say(f"stopped; go on with: --resume --out {arguments.out}")
        return 130
    return 0


def _range(text: str) -> tuple[int, int]:
    """`20` or `5-60`."""
    found = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", text.strip())
    if found is None:
        raise InputError(f"{text!r} is no length of a plan; write 20 or 5-60")
    low = int(found[1])
    return low, int(found[2]) if found[2] else low


def _list(as_json: bool) -> int:
    """Families with their tasks, and themes."""
    from worldengine.generator import FAMILIES
    from worldengine.generator.themes import theme_names

    if as_json:
        families = {
            name: {"about": family.about, "tasks": list(family.tasks)}
            for name, family in FAMILIES.items()
        }
        document({"families": families, "themes": list(theme_names())})
        return 0
    for name, family in FAMILIES.items():
        out(f"{name}: {family.about}")
        if family.tasks:
            out(f"  tasks: {', '.join(family.tasks)}")
    out(f"themes: {', '.join(theme_names())}")
    return 0
