"""What may be typed after `worldengine`. In: nothing. Out: the parser. Nothing is read here."""

from __future__ import annotations

import argparse

from worldengine.cli import (
    author_arguments,
    data_arguments,
    learning_arguments,
    playing_arguments,
)
from worldengine.cli.options import Command, json_option, natural, seed_option

PLANNED = (
    "diagnose",
)  # fmt: skip


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="worldengine",
        description="Text worlds as finite machines: checked, played, verified, exported.",
        epilog="worldengine COMMAND --help shows an example of each command.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=_version())
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(name: str, module: str, summary: str, example: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(
            name,
            help=summary,
            description=summary[0].upper() + summary[1:] + ".",
            epilog=f"example:\n  {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        sub.set_defaults(module=f"worldengine.cli.{module}")
        return sub

    for add in (
        _check,
        _solve,
        _format,
        _show,
        _play,
        playing_arguments.rollout,
        playing_arguments.verify,
        data_arguments.export,
        data_arguments.curate,
        data_arguments.stats,
        learning_arguments.train,
        learning_arguments.evaluate,
        learning_arguments.experiment,
        learning_arguments.report,
        learning_arguments.audit_dm,
        _import,
        _perturb,
        _write,
        _diversity,
        author_arguments.reference,
        author_arguments.judge,
        _tour,
        _bench,
    ):
        add(command)
    return top


def _version() -> str:
    from worldengine import __version__

    return f"worldengine {__version__}"


def _check(command: Command) -> None:
    sub = command(
        "check",
        "prove",
        "compile scripts and say what is wrong with them",
        "worldengine check tide_clock --fast",
    )
    sub.add_argument("files", nargs="+", metavar="FILE|DIR", help="scripts, folders, world names")
    sub.add_argument(
        "--fast", action="store_true", help="compile only: no proof replayed, nothing decided"
    )
    sub.add_argument("--strict", action="store_true", help="warnings count as errors")
    sub.add_argument("--budget", metavar="B", help="for the proof search, as in 30s, 2M, 1GiB")
    json_option(sub, "one JSON document a file, one a line")


def _solve(command: Command) -> None:
    sub = command(
        "solve",
        "solve",
        "find a winning play, the shortest that can be proven, or say why there is none",
        "worldengine solve tide_clock",
    )
    sub.add_argument("file", metavar="FILE", help="a script or the name of a world")
    sub.add_argument("--variant", type=int, metavar="N", help="one start only; else each of them")
    sub.add_argument("--budget", metavar="B", help="for the search, as in 30s, 2M, 1GiB")
    json_option(sub, "the verdict as one JSON document")


def _format(command: Command) -> None:
    sub = command(
        "format",
        "format",
        "write scripts in their one canonical form",
        "worldengine format worlds --check",
    )
    sub.add_argument("files", nargs="+", metavar="FILE", help="scripts, folders, world names")
    sub.add_argument(
        "--check", action="store_true", help="change nothing; status 1 if something would change"
    )
    json_option(sub, "one JSON document a file, one a line")


def _show(command: Command) -> None:
    sub = command("show", "show", "show what was compiled", "worldengine show tide_clock --map")
    sub.add_argument("file", metavar="FILE", help="a script or the name of a world")
    what = sub.add_mutually_exclusive_group()
    what.add_argument("--machine", action="store_true", help="every part of the Machine")
    what.add_argument("--map", action="store_true", help="the places and the ways between them")
    sub.add_argument("--svg", action="store_true", help="with --map: as an SVG picture")
    sub.add_argument("--variant", type=int, default=0, metavar="N", help="which start (0)")
    json_option(sub, "one JSON document")


def _play(command: Command) -> None:
    sub = command(
        "play",
        "play",
        "play a world: full screen on a terminal, else line by line",
        "printf 'look\\ninventory\\n' | worldengine play tide_clock --plain",
    )
    sub.add_argument(
        "file", metavar="FILE", nargs="?", help="a script or the name of a world; else a list"
    )
    sub.add_argument("--variant", type=int, default=0, metavar="N", help="which start (0)")
    sub.add_argument("--plain", action="store_true", help="line by line on the terminal")
    sub.add_argument("--script", metavar="CMDS.txt", help="read the commands from a file")
    sub.add_argument(
        "--proof",
        type=natural,
        nargs="?",
        const=1,
        metavar="N",
        help="play the script's proof number N (1) and show where it stops",
    )
    json_option(sub, "one JSON document a turn, one a line")


def _tour(command: Command) -> None:
    sub = command("tour", "tour", "ninety seconds that show what this is", "worldengine tour")
    json_option(sub, "one JSON document, without a terminal")


def _import(command: Command) -> None:
    sub = command(
        "import",
        "imports",
        "take worlds and trajectories from elsewhere",
        "cd tests/importers/canal && worldengine import pddl domain.pddl problem.pddl",
    )
    sub.add_argument(
        "what", choices=("pddl", "agentrefine", "trajectories"), help="what the files are"
    )
    sub.add_argument(
        "files", nargs="+", metavar="FILE", help="domain and problem, or the JSON, or transcripts"
    )
    sub.add_argument("--world", metavar="W", help="for trajectories: the world they are played in")
    sub.add_argument("-o", "--out", metavar="OUT", help="the world, or the run, that is written")
    json_option(sub, "one JSON document, as check prints it")


def _perturb(command: Command) -> None:
    sub = command(
        "perturb",
        "perturb",
        "write the same world in other words, and prove that it is the same",
        "worldengine perturb tide_clock --kind rename --kind verbs --seed 7 -o tide_clock_2.world",
    )
    sub.add_argument("file", metavar="FILE", help="a script or the name of a world")
    sub.add_argument(
        "--kind",
        action="append",
        metavar="K",
        help="rename, numbering, verbs, joints, order, inverse, observations, distractors, "
        "with-using, go-move, no-space; or a preset: agentrefine (its four rules each alone: "
        "agentrefine-1 to -4), surface; several are applied one after the other",
    )
    sub.add_argument("--table", metavar="FILE.json", help="words to replace, old to new")
    sub.add_argument("--carry", metavar="RUN", help="a run of the old world to carry over")
    sub.add_argument("--carry-to", metavar="RUN2", help="the run in the new words")
    seed_option(sub, "equal seeds, equal text")
    sub.add_argument("-o", "--out", metavar="FILE", help="the file that is written")
    json_option(sub, "one JSON document")


def _write(command: Command) -> None:
    sub = command(
        "write",
        "write",
        "write proven worlds: without a model, a seeded generator makes them",
        "worldengine write --family household --instances 20 --seed 1 --out household",
    )
    sub.add_argument("--out", metavar="DIR", help="the folder that is written")
    sub.add_argument("--instances", type=natural, default=1, metavar="N", help="worlds (1)")
    seed_option(sub, "equal seeds, equal text")
    sub.add_argument(
        "--family",
        default="mixed",
        metavar="F",
        help="what kind of worlds: mixed (default), household, science, grid, planning, "
        "adventure, retrieval; --list tells more",
    )
    sub.add_argument("--task", metavar="T", help="one task of the family only; --list names them")
    sub.add_argument("--theme", metavar="T", help="words of one theme only; --list names them")
    sub.add_argument(
        "--plan", default="5-60", metavar="L-H", help="length of the known plan, in commands (5-60)"
    )
    sub.add_argument("--places", type=natural, metavar="N", help="places; else drawn")
    sub.add_argument("--mistakes", type=int, metavar="N", help="ways to lose it; else drawn")
    sub.add_argument("--distractors", type=int, metavar="N", help="what no plan needs; else drawn")
    sub.add_argument("--expand", metavar="FILE", help="instances of this world instead of new ones")
    sub.add_argument(
        "--change",
        action="append",
        metavar="K",
        help="with --expand: placement, distractors, map, names; several may be given (all)",
    )
    sub.add_argument("--workers", type=natural, metavar="N", help="processes (2)")
    sub.add_argument("--resume", action="store_true", help="go on with a folder that was begun")
    sub.add_argument("--list", action="store_true", help="families, tasks and themes there are")
    author_arguments.model(sub)
    json_option(sub, "the summary as one JSON document")


def _diversity(command: Command) -> None:
    sub = command(
        "diversity",
        "diversity",
        "say how alike worlds are, in words and in structure, and which are the same",
        "worldengine diversity worlds",
    )
    sub.add_argument("files", nargs="+", metavar="FILE|DIR", help="scripts, folders, world names")
    sub.add_argument("--heatmap", metavar="FILE", help="draw all similarities: FILE.svg, FILE.png")
    sub.add_argument("--strict", action="store_true", help="status 1 if any two are the same")
    json_option(sub, "one JSON document")


def _bench(command: Command) -> None:
    sub = command(
        "bench",
        "bench",
        "measure the engines on this machine, with their ratios to the reference",
        "worldengine bench tide_clock",
    )
    sub.add_argument("files", nargs="*", metavar="FILE|DIR", help="worlds; all shipped if none")
    sub.add_argument("--peers", action="store_true", help="beside what PEERS_HOME has measured")
    sub.add_argument("--batch", type=int, default=10_000, metavar="N", help="slots (10000)")
    json_option(sub, "one JSON document a measure, one a line")
