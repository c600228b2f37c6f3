"""`worldengine check`: compile, lint, replay the proofs. Verdicts by search come later."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from worldengine.cli.printing import complaints, document, out, say
from worldengine.compiler import compile_source
from worldengine.diagnostics import Diagnostic, to_json
from worldengine.inputs import find, read


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
    if not arguments.fast and not arguments.json:
        say("note: proof search is not there yet, so the verdict stays open; proofs are replayed")
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
    if not report["ok"] and report["hash"] is None:
        return f"{report['file']}: does not compile"
    counts = ", ".join(f"{number} {name}" for name, number in report["counts"].items())
    proofs = report["proofs"]
    played = ""
    if proofs is not None and proofs["proofs"]:
        played = f"; proofs win {proofs['won']} of {proofs['variants']} starts"
    mark = "ok" if report["ok"] else "found wanting"
    return f"{report['file']}: {mark} ({counts}{played})"
