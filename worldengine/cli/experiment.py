"""`worldengine experiment`: arms of one corpus, trained and tested, in one table."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from worldengine.cli.printing import document, out, say
from worldengine.cli.progress import progress_of
from worldengine.cli.quiet import quiet_libraries
from worldengine.cli.worlds import BrokenWorlds, under_test
from worldengine.evaluation.playing import World
from worldengine.experiment.config import Elsewhere, ExperimentConfig, Family, load
from worldengine.outputs import refuse_folder


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if a script does not compile. What is there is not done again."""
    config = load(Path(arguments.config))
    if arguments.out is not None:
        config = config.model_copy(update={"out": arguments.out})
    refuse_folder(Path(config.out))
    try:
        train, others = _worlds(config)
    except BrokenWorlds as error:
        say(f"worldengine: {error}")
        return 1
    quiet_libraries()
    from worldengine.experiment.results import table
    from worldengine.experiment.run import experiment

    began = time.perf_counter()
    with progress_of("updates") as progress:
        results = experiment(config, train, others, say=say, progress=progress)
    if arguments.json:
        document(results | {"out": config.out})
    else:
        out(table(results).rstrip())
    say(f"{time.perf_counter() - began:.0f} s; everything is in {config.out}")
    return 0


def _worlds(config: ExperimentConfig) -> tuple[list[World], dict[str, list[World]]]:
    """Those to train on, and those that nothing is trained on, by split."""
    corpus, home = config.corpus, Path(config.out) / "worlds"
    others: dict[str, list[World]] = {}
    if corpus.family is None:
        train = under_test(corpus.worlds)
        if corpus.unseen:
            others["worlds"] = under_test(corpus.unseen)
    else:
        from worldengine.experiment.stash import write

        family = corpus.family
        plain, varied = family.plain, family.varied
        known = write(home / "train", family.train, family.seed, 0, plain, varied)
        new = write(home / "unseen", family.test, family.seed, family.train, plain, varied)
        train = under_test([str(path) for path in known])
        others["worlds"] = under_test([str(path) for path in new])
    if corpus.elsewhere is not None:
        others["family"] = _elsewhere(corpus.elsewhere, home, corpus.family)
    return train, others


def _elsewhere(elsewhere: Elsewhere, home: Path, family: Family | None) -> list[World]:
    """Worlds of a family of which nothing is trained."""
    if elsewhere.worlds:
        return under_test(elsewhere.worlds)
    out = home / elsewhere.family
    if elsewhere.family == "chain":
        from worldengine.experiment.chain import write

        plain = family is not None and family.plain
        return under_test([str(p) for p in write(out, elsewhere.count, elsewhere.seed, plain)])
    from worldengine.generator import Settings
    from worldengine.generator.writing import write as generate

    settings = Settings(family=elsewhere.family, task=elsewhere.task)
    generate(
        out, settings, instances=elsewhere.count, seed=elsewhere.seed,
        resume=(out / "worlds.jsonl").is_file(),
    )  # fmt: skip
    return under_test([str(out)])
