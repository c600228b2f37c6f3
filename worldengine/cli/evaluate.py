"""`worldengine evaluate`: players on worlds, with intervals."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from worldengine.cli.printing import counted, document, harmless, out, say, table
from worldengine.cli.progress import Progress, progress_of
from worldengine.cli.worlds import BrokenWorlds, under_test
from worldengine.evaluation.evaluate import evaluate
from worldengine.evaluation.paired import chance
from worldengine.evaluation.playing import Playing
from worldengine.evaluation.seen import NOT_TRAINED, UNKNOWN
from worldengine.inputs import InputError
from worldengine.outputs import refuse_folder
from worldengine.rollout.files import replace


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if a script does not compile."""
    if arguments.plays < 1 or arguments.starts < 0 or arguments.workers < 1:
        raise InputError("--plays and --workers are 1 or more, --starts is 0 or more")
    refuse_folder(Path(arguments.out))
    try:
        worlds = under_test(arguments.files, arguments.perturb or (), arguments.seed)
    except BrokenWorlds as error:
        say(f"worldengine: {error}")
        return 1
    playing = Playing(
        out=Path(arguments.out),
        part=arguments.part,
        plays=arguments.plays,
        starts=arguments.starts,
        seed=arguments.seed,
        workers=arguments.workers,
        command_set=arguments.commands,
        form=arguments.format,
    )
    with _progress() as progress:
        report = evaluate(worlds, arguments.player or ["explorer"], playing, progress)
    if report["left_out"]:
        say(
            f"{counted(len(report['left_out']), 'world')} left out: no start kept for "
            f"{playing.part}; --part all plays every start"
        )
    path = playing.out / "report.json"
    replace(path, json.dumps(report, indent=1, ensure_ascii=False).encode() + b"\n")
    if arguments.json:
        document(report | {"out": str(path)})
        return 0
    out(harmless(shown(report)))
    say(f"all figures: {path}")
    return 0


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """How far each player is, one after the other."""
    with ExitStack() as stack:
        last = ""
        told: Progress | None = None

        def show(label: str, at: int, of: int) -> None:
            nonlocal last, told
            if told is None or label != last:
                stack.close()
                last, told = label, stack.enter_context(progress_of(f"episodes, {harmless(label)}"))
            told(at, of)

        yield show


def shown(report: dict[str, Any]) -> str:
    """The report's main figures as tables."""
    head = ("success", "95%", "mean progress", "mean grounding", "loops", "mean turns")
    rows = [["player", "episodes", *head]]
    for each in report["players"]:
        rows.append(
            [
                each["player"],
                str(each["episodes"]),
                _number(each["success"]),
                _interval(each["ci"]["success"]),
                _number(each["progress"]),
                _number(each["grounding"]),
                _number(each["loops"]),
                _number(each["turns"], 1),
            ]
        )
    parts = [table(rows, right=range(1, len(rows[0])))]
    for each in report["players"]:
        split = each["seen"]["split"]
        if split not in (UNKNOWN, NOT_TRAINED):
            parts.append(f"{each['player']}: {split}")
        for k, told in each.get("best_of", {}).items():
            if k != "1":
                parts.append(
                    f"{each['player']}, best of {k}: {_number(told['success'])} "
                    f"{_interval(told['ci'])}"
                )
        if "robustness" in each:
            parts.append(_words(each))
    for pair in report["comparisons"]:
        parts.append(
            f"{pair['second']} - {pair['first']} on {counted(pair['pairs'], 'same start')}: "
            f"success "
            f"{_signed(pair['success_difference'])} {_interval(pair['success_interval'])}, "
            f"McNemar p = {chance(pair['p_success'])}; progress "
            f"{_signed(pair['progress_difference'])} {_interval(pair['progress_interval'])}"
        )
    return "\n".join(parts)


def _words(each: dict[str, Any]) -> str:
    told = each["robustness"]
    by = ", ".join(f"{name} {_number(v['success'])}" for name, v in told["by_words"].items())
    return (
        f"{each['player']} in other words: {by}; mean {_number(told['mean'])}, "
        f"deviation {_number(told['deviation'])}"
    )


def _number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{value:+.3f}"


def _interval(value: Any) -> str:
    return "-" if value is None else f"[{value[0]:.3f}, {value[1]:.3f}]"
