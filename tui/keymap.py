"""Keys of one's own: a small file that says which key does what.

In: a TOML file of lines like `undo = "ctrl+g"` or `"plays.run" = "x,f12"`. Out: a keymap for
the app, and a sentence for each line that is none. A file that is not there is no mistake.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from worldengine.documents import DocumentError, toml

LIMIT: Final = 64 << 10
NAME: Final = "keys.toml"


def own_file() -> Path:
    """Where a person's keys are looked for: the folder of settings of the system."""
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home())
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "worldengine" / NAME


def read(file: Path, known: Collection[str]) -> tuple[dict[str, str], list[str]]:
    """Keys by action, and what is wrong with the file. `known` are the actions there are."""
    try:
        if not file.is_file():
            return {}, []
        document = toml(file, LIMIT)
    except OSError as error:
        return {}, [f"{file} cannot be used: {error}"]
    except DocumentError as error:
        return {}, [f"{error}; its keys cannot be used"]
    keys: dict[str, str] = {}
    problems: list[str] = []
    for action, value in _flat(document):
        if action not in known:
            problems.append(f"{file.name}: there is no action {action!r}; F1 names them")
        elif not isinstance(value, str) or not all(part.strip() for part in value.split(",")):
            problems.append(f'{file.name}: {action} needs a key, as in {action} = "ctrl+g"')
        else:
            keys[action] = ",".join(part.strip() for part in value.split(","))
    return keys, problems


def _flat(document: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """`[plays] run = "x"` and `"plays.run" = "x"` are the same."""
    for name, value in document.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        else:
            yield before + name, value
