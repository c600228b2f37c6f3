"""`worldengine perturb`: the same world in other words, and the proof that it is the same."""

from __future__ import annotations

import argparse
from pathlib import Path

from worldengine.cli.printing import complaints, document, out, say
from worldengine.compiler import compile_source
from worldengine.documents import DocumentError, json_of
from worldengine.inputs import InputError, Script, find, read
from worldengine.outputs import TargetError, refuse_file, refuse_folder
from worldengine.perturb import Perturbed
from worldengine.source import Source

TABLE_LIMIT = 8 << 20
"""Bytes of a table of words: a script has one MiB."""


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if the script does not compile, or the new world is another one."""
    from worldengine.perturb import perturb, translated

    paths = find([arguments.file])
    if len(paths) != 1:
        raise InputError(f"{arguments.file} holds {len(paths)} scripts; name one of them")
    script = read(paths[0])
    if script.problem is not None:
        complaints([script.problem])
        return 1
    kinds = [
        *(arguments.kind or []),
        *([translated(_table(arguments.table))] if arguments.table else []),
    ]
    if not kinds:
        raise InputError("name a kind with --kind, or a table with --table")
    _refuse(arguments, script)
    found = perturb(script.source, kinds, arguments.seed)
    if arguments.out is not None:
        Path(arguments.out).write_text(found.text, encoding="utf-8", newline="\n")
    elif not arguments.json:
        out(found.text.rstrip("\n"))
    if arguments.json:
        document(
            {"kind": arguments.kind or [], "renamed": found.renamed, "isomorphic": found.isomorphic}
        )
    else:
        count = sum(len(table) for table in found.renamed.values())
        same = "the same Machine" if found.isomorphic else "another Machine"
        say(f"{paths[0].stem}: {count} changes, {same}")
    if arguments.carry is not None:
        _carry(arguments, script.source, found)
    return 0 if found.isomorphic or "distractors" in kinds else 1


def _refuse(arguments: argparse.Namespace, script: Script) -> None:
    """What is asked for is looked at whole, before anything is written."""
    if arguments.out is not None:
        tables = [Path(arguments.table)] if arguments.table else []
        refuse_file(Path(arguments.out), [script.path, *tables])
    if (arguments.carry is None) != (arguments.carry_to is None):
        raise InputError("--carry RUN needs --carry-to RUN2, the folder that is written")
    if arguments.carry is None:
        return
    from worldengine.rollout.carrying import refuse
    from worldengine.rollout.storage import Run

    folder = Path(arguments.carry_to)
    refuse_folder(folder)
    if arguments.out is not None and Path(arguments.out).resolve().is_relative_to(folder.resolve()):
        raise TargetError(f"{arguments.out} lies inside the run that --carry-to writes")
    before = compile_source(script.source).machine
    if before is not None:  # else `perturb` says what is wrong with the script
        refuse(Run(Path(arguments.carry)), before, folder)


def _carry(arguments: argparse.Namespace, source: Source, found: Perturbed) -> None:
    """A run of the old world, in the words of the new one."""
    from worldengine.perturb import carry
    from worldengine.rollout.carrying import carry_run
    from worldengine.rollout.storage import Run

    before = compile_source(source).machine
    assert before is not None, "what was perturbed compiles"
    run, folder = Run(Path(arguments.carry)), Path(arguments.carry_to)
    done = carry_run(run, before, found.machine, carry, folder)
    say(
        f"{done.trajectories} trajectories in {folder}: {done.same} fare as before, "
        f"{done.other} do not" + (f"; {done.unread} could not be read" if done.unread else "")
    )


def _table(name: str) -> dict[str, str]:
    """A JSON object of words and what stands for them."""
    try:
        value = json_of(Path(name), TABLE_LIMIT)
    except DocumentError as error:
        raise InputError(str(error)) from None
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise InputError(f"{name} must be one object of words: old to new")
    return value
