"""`worldengine export`: training files from a run."""

from __future__ import annotations

import argparse
from pathlib import Path

from worldengine.cli.printing import counted, document, out, say
from worldengine.rollout.export import export


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if no trajectory of the run can be used."""
    summary = export(Path(arguments.run), arguments.to, Path(arguments.out), arguments.include)
    if arguments.json:
        document(summary.told() | {"out": arguments.out})
    else:
        out(
            f"{counted(summary.rows, 'row')} in {arguments.out}: "
            f"{counted(summary.trained_turns, 'turn')} trained, {summary.masked_turns} masked"
        )
    for number, why in summary.left_out():
        say(f"left out: {counted(number, 'trajectory', 'trajectories')} that {why}")
    if not summary.rows and not summary.verification.trajectories:
        say("the run holds no trajectory yet")
    return 0 if summary.rows else 1
