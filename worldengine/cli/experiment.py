"""`worldengine experiment`: arms of one corpus, trained and tested, in one table."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from worldengine.cli.printing import document, out, say
from worldengine.cli.quiet import quiet_libraries
from worldengine.cli.rollout import bar
from worldengine.cli.worlds import BrokenWorlds, under_test
from worldengine.evaluation.playing import World
from worldengine.experiment.config import ExperimentConfig, load
from worldengine.outputs import refuse_folder


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if a script does not compile. What is there is not done again."""
    config = load(Path(arguments.config))
    if arguments.out is not None:
        config = config.model_copy(update={"out": arguments.out})
    refuse_folder(Path(config.out))
    try:
        train, unseen = _worlds(config)
    except BrokenWorlds as error:
        say(f"worldengine: {error}")
        return 1
    quiet_libraries()
    from worldengine.experiment.results import table
    from worldengine.experiment.run import experiment

    began = time.perf_counter()
    results = experiment(
        config, train, unseen, say=say, progress=bar("updates") if sys.stderr.isatty() else None
    )
    if arguments.json:
        document(results | {"out": config.out})
    else:
        out(table(results).rstrip())
    say(f"{time.perf_counter() - began:.0f} s; everything is in {config.out}")
    return 0


def _worlds(config: ExperimentConfig) -> tuple[list[World], list[World]]:
    """Those to train on, and those that are never trained on."""
    corpus = config.corpus
    if corpus.family is None:
        return under_test(corpus.worlds), under_test(corpus.unseen) if corpus.unseen else []
    from worldengine.experiment.stash import write

    home = Path(config.out) / "worlds"
    family = corpus.family
    known = write(home / "train", family.train, family.seed, 0, family.plain)
    new = write(home / "unseen", family.test, family.seed, family.train, family.plain)
    return under_test([str(path) for path in known]), under_test([str(path) for path in new])
