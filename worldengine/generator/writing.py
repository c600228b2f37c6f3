"""Many worlds into a folder: in order of their seeds, in several processes, to be gone on with.

In: a folder, settings, a first seed, how many. Out: `NAME.world` files and `worlds.jsonl`, one
line a seed that was looked at, in order, whoever made it. A seed whose world is another's up to
renaming is passed over, and the line says so. A file is whole or not there; what was finished
stays when the run is stopped, and `resume` goes on after it.
"""

from __future__ import annotations

import json
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from worldengine.diversity import structure
from worldengine.generator.proving import Unproven, generate
from worldengine.generator.settings import Settings, SettingsError
from worldengine.rollout.files import cut_torn_tail, replace

INDEX = "worlds.jsonl"
HEAD = "generator.json"
AHEAD = 8
"""Seeds a worker may be ahead of the writer."""
LOOKS = 20
"""Seeds looked at for each world asked for, before giving up on new ones."""

Progress = Callable[[int, int], None]


@dataclass
class Written:
    """What a folder holds. `reasons` counts seeds passed over, by why."""

    kept: int = 0
    looked_at: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    interrupted: bool = False

    def told(self) -> dict[str, Any]:
        """With the keys of the command's contract."""
        return {
            "written": self.looked_at,
            "compiled_first": self.looked_at - self.reasons.get("unproven", 0),
            "winnable_first": self.looked_at - self.reasons.get("unproven", 0),
            "repairs": 0,
            "kept": self.kept,
            "reasons": self.reasons,
        }


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
    done = _opened(out, settings, seed, resume)
    written = Written()
    seen: set[str] = set()
    for line in done:
        _count(written, seen, line)
    seeds = count(seed + written.looked_at)
    results = _results(seeds, settings, workers)
    try:
        with (out / INDEX).open("a", encoding="utf-8", newline="\n") as index:
            while written.kept < instances:
                if written.looked_at >= LOOKS * instances + LOOKS:
                    raise SettingsError(
                        f"{written.looked_at} seeds gave {written.kept} distinct worlds: "
                        "these dials leave no room for more"
                    )
                line, text = next(results)
                if line["structure"] in seen:
                    line |= {"kept": False, "why": "a world of the same structure is there"}
                if line["kept"]:
                    replace(out / line["file"], text.encode())
                index.write(json.dumps(line, ensure_ascii=False) + "\n")
                index.flush()
                _count(written, seen, line)
                if progress is not None:
                    progress(written.kept, instances)
    except KeyboardInterrupt:
        written.interrupted = True
    finally:
        results.close()
    return written


def _count(written: Written, seen: set[str], line: dict[str, Any]) -> None:
    written.looked_at += 1
    written.kept += bool(line["kept"])
    if line["structure"]:
        seen.add(line["structure"])
    if line.get("why"):
        reason = "unproven" if not line["structure"] else "duplicate"
        written.reasons[reason] = written.reasons.get(reason, 0) + 1


def _opened(out: Path, settings: Settings, seed: int, resume: bool) -> list[dict[str, Any]]:
    """The lines the folder has already; the folder is made where it is not there."""
    head = {"settings": asdict(settings) | {"plan": list(settings.plan)}, "seed": seed}
    out.mkdir(parents=True, exist_ok=True)
    if not (out / HEAD).exists():
        if any(out.iterdir()):
            raise SettingsError(
                f"{out} is not empty, and no generator wrote it: name another folder"
            )
        replace(out / HEAD, (json.dumps(head) + "\n").encode())
        (out / INDEX).touch()
        return []
    if not resume:
        raise SettingsError(
            f"{out} holds worlds already: add --resume to go on, or name another folder"
        )
    try:
        if json.loads((out / HEAD).read_text(encoding="utf-8")) != head:
            raise SettingsError(
                f"{out} was written with other dials or another seed: name another folder"
            )
        (out / INDEX).touch()
        cut_torn_tail(out / INDEX)
        lines = (out / INDEX).read_text(encoding="utf-8").splitlines()
        found: list[dict[str, Any]] = [json.loads(line) for line in lines]
        if not all(
            isinstance(line, dict) and {"kept", "structure", "file"} <= set(line) for line in found
        ):
            raise ValueError
    except SettingsError:
        raise
    except ValueError:
        raise SettingsError(f"{out / INDEX} is no list of worlds: name another folder") from None
    return found


# --- one world ------------------------------------------------------------------------------


def line_of(seed: int, settings: Settings) -> tuple[dict[str, Any], str]:
    """The index line of a seed and its world's text."""
    from worldengine.compiler import compile

    name = f"{settings.family}_{seed:05d}"
    line: dict[str, Any] = {"file": f"{name}.world", "seed": seed, "family": settings.family}
    try:
        made = generate(seed, settings)
    except Unproven as problem:
        return line | {"kept": False, "structure": "", "why": str(problem)}, ""
    machine = compile(made.text)
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
) -> Generator[tuple[dict[str, Any], str], None, None]:
    """Lines in the order of the seeds."""
    if workers <= 1:
        yield from (line_of(seed, settings) for seed in seeds)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_worker_start) as pool:
        waiting: deque[Future[tuple[dict[str, Any], str]]] = deque()
        try:
            for seed in seeds:
                waiting.append(pool.submit(line_of, seed, settings))
                if len(waiting) >= workers * AHEAD:
                    yield waiting.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _worker_start() -> None:
    """Ctrl-C belongs to the parent, which ends its workers in order."""
    import gc

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(100_000, 20, 20)
