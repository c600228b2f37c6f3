"""`worldengine check`: compile, lint, replay the proofs. No verdict by search."""

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
        report, diagnostics = _one(path, arguments.strict, prove=not arguments.fast)
        good = good and report["ok"]
        if arguments.json:
            document(report)
        else:
            complaints(diagnostics)
            out(_line(report))
    return 0 if good else 1


def _one(path: Path, strict: bool, prove: bool) -> tuple[dict[str, Any], list[Diagnostic]]:
    script = read(path)
    report: dict[str, Any] = {"file": str(path), "ok": False, "hash": None}
    counts: dict[str, int] = {}
    proofs: dict[str, Any] | None = None
    if script.problem is not None:
        diagnostics = [script.problem]
    else:
        compilation = compile_source(script.source)
        diagnostics, counts = list(compilation.diagnostics), dict(compilation.counts)
        if compilation.machine is not None:
            report["hash"] = compilation.machine.hash
            if prove:
                from worldengine.proof import complaint, summary

                proofs = summary(compilation.machine)
                diagnostics += complaint(compilation.machine, script.source)
    wanting = ("error", "warning") if strict else ("error",)
    report["ok"] = not any(item.severity in wanting for item in diagnostics)
    report["diagnostics"] = [to_json(item) for item in diagnostics]
    report |= {"verdict": None, "counts": counts, "proofs": proofs}
    return report, diagnostics


def _line(report: dict[str, Any]) -> str:
    name = shown(Path(report["file"]))
    if not report["ok"] and report["hash"] is None:
        return f"{name}: does not compile"
    counts = ", ".join(
        counted(number, kind.removesuffix("s")) for kind, number in report["counts"].items()
    )
    proofs = report["proofs"]
    mark = "ok" if report["ok"] else "found wanting"
    played = ""
    if proofs is not None and proofs["won"]:
        played = f"; proofs win {proofs['won']} of {counted(proofs['variants'], 'start')}"
    elif proofs is not None:
        mark += ", not proven"
        played = "; no proof wins" if proofs["proofs"] else "; no proof"
    return f"{name}: {mark} ({counts}{played})"
