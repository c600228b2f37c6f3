"""`worldengine check --fast`: compile and lint; the verdict stays null."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from worldengine.cli.printing import complaints, counted, document, out
from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic, to_json
from worldengine.inputs import find, read, shown


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
    return report, diagnostics


def _line(report: dict[str, Any]) -> str:
    """One line for people. Nobody has tried to win the world, and the line says so."""
    name = shown(Path(report["file"]))
    if not report["ok"] and report["hash"] is None:
        return f"{name}: does not compile"
    counts = ", ".join(
        counted(number, kind.removesuffix("s")) for kind, number in report["counts"].items()
    )
    return f"{name}: {'ok' if report['ok'] else 'found wanting'}, not proven ({counts})"
