"""The torch engine on the machine at hand, as one JSON document on standard output.

    python benchmarks/gpu.py [--device cuda] [--seconds 240]

Measures steps a second for 1, 64 and 1,000 worlds at batches of 10^4 and more, what masks
cost, memory, equality with the reference, and the share of a rollout's wall time that the
environment takes beside a transformer with random weights that writes 32 tokens a turn. On a
CPU everything is smaller. Larger batches are left out when the time is up.
"""

from __future__ import annotations

import argparse
import json
import platform
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import torch

from worldengine.batch import Engine, tables_of
from worldengine.batch.tensors.env import TorchBatch
from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.resources import shipped_worlds


@cache
def shipped(index: int) -> Machine:
    """One of the worlds that ship."""
    return compile(shipped_worlds()[index].read_text(encoding="utf-8"))


def machines(count: int) -> list[Machine]:
    """Shipped worlds, over and over."""
    return [shipped(index % len(shipped_worlds())) for index in range(count)]


def seconds(work: Callable[[], object], device: str) -> float:
    """Wall time of some work, the device's included."""
    if device != "cpu":
        torch.cuda.synchronize()
    begin = time.perf_counter()
    work()
    if device != "cpu":
        torch.cuda.synchronize()
    return time.perf_counter() - begin


def calibrate(env: TorchBatch, operators: torch.Tensor) -> int:
    """How many rounds a program of these worlds takes, with room to spare: the rounds that a
    small batch takes on the CPU, where asking is free."""
    from worldengine.batch.tensors import kernel as torch_kernel

    most, run = 0, torch_kernel.run

    def watched(*arguments: Any) -> int:
        nonlocal most
        rounds = run(*arguments)
        most = max(most, rounds)
        return rounds

    import worldengine.batch.tensors.engine as home

    small = TorchBatch(env.tables.machines[:64], size=256)
    small.reset(seed=0)
    home.run = watched  # type: ignore[assignment,attr-defined]
    try:
        for turn in range(4):
            small.step(operators[turn * 256 : (turn + 1) * 256].cpu() % 50)
    finally:
        home.run = run  # type: ignore[attr-defined]
    return 2 * most


def speed(worlds: int, batch: int, device: str) -> dict[str, Any]:
    """Steps a second, the cost of masks, and memory."""
    env = TorchBatch(machines(worlds), size=batch, device=device, autoreset="same_step")
    env.reset(seed=0)
    counts = torch.tensor([len(machine.operators) for machine in env.tables.machines])
    limit = counts.to(device)[env.worlds]
    chance = torch.Generator(device=device).manual_seed(0)

    def drawn() -> torch.Tensor:
        return (torch.rand(batch, generator=chance, device=device) * limit).long()

    if device != "cpu":
        env.engine.calibrate(calibrate(env, drawn().repeat(1 + 1024 // batch)))
        torch.cuda.reset_peak_memory_stats()
    env.step(drawn())
    turns = 5 if device != "cpu" else 1
    spent = seconds(lambda: [env.step(drawn()) for _ in range(turns)], device)
    rows = min(batch, 10_000 if device != "cpu" else 20)
    part = (env.worlds[:rows], env.states[:rows])
    masked = seconds(lambda: env.engine.mask(*part), device)
    env.check()
    return {
        "worlds": worlds,
        "batch": batch,
        "steps_per_second": batch * turns / spent,
        "mask_ms_per_10000": masked * 1e3 * 10_000 / rows,
        "tables_bytes": env.tables.nbytes,
        "device_bytes": torch.cuda.max_memory_allocated() if device != "cpu" else 0,
    }


def equality(steps: int, device: str) -> dict[str, int]:
    """Torch beside numba, which CI keeps equal to the reference, on random commands."""
    tables = tables_of(machines(64))
    size = min(steps, 10_000 if device != "cpu" else 20)
    env = TorchBatch(tables.machines, size=size, device=device, autoreset="disabled")
    env.reset(seed=1)
    host, chance = Engine(tables), np.random.default_rng(1)
    worlds = env.worlds.cpu().numpy().astype(np.int32)
    states = env.states.cpu().numpy().copy()
    compared = differing = 0
    while compared < steps:
        operators = chance.integers(-1, 200, size).astype(np.int32)
        numbers = chance.integers(0, 10, size).astype(np.int32)
        one = host.step(worlds, states, operators, numbers)
        two = env.engine.step(
            env.worlds,
            env.states,
            torch.from_numpy(operators.astype(np.int64)).to(device),
            torch.from_numpy(numbers.astype(np.int64)).to(device),
        )
        same = (env.states.cpu().numpy() == states).all(1)
        same &= two.outcomes.cpu().numpy() == one.outcomes
        same &= two.texts.cpu().numpy() == one.texts
        compared, differing = compared + size, differing + int((~same).sum())
    return {"steps": compared, "differing": differing}


def share(device: str, batch: int) -> dict[str, float]:
    """The environment's part of a rollout with a model of random weights, 32 tokens a turn."""
    width, layers = (1024, 16) if device != "cpu" else (64, 2)
    layer = torch.nn.TransformerEncoderLayer(width, 8, 4 * width, batch_first=True)
    kind = torch.bfloat16 if device != "cpu" else torch.float32
    model = torch.nn.TransformerEncoder(layer, layers).to(device, kind).eval()
    prompt = torch.randn(batch, 1, width, device=device, dtype=kind)
    env = TorchBatch(machines(64), size=batch, device=device, autoreset="same_step")
    env.reset(seed=0)
    zeros = torch.zeros(batch, dtype=torch.int64, device=device)

    def generate() -> None:
        with torch.no_grad():
            for _ in range(32):  # one token at a time, without the cost of attention's past
                model(prompt)

    if device != "cpu":
        env.engine.calibrate(calibrate(env, zeros.repeat(1 + 1024 // batch)))
    generate()
    env.step(zeros)
    model_s = seconds(generate, device)
    env_s = seconds(lambda: env.step(zeros), device)
    return {"model_s": model_s, "environment_s": env_s, "share": env_s / (env_s + model_s)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options.add_argument("--seconds", type=float, default=240.0)
    given = options.parse_args()
    begin, device = time.perf_counter(), given.device
    large = device != "cpu"
    name = torch.cuda.get_device_name() if large else platform.processor() or platform.machine()
    report: dict[str, Any] = {"device": name, "torch": torch.__version__, "speed": []}
    report["equality"] = equality(1_000_000 if large else 400, device)
    report["share"] = share(device, 1_024 if large else 16)
    for batch in (10**4, 10**5, 10**6, 10**7) if large else (200,):
        for worlds in (1, 64, 1_000) if large else (1, 64):
            if time.perf_counter() - begin < given.seconds:
                try:
                    report["speed"].append(speed(worlds, batch, device))
                except torch.cuda.OutOfMemoryError:
                    report["speed"].append({"worlds": worlds, "batch": batch, "error": "memory"})
    report["seconds"] = time.perf_counter() - begin
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
