"""Parse, format, compile, save and start-up, each beside a baseline measured in the same run.

    make bench

The baseline of parsing and compiling is CPython compiling a Python module of about the same
number of characters (in C, so it is an upper mark); the baseline of start-up is a bare
interpreter that imports lark. Read the ratios: they move little from machine to machine.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from worldengine.compiler import compile_source
from worldengine.machine.storage import from_json, to_json
from worldengine.resources import shipped_worlds
from worldengine.source import Source
from worldengine.syntax import format_document, parse

Benchmark = Any


def _world(lines: int) -> Source:
    """The shipped world whose length is nearest to `lines`, comments and all."""
    worlds = [Source(path.name, path.read_text("utf-8")) for path in shipped_worlds()]
    return min(worlds, key=lambda item: (abs(item.text.count("\n") - lines), item.name))


@pytest.fixture(scope="module")
def source() -> Source:
    return _world(150)


def _python_module(characters: int) -> str:
    body = "def f{n}(a, b):\n    c = a + b * {n}\n    return c if a > b else [c, {n}]\n"
    text = ""
    number = 0
    while len(text) < characters:
        text += body.format(n=number)
        number += 1
    return text


@pytest.mark.benchmark(group="parse")
def test_parse(benchmark: Benchmark, source: Source) -> None:
    document, _ = benchmark(parse, source)
    assert document is not None


@pytest.mark.benchmark(group="parse")
def test_baseline_python_compiles_as_many_characters(benchmark: Benchmark, source: Source) -> None:
    text = _python_module(len(source.text))
    benchmark(compile, text, "baseline", "exec")


@pytest.mark.benchmark(group="parse")
def test_format(benchmark: Benchmark, source: Source) -> None:
    document, _ = parse(source)
    assert document is not None
    benchmark(format_document, document)


@pytest.mark.benchmark(group="compile")
def test_compile(benchmark: Benchmark, source: Source) -> None:
    result = benchmark(compile_source, source)
    assert result.machine is not None


@pytest.mark.benchmark(group="compile")
@pytest.mark.parametrize("lines", [100, 250, 450])
def test_compile_by_length(benchmark: Benchmark, lines: int) -> None:
    world = _world(lines)
    result = benchmark(compile_source, world)
    benchmark.extra_info["lines"] = world.text.count("\n")
    benchmark.extra_info["operators"] = len(result.machine.operators)


@pytest.mark.benchmark(group="machine")
def test_save_and_load(benchmark: Benchmark, source: Source) -> None:
    machine = compile_source(source).machine
    assert machine is not None
    assert benchmark(lambda: from_json(to_json(machine))) == machine


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


@pytest.mark.benchmark(group="start-up")
def test_check_fast_from_start_to_end(benchmark: Benchmark, source: Source, tmp_path: Path) -> None:
    path = tmp_path / "world.world"
    path.write_text(source.text, encoding="utf-8")
    command = "import sys; from worldengine.cli import main; sys.exit(main())"
    benchmark.pedantic(_run, ("-c", command, "check", "--fast", str(path)), rounds=8)


@pytest.mark.benchmark(group="start-up")
def test_baseline_python_that_imports_lark(benchmark: Benchmark) -> None:
    benchmark.pedantic(_run, ("-c", "import lark"), rounds=8)
