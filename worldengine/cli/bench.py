"""`worldengine bench`: speed figures, one line a measure."""

from __future__ import annotations

import argparse
import json
import sys

from worldengine.resources import shipped_worlds


def run(options: argparse.Namespace) -> int:
    """Print each figure as it is measured."""
    from worldengine import bench
    from worldengine.compiler import compile
    from worldengine.inputs import InputError, find, read

    if options.batch < 1:
        raise InputError("--batch must be at least 1")
    paths = find(options.files) if options.files else shipped_worlds()
    try:
        beside = list(bench.peers()) if options.peers else []
    except FileNotFoundError as missing:
        raise InputError(str(missing)) from None
    print(f"compiling {len(paths)} worlds", file=sys.stderr)
    machines = [compile(read(path).source.text) for path in paths]
    for figure in (*beside, *bench.figures(machines, options.batch)):
        if options.json:
            print(json.dumps(figure.document()), flush=True)
        else:
            ratio = f"{figure.ratio:8.1f}x" if figure.ratio else " " * 9
            print(f"{figure.engine:12}{figure.steps_per_second:16,.0f}{ratio}  {figure.measure}",
                  flush=True)  # fmt: skip
    return 0
