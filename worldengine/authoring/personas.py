"""Personas: whose work a world is about.

In: a text, a file with one persona a line, or JSONL with `persona` and perhaps `id`; or
nothing, for those that ship with the package, which are our own. Out: personas, each with an
id that names its files. Refused, with the line: what is no persona.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from worldengine import resources
from worldengine.inputs import InputError

LONGEST = 2000
"""Characters of one persona."""
MOST = 1_000_000
"""Lines of a file that are read."""


@dataclass(frozen=True, slots=True)
class Persona:
    id: str
    text: str


def shipped() -> tuple[Persona, ...]:
    """Those of the package."""
    text = resources.read("authoring", "personas.jsonl")
    return tuple(_numbered(_lines(text.splitlines(), "personas.jsonl", json_lines=True)))


def given(names: Sequence[str]) -> tuple[Persona, ...]:
    """What `--persona` was given, each a text or the name of a file; the shipped ones if
    nothing was. Ids are distinct; equal texts are one persona."""
    if not names:
        return shipped()
    found: list[tuple[str, str]] = []
    for name in names:
        path = Path(name)
        if _is_file(path):
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
            found += _lines(lines[:MOST], name, path.suffix in {".jsonl", ".ndjson"})
        elif name.endswith((".txt", ".jsonl", ".ndjson")):
            raise InputError(f"there is no file of personas called {name}")
        else:
            found.append(("", _text(name, "--persona")))
    if not found:
        raise InputError(f"there is no persona in {', '.join(names)}")
    return tuple(_numbered(found))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a persona that no file system takes for a name
        return False


def _lines(lines: Iterable[str], name: str, json_lines: bool) -> list[tuple[str, str]]:
    """(id or "", text) of every line that is not blank."""
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            where = f"{name}:{number}"
            found.append(_object(line, where) if json_lines else ("", _text(line, where)))
    return found


def _object(line: str, where: str) -> tuple[str, str]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise InputError(f"{where} is no JSON object") from None
    if not isinstance(value, dict) or not isinstance(value.get("persona"), str):
        raise InputError(f'{where} lacks its text: write {{"persona": "…"}}')
    name = value.get("id", "")
    return str(name) if isinstance(name, str | int) else "", _text(value["persona"], where)


def _text(text: str, where: str) -> str:
    said = " ".join(text.split())
    if not said:
        raise InputError(f"{where}: the persona is empty")
    if len(said) > LONGEST:
        raise InputError(f"{where}: a persona has at most {LONGEST:,} characters")
    return said


def _numbered(found: Iterable[tuple[str, str]]) -> list[Persona]:
    """Ids that are names of files, each once; equal texts once."""
    taken: set[str] = set()
    texts: dict[str, Persona] = {}
    for name, text in found:
        if text in texts:
            continue
        stem = _stem(name) or _stem(" ".join(text.split()[:6])) or "persona"
        chosen, number = stem, 2
        while chosen in taken:
            chosen, number = f"{stem}_{number}", number + 1
        taken.add(chosen)
        texts[text] = Persona(chosen, text)
    return list(texts.values())


def _stem(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:40]
