"""`worldengine bench`: speed figures, one line a measure."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from worldengine.cli.printing import counted, document, say
from worldengine.resources import shipped_worlds

if TYPE_CHECKING:
    from worldengine.bench import Figure


def run(options: argparse.Namespace) -> int:
    """Print each figure as it is measured, with its ratio to the reference where there is one."""
    from worldengine import bench
    from worldengine.compiler import compile
    from worldengine.inputs import InputError, find, read

    if options.batch < 1:
        raise InputError("--batch must be at least 1")
    paths = find(options.files) if options.files else shipped_worlds()
    if options.peers:
        try:
            bench.peer_files()
        except FileNotFoundError as missing:
            raise InputError(str(missing)) from None
    say(f"compiling {counted(len(paths), 'world')}")
    sources = [read(path).source for path in paths]
    machines = [compile(source.text, source.name) for source in sources]
    base = 1.0
    if not options.json:
        print(f"{'engine':26}{'a second':>14}{'ratio':>9}  of what", flush=True)
    try:
        for figure in bench.figures(machines, options.batch):
            base = figure.steps_per_second if figure.engine == "reference" else base
            _print(figure, options.json)
    except MemoryError:
        raise InputError(f"no room for {options.batch:,} slots: ask for fewer") from None
    if options.peers:
        try:
            for figure in bench.peers(base):
                _print(figure, options.json)
        except ValueError as error:
            raise InputError(str(error)) from None
    return 0


def _print(figure: Figure, as_json: bool) -> None:
    if as_json:
        document(figure.document())
        return
    ratio = f"{figure.ratio:8.1f}x" if figure.ratio is not None else " " * 9
    engine = figure.engine if len(figure.engine) <= 26 else figure.engine[:25] + "…"
    print(f"{engine:26}{figure.steps_per_second:14,.0f}{ratio}  {figure.measure}", flush=True)
