"""The torch engine on the machine at hand: one line of JSON for each measure, as it is taken.

    python benchmarks/gpu.py                                 # on a GPU: under five minutes
    python benchmarks/gpu.py --device cpu --seconds 60       # without one, at a reduced size

Measured are: equality with the numba engine and with the reference; that a step asks the host
nothing; steps a second, masks and memory for 1, 64 and 1,000 worlds at batches of 10^4 to 10^7; and
the share of a generation loop that the environment takes, beside a transformer with random
weights that writes 32 tokens a turn. A batch that does not fit the memory or the time that is left
is halved until it does, which its line says. The last line names what was left out.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

try:
    import torch
except ModuleNotFoundError:
    print(
        "benchmarks/gpu.py needs torch: pip install 'worldengine-machine[torch]'", file=sys.stderr
    )
    raise SystemExit(3) from None

import numpy as np

from worldengine.batch import Engine, tables_of
from worldengine.batch.tensors.engine import TorchEngine
from worldengine.batch.tensors.env import TorchBatch
from worldengine.compiler import compile
from worldengine.machine import Machine
from worldengine.resources import shipped_worlds
from worldengine.runtime import Runtime

Line = dict[str, Any]
TOKENS = 32
"""Tokens that the model writes a turn."""
SMALL = 64
"""Rows of the batch that says how long a larger one would take."""


@cache
def shipped(index: int) -> Machine:
    """One of the worlds that ship."""
    return compile(shipped_worlds()[index].read_text(encoding="utf-8"))


def machines(count: int) -> list[Machine]:
    """Shipped worlds, over and over; each of them has tables of its own."""
    return [shipped(index % len(shipped_worlds())) for index in range(count)]


class Clock:
    """The time there is."""

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    @property
    def left(self) -> float:
        """Seconds."""
        return self._end - time.perf_counter()


def settled(device: str) -> None:
    """Wait for the device."""
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def seconds(work: Callable[[], object], device: str) -> float:
    """Wall time of some work, the device's included."""
    settled(device)
    begin = time.perf_counter()
    work()
    settled(device)
    return time.perf_counter() - begin


def repeated(work: Callable[[], object], device: str, allowed: float) -> float:
    """Seconds that some work takes: the least of up to five times, within what is allowed."""
    spent = [seconds(work, device)]
    while len(spent) < 5 and sum(spent) + min(spent) < allowed:
        spent.append(seconds(work, device))
    return min(spent)


def rounds_of(env: TorchBatch) -> int:
    """Rounds of the kernel that a program of these worlds takes, with room to spare: twice what
    a small batch on the CPU takes, where asking is free. A step that needs more raises."""
    made = env.tables.machines[: len(shipped_worlds())]
    small = TorchBatch(made, size=4 * len(made), autoreset="same_step")
    small.reset(seed=0)
    chance = torch.Generator().manual_seed(0)
    for _ in range(4):
        small.step(drawn(small, chance))
    return 2 * small.engine.rounds


def drawn(env: TorchBatch, chance: torch.Generator) -> torch.Tensor:
    """An operator of its own machine for every slot."""
    device = env.worlds.device
    counts = torch.tensor([len(machine.operators) for machine in env.tables.machines])
    limit = counts.to(device)[env.worlds]
    return (torch.rand(env.size, generator=chance, device=device) * limit).long()


def made(worlds: int, batch: int, device: str, kernel: str = "plain") -> TorchBatch:
    """Episodes under way, of which a step asks the host nothing where that is no CPU."""
    env = TorchBatch(
        machines(worlds), size=batch, device=device, autoreset="same_step", kernel=kernel
    )
    if kernel == "plain" and not env.engine.made.patient:
        env.engine.calibrate(rounds_of(env))
    env.reset(seed=0)
    return env


# -- what is measured -----------------------------------------------------------------------


def speed(worlds: int, batch: int, device: str, kernel: str, allowed: float) -> Line:
    """Steps a second, the cost of masks, and memory."""
    cuda = device.startswith("cuda")
    if cuda:
        torch.cuda.reset_peak_memory_stats()
    env = made(worlds, batch, device, kernel)
    chance = torch.Generator(device=device).manual_seed(0)
    commands = drawn(env, chance)
    env.step(commands)
    spent = repeated(lambda: env.step(commands), device, allowed / 2)
    rows, masked = masks(env, min(batch, 10_000), allowed / 3)
    env.check()
    return {
        "batch": batch,
        "step_s": spent,
        "steps_per_second": batch / spent,
        "mask_rows": rows,
        "mask_ms_per_10000": masked * 1e3 * 10_000 / rows,
        "tables_bytes": env.tables.nbytes,
        "slots_bytes": sum(getattr(env, name).nbytes for name in SLOT_PARTS),
        "peak_bytes": torch.cuda.max_memory_allocated() if cuda else None,
    }


def masks(env: TorchBatch, most: int, allowed: float) -> tuple[int, float]:
    """Rows, and the seconds that their masks take: as many rows as there is time for."""
    rows, device = 1, env.worlds.device.type
    while True:
        part = env.worlds[:rows], env.states[:rows]
        spent = seconds(lambda: env.engine.mask(*part), device)  # noqa: B023
        if rows == most or 12 * spent > allowed:
            return rows, min(spent, repeated(lambda: env.engine.mask(*part), device, spent))  # noqa: B023
        rows, allowed = min(most, 10 * rows), allowed - spent


SLOT_PARTS = ("states", "worlds", "fixed", "variants", "seeds", "episodes", "turns", "over")
"""Tensors that a slot has between steps."""


def equality(
    steps: int, device: str, allowed: float, worlds: int = 64, kernel: str = "plain"
) -> Line:
    """The torch engine beside the numba engine on random commands, half of them applicable; and
    every question that was not put before to the reference, too, as long as there is time."""
    clock, tables = Clock(allowed), tables_of(machines(worlds))
    size = min(steps, 10_000 if device.startswith("cuda") else 4 * worlds)
    host, chance = Engine(tables), np.random.default_rng(1)
    other = TorchEngine(tables, device, kernel=kernel)
    env = TorchBatch(tables.machines, size=size)
    env.reset(seed=1)
    which, begun = env.worlds.numpy().astype(np.int32), env.states.numpy().copy()
    states, places = begun.copy(), torch.from_numpy(which.astype(np.int64)).to(device)
    if kernel == "plain" and not other.made.patient:
        other.calibrate(rounds_of(env))
    counts = np.array([len(machine.operators) for machine in tables.machines])[which]
    asked: dict[tuple[object, ...], bool] = {}
    line = {"steps": 0, "asked": steps, "worlds": worlds, "differing": 0, "accepted": 0,
            "reference_questions": 0, "reference_differing": 0, "reference_steps": 0}  # fmt: skip
    while line["steps"] < steps and (clock.left > 0 or not line["steps"]):
        operators = (chance.random(size) * (counts + 2)).astype(np.int32) - 1
        good = chance.random(size) < 0.5
        offered = host.mask(which, states)
        picked = (chance.random(offered.shape, np.float32) * offered).argmax(1).astype(np.int32)
        operators[good] = picked[good]
        numbers = chance.integers(0, 10, size).astype(np.int32)
        before, there = states.copy(), torch.from_numpy(states.copy()).to(device)
        one = host.step(which, states, operators, numbers)
        two = other.step(places, there, torch.from_numpy(operators.astype(np.int64)).to(device),
                         torch.from_numpy(numbers.astype(np.int64)).to(device))  # fmt: skip
        same = (there.cpu().numpy() == states).all(1)
        for name in ("outcomes", "failed", "texts", "progress"):
            same &= getattr(two, name).cpu().numpy() == getattr(one, name)
        line["steps"] += size
        line["differing"] += int((~same).sum())
        line["accepted"] += int((one.outcomes == 0).sum())
        questions = zip(which.tolist(), map(tuple, before.tolist()), operators.tolist(),
                        numbers.tolist(), strict=True)  # fmt: skip
        for row, question in enumerate(questions):
            if question not in asked and clock.left > 0:
                asked[question] = agrees(tables.machines, question, states[row], one.outcomes[row])
                line["reference_questions"] += 1
                line["reference_differing"] += not asked[question]
            line["reference_steps"] += question in asked
        over = states[np.arange(size), [tables.machines[w].status for w in which]] != 0
        states[over] = begun[over]
    other.check()
    return line


def agrees(made_of: Any, question: Any, after: Any, outcome: int) -> bool:
    """Whether the reference says the same of a state and a command."""
    world, state, operator, number = question
    machine = made_of[world]
    state, told = state[: len(machine.variables)], tuple(after[: len(machine.variables)].tolist())
    if not 0 <= operator < len(machine.operators):
        return bool(told == state and outcome == 1)
    turn = runtime(machine).act(state, operator, number)
    return bool(told == turn.state and turn.outcome == outcome)


@cache
def runtime(machine: Machine) -> Runtime:
    """The reference of a machine."""
    return Runtime(machine)


def silence(device: str, kernel: str) -> Line:
    """That a step asks the host nothing: where it does, torch raises."""
    where = device if device.startswith("cuda") else "meta"
    if where == "meta":
        env = TorchBatch(machines(4), size=64, device=where, autoreset="same_step")
        env.engine.calibrate(4)
        env.reset(seed=0)
        env.step(torch.zeros_like(env.worlds))  # a tensor without values cannot be asked for one
        return {"shown_on": "meta", "asks": False}
    env = made(4, 64, device, kernel)
    commands = torch.zeros_like(env.worlds)
    env.step(commands)
    settled(device)
    torch.cuda.set_sync_debug_mode("error")
    try:
        env.step(commands)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    env.check()
    return {"shown_on": device, "asks": False}


class Writer(torch.nn.Module):
    """A decoder of random weights that keeps its attention's past, as those that serve do."""

    def __init__(self, width: int, layers: int, words: int = 32_000) -> None:
        super().__init__()
        self.heads = max(1, width // 64)
        self.words = torch.nn.Embedding(words, width)
        self.blocks = torch.nn.ModuleList(
            torch.nn.ModuleDict({
                "first": torch.nn.LayerNorm(width), "second": torch.nn.LayerNorm(width),
                "all": torch.nn.Linear(width, 3 * width), "out": torch.nn.Linear(width, width),
                "up": torch.nn.Linear(width, 4 * width), "down": torch.nn.Linear(4 * width, width),
            })
            for _ in range(layers)
        )  # fmt: skip

    def forward(self, tokens: torch.Tensor, past: torch.Tensor, at: int) -> torch.Tensor:
        """The next token of each row; `past` (layers, 2, n, heads, length, width a head)."""
        x = self.words(tokens)[:, None]
        count = len(tokens)
        for index, block in enumerate(self.blocks):
            parts: Any = block
            query, key, value = (
                each.view(count, 1, self.heads, -1).transpose(1, 2)
                for each in parts["all"](parts["first"](x)).chunk(3, -1)
            )
            past[index, 0, :, :, at : at + 1], past[index, 1, :, :, at : at + 1] = key, value
            seen = torch.nn.functional.scaled_dot_product_attention(
                query, past[index, 0, :, :, : at + 1], past[index, 1, :, :, : at + 1]
            )
            x = x + parts["out"](seen.transpose(1, 2).reshape(count, 1, -1))
            x = x + parts["down"](torch.nn.functional.gelu(parts["up"](parts["second"](x))))
        chosen: torch.Tensor = (x[:, 0] @ self.words.weight.T).argmax(-1)
        return chosen


def share(batch: int, device: str, kernel: str, allowed: float) -> Line:
    """The environment's part of a generation loop: 64 worlds, 32 tokens a turn after a past of
    some hundred; once with operators, once with typed commands and texts read on the host."""
    cuda = device.startswith("cuda")
    width, layers, past_length = (1024, 16, 512) if cuda else (64, 2, 64)
    kind = torch.bfloat16 if cuda else torch.float32
    model = Writer(width, layers).to(device, kind).eval()
    shape = layers, 2, batch, model.heads, past_length + TOKENS, width // model.heads
    past, begun = (
        torch.zeros(shape, device=device, dtype=kind),
        torch.zeros(batch).long().to(device),
    )
    env = made(64, batch, device, kernel)
    commands = drawn(env, torch.Generator(device=device).manual_seed(0))
    worlds = env.worlds.tolist()
    names = [runtime(env.tables.machines[world]).matcher for world in worlds]
    typed = [name.canonical(act, 0) for name, act in zip(names, commands.tolist(), strict=True)]

    def generate() -> None:
        tokens = begun
        with torch.no_grad():
            for turn in range(TOKENS):
                tokens = model(tokens, past, past_length + turn)

    generate()
    env.step(commands)
    env.texts(env.step_texts(typed))
    model_s = repeated(generate, device, allowed / 4)
    step_s = repeated(lambda: env.step(commands), device, allowed / 4)
    text_s = repeated(lambda: env.texts(env.step_texts(typed)), device, allowed / 4)
    return {
        "batch": batch,
        "model_weights": sum(each.numel() for each in model.parameters()),
        "model_s": model_s,
        "environment_s": step_s,
        "share": step_s / (step_s + model_s),
        "environment_with_texts_s": text_s,
        "share_with_texts": text_s / (text_s + model_s),
    }


# -- how it is measured ---------------------------------------------------------------------


def fitting(measure: str, work: Callable[[int], Line], batch: int, say: Line) -> Line:
    """A measure at this batch, or at the largest half of it that memory has room for."""
    asked = batch
    while True:
        try:
            line = work(batch)
            break
        except (torch.cuda.OutOfMemoryError, MemoryError, RuntimeError) as error:
            if not for_want_of_memory(error) or batch < 2:
                raise
        gc.collect()
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        batch //= 2
    if batch != asked:
        line["halved_from"] = asked
        line["because"] = "memory"
    return {"measure": measure, **say, **line}


def for_want_of_memory(error: Exception) -> bool:
    """Whether this says that memory is too small."""
    if isinstance(error, torch.cuda.OutOfMemoryError | MemoryError):
        return True
    return "can't allocate memory" in str(error) or "out of memory" in str(error)


def bytes_a_row(worlds: int) -> int:
    """What a row of a step takes, about: its slots, its stack and what is copied on the way."""
    tables = tables_of(machines(worlds))
    return 8 * (2 * tables.slots + 2 * tables.stack + 6 * tables.derived + 2 * tables.saying + 200)


def memory_left(device: str) -> int:
    """Bytes."""
    if device.startswith("cuda"):
        return int(torch.cuda.mem_get_info()[0])
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def timed_batch(
    worlds: int, batch: int, device: str, kernel: str, allowed: float
) -> tuple[int, str]:
    """The largest half of a batch that fits the memory and the time, as far as a small one
    tells; and what it was halved for, if it was."""
    why, room = "", memory_left(device) // bytes_a_row(worlds)
    while batch > max(room, SMALL):
        batch, why = batch // 2, "memory"
    env = made(worlds, SMALL, device, kernel)
    commands = drawn(env, torch.Generator(device=device).manual_seed(0))
    env.step(commands)
    each = repeated(lambda: env.step(commands), device, allowed / 10)
    # On a GPU a step of few rows costs as much as one of many: that it is not worth halving.
    larger = 1 if device.startswith("cuda") else SMALL
    while 4 * each * max(1, batch / larger / 8) > allowed and batch > SMALL:
        batch, why = batch // 2, "time"
    return batch, why


def measured(given: argparse.Namespace, clock: Clock) -> Iterator[Line]:
    """Every measure, until the time is over; what is left out is said at the end."""
    device, left_out = given.device, list[Line]()
    for kernel in given.kernels:
        yield {"measure": "silence", "kernel": kernel, **silence(device, kernel)}
    for kernel in given.kernels:
        line = equality(given.steps, device, clock.left / 6, given.equal_worlds, kernel)
        yield {"measure": "equality", "kernel": kernel, **line}
    for kernel in given.kernels:
        yield beside_model(given, kernel, clock.left / 6)
    if given.compile:
        yield {"measure": "compiled", **compiled(given, clock.left / 3)}
    sizes = [(batch, worlds, kernel) for batch in given.batches for worlds in given.worlds
             for kernel in given.kernels]  # fmt: skip
    for at, (batch, worlds, kernel) in enumerate(sizes):
        say: Line = {"kernel": kernel, "worlds": worlds}
        if clock.left < 1:
            left_out.append({**say, "batch": batch})
            continue
        yield stepping(say, batch, device, clock.left / (len(sizes) - at))
    yield {"measure": "end", "left_out": left_out}


def beside_model(given: argparse.Namespace, kernel: str, allowed: float) -> Line:
    """The share of a generation loop at the largest batch that fits."""

    def loop(batch: int) -> Line:
        return share(batch, given.device, kernel, allowed)

    say: Line = {"kernel": kernel, "worlds": 64, "tokens": TOKENS}
    return fitting("share", loop, given.share_batch, say)


def stepping(say: Line, batch: int, device: str, allowed: float) -> Line:
    """Steps a second at the largest half of a batch that fits."""
    kernel, worlds = say["kernel"], say["worlds"]
    smaller, why = timed_batch(worlds, batch, device, kernel, allowed)

    def step(batch: int) -> Line:
        return speed(worlds, batch, device, kernel, allowed)

    line = fitting("speed", step, smaller, say)
    return {**line, "halved_from": batch, "because": why} if why else line


def kernels_of(device: str) -> list[str]:
    """Those that run there."""
    if device.startswith("cuda") and find_spec("triton") is not None:
        return ["triton", "plain"]
    return ["plain"]


def compiled(given: argparse.Namespace, allowed: float) -> Line:
    """Plain and compiled rounds of one world, in a process of its own: compiling may take longer
    than there is time, or fail."""
    command = [sys.executable, __file__, "--device", given.device, "--compiled-only",
               "--batches", str(min(given.batches))]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=max(allowed, 1))
    except subprocess.TimeoutExpired:
        return {"error": f"torch.compile was not done after {allowed:.0f} seconds"}
    if done.returncode:
        told = done.stderr.strip().splitlines() or ["no message"]
        return {"error": f"torch.compile failed: {told[-1]}"}
    found: Line = json.loads(done.stdout.splitlines()[-1])
    return found


def beside_compiled(batch: int, device: str) -> Line:
    """One world: a step plain and compiled, the same commands, and whether both do the same."""
    envs = [made(1, batch, device) for _ in range(2)]
    envs[1].engine.compile()
    commands = drawn(envs[0], torch.Generator(device=device).manual_seed(0))
    first = [seconds(lambda: env.step(commands), device) for env in envs]  # noqa: B023
    spent = [min(seconds(lambda: env.step(commands), device) for _ in range(3))  # noqa: B023
             for env in envs]  # fmt: skip
    for env in envs:
        env.check()
    return {
        "worlds": 1,
        "batch": batch,
        "first_step_s": first[1],
        "plain_steps_per_second": batch / spent[0],
        "compiled_steps_per_second": batch / spent[1],
        "equal": bool((envs[0].states == envs[1].states).all()),
    }


def options() -> argparse.Namespace:
    """The command line; what is not said is smaller on a CPU."""
    reading = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reading.add_argument("--device", help="cuda, cuda:1, cpu (default: cuda where there is one)")
    reading.add_argument("--seconds", type=float, default=240.0, help="time for all (default 240)")
    reading.add_argument("--worlds", type=numbers, help="default 1,64,1000 (a CPU: the same)")
    reading.add_argument("--batches", type=numbers,
                         help="default 10000,100000,1000000,10000000 (a CPU: 200)")  # fmt: skip
    reading.add_argument("--steps", type=int, help="of the test of equality (default 10^6; 2,000)")
    reading.add_argument("--equal-worlds", type=int, help="worlds of it (default 64; 8)")
    reading.add_argument("--share-batch", type=int, help="beside the model (default 1024; 16)")
    reading.add_argument("--kernels", type=lambda text: text.split(","),
                         help="default triton,plain on a GPU with triton, else plain")  # fmt: skip
    reading.add_argument("--compile", action="store_true", help="measure torch.compile as well")
    reading.add_argument("--compiled-only", action="store_true", help=argparse.SUPPRESS)
    given = reading.parse_args()
    if given.device is None:
        given.device = "cuda" if torch.cuda.is_available() else "cpu"
        if given.device == "cpu":
            print("there is no CUDA device: measuring on the CPU, smaller", file=sys.stderr)
    if given.device.startswith("cuda") and not torch.cuda.is_available():
        reading.error("there is no CUDA device here; --device cpu measures without one")
    large = given.device.startswith("cuda")
    given.kernels = given.kernels or kernels_of(given.device)
    given.worlds = given.worlds or [1, 64, 1_000]
    given.batches = given.batches or ([10**4, 10**5, 10**6, 10**7] if large else [200])
    given.steps = given.steps or (1_000_000 if large else 2_000)
    given.equal_worlds = given.equal_worlds or (64 if large else 8)
    given.share_batch = given.share_batch or (1_024 if large else 16)
    return given


def prepare(given: argparse.Namespace) -> None:
    """What is done once on a machine and measured apart: worlds compiled, the host's engine too."""
    equality(1, "cpu", 0.0, given.equal_worlds)
    machines(len(shipped_worlds()))


def numbers(text: str) -> list[int]:
    """Integers with commas between."""
    return [int(part) for part in text.split(",")]


def main() -> None:
    """Print a line a measure."""
    given = options()
    if given.compiled_only:
        print(json.dumps(beside_compiled(given.batches[0], given.device)))
        return
    cuda = given.device.startswith("cuda")
    name = torch.cuda.get_device_name(given.device) if cuda else platform.processor()
    about = {
        "device": name or platform.machine(),
        "torch": torch.__version__,
        "memory_bytes": memory_left(given.device),
        "threads": torch.get_num_threads(),
        "kernels": given.kernels,
    }
    print(json.dumps({"measure": "machine", **about}), flush=True)
    print(f"compiling {len(shipped_worlds())} worlds and the engine on the host", file=sys.stderr)
    begin = time.perf_counter()
    prepare(given)
    spent = round(time.perf_counter() - begin, 1)
    print(json.dumps({"measure": "prepared", "seconds": spent}), flush=True)
    begin = time.perf_counter()
    for line in measured(given, Clock(given.seconds)):
        line["at_s"] = round(time.perf_counter() - begin, 1)
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
