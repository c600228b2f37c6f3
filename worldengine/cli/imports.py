"""`worldengine import`: worlds from PDDL and AgentRefine's scripts; transcripts into runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from worldengine.cli.printing import complaints, counted, document, loaded, out, say
from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic, has_errors, to_json
from worldengine.inputs import InputError, Script, read
from worldengine.outputs import refuse_file
from worldengine.source import Source

FILES = {
    "pddl": ("DOMAIN", "PROBLEM"),
    "agentrefine": ("SCRIPT.json",),
    "trajectories": ("FILE",),
}


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if something cannot be imported, or the world does not compile."""
    wanted = FILES[arguments.what]
    if len(arguments.files) != len(wanted):
        raise InputError(f"`import {arguments.what}` takes {' and '.join(wanted)}")
    if arguments.what == "trajectories":
        return _trajectories(arguments)
    scripts = [read(Path(name)) for name in arguments.files]
    if arguments.out is not None:
        refuse_file(Path(arguments.out), [script.path for script in scripts])
    text, notes = _imported(arguments.what, scripts)
    name = arguments.out or scripts[-1].path.with_suffix(".world").name
    report: dict[str, Any] = {"file": name, "ok": False, "hash": None}
    counts: dict[str, int] = {}
    if text is not None:
        compilation = compile_source(Source(name, text))
        notes = (*notes, *compilation.diagnostics)
        counts = compilation.counts
        if compilation.machine is not None:
            report["hash"] = compilation.machine.hash
        _write(arguments.out, text, arguments.json)
    report["ok"] = text is not None and not has_errors(notes)
    report |= {"diagnostics": [to_json(item) for item in notes], "verdict": None, "counts": counts}
    if arguments.json:
        document(report)
    else:
        complaints(notes)
        say(f"{name}: {'ok' if report['ok'] else 'not imported'}")
    return 0 if report["ok"] else 1


def _trajectories(arguments: argparse.Namespace) -> int:
    """Status 1 if the world does not compile."""
    if arguments.world is None or arguments.out is None:
        raise InputError("`import trajectories` needs --world W and --out RUN")
    machine = loaded(arguments.world)
    if machine is None:
        return 1
    from worldengine.importers.trajectories import import_trajectories
    from worldengine.importers.transcripts import read as read_transcripts
    from worldengine.importers.values import whole_text

    source = Source(arguments.files[0], whole_text(Path(arguments.files[0])))
    taken = import_trajectories(read_transcripts(source), machine, Path(arguments.out))
    if taken.unread:
        say(f"left out: {counted(taken.unread, 'message')} with neither a thought nor a command")
    if taken.after_end:
        say(f"left out: {counted(taken.after_end, 'command')} after the end of the game")
    if arguments.json:
        document(taken.told())
    else:
        out(
            f"{taken.trajectories} trajectories in {arguments.out}: {taken.won} won; "
            f"{taken.accepted} of {taken.turns} turns accepted"
        )
    return 0


def _imported(what: str, scripts: list[Script]) -> tuple[str | None, tuple[Diagnostic, ...]]:
    problems = tuple(script.problem for script in scripts if script.problem is not None)
    if problems:
        return None, problems
    sources = [script.source for script in scripts]
    if what == "pddl":
        from worldengine.importers.pddl import import_pddl

        planned = import_pddl(sources[0], sources[1])
        return planned.text, planned.diagnostics
    from worldengine.importers.agentrefine import import_agentrefine

    skeleton = import_agentrefine(sources[0], scripts[0].path.stem)
    return skeleton.text, skeleton.diagnostics


def _write(path: str | None, text: str, as_json: bool) -> None:
    """To the file, or to standard output where the report does not go there."""
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    elif not as_json:
        out(text.rstrip("\n"))
