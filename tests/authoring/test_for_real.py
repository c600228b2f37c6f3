"""The loop with a model that is one: tiny, of random weights, under the compiler's grammar.

It writes no world worth playing. What counts: every script parses, every failure is named.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lark import UnexpectedInput

from tests.models import tiny
from tests.models.serving import served
from worldengine.authoring.closing import closed
from worldengine.authoring.examining import REASONS as VERDICTS
from worldengine.authoring.extraction import REASONS
from worldengine.cli import main
from worldengine.models.specs import make
from worldengine.resources import shipped_worlds
from worldengine.syntax import grammar

pytest.importorskip("transformers", reason="transformers is an extra")
pytest.importorskip("llguidance", reason="llguidance is an extra")
pytest.importorskip("openai", reason="openai is an extra")


def parses(text: str) -> bool:
    try:
        grammar.load().parse(text, start="start")
    except UnexpectedInput:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("where", ["folder", "server"])
def test_every_script_parses_and_every_failure_is_named(
    tmp_path: Path,
    where: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import torch

    monkeypatch.setattr("worldengine.authoring.drafts.PLAN_TOKENS", 20)
    torch.set_num_threads(1)
    folder = tiny.save(tmp_path / "tiny")
    out = tmp_path / "out"
    words = ["write", "--instances", "3", "--grammar", "--rounds", "1", "--max-tokens", "60",
             "--temperature", "1.2", "--out", str(out), "--workers", "1", "--json"]  # fmt: skip
    if where == "folder":
        status = main([*words, "--model", f"hf:{folder},width=3,device=cpu"])
    else:
        with served(make(f"hf:{folder},device=cpu")) as address:
            status = main([*words, "--model", f"openai:{address}"])
    told = json.loads(capsys.readouterr().out)
    assert status == (0 if told["kept"] else 1) and told["written"] == 3
    lines = [json.loads(line) for line in (out / "authored.jsonl").read_text().splitlines()]
    attempts = [each for line in lines for each in line["attempts"] if each["round"] >= 0]
    assert len(attempts) == 6 and all(each["constrained"] for each in attempts)
    assert all(each["reason"] in {*REASONS, *VERDICTS, ""} for each in attempts)
    scripts = sorted(out.glob("attempts/*/?.world"))
    assert len(scripts) == 6
    for path in scripts:
        assert parses(path.read_text("utf-8")), path


def test_whatever_broke_off_is_closed() -> None:
    """Each beginning of a script has an ending; what is no script has none."""
    text = shipped_worlds()[0].read_text("utf-8")
    text = text[text.index("world ") :]
    for end in range(10, len(text), 997):
        whole = closed(text[:end])
        assert whole is not None and parses(whole)
        assert abs(len(whole) - end) < 80
    assert closed("} nothing") is None
