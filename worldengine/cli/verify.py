"""`worldengine verify`: play every trajectory of a run again, or check a file against a world."""

from __future__ import annotations

import argparse
from pathlib import Path

from worldengine.cli.printing import counted, document, harmless, loaded, out, say
from worldengine.cli.progress import progress_of
from worldengine.rollout.verify import verify


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if any claim does not hold."""
    if arguments.world is not None:
        return _elsewhere(arguments)
    with progress_of("trajectories") as progress:
        result = verify(Path(arguments.run), progress)
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
    say(
        f"by AgentRefine's own count: {counted(result.error_turns, 'error turn')}, "
        f"{result.plainly_accepted} accepted"
    )
    if result.missing:
        say(f"{counted(result.missing, 'episode')} of the run missing: stopped, or taken out")
    return 1 if result.rejected else 0


def _elsewhere(arguments: argparse.Namespace) -> int:
    """A file of trajectories, against a world."""
    from worldengine.importers.claims import SHOWN, check
    from worldengine.importers.values import in_file

    machine = loaded(arguments.world)
    if machine is None:
        return 1
    claims = check(in_file(Path(arguments.run)), machine, arguments.run)
    if arguments.json:
        document(claims.told())
        return 1 if claims.rejected else 0
    for each in claims.rejected[:SHOWN]:
        out(harmless(f"rejected {each.id} after {counted(each.turns, 'turn')}: {each.reason}"))
    labels = claims.labels
    out(
        f"{counted(claims.trajectories, 'trajectory', 'trajectories')}: {claims.accepted} "
        f"accepted, {len(claims.rejected)} rejected; of {counted(claims.actions, 'action')} "
        f"{labels['right']} were labelled rightly, {labels['missed']} errors missed, "
        f"{labels['false_alarm']} false alarms, {labels['other_class']} of another class; "
        f"{claims.same_observations} observations are the world's"
    )
    return 1 if claims.rejected else 0
