"""Instances of one world into a folder, and how different they are.

In: a script, how many, a seed, kinds of change. Out: as `folder` says; a line tells what was
changed and how like the first world it is. Instances of equal structure are passed over, so
names alone make no new instance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

from worldengine.diversity import alike, structure
from worldengine.generator.expanding import KINDS, Base
from worldengine.generator.folder import Line, Progress, Written, fill
from worldengine.source import Source


def write_instances(
    out: Path,
    source: Source,
    *,
    instances: int,
    seed: int = 0,
    kinds: Sequence[str] = KINDS,
    resume: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Instances until `instances` distinct ones are there."""
    base = Base(source, kinds)
    script = hashlib.sha256(source.text.encode()).hexdigest()
    head = {"expanded": base.machine.name, "script": script, "seed": seed, "kinds": list(kinds)}

    def results(start: int) -> Iterator[tuple[Line, str]]:
        return (_line(base, seed, number) for number in count(start))

    return fill(out, head, results, instances=instances, resume=resume, progress=progress)


def _line(base: Base, seed: int, number: int) -> tuple[Line, str]:
    line: Line = {"file": f"{base.machine.name}_{number:05d}.world", "number": number}
    found = base.instance(seed, number)
    if found is None:
        why = "these changes do not compile, or no plan was found"
        return line | {"kept": False, "structure": "", "why": why}, ""
    words, shapes = alike(base.machine, found.machine)
    line |= {
        "kept": True,
        "changes": found.changes,
        "plan_length": found.plan_length,
        "variants": len(found.machine.variants),
        "hash": found.machine.hash,
        "structure": structure(found.machine),
        "words_alike": round(words, 3),
        "structure_alike": round(shapes, 3),
    }
    return line, found.text
