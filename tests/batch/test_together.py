"""Lists that two processes compile: whole, killed, failing, with nothing to be written."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from worldengine.batch.compiling.keeping import _digest, kept

ROOT = Path(__file__).resolve().parents[2]
RUN = """
import os, sys
from tests.batch import small_jobs
from worldengine.batch.compiling import together
from worldengine.batch.compiling.compile_time import compiling
from worldengine.batch.compiling.notices import Notice

together._cores = lambda: int(sys.argv[2])
begun = []
started = together.subprocess.Popen
def start(*words, **named):
    begun.append(1)
    if sys.argv[1] == "none":
        raise OSError("no process more")
    return started(*words, **named)
together.subprocess.Popen = start
notice = Notice("tests.", "small things", "a while", small_jobs.FOLDER is not None)
for _ in range(2):
    together.make_ready(notice, "tests.batch.small_jobs", sys.argv[1], str(os.getpid()))
print([each(10) for each in small_jobs.ENTRIES], len(begun), compiling() > 0)
"""


def run(cache: Path, how: str = "well", cores: int = 2) -> tuple[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", RUN, how, str(cores)],
        capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"NUMBA_CACHE_DIR": str(cache), "WORLDENGINE_TOLD": ""},
    )  # fmt: skip
    said = re.sub(r"\(([a-z]+), \d+\)", r"(\1, P)", done.stderr)
    return done.stdout.strip(), said.splitlines()


def files(cache: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in (cache / "small").iterdir()}


def test_two_processes_write_each_file_once_and_the_next_run_reads_them(tmp_path: Path) -> None:
    said, told = run(tmp_path)
    assert said == "[11, 12, 13, 14] 1 True"
    assert told == ["compiling small things (well, P), once: about 10 seconds"]
    before = files(tmp_path)
    assert len(before) == 4
    said, told = run(tmp_path)
    assert said == "[11, 12, 13, 14] 0 False" and not told
    assert files(tmp_path) == before


def test_one_core_compiles_alone_and_says_so_much_time(tmp_path: Path) -> None:
    said, told = run(tmp_path, cores=1)
    assert said == "[11, 12, 13, 14] 0 True"
    assert told == ["compiling small things (well, P), once: about 16 seconds"]


@pytest.mark.parametrize(
    "how, why",
    [
        ("killed", "exit status -9"),
        ("failing", "ValueError: it cannot be compiled here"),
        ("lost", "what it compiled could not be kept"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_what_a_second_process_leaves_is_compiled_here(tmp_path: Path, how: str, why: str) -> None:
    said, told = run(tmp_path, how)
    assert said == "[11, 12, 13, 14] 1 True"
    assert len(told) == 2 and f"broke off ({why})" in told[1]
    assert len(files(tmp_path)) == 4


def test_where_no_second_process_can_be_started_one_is_enough(tmp_path: Path) -> None:
    said, told = run(tmp_path, "none")
    assert said == "[11, 12, 13, 14] 1 True"
    assert len(told) == 2 and "can be started (no process more): compiling alone" in told[1]
    assert len(files(tmp_path)) == 4


def test_nothing_is_shared_out_where_nothing_can_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("", encoding="utf-8")
    said, told = run(blocked)
    assert said == "[11, 12, 13, 14] 0 True"
    assert len(told) == 1 and "in every run" in told[0]


CHANGED = """
import sys, importlib.util
from worldengine.batch.compiling.entries import entry_of
from worldengine.batch.compiling.jit import OPTIONS
from worldengine.batch.compiling.keeping import folder_for

spec = importlib.util.spec_from_file_location("changing", sys.argv[1])
module = sys.modules["changing"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(entry_of(module.more, OPTIONS, folder_for("small"))(10))
"""


def test_a_changed_source_is_compiled_anew(tmp_path: Path) -> None:
    """Also one that the name of the folder does not know of."""
    source, said = tmp_path / "changing.py", []
    for more in (1, 2, 1):
        source.write_text(f"def more(value):\n    return value + {more}\n", encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-B", "-c", CHANGED, str(source)],
            capture_output=True, text=True, check=True, cwd=ROOT,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        )  # fmt: skip
        said.append((done.stdout.strip(), len(list((tmp_path / "small").iterdir()))))
    assert said == [("11", 1), ("12", 2), ("11", 2)]


def test_a_damaged_file_is_compiled_anew(tmp_path: Path) -> None:
    run(tmp_path, cores=1)
    path = next(iter(sorted((tmp_path / "small").iterdir())))
    whole = path.read_bytes()
    for damaged in (whole[:-1], whole[:10], b"", whole[:-1] + bytes([whole[-1] ^ 1])):
        path.write_bytes(damaged)
        said, _ = run(tmp_path, cores=1)
        assert said.startswith("[11, 12, 13, 14] 0")
        assert kept(path) is not None and path.read_bytes() != damaged


def test_a_file_in_the_place_of_another_is_compiled_anew(tmp_path: Path) -> None:
    run(tmp_path, cores=1)
    first, second, *_ = sorted((tmp_path / "small").iterdir())
    first.write_bytes(second.read_bytes())
    assert kept(first) is None and kept(second) is not None
    said, _ = run(tmp_path, cores=1)
    assert said.startswith("[11, 12, 13, 14] 0")
    assert kept(first) is not None


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
def test_code_that_others_may_write_is_not_run(tmp_path: Path) -> None:
    run(tmp_path, cores=1)
    path = next(iter(sorted((tmp_path / "small").iterdir())))
    path.chmod(0o666)
    assert kept(path) is None
    run(tmp_path, cores=1)
    assert kept(path) is not None


@pytest.mark.parametrize("rest", [b"", b"{", b"[]", b'{"function": ""}'])
def test_a_file_of_another_make_is_none(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "f"
    path.write_bytes(_digest(path, rest + b"\n") + rest + b"\n")
    assert kept(path) is None
