"""The command line: `worldengine COMMAND …`.

In: arguments. Out: data on standard output, talk on standard error, an exit status: 0 fine,
1 the input was found wanting, 2 wrong usage, 3 an optional part is missing. Arguments and
printing live here and nothing else; each command's module is loaded only when it runs, so
that `check` starts at once.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from worldengine.cli.arguments import PLANNED, parser

INTERRUPTED = 130


def _open_streams() -> None:
    """A program started with a closed stream has None in its place: nothing is read there,
    and what is written goes nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command. Bad input never shows a traceback."""
    # A compiler makes much and drops little: looking for garbage often is time lost.
    gc.set_threshold(100_000, 20, 20)
    _open_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments and arguments[0] in PLANNED:
        print(f"worldengine: `{arguments[0]}` is planned and not there yet", file=sys.stderr)
        return 2
    try:
        parsed = parser().parse_args(arguments)
        run = import_module(parsed.module).run
        status: int = run(parsed)
        sys.stdout.flush()
        return status
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    except KeyboardInterrupt:
        print("worldengine: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has left; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        from worldengine.cli.failures import explain

        message = explain(error)
        if message is None:
            raise
        print(f"worldengine: {message[1]}", file=sys.stderr)
        return message[0]
