"""How commands print: data on standard output, talk on standard error.

In: values. Out: lines. World and model text goes out as it is, save for control characters,
which a terminal would obey.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from worldengine.diagnostics import Diagnostic, render_terminal


def say(text: str) -> None:
    """One line of talk."""
    print(text, file=sys.stderr)


def out(text: str) -> None:
    """One line of data. Lone surrogates cannot be written in UTF-8; they become marks."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding) + "\n")


def document(value: object) -> None:
    """One JSON document on one line, at once: a reader may be waiting for it."""
    out(json.dumps(value, ensure_ascii=False))
    sys.stdout.flush()


def complaints(diagnostics: Iterable[Diagnostic]) -> None:
    """Diagnostics for people, in colour only on a terminal."""
    text = render_terminal(tuple(diagnostics), color=sys.stderr.isatty())
    if text:
        say(text.rstrip("\n"))


def harmless(text: str) -> str:
    """`text` without the control characters that a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\u200d" else "\ufffd" for c in text)


def counted(number: int, one: str, many: str = "") -> str:
    """`1 row`, `2 rows`; `many` where the plural is another word."""
    return f"{number} {one if number == 1 else many or one + 's'}"


ONE_DOES = {"are": "is", "were": "was", "have": "has", "do": "does", "hold": "holds"}
"""What verbs of reasons are where one thing is spoken of; those of the past stay as they are."""


def left_out(number: int, one: str, many: str, why: str) -> str:
    """`left out: 2 trajectories that were lost`; `why` is told of many."""
    verb, rest = why.split(" ", 1)
    return f"left out: {counted(number, one, many)} that " + (
        f"{ONE_DOES.get(verb, verb)} {rest}" if number == 1 else why
    )


def table(rows: list[list[str]], right: Iterable[int] = ()) -> str:
    """Columns under their heads; those in `right` are set right."""
    from worldengine.diagnostics import width

    rights = frozenset(right)
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            " " * (widths[i] - width(cell)) + cell
            if i in rights
            else cell + " " * (widths[i] - width(cell))
            for i, cell in enumerate(row)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def loaded(name: str) -> Any:
    """The Machine of one script for commands that need one; complaints and None if it has
    errors. Lints never stop a play."""
    from worldengine.compiler import compile_source
    from worldengine.inputs import find, read

    paths = find([name])
    if len(paths) != 1:
        from worldengine.inputs import InputError

        raise InputError(f"{name} holds {len(paths)} scripts; name one of them")
    script = read(paths[0])
    if script.problem is not None:
        complaints([script.problem])
        return None
    compilation = compile_source(script.source)
    if compilation.machine is None:
        complaints(d for d in compilation.diagnostics if d.severity == "error")
    return compilation.machine
