"""Runs the fences of a document, so that what it shows is what happens.

- ```` ```python ```` runs; all of them share one namespace.
- ```` ```world NAME.world ```` is written to NAME.world and must compile without an error;
  without a name it must compile; `fragment` instead of a name: it is part of a world and
  only shown.
- ```` ```console ```` holds lines `$ command` and what they print (standard output and
  error together). `…` stands for anything, within a line or, alone, for any lines. A command
  without shown output may print what it likes. ` # status N` ends a command that must end
  with status N; else it must end with 0.
- Other fences are only shown.

Everything runs in one empty folder, in order.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Fence:
    language: str
    argument: str
    text: str
    line: int


def fences(document: str) -> list[Fence]:
    found = []
    lines = document.split("\n")
    index = 0
    while index < len(lines):
        match = re.match(r"^```(\w+)?[ ]*(.*)$", lines[index])
        if match is None:
            index += 1
            continue
        end = lines.index("```", index + 1)
        body = "\n".join(lines[index + 1 : end]) + "\n"
        found.append(Fence(match[1] or "", match[2].strip(), body, index + 1))
        index = end + 1
    return found


def run_fences(blocks: list[Fence], folder: Path) -> None:
    names: dict[str, Any] = {"__name__": "readme"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block in blocks:
            if block.language == "python":
                exec(compile(block.text, f"README.md:{block.line}", "exec"), names)
            elif block.language == "world" and block.argument != "fragment":
                _world(block, folder)
            elif block.language == "console":
                _console(block, folder)
    finally:
        os.chdir(before)


BY_THE_CLOCK = re.compile(
    r"^(?:no \w+ yet, .*|\d+/\d+ \w+, .* (?:left|yet)|compiling .*, (?:once|in every run).*)\n",
    re.MULTILINE,
)
"""How far a command is: said every ten seconds, so only by a machine that is slow or busy; and what
is compiled the first time."""


def _world(block: Fence, folder: Path) -> None:
    import worldengine

    worldengine.compile(block.text)
    if block.argument:
        (folder / block.argument).write_text(block.text, encoding="utf-8")


def _console(block: Fence, folder: Path) -> None:
    command = ""
    shown: list[str] = []
    for line in [*block.text.rstrip("\n").split("\n"), "$ "]:
        if line.startswith("$ "):
            if command:
                _command(command, shown, folder, block.line)
            command, shown = line[2:], []
        else:
            shown.append(line)


def _command(command: str, shown: list[str], folder: Path, line: int) -> None:
    match = re.search(r"\s+# status (\d+)$", command)
    status = int(match[1]) if match else 0
    environment = {**os.environ, "NO_COLOR": "1"}
    scripts = str(Path(sys.executable).parent)
    environment["PATH"] = scripts + os.pathsep + environment.get("PATH", "")
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    where = f"README.md:{line}: $ {command}\n{done.stdout}"
    assert done.returncode == status, f"ended with {done.returncode}: {where}"
    if shown:
        printed = BY_THE_CLOCK.sub("", done.stdout)
        assert _matches(shown, printed.rstrip("\n")), f"printed something else: {where}"


def _matches(shown: list[str], printed: str) -> bool:
    """`…` is a wildcard: alone on a line for any lines, else within the line."""
    parts = []
    for line in shown:
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.split("…")) + r"\n")
    return re.fullmatch("".join(parts), printed.rstrip("\n") + "\n") is not None
