"""`worldengine curate`: which trajectories of runs are worth learning from."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from worldengine.cli.printing import counted, document, harmless, left_out, out, say
from worldengine.cli.progress import progress_of
from worldengine.curation.curate import Curated, Request, curate, save
from worldengine.curation.filters import limits
from worldengine.curation.splits import shares
from worldengine.outputs import TargetError, refuse_file


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if nothing is left, something does not verify, or a split leaks."""
    request = _request(arguments)
    _refuse(Path(arguments.out))
    with progress_of("trajectories") as progress:
        result = curate([Path(folder) for folder in arguments.runs], request, progress)
    if result.kept:
        save(Path(arguments.out), request, result)
    told = result.told()
    if arguments.json:
        document(told | {"out": arguments.out})
    else:
        _print(result, told, arguments.out)
    for why, number in sorted(result.left_out.items()):
        say(left_out(number, "trajectory", "trajectories", why))
    if result.rejected:
        many = counted(result.rejected, "trajectory", "trajectories")
        say(harmless(f"left out: {many} that do not verify (first: {result.first_rejected})"))
    for leak in result.leaks:
        say(harmless(f"leak: {leak}"))
    if not result.kept:
        say(f"{arguments.out} was not written: no trajectory is left")
    return 0 if result.kept and not result.rejected and not result.leaks else 1


def _refuse(target: Path) -> None:
    """A selection is JSON lines; a file of another kind is hardly meant to be lost for one."""
    refuse_file(target)
    if target.exists() and target.suffix not in (".json", ".jsonl"):
        raise TargetError(
            f"{target} is there and is no selection by its name: name a new file, or one that "
            "ends in .jsonl"
        )


def _print(result: Curated, told: dict[str, Any], name: str) -> None:
    kept = counted(len(result.kept), "trajectory", "trajectories")
    out(f"{kept} of {result.trajectories} in {name}, from {counted(told['worlds'], 'world')}")
    for split, numbers in told["splits"].items() if result.splits else ():
        held = counted(numbers["trajectories"], "trajectory", "trajectories")
        out(f"{split}: {held} from {counted(numbers['worlds'], 'world')}")


def _request(arguments: argparse.Namespace) -> Request:
    return Request(
        limits=limits(
            include=arguments.include,
            turns=arguments.turns,
            pairs=arguments.pairs,
            progress=arguments.progress,
            characters=arguments.characters,
            kinds=_words(arguments.kinds),
            without=_words(arguments.without),
        ),
        near=arguments.near,
        near_by=arguments.near_by,
        total=arguments.total,
        per_world=arguments.per_world,
        shares=shares(arguments.split) if arguments.split else {},
        seed=arguments.seed,
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for word in text.split(","))))
