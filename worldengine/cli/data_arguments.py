"""What may be typed after `export`, `curate` and `stats`. In: the parser's maker. Out: nothing."""

from __future__ import annotations

import argparse
from collections.abc import Callable

Command = Callable[[str, str, str, str], argparse.ArgumentParser]

FORMATS = ("messages", "tokens", "dpo", "rl", "sharegpt", "prefix", "llamafactory", "openai")


def export(command: Command) -> None:
    sub = command(
        "export",
        "export",
        "write training files from runs",
        "worldengine rollout lamp_room --episodes 20 --out run && "
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
        "--view", type=_row, metavar="N", help="print row N (from 1) for reading; write nothing"
    )
    _json(sub, "the summary as one JSON document")


def _picked(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--selection", metavar="FILE", help="only what `curate` picked")
    sub.add_argument("--split", default="", metavar="S", help="of the selection: train, …")


def _labels(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--mask",
        default="refused",
        metavar="KINDS",
        help="kinds whose loss is masked: refused (default), parameter, place, logic, harmful, "
        "repaired, none; with commas",
    )
    sub.add_argument(
        "--variant",
        action="append",
        metavar="V",
        help="full (default), no-refinement, keep-errors, mask-refinement, flip:SHARE, "
        "success-only, no-thoughts; several times: files matched row by row",
    )
    sub.add_argument("--seed", type=int, default=0, metavar="S", help="for flips and wording (0)")


def _tokens(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--tokenizer", metavar="DIR", help="a local folder; needed for tokens")
    sub.add_argument("--template", metavar="FILE", help="a chat template instead of its own")
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
    sub.add_argument("--max-tokens", type=_natural, metavar="N", help="the longest row (any)")
    sub.add_argument(
        "--too-long",
        choices=("error", "drop", "truncate"),
        default="error",
        help="what happens to longer rows: an error (default), left out, or cut after the last "
        "trained reply that fits",
    )


def _runs(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("runs", nargs="+", metavar="RUN", help="folders that rollout wrote")


def _json(sub: argparse.ArgumentParser, what: str) -> None:
    sub.add_argument("--json", action="store_true", help=f"print {what}")


def _natural(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return value


_row = _natural
