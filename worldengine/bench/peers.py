"""What the peers' own scripts measured, read from the folder they left it in."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from worldengine.bench.figure import Figure


def peers(base: float) -> Iterator[Figure]:
    """The rates that the peers measured, from the folder `PEERS_HOME` after its `run_all.sh`;
    their ratio is to `base`, the reference's rate here. What is no rate (milliseconds, memory)
    is left out. FileNotFoundError with what to do where there is none, ValueError where a
    file holds something else."""
    for path in peer_files():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                record = json.loads(line)
                if not str(record.get("unit", "")).endswith("/s"):
                    continue
                speed = float(record.get("per_cpu_s") or record["median"])
                yield Figure(record["peer"], record["measure"], speed, speed / base, "")
            except (AttributeError, KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}, line {number} holds no figure: {error}") from None


def peer_files() -> list[Path]:
    """The files the peers' scripts wrote; FileNotFoundError with what to do if there is none."""
    home = os.environ.get("PEERS_HOME", "")
    found = sorted(Path(home, "out").glob("*.jsonl")) if home else []
    if not found:
        raise FileNotFoundError(
            "no figures of peers: their scripts do not ship here; set PEERS_HOME to a folder whose"
            ' out/ holds .jsonl files with lines such as {"peer": "NAME", "measure": "steps",'
            ' "unit": "steps/s", "median": 1000}'
        )
    return found
