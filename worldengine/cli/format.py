"""`worldengine format`: scripts in their one canonical form, in place.

A folder stands for the scripts right in it, never for those below: it rewrites files.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from worldengine.cli.printing import complaints, document, out
from worldengine.diagnostics import Diagnostic, to_json
from worldengine.inputs import Script, find, read
from worldengine.syntax import format_document, parse


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if a script cannot be parsed, or with --check would change."""
    good = True
    for path in find(arguments.files, below=False):
        good = _one(path, arguments.check, arguments.json) and good
    return 0 if good else 1


def _one(path: Path, only_check: bool, as_json: bool) -> bool:
    script = read(path)
    text, diagnostics = _formatted(script)
    changed = text is not None and text != script.source.text
    if text is not None and changed and not only_check:
        _replace(path, text)
    ok = text is not None and not (only_check and changed)
    if as_json:
        told = [to_json(item) for item in diagnostics]
        document({"file": str(path), "ok": ok, "changed": changed, "diagnostics": told})
    else:
        complaints(diagnostics)
        what = "would change" if only_check else "formatted"
        out(f"{path}: {'not parsed' if text is None else what if changed else 'unchanged'}")
    return ok


def _formatted(script: Script) -> tuple[str | None, list[Diagnostic]]:
    if script.problem is not None:
        return None, [script.problem]
    tree, diagnostics = parse(script.source)
    errors = [item for item in diagnostics if item.severity == "error"]
    if errors or tree is None:
        return None, errors
    return format_document(tree), []


def _replace(path: Path, text: str) -> None:
    """Whole or not at all: a script must survive a full disk."""
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8", newline="\n")
    beside.replace(path)
