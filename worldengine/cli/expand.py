"""`worldengine write --expand`: one world made into many."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from worldengine.cli.printing import complaints, counted, document, out, say
from worldengine.inputs import InputError, find, read


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if the script cannot be read as one."""
    from worldengine.cli.progress import progress_of
    from worldengine.generator.expanding import KINDS
    from worldengine.generator.instances import write_instances

    paths = find([arguments.expand])
    if len(paths) != 1:
        raise InputError(f"{arguments.expand} holds {len(paths)} scripts; name one of them")
    script = read(paths[0])
    if script.problem is not None:
        complaints([script.problem])
        return 1
    folder = Path(arguments.out)
    with progress_of("instances") as progress:
        written = write_instances(
            folder,
            script.source,
            instances=arguments.instances,
            seed=arguments.seed,
            kinds=tuple(arguments.change or KINDS),
            resume=arguments.resume,
            progress=progress,
        )
    likeness = _likeness(folder)
    if arguments.json:
        document(written.told() | {"out": arguments.out} | likeness)
    else:
        passed = ", ".join(f"{number} {why}" for why, number in written.reasons.items())
        out(
            f"{counted(written.kept, 'instance')} in {arguments.out}, each proven"
            + (f"; passed over: {passed}" if passed else "")
        )
        out(
            f"like the first world: {likeness['words_alike']:.2f} in words, "
            f"{likeness['structure_alike']:.2f} in structure (1 is equal)"
        )
    if written.interrupted:
        say(f"stopped; go on with: --resume --out {arguments.out}")
        return 130
    return 0


def _likeness(folder: Path) -> dict[str, float]:
    """The mean over the instances kept."""
    text = (folder / "worlds.jsonl").read_text(encoding="utf-8")
    kept = [line for line in map(json.loads, text.splitlines()) if line["kept"]]
    keys = ("words_alike", "structure_alike")
    return {key: sum(line[key] for line in kept) / max(len(kept), 1) for key in keys}
