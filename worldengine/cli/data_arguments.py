"""What may be typed after `export`, `curate` and `stats`. In: the parser's maker. Out: nothing."""

from __future__ import annotations

import argparse

from worldengine.cli.options import Command, json_option, natural, row, seed_option

FORMATS = ("messages", "tokens", "dpo", "rl", "sharegpt", "prefix", "llamafactory", "openai")


def export(command: Command) -> None:
    sub = command(
        "export",
        "export",
        "write training files from runs",
        "worldengine rollout tide_clock --episodes 20 --out run && "
        "worldengine export run --to messages --out train.jsonl",
    )
    _runs(sub)
    sub.add_argument("--to", required=True, metavar="FORMAT", help=", ".join(FORMATS))
    sub.add_argument(
        "--out",
        metavar="FILE",
        help="the file: .jsonl, .jsonl.zst or .parquet; a folder where several variants are asked",
    )
    sub.add_argument(
        "--include",
        choices=("accepted", "won", "verified"),
        help="accepted (won, two or more refinements; the default), won, or all that verify",
    )
    _picked(sub)
    _labels(sub)
    _tokens(sub)
    sub.add_argument(
        "--pairs",
        choices=("after", "before"),
        default="after",
        help="for dpo: compare after the refusal (default) or before it, actions alone",
    )
    sub.add_argument(
        "--view", type=row, metavar="N", help="print row N (from 1) for reading; write nothing"
    )
    json_option(sub, "the summary as one JSON document")


def _picked(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--selection", metavar="FILE", help="only what `curate` picked")
    sub.add_argument("--split", default="", metavar="S", help="of the selection: train, …")


def _labels(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--mask",
        default="refused",
        metavar="KINDS",
        help="kinds whose loss is masked: refused (default), parameter, place, logic, harmful, "
        "deliberate, repaired, none; with commas; guesses are masked whatever is said here",
    )
    sub.add_argument(
        "--variant",
        action="append",
        metavar="V",
        help="full (default), no-refinement, keep-errors, mask-refinement, mask-harmful, "
        "flip:SHARE, success-only, no-thoughts; several times: files matched row by row",
    )
    seed_option(sub, "for flips and wording")


def _tokens(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--tokenizer", metavar="DIR", help="a local folder; needed for tokens")
    sub.add_argument(
        "--template",
        metavar="FILE",
        help="a chat template instead of its own; `shipped`: ChatML with marks",
    )
    sub.add_argument(
        "--template-arg",
        action="append",
        metavar="NAME=VALUE",
        help="handed to the template, as in enable_thinking=false",
    )
    sub.add_argument(
        "--system",
        choices=("system", "user"),
        default="system",
        help="where the prompt goes: a message of its own (default) or the first user message",
    )
    sub.add_argument(
        "--rows",
        choices=("conversation", "turn"),
        default="conversation",
        help="for tokens: one row a conversation (default) or one a trained reply",
    )
    sub.add_argument("--max-tokens", type=natural, metavar="N", help="the longest row (any)")
    sub.add_argument(
        "--too-long",
        choices=("error", "drop", "truncate"),
        default="error",
        help="what happens to longer rows: an error (default), left out, or cut after the last "
        "trained reply that fits",
    )


def _runs(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("runs", nargs="+", metavar="RUN", help="folders that rollout wrote")


def curate(command: Command) -> None:
    sub = command(
        "curate",
        "curate",
        "pick trajectories worth learning from, without repetitions, balanced, split by world",
        "worldengine rollout ferry tide_clock --episodes 20 --out run && "
        "worldengine curate run --split 1:1 --out picked.jsonl",
    )
    _runs(sub)
    sub.add_argument("--out", required=True, metavar="FILE", help="the selection, for export")
    sub.add_argument(
        "--include",
        choices=("accepted", "won", "verified"),
        default="accepted",
        help="accepted (won, two or more refinements; the default), won, or all that verify",
    )
    sub.add_argument("--turns", type=_range, default=(0, _ANY), metavar="A..B", help="how long")
    sub.add_argument("--pairs", type=_range, metavar="A..B", help="how many refinements")
    sub.add_argument("--progress", type=float, default=0.0, metavar="P", help="at least, 0 to 1")
    sub.add_argument("--characters", type=natural, default=_ANY, metavar="N", help="at most")
    sub.add_argument("--kinds", default="", metavar="K,K", help="one of these refusals must occur")
    sub.add_argument("--without", default="", metavar="K,K", help="none of these may occur")
    sub.add_argument(
        "--near",
        type=float,
        default=0.8,
        metavar="J",
        help="share of common wording that makes a repetition (0.8); 0 keeps near duplicates",
    )
    sub.add_argument(
        "--near-by",
        choices=("said", "done"),
        default="said",
        help="compare all that was said (default) or the commands alone",
    )
    sub.add_argument("--total", type=natural, default=0, metavar="N", help="at most, balanced")
    sub.add_argument("--per-world", type=natural, default=0, metavar="N", help="of each world")
    sub.add_argument("--split", metavar="A:B:C", help="train:validation:test, or name=share,…")
    seed_option(sub, "for balance and split")
    json_option(sub, "the summary as one JSON document")


def stats(command: Command) -> None:
    sub = command(
        "stats",
        "stats",
        "say what the trajectories of runs are like: lengths, errors, yields, diversity",
        "worldengine rollout ferry tide_clock --episodes 20 --out run && "
        "worldengine stats run --plots pictures",
    )
    _runs(sub)
    _picked(sub)
    sub.add_argument(
        "--beside",
        metavar="RUN",
        nargs="+",
        help="runs whose thoughts are set beside these, such as imported ones that models wrote",
    )
    sub.add_argument("--plots", metavar="DIR", help="draw them as PNG files, too")
    sub.add_argument(
        "--embeddings",
        metavar="DIR",
        help="compare worlds by a local sentence model instead of by their words",
    )
    sub.add_argument("--sample", type=natural, default=5000, metavar="N", help="replies that "
                     "diversity is measured on (5000)")  # fmt: skip
    json_option(sub, "everything as one JSON document")


_ANY = 1_000_000_000


def _range(text: str) -> tuple[int, int]:
    low, dots, high = text.partition("..")
    try:
        if not dots:
            return int(low), int(low)
        return int(low or 0), int(high or _ANY)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no range like 5..20") from None
