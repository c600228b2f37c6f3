"""`worldengine write --model`: worlds into a folder, written by a model; `--complete` too."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from worldengine.cli.printing import counted, document, out, say
from worldengine.inputs import InputError, find, read

if TYPE_CHECKING:
    from worldengine.authoring.drafts import Draft, Settings
    from worldengine.authoring.yields import Yields


def run(arguments: argparse.Namespace, plan: tuple[int, int]) -> int:
    """Status 1 if no draft stands. Without --persona those of the package are taken in order,
    and again from the first where --instances asks for more."""
    from worldengine.authoring.writing import write
    from worldengine.cli.progress import progress_of
    from worldengine.models.specs import make

    if arguments.model is None:
        raise InputError("--complete asks a model: name one, as in --model hf:FOLDER")
    settings = _settings(arguments, plan)
    drafts = _drafts(arguments, settings)
    model = make(arguments.model)
    with progress_of("drafts") as progress:
        yields = write(
            model,
            drafts,
            settings,
            Path(arguments.out),
            existing=_existing(arguments.against),
            workers=arguments.workers or min(2, os.cpu_count() or 1),
            resume=arguments.resume,
            progress=progress,
        )
    if yields.unconstrained:
        say(f"worldengine: written without a grammar: {yields.unconstrained}")
    if arguments.json:
        document(yields.told() | {"out": arguments.out})
    else:
        _tell(yields, arguments.out)
    if yields.interrupted:
        say(f"stopped; go on with --resume --out {arguments.out}")
        return 130
    return 0 if yields.kept else 1


def _settings(arguments: argparse.Namespace, plan: tuple[int, int]) -> Settings:
    from worldengine.authoring.asking import Wanted
    from worldengine.authoring.drafts import Settings

    return Settings(
        Wanted(plan, arguments.places, arguments.mistakes),
        rounds=arguments.rounds,
        seed=arguments.seed,
        temperature=arguments.temperature,
        max_tokens=arguments.max_tokens,
        grammar=arguments.grammar,
        seconds=arguments.seconds,
        discovery=arguments.discovery,
    )


def _drafts(arguments: argparse.Namespace, settings: Settings) -> Sequence[Draft]:
    from worldengine.authoring.drafts import Draft
    from worldengine.authoring.personas import given

    if arguments.complete:
        return [_skeleton(path, settings) for path in find(arguments.complete)]
    personas = given(arguments.persona)
    if not arguments.persona:
        turns = (divmod(number, len(personas)) for number in range(arguments.instances))
        return [
            Draft(f"{personas[at].id}_{again + 1}" if again else personas[at].id,
                  personas[at].text, settings)
            for again, at in turns
        ]  # fmt: skip
    copies = arguments.instances
    return [
        Draft(f"{persona.id}_{copy}" if copies > 1 else persona.id, persona.text, settings)
        for persona in personas
        for copy in range(1, copies + 1)
    ]


def _skeleton(path: Path, settings: Settings) -> Draft:
    from worldengine.authoring.completing import NothingToFill, skeleton

    script = read(path)
    if script.problem is not None:
        raise InputError(f"{path}: {script.problem.message}")
    try:
        return skeleton(path.stem, script.source.text, settings)
    except NothingToFill as problem:
        raise InputError(f"{path}: {problem}") from None


def _existing(names: Sequence[str]) -> tuple[Path, ...]:
    from worldengine.resources import shipped_worlds

    return (*shipped_worlds(), *(find(names) if names else ()))


def _tell(yields: Yields, folder: str) -> None:
    told = yields.told()
    out(f"{counted(told['kept'], 'world')} of {counted(told['written'], 'draft')} in {folder}")
    for each in told["by_round"]:
        name = "first try" if each["round"] == 0 else f"after round {each['round']}"
        out(
            f"  {name}: {each['compiled']} compiled {_percent(each['compiled_bounds'])}, "
            f"{each['winnable']} winnable {_percent(each['winnable_bounds'])}"
        )
    for reason, number in told["reasons"].items():
        why = f": {told['failure']}" if reason == "failed" else ""
        out(f"  not kept: {number} {reason}{why}")
    price = "" if told["cost"] is None else f", ${told['cost']:.4f}"
    out(
        f"  {told['prompt_tokens']:,} + {told['completion_tokens']:,} tokens{price}, "
        f"{told['seconds']:.0f} s"
    )


def _percent(bounds: Sequence[float]) -> str:
    return f"({bounds[0]:.0%} to {bounds[1]:.0%})"
