"""Many generated worlds into a folder: in the order of their seeds, in several processes.

In: a folder, settings, a first seed, how many. Out: see `folder`. A seed whose world is
another's up to renaming is passed over, and its line says so.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from dataclasses import asdict
from itertools import count
from pathlib import Path

from worldengine.diversity import structure
from worldengine.generator.folder import Line, Progress, Written, fill
from worldengine.generator.proving import Unproven, family_of, proven
from worldengine.generator.settings import Settings
from worldengine.processes import worker_pool

AHEAD = 8
"""Seeds a worker may be ahead of the writer."""


def write(
    out: Path,
    settings: Settings,
    *,
    instances: int,
    seed: int = 0,
    workers: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Worlds until `instances` distinct ones are there. SettingsError where the folder holds
    something else, or where the dials give no more distinct worlds."""
    family_of(settings)
    head = {"settings": asdict(settings) | {"plan": list(settings.plan)}, "seed": seed}

    def results(start: int) -> Iterator[tuple[Line, str]]:
        return _results(count(seed + start), settings, workers)

    return fill(out, head, results, instances=instances, resume=resume, progress=progress)


def line_of(seed: int, settings: Settings) -> tuple[Line, str]:
    """The index line of a seed and its world's text."""
    name = f"{settings.family}_{seed:05d}"
    line: Line = {"file": f"{name}.world", "seed": seed, "family": settings.family}
    try:
        made, machine = proven(seed, settings)
    except Unproven as problem:
        return line | {"kept": False, "structure": "", "why": str(problem)}, ""
    line |= {
        "kept": True,
        "name": made.name,
        "theme": made.theme,
        "plan_length": made.plan_length,
        "places": made.places,
        "mistakes": made.mistakes,
        "distractors": made.distractors,
        "variants": len(machine.variants),
        "mechanics": list(made.mechanics),
        "hash": machine.hash,
        "structure": structure(machine),
    }
    return line, made.text


def _results(
    seeds: Iterator[int], settings: Settings, workers: int
) -> Generator[tuple[Line, str], None, None]:
    """Lines in the order of the seeds."""
    if workers <= 1:
        yield from (line_of(seed, settings) for seed in seeds)
        return
    waiting: deque[Future[tuple[Line, str]]] = deque()
    with worker_pool(workers) as pool:
        for seed in seeds:
            waiting.append(pool.submit(line_of, seed, settings))
            if len(waiting) >= workers * AHEAD:
                yield waiting.popleft().result()
