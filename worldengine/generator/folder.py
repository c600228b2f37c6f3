"""A folder of worlds that is filled in order and can be gone on with.

In: a folder, what it is filled with (a head). Out: `NAME.world` files, `generator.json` with the
head, and `worlds.jsonl`, one line for everything that was looked at, in order. A file is whole
or not there; a torn last line is cut. Refused with SettingsError: a folder of something else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from worldengine.documents import DocumentError, json_of
from worldengine.generator.settings import SettingsError
from worldengine.rollout.files import cut_torn_tail, replace

INDEX = "worlds.jsonl"
HEAD = "generator.json"
LOOKS = 20
"""What is looked at for each world asked for, before giving up on new ones."""

Line = dict[str, Any]
Progress = Callable[[int, int], None]


@dataclass
class Written:
    """What a folder holds. `reasons` counts what was passed over, by why."""

    kept: int = 0
    looked_at: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    interrupted: bool = False

    def told(self) -> dict[str, Any]:
        """With the keys of the command's contract."""
        held = self.looked_at - self.reasons.get("unproven", 0)
        return {
            "written": self.looked_at,
            "compiled_first": held,
            "winnable_first": held,
            "repairs": 0,
            "kept": self.kept,
            "reasons": self.reasons,
        }


def fill(
    out: Path,
    head: dict[str, Any],
    results: Callable[[int], Iterator[tuple[Line, str]]],
    *,
    instances: int,
    resume: bool = False,
    progress: Progress | None = None,
) -> Written:
    """Worlds until `instances` distinct ones are there. `results` gives lines and texts from
    the number on that it is called with. SettingsError where nothing new comes any more. A
    folder is begun when there is something to put into it."""
    written = Written()
    seen: set[str] = set()
    for line in _there(out, head, resume):
        _count(written, seen, line)
    source = coming = results(written.looked_at)
    try:
        if written.kept < instances:
            coming = chain([next(source)], source)
        _begin(out, head)
        with (out / INDEX).open("a", encoding="utf-8", newline="\n") as index:
            while written.kept < instances:
                if written.looked_at >= LOOKS * instances + LOOKS:
                    raise SettingsError(
                        f"{written.looked_at} tries gave {written.kept} distinct worlds: "
                        "what was asked for leaves no room for more"
                    )
                line, text = next(coming)
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
        _begin(out, head)
    finally:
        close = getattr(source, "close", None)
        if close is not None:
            close()
    return written


def _count(written: Written, seen: set[str], line: Line) -> None:
    written.looked_at += 1
    written.kept += bool(line["kept"])
    if line["structure"]:
        seen.add(line["structure"])
    if line.get("why"):
        reason = "unproven" if not line["structure"] else "duplicate"
        written.reasons[reason] = written.reasons.get(reason, 0) + 1


def _begin(out: Path, head: dict[str, Any]) -> None:
    """The folder with its head, where it is not there."""
    out.mkdir(parents=True, exist_ok=True)
    if not (out / HEAD).exists():
        replace(out / HEAD, (json.dumps(head) + "\n").encode())
        (out / INDEX).touch()


def _there(out: Path, head: dict[str, Any], resume: bool) -> list[Line]:
    """The lines the folder has already; nothing is made yet."""
    if out.exists() and not out.is_dir():
        raise SettingsError(f"{out} is a file: name a folder")
    if not (out / HEAD).exists():
        if out.exists() and any(out.iterdir()):
            raise SettingsError(f"{out} is not empty, and was not begun here: name another folder")
        return []
    if not resume:
        raise SettingsError(
            f"{out} holds worlds already: add --resume to go on, or name another folder"
        )
    if _read_json(out / HEAD) != head:
        raise SettingsError(
            f"{out} was begun with other dials or another seed: name another folder"
        )
    (out / INDEX).touch()
    cut_torn_tail(out / INDEX)
    return _lines(out / INDEX)


def _read_json(path: Path) -> Any:
    try:
        return json_of(path)
    except DocumentError as error:
        raise SettingsError(f"{error}: name another folder") from None


def _lines(path: Path) -> list[Line]:
    found: list[Line] = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            line = json.loads(text)
        except (ValueError, RecursionError):
            line = None
        if not isinstance(line, dict) or not {"kept", "structure", "file"} <= set(line):
            raise SettingsError(f"{path}:{number} is no line of worlds: name another folder")
        found.append(line)
    return found
