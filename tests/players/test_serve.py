"""The same small model behind a real server (`transformers serve`) and read from its folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.models import tiny
from tests.worlds import lamp
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.rollout.verify import verify

pytest.importorskip("transformers", reason="transformers is an extra")
pytest.importorskip("fastapi", reason="transformers serve needs the extra `serve`")
pytest.importorskip("uvicorn", reason="transformers serve needs the extra `serve`")

MACHINE = replace(lamp(), turns=4)
STARTING = 90
"""Seconds that the server may take to come up."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Random weights; temperature counts, as it does for models that are to be sampled."""
    import torch
    from transformers import GenerationConfig

    torch.set_num_threads(1)
    made = tiny.save(tmp_path_factory.mktemp("served"))
    GenerationConfig(do_sample=True, eos_token_id=0, pad_token_id=0).save_pretrained(made)
    return made


@pytest.fixture(scope="module")
def url(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    program = Path(sys.executable).with_name("transformers")
    if not program.exists() and shutil.which("transformers") is None:
        pytest.skip("there is no program `transformers` beside this Python")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("log") / "serve.log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [str(program), "serve", str(folder), "--host", "127.0.0.1", "--port", str(port),
             "--device", "cpu"],
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
    try:
        _wait(process, f"http://127.0.0.1:{port}/health", log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    until = time.monotonic() + STARTING
    while time.monotonic() < until:
        if process.poll() is not None:
            pytest.fail(f"the server ended: {log.read_text()[-2000:]}")
        try:
            with urlopen(address, timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    pytest.fail(f"the server did not come up: {log.read_text()[-2000:]}")


def played(player: str, out: Path, episodes: int = 3) -> list[Trajectory]:
    rollout([MACHINE], player, episodes=episodes, out=out)
    assert verify(out).rejected == []
    found = [row.trajectory for row in Run(out).rows()]
    return [each for each in found if each is not None]


@pytest.mark.slow
def test_the_same_model_plays_the_same_way_served_or_read(
    folder: Path, url: str, tmp_path: Path
) -> None:
    served = played(f"openai:{folder}@{url},max_tokens=10,concurrency=2", tmp_path / "served")
    read = played(f"hf:{folder},device=cpu,max_tokens=10,ids=no", tmp_path / "read")
    for one, other in zip(served, read, strict=True):
        assert [turn.reply for turn in one.turns] == [turn.reply for turn in other.turns]
        taken = [(t.notes.prompt_tokens, t.notes.reply_tokens) for t in one.turns if t.notes]
        here = [(t.notes.prompt_tokens, t.notes.reply_tokens) for t in other.turns if t.notes]
        assert taken == here and all(prompt > 0 for prompt, _ in taken)


@pytest.mark.slow
def test_sampling_and_lessons_work_end_to_end(folder: Path, url: str, tmp_path: Path) -> None:
    player = f"reflexion:2:openai:{folder}@{url},max_tokens=8,temperature=1.0"
    first, second = played(player, tmp_path / "run", 2)
    assert all(len(each.attempts) == 2 and each.attempts[0].lesson for each in (first, second))
    assert [turn.reply for turn in first.turns] != [turn.reply for turn in second.turns]
