"""What is compiled before it is asked for is what will be asked for, no less and no more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
WATCH = """
import sys
from worldengine.batch.compiling import together
from worldengine.batch.compiling.entries import Entry

together._make_ready = lambda *asked: lists.append(asked[1:])  # nothing beforehand
lists, asked, before = [], set(), Entry.ready

def ready(entry, types):
    if types not in entry.overloads:
        asked.add((entry.py_func.__module__, entry.py_func.__name__, str(types)))
    return before(entry, types)

Entry.ready = ready
"""
MACHINE = """
from worldengine.compiler import compile
from worldengine.resources import shipped_world
machine = compile(shipped_world("tide_clock").read_text(encoding="utf-8"))
"""
TELL = """
from importlib import import_module
named = {
    (job.entry.py_func.__module__, job.entry.py_func.__name__, str(job.types))
    for module, types in lists for job in import_module(module).jobs(*types)
}
print("not on the list:", *sorted(asked - named))
print("on the list for nothing:", *sorted(named - asked))
"""
CHECK = "from worldengine.cli import main; main(['check', 'tide_clock'])"
BATCH = """
from worldengine.batch import BatchEnv
env = BatchEnv([machine], size=64)
env.reset()
env.step_texts(["look"] * 64)
"""
ONE = """
from worldengine.batch.single import Single
env = Single(machine)
env.reset()
env.step("look")
env.applicable()
"""
ROLLOUT = """
import tempfile
from worldengine.cli import main
with tempfile.TemporaryDirectory() as folder:
    main(["rollout", "atc_trainee", "--episodes", "6", "--out", folder + "/run"])
"""
USES = {"check": CHECK, "batch": BATCH, "one": ONE, "rollout": ROLLOUT}
LOADED = """
import sys
compilers = ("numba", "worldengine.batch.compiling.linking", "worldengine.batch.compiling.doors")
print("loaded:", *[name for name in compilers if name in sys.modules])
"""


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
def test_a_list_has_what_the_first_use_asks_for(use: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCH + MACHINE + use + TELL],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout.splitlines()[-2:] == ["not on the list:", "on the list for nothing:"]


@pytest.mark.parametrize("use", USES.values(), ids=USES.keys())
def test_a_later_start_loads_no_compiler(use: str) -> None:
    """What was compiled once is run without numba, which takes longer to load than all the rest."""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", MACHINE + use + LOADED],
            capture_output=True, text=True, check=True, cwd=ROOT,
        )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "loaded:"


@pytest.mark.slow
def test_workers_find_everything_compiled(tmp_path: Path) -> None:
    """Several workers on an empty cache: it is said once, by the process that starts them."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "COLUMNS": "200"}
    environment.pop("WORLDENGINE_TOLD", None)
    command = ["-m", "worldengine", "rollout", "tide_clock", "--episodes", "80", "--workers", "2"]
    done = subprocess.run(
        [sys.executable, *command, "--out", str(tmp_path / "run")],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("compiling") == 1, done.stderr
