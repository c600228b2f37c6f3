"""`worldengine judge`: does a world do what it says?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldengine.cli.printing import complaints, counted, document, out, say
from worldengine.inputs import InputError, find, read

if TYPE_CHECKING:
    from worldengine.judging.report import Evidence, Judgement
    from worldengine.machine import Machine

BLIND_COMMANDS = 40
IGNORED_SHOWN = 3


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if there is an alarm."""
    from worldengine.judging.report import judge
    from worldengine.modelcheck.budget import budget_of

    for name in ("variant", "commands"):
        if arguments.blind is None and getattr(arguments, name) is not None:
            raise InputError(f"--{name} is of blind play: name a model with --blind M too")
    paths = find([arguments.file])
    if len(paths) != 1:
        raise InputError(f"{arguments.file} holds {len(paths)} scripts; name one of them")
    path = paths[0]
    if arguments.sheet is not None:
        return _sheet(path, arguments.sheet, arguments.json)
    if arguments.plays_out is not None:
        return _plays_out(path, Path(arguments.plays_out), arguments.json)
    try:
        budget = budget_of(arguments.budget)
    except ValueError as error:
        raise InputError(str(error)) from None
    evidence = _evidence(arguments, path)
    told = judge(path, evidence, budget)
    more: dict[str, Any] = {}
    if told.machine is not None:
        more = _asked(arguments, path, told, evidence)
    report = told.document | more
    marks = (more.get("blind") or {}).get("marks", [])
    report["ok"] = told.ok and not marks
    if arguments.json:
        document(report)
    else:
        _tell(told, report)
    return 0 if report["ok"] else 1


def _evidence(arguments: argparse.Namespace, path: Path) -> Evidence:
    from worldengine.judging import plays
    from worldengine.judging.joining import joined
    from worldengine.judging.reader import read_expected
    from worldengine.judging.report import Evidence

    files: list[Path] = []
    for name in arguments.plays:
        at = Path(name)
        files += _plays_in(at, path.stem) if at.is_dir() else [at]
    played = tuple(plays.read(file) for file in files)
    read_ones = [read_expected(Path(name)) for name in arguments.expect]
    wrong = [f"{name}: {each}" for name, one in zip(arguments.expect, read_ones, strict=True)
             for each in one.wrong]  # fmt: skip
    for each in wrong:
        say(f"left out: {each}")
    return Evidence(joined([one.expectations for one in read_ones]), played, tuple(wrong))


def _sheet(path: Path, to: str, as_json: bool) -> int:
    """The page for a reader, written or printed."""
    from worldengine.compiler import compile_source
    from worldengine.judging.sheet import sheet
    from worldengine.rollout.files import replace

    compilation = compile_source(read(path).source)
    if compilation.machine is None or compilation.document is None:
        complaints(compilation.diagnostics)
        return 1
    page = sheet(compilation.machine, compilation.document)
    if to != "-":
        replace(Path(to), page.text.encode())
        say(f"a sheet for about {page.number} expectations: {to}")
    elif not as_json:
        out(page.text.rstrip("\n"))
    if as_json:
        told: dict[str, Any] = {"file": str(path), "expectations": page.number, "out": to}
        document(told | ({"sheet": page.text} if to == "-" else {}))
    return 0


def _plays_out(path: Path, folder: Path, as_json: bool) -> int:
    """Every proof as a play with its answers, in the first start that it wins."""
    from worldengine.compiler import compile_source
    from worldengine.judging.plays import told
    from worldengine.proof import replay
    from worldengine.rollout.files import replace

    compilation = compile_source(read(path).source)
    machine = compilation.machine
    if machine is None:
        complaints(compilation.diagnostics)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    for proof in range(len(machine.proofs)):
        for variant in range(len(machine.variants)):
            if replay(machine, proof, variant).won:
                to = folder / f"{path.stem}.proof_{proof + 1}.win.txt"
                replace(to, told(machine, proof, variant).encode())
                written += 1
                break
    if as_json:
        document({"file": str(path), "plays": written, "out": str(folder)})
    say(f"{counted(written, 'play')} in {folder}: read them, and keep them if they are right")
    return 0


def _plays_in(folder: Path, world: str) -> list[Path]:
    """The plays of this world in a folder; those of others are named, not played."""
    there = sorted(folder.glob("*.txt"))
    fitting = [file for file in there if file.name.startswith(f"{world}.")]
    ignored = [file.name for file in there if file not in fitting]
    if not fitting:
        held = f"; it holds {_some(ignored)}" if ignored else ""
        raise InputError(f"{folder} holds no play of {world}: none is called {world}.*.txt{held}")
    if ignored:
        say(f"ignored in {folder}, not called {world}.*.txt: {_some(ignored)}")
    return fitting


def _some(names: list[str]) -> str:
    more = len(names) - IGNORED_SHOWN
    return ", ".join(names[:IGNORED_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _start(arguments: argparse.Namespace, machine: Machine) -> int:
    variant: int = arguments.variant or 0
    if variant >= len(machine.variants):
        last = len(machine.variants) - 1
        raise InputError(f"{machine.name} has no variant {variant}: they are numbered 0 to {last}")
    return variant


def _asked(
    arguments: argparse.Namespace, path: Path, told: Judgement, evidence: Evidence
) -> dict[str, Any]:
    """What a model or a longer look adds, where it was asked for."""
    found: dict[str, Any] = {}
    assert told.machine is not None
    if arguments.blind is not None:
        from worldengine.judging.blind import play
        from worldengine.models.specs import make

        start = _start(arguments, told.machine)
        most = BLIND_COMMANDS if arguments.commands is None else arguments.commands
        model = make(arguments.blind)
        found["blind"] = play(model, told.machine, start, most, arguments.seed).told()
    if arguments.reader is not None:
        found["read"] = _read(arguments, path, told)
    if arguments.mutants:
        found["mutants"] = _mutants(path, evidence)
    return found


def _read(arguments: argparse.Namespace, path: Path, told: Judgement) -> dict[str, Any]:
    """A model's expectations: written to --expect-out if that is named, and tried."""
    from worldengine.compiler import compile_source
    from worldengine.judging.expectations import broken, dumped
    from worldengine.judging.reader import expectations_of
    from worldengine.models.specs import make
    from worldengine.rollout.files import replace

    tree = compile_source(read(path).source).document
    assert tree is not None and told.machine is not None
    written = expectations_of(make(arguments.reader), told.machine, tree, seed=arguments.seed)
    if arguments.expect_out is not None:
        replace(Path(arguments.expect_out), dumped(written.expectations).encode())
    unmet = broken(told.machine, written.expectations)
    return {
        "reader": arguments.reader,
        "expectations": len(written.expectations.expectations),
        "wrong": list(written.wrong),
        "unmet": [{"number": each.number, "told": each.told} for each in unmet],
    }


def _mutants(path: Path, evidence: Evidence) -> dict[str, Any]:
    from worldengine.cli.progress import progress_of
    from worldengine.judging.catching import catch
    from worldengine.modelcheck.budget import Budget

    with progress_of("mutants") as progress:
        return catch(path, read(path).source, evidence, Budget(seconds=2.0), progress).told()


def _tell(told: Judgement, report: dict[str, Any]) -> None:
    complaints(told.diagnostics)
    for alarm in told.alarms:
        if alarm.by not in ("lint", "compiler"):
            out(f"{alarm.by}: {alarm.text}")
    for mark in (report.get("blind") or {}).get("marks", []):
        out(f'blind play, turn {mark["turn"]}: "{mark["quote"]}": {mark["why"]}')
    for each in (report.get("read") or {}).get("unmet", []):
        out(f"reader's expectation {each['number']}: {each['told']}")
    if "mutants" in report:
        _caught(report["mutants"])
    gone = [f"{report[key]} {key}" for key in ("repeated", "disputed") if report[key]]
    left = f" ({', '.join(gone)}, left out)" if gone else ""
    tried = f"{counted(report['expectations'], 'expectation')}{left}"
    tried += f", {counted(report['plays'], 'play')}"
    out(f"{counted(len(report['alarms']), 'alarm')}; {tried} tried")


def _caught(caught: dict[str, Any]) -> None:
    out(f"{caught['caught']} of {counted(caught['mutants'], 'mutant')} noticed")
    for title, key in (
        ("by", "means"),
        ("by this alone", "only_by"),
        ("by answers to question", "questions"),
        ("by reader", "readers"),
    ):
        if caught[key]:
            told = ", ".join(f"{name} {number}" for name, number in caught[key].items())
            out(f"  {title}: {told}")
    if caught["proven_equal"]:
        many = counted(caught["proven_equal"], "more mutant")
        out(f"  not counted: {many} that no play can tell from the world, by proof")
    for each in caught["survivors"]:
        out(f"  not noticed, line {each['line']}: {each['change']}")
