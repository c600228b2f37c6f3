"""`worldengine export`: training files from runs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from worldengine.cli.printing import counted, document, left_out, out, say
from worldengine.cli.progress import progress_of
from worldengine.curation.selection import read
from worldengine.inputs import InputError
from worldengine.outputs import refuse_file
from worldengine.tuning.export import export
from worldengine.tuning.masks import mask
from worldengine.tuning.sources import Exported, Options
from worldengine.tuning.variants import variant


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if there is nothing to write or something does not verify."""
    options = _options(arguments)
    runs = [Path(folder) for folder in arguments.runs]
    if arguments.view is not None:
        from worldengine.tuning.view import view

        out(view(runs, options, arguments.view, colour=sys.stdout.isatty()))
        return 0
    if not arguments.out:
        raise InputError("name the file to write with --out, or a row to read with --view N")
    if arguments.selection and len(options.variants) == 1:
        refuse_file(Path(arguments.out), [Path(arguments.selection)])
    with progress_of("trajectories") as progress:
        summary = export(runs, options, Path(arguments.out), progress=progress)
    if arguments.json:
        document(summary.told() | {"out": arguments.out})
    elif summary.rows:  # without any no file is written, as `_tell` says
        turns = f": {counted(summary.trained_turns, 'turn')} trained, {summary.masked_turns} masked"
        if options.to == "rl":  # those rows are starts to play from: they hold no turns
            turns = ""
        tokens = "" if summary.tokens is None else f", {counted(summary.tokens, 'token')}"
        out(f"{counted(summary.rows, 'row')} in {arguments.out}{turns}{tokens}")
    _tell(summary, arguments.out)
    return 0 if summary.rows and not summary.verification.rejected else 1


def _tell(summary: Exported, name: str) -> None:
    """What was left out, and why."""
    for number, why in summary.left_out():
        say(left_out(number, "trajectory", "trajectories", why))
    for why, number in sorted(summary.pairs.items()):
        say(left_out(number, "pair", "pairs", why))
    if summary.too_long:
        say(f"left out: {counted(summary.too_long, 'row')} longer than --max-tokens")
    if summary.shortened:
        say(f"cut: {counted(summary.shortened, 'row')} longer than --max-tokens")
    _tell_tokens(summary)
    if summary.unjudged:
        say(f"not known whether harmful: {counted(summary.unjudged, 'turn')}; they are trained")
    if not summary.rows:
        empty = not summary.verification.trajectories
        why = "the runs hold no trajectory yet" if empty else "no trajectory gives a row"
        say(f"{name} was not written: {why}")


def _tell_tokens(summary: Exported) -> None:
    """How the rows compare with what a model wrote, where that is on record."""
    found = summary.generated
    written = found["same"] + found["kept"] + found["unread"]
    if written:
        text = f"of {counted(written, 'reply', 'replies')} with the tokens a model wrote, "
        text += f"{found['same'] + found['kept']} stand in the rows as they were written"
        if found["kept"]:
            text += f" (for {found['kept']} of them the text alone would give others)"
        say(text)
    if found["unread"]:
        say(
            f"not as written: {counted(found['unread'], 'reply', 'replies')} whose tokens do not "
            "read as the text with this tokenizer and template; the text's own tokens stand there"
        )
    if found["asked_otherwise"]:
        say(
            f"asked with other tokens: {counted(found['asked_otherwise'], 'reply', 'replies')}; "
            "their rows begin otherwise than what the model had read (another template or "
            "tokenizer, turns left out, or --rows turn)"
        )


def _options(arguments: argparse.Namespace) -> Options:
    asked = arguments.variant or ["full"]
    if len(set(asked)) != len(asked):
        raise InputError("the same variant is asked for twice")
    return Options(
        to=arguments.to,
        include=arguments.include,
        variants=tuple(map(variant, asked)),
        mask=mask(arguments.mask),
        seed=arguments.seed,
        pairs=arguments.pairs,
        tokens=_tokens(arguments),
        selection=read(Path(arguments.selection)) if arguments.selection else None,
        split=arguments.split,
    )


def _tokens(arguments: argparse.Namespace) -> Any:
    if arguments.tokenizer is None:
        if arguments.max_tokens:
            raise InputError("--max-tokens needs a tokenizer to count with: --tokenizer DIR")
        return None
    from worldengine.tuning.tokenizer import load
    from worldengine.tuning.tokens import Tokens

    tokenizer = load(
        arguments.tokenizer,
        template=_template(arguments.template),
        system=arguments.system,
        arguments=dict(map(_argument, arguments.template_arg or [])),
    )
    return Tokens(
        tokenizer,
        rows=arguments.rows,
        limit=arguments.max_tokens or 0,
        too_long=arguments.too_long,
    )


def _template(name: str | None) -> str | None:
    if name == "shipped":
        from worldengine.tuning.template import SHIPPED

        return SHIPPED
    from worldengine.tuning.tokenizer import read_template

    return None if name is None else read_template(Path(name))


def _argument(text: str) -> tuple[str, object]:
    """`name=value`; a value is JSON where it can be read so, else text."""
    name, equals, value = text.partition("=")
    if not name.isidentifier() or not equals:
        raise InputError(f"--template-arg takes NAME=VALUE, not {text!r}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
