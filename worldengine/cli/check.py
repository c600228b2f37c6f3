"""`worldengine check --fast`: compile and lint; the verdict stays null."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from worldengine.cli.printing import complaints, counted, document, out
from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic, to_json
from worldengine.inputs import find, read, shown

SKIPPED = {
    "proofs": "not replayed",
    "verdict": "not decided whether this can be won",
    "dead_ends": "not searched",
    "guesses": "not searched",
    "numbers": "not searched for ends they stop at",
}
"""What `check` does by stages, and --fast does not."""


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if any script has an error (with --strict: or a warning)."""
    good = True
    for path in find(arguments.files):
        report, diagnostics = _one(path, arguments.strict)
        good = good and report["ok"]
        if arguments.json:
            document(report)
        else:
            complaints(diagnostics)
            out(_line(report))
    return 0 if good else 1


def _one(path: Path, strict: bool) -> tuple[dict[str, Any], list[Diagnostic]]:
    script = read(path)
    report: dict[str, Any] = {"file": str(path), "ok": False, "hash": None}
    counts: dict[str, int] = {}
    if script.problem is not None:
        diagnostics = [script.problem]
    else:
        compilation = compile_source(script.source)
        diagnostics, counts = list(compilation.diagnostics), dict(compilation.counts)
        if compilation.machine is not None:
            report["hash"] = compilation.machine.hash
    wanting = ("error", "warning") if strict else ("error",)
    report["ok"] = not any(item.severity in wanting for item in diagnostics)
    report["diagnostics"] = [to_json(item) for item in diagnostics]
    report |= {"verdict": None, "counts": counts}
    if report["hash"] is not None:
        report["unfinished"] = [_skipped(stage) for stage in SKIPPED]
    return report, diagnostics


def _skipped(stage: str) -> dict[str, Any]:
    text = f"{stage.replace('_', ' ')}: {SKIPPED[stage]} (--fast)"
    return {"stage": stage, "searched": "no", "stopped_by": "--fast", "text": text}


def _line(report: dict[str, Any]) -> str:
    """One line for people. Nothing has been played, and the line says so."""
    name = shown(Path(report["file"]))
    if not report["ok"] and report["hash"] is None:
        return f"{name}: does not compile"
    counts = ", ".join(
        counted(number, kind.removesuffix("s")) for kind, number in report["counts"].items()
    )
    said = "compiles" if report["ok"] else "found wanting"
    left_out = "--fast: proofs not replayed, winning not decided"
    return f"{name}: {said} ({counts}); {left_out}"
