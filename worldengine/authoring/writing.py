"""Worlds into a folder, written by a model, checked and mended until they stand.

In: a model, personas, settings, a folder. Out: `ID.world` for every draft that stands,
`attempts/ID/` with every answer, script and verdict, and `authored.jsonl`, one line a draft,
when it is over. A draft whose world is one that is there already, up to renaming, is not
kept. Whatever was finished stays when the run is stopped; `resume` goes on after it.
Refused with `WritingError`: a folder that holds something else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from worldengine.authoring.drafts import Draft, Settings
from worldengine.authoring.examining import Examined, examine
from worldengine.authoring.yields import Yields
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.models.protocol import Model, cost
from worldengine.processes import worker_pool
from worldengine.rollout.files import cut_torn_tail, replace

INDEX: Final = "authored.jsonl"
HEAD: Final = "author.json"
ANSWER_LIMIT: Final = 1 << 20
"""Bytes of an answer that are kept."""

Progress = Callable[[int, int], None]


class WritingError(ValueError):
    """This folder cannot be written to; the message is for people."""


def write(
    model: Model,
    drafts: Sequence[Draft],
    settings: Settings,
    out: Path,
    *,
    existing: Sequence[Path] = (),
    workers: int = 1,
    resume: bool = False,
    progress: Progress | None = None,
) -> Yields:
    """See the module. `existing` are worlds that must not be written once more."""
    done = _opened(out, model, settings, resume)
    yields = Yields(settings.rounds)
    for line in done:
        yields.add(line)
    finished = {line["id"] for line in done}
    seen = _structures([*existing, *sorted(out.glob("*.world"))])
    waiting = [draft for draft in drafts if draft.id not in finished]
    yields.unconstrained = model.unconstrained() if settings.grammar else ""
    total = len(done) + len(waiting)
    try:
        with _examiner(workers, settings) as examined:
            for draft in _run(model, waiting, examined):
                line = _finished(model, draft, seen, out)
                with (out / INDEX).open("a", encoding="utf-8", newline="\n") as index:
                    index.write(json.dumps(line, ensure_ascii=False) + "\n")
                yields.add(line)
                if progress is not None:
                    progress(yields.written, total)
    except KeyboardInterrupt:
        yields.interrupted = True
    return yields


def _run(
    model: Model, waiting: Sequence[Draft], examined: Callable[[list[tuple[str, str]]], Any]
) -> Iterator[Draft]:
    """Drafts as they are done; as many at once as suit the model."""
    left = iter(waiting)
    active: list[Draft] = []
    while True:
        while len(active) < max(1, model.width) and (following := next(left, None)) is not None:
            active.append(following)
        if not active:
            return
        answers = model.answer([draft.request() for draft in active])
        taken = [(draft, draft.take(answer)) for draft, answer in zip(active, answers, strict=True)]
        jobs = [(draft, script) for draft, script in taken if script is not None]
        found = examined([(script, draft.id) for draft, script in jobs])
        for (draft, _), each in zip(jobs, found, strict=True):
            draft.examined(each)
        yield from (draft for draft in active if draft.done)
        active = [draft for draft in active if not draft.done]


@contextmanager
def _examiner(
    workers: int, settings: Settings
) -> Iterator[Callable[[list[tuple[str, str]]], list[Examined]]]:
    """Checks scripts; several at once in processes of their own."""
    how = (settings.wanted, settings.seconds, settings.discovery)
    if workers < 2:
        yield lambda jobs: [examine(text, name, *how) for text, name in jobs]
        return
    with worker_pool(workers) as pool:

        def examined(jobs: list[tuple[str, str]]) -> list[Examined]:
            futures = [pool.submit(examine, text, name, *how) for text, name in jobs]
            return [future.result() for future in futures]

        yield examined


def _finished(model: Model, draft: Draft, seen: set[str], out: Path) -> dict[str, Any]:
    """Writes what came of a draft; the line for the index."""
    last = draft.scripts[-1]
    structure = last.examined.structure if last.examined is not None else ""
    script, reason = draft.standing, last.reason
    if script is not None and structure in seen:
        script, reason = None, "duplicate"
    answers = [each.answer for each in draft.attempts]
    line = {
        "id": draft.id,
        "persona": draft.persona,
        "model": model.name,
        "kept": script is not None,
        "file": f"{draft.id}.world" if script is not None else None,
        "reason": reason,
        "measured": last.examined.measured if last.examined is not None else {},
        "discovery": last.examined.discovery if last.examined is not None else None,
        "cost": cost(model, answers),
        "attempts": [each.told() for each in draft.attempts],
    }
    _keep_attempts(draft, out / "attempts" / draft.id)
    if script is not None:
        seen.add(structure)
        replace(out / f"{draft.id}.world", script.encode())
    return line


def _keep_attempts(draft: Draft, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for attempt in draft.attempts:
        name = "plan" if attempt.asked == "plan" else str(attempt.round)
        answer = attempt.answer.text.encode("utf-8", "replace")[:ANSWER_LIMIT]
        replace(folder / f"{name}.txt", answer)
        if attempt.extracted.script is not None:
            replace(folder / f"{name}.world", attempt.extracted.script.encode())
        if attempt.examined is not None:
            replace(folder / f"{name}.told.txt", attempt.examined.told.encode("utf-8", "replace"))


def _structures(paths: Sequence[Path]) -> set[str]:
    """The worlds that are there, up to renaming; what does not compile is none."""
    found: set[str] = set()
    for path in paths:
        script = read(path)
        machine = None if script.problem is not None else compile_source(script.source).machine
        if machine is not None:
            found.add(machine.shape)
    return found


def _opened(out: Path, model: Model, settings: Settings, resume: bool) -> list[dict[str, Any]]:
    """The lines the folder has already; it is made where it is not there."""
    head = json.loads(json.dumps({"model": model.name, "settings": asdict(settings)}))
    out.mkdir(parents=True, exist_ok=True)
    if not (out / HEAD).exists():
        if any(out.iterdir()):
            raise WritingError(f"{out} is not empty, and no model wrote it: name another folder")
        replace(out / HEAD, (json.dumps(head) + "\n").encode())
        return []
    if not resume:
        raise WritingError(f"{out} holds worlds already: add --resume to go on, or name another")
    try:
        same = json.loads((out / HEAD).read_text(encoding="utf-8")) == head
    except ValueError:
        same = False
    if not same:
        raise WritingError(f"{out} was written by another model or with other settings")
    (out / INDEX).touch()
    cut_torn_tail(out / INDEX)
    return _lines(out / INDEX)


def _lines(index: Path) -> list[dict[str, Any]]:
    try:
        found = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
        if all(
            isinstance(line, dict) and {"id", "kept", "attempts"} <= set(line) for line in found
        ):
            return found
    except ValueError:
        pass
    raise WritingError(f"{index} is no list of drafts: name another folder")
