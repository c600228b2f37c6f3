"""A model as Dungeon Master, trained on what the Machine says, held against the Machine.

    python benchmarks/dungeonmaster.py --out out/dm [--updates 60]

A small transformer is trained from nothing on transcripts of the small family: the script, the
commands of the explorer, and as answers the Machine's own rulings, all of them right. Then it
is audited on training starts, on unseen starts of the same worlds, and on other wordings; told
the true history, and left to its own; and the explorer plays before it. Prints a table.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import worldengine
from worldengine.dungeonmaster.audit import audit, recorded, true_turns
from worldengine.experiment.stash import script
from worldengine.machine import Machine
from worldengine.models.local import load
from worldengine.players.models.master import Case, Master, messages, written
from worldengine.rollout.runner import rollout
from worldengine.rollout.seeds import Part
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.tuning.config import TrainConfig, parse
from worldengine.tuning.train import train

WORLDS, LENGTH = 4, 3072


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--episodes", type=int, default=40, help="of each world, to train on")
    parser.add_argument("--games", type=int, default=3, help="of each world, to audit")
    given = parser.parse_args()
    out: Path = given.out
    shutil.rmtree(out, ignore_errors=True)
    known = {script(0, number, plain=True): number for number in range(WORLDS)}
    texts = list(known)
    machines = [worldengine.compile(text) for text in texts]
    other = [script(0, WORLDS + number, plain=True) for number in range(WORLDS)]
    files = {
        part: _rows(out, texts, machines, part, count)
        for part, count in (("train", given.episodes), ("validation", 2))
    }
    began = time.perf_counter()
    summary = train(_config(out, files, given.updates))
    print(
        f"trained {summary.updates} updates, {summary.trained_tokens} of {summary.tokens} tokens "
        f"in {time.perf_counter() - began:.0f} s; validation {summary.validation}"
    )
    model = str(out / "model" / "model")
    rows = []
    for name, some, part in (
        ("training starts", texts, "train"),
        ("unseen starts", texts, "test"),
        ("unseen wordings", other, "test"),
    ):
        for free in (False, True):
            rows.append((name, free, _audited(out, model, some, part, given.games, free)))
    for name, free, told in rows:
        print(f"{name}, {'its own' if free else 'the true'} history: {json.dumps(told)}")
    run = out / "played"
    done = rollout(
        machines, f"dm:hf:{model}", episodes=given.games, part="test", out=run,
        scripts=dict(zip([m.hash for m in machines], texts, strict=True)),
    )  # fmt: skip
    print("the explorer before it:", json.dumps(done.told()))
    print("agreement:", json.dumps(_brief(recorded(Run(run)))))


def _plays(out: Path, machines: Sequence[Machine], part: Part, episodes: int) -> list[Trajectory]:
    rollout(list(machines), "explorer", episodes=episodes, part=part, out=out)
    return [row.trajectory for row in Run(out).rows() if row.trajectory is not None]


def _rows(
    out: Path, texts: Sequence[str], machines: Sequence[Machine], part: Part, episodes: int
) -> Path:
    """Transcripts as training rows: the Machine's rulings are what is learnt."""
    of = {machine.hash: (machine, text) for machine, text in zip(machines, texts, strict=True)}
    path = out / f"{part}.jsonl"
    with path.open("w", encoding="utf-8") if path.parent.is_dir() else _made(path) as file:
        for play in _plays(out / "runs" / part, machines, part, episodes):
            machine, text = of[play.machine_hash]
            turns = list(true_turns(machine, play))
            last = Case(text, play.opening, turns[:-1], turns[-1].command)
            said: list[dict[str, Any]] = [
                {"role": m.role, "content": m.content, "train": m.role == "assistant"}
                for m in messages(last)
            ]
            said.append({"role": "assistant", "content": written(turns[-1]), "train": True})
            row = {"id": play.id, "machine_hash": play.machine_hash, "variant": play.variant}
            file.write(json.dumps(row | {"messages": said}) + "\n")
    return path


def _made(path: Path) -> Any:
    path.parent.mkdir(parents=True)
    return path.open("w", encoding="utf-8")


def _config(out: Path, files: dict[str, Path], updates: int) -> TrainConfig:
    return parse(
        {
            "out": str(out / "model"),
            "threads": 1,
            "device": "cpu",
            "data": {
                "train": [str(files["train"])],
                "validation": [str(files["validation"])],
                "max_length": LENGTH,
            },
            "model": {"scratch": {"layers": 3, "hidden": 128, "heads": 4, "intermediate": 256}},
            "tokenizer": {"vocabulary": 2048},
            "batch": {"rows": 4, "tokens_at_once": 4 * LENGTH},
            "optimizer": {"rate": 4e-3},
            "length": {"updates": updates},
            "checkpoints": {"every": updates},
            "log": {"every": 10},
        },
        "dungeonmaster.py",
        TrainConfig,
    )


def _audited(
    out: Path, model: str, texts: Sequence[str], part: Part, games: int, free: bool
) -> dict[str, Any]:
    """All worlds of one kind as one audit."""
    found: list[dict[str, Any]] = []
    for number, text in enumerate(texts):
        machine = worldengine.compile(text)
        folder = out / "asked" / f"{part}-{machine.hash[:8]}"
        shutil.rmtree(folder, ignore_errors=True)
        plays = _plays(folder, [machine], part, games)
        master = Master(load(model, device="cpu", dtype="float32"), 160)
        found.append(audit(machine, text, plays, master, "free" if free else "told"))
        del number
    return _joined([_brief(each) for each in found])


def _brief(told: dict[str, Any]) -> dict[str, Any]:
    return {
        "turns": told["turns"],
        "readable": told["readable"],
        **{name: told["agreement"][name] for name in told["agreement"]},
        "classes": {name: (each["turns"], each["agreement"])
                    for name, each in told["by_class"].items()},
        "games": told["games"],
        "turns_per_second": told["cost"].get("turns_per_second"),
        "machine_turns_per_second": told["cost"].get("machine_turns_per_second"),
    }  # fmt: skip


def _joined(each: list[dict[str, Any]]) -> dict[str, Any]:
    """Means weighted by turns; counts added."""
    turns = sum(one["turns"] for one in each)
    found: dict[str, Any] = {"turns": turns}
    for name in ("readable", "class", "observation", "same_observation", "ending"):
        found[name] = round(sum(one[name] * one["turns"] for one in each) / turns, 3)
    found["classes"] = {}
    for name in each[0]["classes"]:
        some = [one["classes"][name] for one in each if one["classes"][name][0]]
        count = sum(n for n, _ in some)
        share = sum(n * value for n, value in some) / count if count else None
        found["classes"][name] = (count, share if share is None else round(share, 3))
    ends: dict[str, int] = {}
    for one in each:
        for game in one["games"]:
            key = f"{game['machine']}/{game['master']}"
            ends[key] = ends.get(key, 0) + game["games"]
    found["games"] = ends
    for name in ("turns_per_second", "machine_turns_per_second"):
        found[name] = round(sum(one[name] for one in each) / len(each), 1)
    return found


if __name__ == "__main__":
    main()
