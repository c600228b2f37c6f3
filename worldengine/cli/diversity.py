"""`worldengine diversity`: how alike worlds are."""

from __future__ import annotations

import argparse
from pathlib import Path

from worldengine.cli.printing import complaints, counted, document, out, say, table
from worldengine.compiler import compile_source
from worldengine.inputs import InputError, find, read
from worldengine.machine import Machine
from worldengine.outputs import refuse_file


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if a script does not compile, or with --strict if two worlds are equal in
    structure or near-duplicates."""
    picture = Path(arguments.heatmap) if arguments.heatmap else None
    if picture is not None and picture.suffix not in (".svg", ".png"):
        raise InputError(f"{picture} is no name for a picture: end it in .svg or .png")
    if picture is not None:
        refuse_file(picture)
    machines, names = _machines(arguments.files)
    if machines is None:
        return 1
    twice = sum(len(find([name])) for name in arguments.files) - len(find(arguments.files))
    if twice:
        say(f"{counted(twice, 'script')} named more than once: each is compared once")
    if len(machines) < 2:
        raise InputError(f"{names[0]} is one world: name two or more different ones to compare")
    from worldengine.diversity import compare
    from worldengine.diversity.telling import document as told_of
    from worldengine.diversity.telling import heatmap, lines, remarks

    found = compare(machines, names)
    told = told_of(found, machines)
    if picture is not None:
        heatmap(found, picture)
    if arguments.json:
        document(told)
    else:
        out(table(lines(told), right=(1, 2, 3, 4)))
        for line in remarks(told):
            out(line)
    alike = told["equal_structures"] or told["near_duplicates"]
    return 1 if arguments.strict and alike else 0


def _machines(files: list[str]) -> tuple[list[Machine] | None, list[str]]:
    """Every world named, or None where one does not compile."""
    machines: list[Machine] = []
    names: list[str] = []
    broken = False
    for path in find(files):
        script = read(path)
        compilation = compile_source(script.source) if script.problem is None else None
        if compilation is None or compilation.machine is None:
            problem = [script.problem] if script.problem else []
            found = compilation.diagnostics if compilation else ()
            complaints([*problem, *(d for d in found if d.severity == "error")])
            broken = True
        else:
            machines.append(compilation.machine)
            names.append(path.stem)
    return (None if broken else machines), names
