"""Training files: verified trajectories in the format of a trainer.

In: runs. Out: a file of rows, or for several variants a folder with one file each, in which
row i comes from the same episode everywhere. Every trajectory is verified on the way, one at
a time; what is left out is counted by reason. Refused: runs that hold nothing to write; the
file that was there before then stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.tuning.conversation import Conversation, conversation
from worldengine.tuning.formats import CONVERSATIONS, Written
from worldengine.tuning.harm import Harm
from worldengine.tuning.output import OutputError, RowFile
from worldengine.tuning.preferences import preferences
from worldengine.tuning.rendering import ControlText
from worldengine.tuning.sources import (
    Exported,
    Include,
    Options,
    Progress,
    chosen,
    machines_of,
)
from worldengine.tuning.tokens import Tokens
from worldengine.tuning.variants import MachineOf, Variant, matched

TEXTS = (*CONVERSATIONS, "dpo")
FORMATS = ("messages", "tokens", "dpo", "rl", "sharegpt", "prefix", "llamafactory", "openai")


class ExportError(ValueError):
    """What was asked for cannot be written; the message is for people."""


def export(
    run: Path | Sequence[Path],
    to: str | Options,
    out: Path,
    include: Include | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Writes `out` whole or not at all. With several variants `out` is a folder."""
    runs = [Run(folder) for folder in ([run] if isinstance(run, Path) else run)]
    options = to if isinstance(to, Options) else Options(to=to, include=include)
    _possible(options)
    summary = Exported(tokens=None if options.tokens is None else 0)
    paths = _paths(options, out)
    with ExitStack() as stack:
        files = [stack.enter_context(RowFile(path)) for path in paths]
        for shaped, rows in rows_of(runs, options, summary, progress):
            del shaped
            for file, made in zip(files, rows, strict=True):
                for each in made:
                    file.write(each.row)
    summary.rows = sum(file.rows for file in files)
    summary.files = [str(file.out) for file in files if file.rows]
    return summary


def rows_of(
    runs: Sequence[Run],
    options: Options,
    summary: Exported,
    progress: Progress | None = None,
) -> Iterator[tuple[tuple[Conversation | None, ...], list[list[Written]]]]:
    """The conversations of each trajectory and the rows of each, one a variant. `summary` is
    filled as they go."""
    machine_of = machines_of(runs)
    make = _maker(options, summary, machine_of)
    wanted = chosen(runs, options, summary, progress)
    for shaped in _conversations(wanted, options, summary, machine_of):
        try:
            rows = [[] if each is None else list(make(each)) for each in shaped]
        except ControlText:
            summary.aside["say the text of a control token of the tokenizer"] += 1
            continue
        empty = [not made and each is not None for each, made in zip(shaped, rows, strict=True)]
        if len(rows) > 1 and any(empty):
            summary.aside["do not fit in every variant"] += 1
            continue
        for each in (each for made in rows for each in made):
            summary.trained_turns += each.trained
            summary.masked_turns += each.masked
            if summary.tokens is not None:
                summary.tokens += each.tokens
        yield shaped, rows


def _conversations(
    wanted: Iterator[Trajectory], options: Options, summary: Exported, machine_of: MachineOf
) -> Iterator[tuple[Conversation | None, ...]]:
    if options.to == "rl":  # starts: whether anything is learnt from the play is no matter
        for trajectory in wanted:
            yield (conversation(trajectory, options.mask),)
        return
    harm = Harm(machine_of)
    yield from matched(
        wanted,
        options.variants,
        machine_of,
        mask=options.mask,
        seed=options.seed,
        left_out=summary.aside,
        harm=harm,
    )
    summary.unjudged = harm.unknown


def _possible(options: Options) -> None:
    """What is asked for makes sense together."""
    if options.to not in FORMATS:
        raise ExportError(f"there is no format {options.to!r}; there are: {', '.join(FORMATS)}")
    if options.to == "tokens" and options.tokens is None:
        raise ExportError("tokens need a tokenizer: --tokenizer FOLDER")
    if options.to in ("rl", "dpo") and options.variants != (Variant("full"),):
        raise ExportError(f"{options.to} rows have no variants; leave --variant out")
    if options.split and options.selection is None:
        raise ExportError("a split is one of a selection: name it with --selection FILE")
    if options.selection is not None and options.split:
        options.selection.need(options.split)


def _paths(options: Options, out: Path) -> list[Path]:
    if len(options.variants) == 1:
        return [out]
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out} is a file; several variants are written into a folder")
    return [out / f"{str(each).replace(':', '-')}.jsonl" for each in options.variants]


Make: TypeAlias = Callable[[Conversation], Iterator[Written]]


def _maker(options: Options, summary: Exported, machine_of: MachineOf) -> Make:
    """Conversation in, rows out, for one format; tokens are counted where that is asked."""
    if options.to == "tokens":
        assert options.tokens is not None
        return _Tokenised(options.tokens, summary).rows
    if options.to == "dpo":
        return lambda shaped: preferences(
            shaped, machine_of(shaped.trajectory.machine_hash), options.pairs, summary.pairs
        )
    make = CONVERSATIONS[options.to]
    if options.to == "rl":
        make = _once(make)
    if options.tokens is None:
        return make
    counter = _Tokenised(options.tokens, summary)

    def counted(shaped: Conversation) -> Iterator[Written]:
        tokens = sum(each.tokens for each in counter.rows(shaped))
        for number, each in enumerate(make(shaped) if tokens else ()):
            yield replace(each, tokens=0 if number else tokens)

    return counted


def _once(make: Make) -> Make:
    """Each start once, however often it was played."""
    seen: set[tuple[str, int]] = set()

    def fresh(shaped: Conversation) -> Iterator[Written]:
        start = shaped.trajectory.machine_hash, shaped.trajectory.variant
        if start not in seen:
            seen.add(start)
            yield from make(shaped)

    return fresh


@dataclass(frozen=True, slots=True)
class _Tokenised:
    """Token rows, counted into the summary as they are made."""

    tokens: Tokens
    summary: Exported

    def rows(self, shaped: Conversation) -> Iterator[Written]:
        made = 0
        for row in self.tokens.of(shaped):
            made += 1
            whole = self.tokens.rows == "turn" or len(row.spans) == len(shaped.exchanges)
            self.summary.shortened += not whole
            for span in row.spans:
                if span.ids:
                    self.summary.generated[span.ids] += 1
                if span.asked is not None:
                    self.summary.generated["asked" if span.asked else "asked_otherwise"] += 1
            trained = row.trained_turns
            yield Written(row.told(), trained, len(row.spans) - trained, len(row.input_ids))
        expected = shaped.trained_turns if self.tokens.rows == "turn" else 1
        self.summary.too_long += expected - made
