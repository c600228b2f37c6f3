"""What may be typed after `reference` and `judge`, and after `write` for a model to write."""

from __future__ import annotations

import argparse

from worldengine.cli.options import Command, json_option, seed_option


def reference(command: Command) -> None:
    sub = command(
        "reference",
        "reference",
        "print the page that an author of worlds, a model or a person, is given",
        "worldengine reference",
    )
    sub.add_argument("--long", action="store_true", help="the longer guide for people")
    json_option(sub, "one JSON document")


def judge(command: Command) -> None:
    sub = command(
        "judge",
        "judge",
        "say whether a world does what it says",
        "worldengine judge tide_clock",
    )
    sub.add_argument("file", metavar="FILE", help="a script or the name of a world")
    sub.add_argument(
        "--sheet",
        metavar="FILE",
        help="write the page that a reader fills in (- prints it); no more",
    )
    sub.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="FILE.json",
        help="what a reader expects, tried one by one; may be given several times",
    )
    sub.add_argument(
        "--plays",
        action="append",
        default=[],
        metavar="FILE|DIR",
        help="plays with known endings: NAME.win.txt, NAME.lose.txt, NAME.fail.txt",
    )
    sub.add_argument(
        "--plays-out",
        metavar="DIR",
        help="write the proofs as plays with their answers, to be read and kept; no more",
    )
    sub.add_argument(
        "--mutants", action="store_true", help="spoil the world in small ways; is it noticed?"
    )
    sub.add_argument("--blind", metavar="M", help="a model plays it blind and marks contradictions")
    sub.add_argument("--commands", type=_count, metavar="N", help="of blind play (40)")
    sub.add_argument("--variant", type=_count, metavar="N", help="the start of blind play (0)")
    sub.add_argument(
        "--reader", metavar="M", help="a model reads the prose and writes expectations"
    )
    sub.add_argument("--expect-out", metavar="FILE.json", help="keep what the reader expects")
    seed_option(sub, "of the models")
    sub.add_argument("--budget", default="20s", metavar="B", help="of the proof search (20s)")
    json_option(sub, "the report as one JSON document")


def model(sub: argparse.ArgumentParser) -> None:
    """The options of `write` that have to do with a model."""
    group = sub.add_argument_group(
        "with a model",
        "A persona becomes a plan, the plan a script; what the compiler and the prover say goes "
        "back to the model, at most --rounds times. --plan, --places and --mistakes say how hard.",
    )
    group.add_argument("--model", metavar="M", help="hf:FOLDER or openai:MODEL@URL")
    group.add_argument(
        "--persona",
        action="append",
        default=[],
        metavar="TEXT|FILE",
        help="whose work the world is about; a file has one a line, or JSONL with `persona`; "
        "may be given several times; without it: personas of our own",
    )
    group.add_argument(
        "--complete",
        action="append",
        default=[],
        metavar="FILE",
        help="fill the holes of an imported skeleton instead",
    )
    group.add_argument("--rounds", type=_count, default=2, metavar="N", help="of repair (2)")
    group.add_argument(
        "--grammar", action="store_true", help="decode under the compiler's grammar, if it can be"
    )
    group.add_argument("--temperature", type=float, default=0.7, metavar="T", help="0.7")
    group.add_argument(
        "--max-tokens", type=_count, default=6000, metavar="N", help="of one answer (6000)"
    )
    group.add_argument(
        "--seconds", type=float, default=20.0, metavar="S", help="for each proof search (20)"
    )
    group.add_argument(
        "--discovery", action="store_true", help="say too whether a world needs a guess"
    )
    group.add_argument(
        "--against",
        action="append",
        default=[],
        metavar="FILE|DIR",
        help="worlds that must not be written again; the shipped ones are always among them",
    )


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is not 0 or more")
    return value
