"""`worldengine verify`: play every trajectory of a run again."""

from __future__ import annotations

import argparse
from pathlib import Path

from worldengine.cli.printing import counted, document, harmless, out, say
from worldengine.rollout.verify import verify


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if any claim does not hold."""
    result = verify(Path(arguments.run))
    if arguments.json:
        document(result.told())
        return 1 if result.rejected else 0
    for item in result.rejected:
        out(harmless(f"rejected {item.id}: {item.reason}"))
    aside = ", ".join(
        f"{number} {why.replace('_', ' ')}" for why, number in result.set_aside.items() if number
    )
    out(
        f"{counted(result.trajectories, 'trajectory', 'trajectories')}: {result.accepted} "
        f"accepted, {len(result.rejected)} rejected{', ' + aside if aside else ''}; "
        f"{counted(result.refinements, 'refinement')}"
    )
    if result.missing:
        say(f"{counted(result.missing, 'episode')} of the run missing: stopped, or taken out")
    return 1 if result.rejected else 0
