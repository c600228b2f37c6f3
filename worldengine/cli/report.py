"""`worldengine report`: one page from what was written here."""

from __future__ import annotations

import argparse
from pathlib import Path

from worldengine.cli.printing import counted, document, out
from worldengine.outputs import TargetError, refuse_file
from worldengine.report.page import page
from worldengine.report.sources import find
from worldengine.rollout.files import replace


def run(arguments: argparse.Namespace) -> int:
    """Status 0 when the page is written."""
    target = Path(arguments.out)
    refuse_file(target)
    if target.suffix.lower() not in (".html", ".htm"):
        raise TargetError(f"{target} is no name for a page: end it in .html")
    found = find([Path(name) for name in arguments.folders])
    text = page(found, arguments.title)
    target.parent.mkdir(parents=True, exist_ok=True)
    replace(target, text.encode("utf-8"))
    told = {
        "out": arguments.out,
        "bytes": len(text.encode("utf-8")),
        "runs": len(found.runs),
        "trainings": len(found.trainings),
        "evaluations": len(found.evaluations),
        "experiments": len(found.experiments),
    }
    if arguments.json:
        document(told)
    else:
        out(
            f"{arguments.out}: {counted(len(found.runs), 'run')}, "
            f"{counted(len(found.trainings), 'training')}, "
            f"{counted(len(found.evaluations), 'evaluation')}, "
            f"{counted(len(found.experiments), 'experiment')}"
        )
    return 0
