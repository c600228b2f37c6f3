"""`worldengine export`: training files from a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from worldengine.cli.printing import document, out, say
from worldengine.rollout.export import export


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if no trajectory of the run can be used."""
    summary = export(Path(arguments.run), arguments.to, Path(arguments.out), arguments.include)
    if arguments.json:
        document(summary.told() | {"out": arguments.out})
    else:
        out(
            f"{summary.rows} rows in {arguments.out}: {summary.trained_turns} turns trained, "
            f"{summary.masked_turns} masked"
        )
    rejected = len(summary.verification.rejected)
    if rejected:
        say(f"{rejected} trajectories do not verify and were left out")
    return 0 if summary.rows else 1
