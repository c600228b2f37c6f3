"""`reference` and `write` with a model, as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.models import tiny
from worldengine.authoring import reference
from worldengine.authoring.personas import shipped
from worldengine.cli import main
from worldengine.cli.arguments import parser
from worldengine.cli.author import _drafts, _settings

ANSWERS = Path(__file__).resolve().parents[1] / "corpus" / "answers"


def test_reference_prints_the_page_and_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference"]) == 0
    assert capsys.readouterr().out == reference.page().rstrip("\n") + "\n"
    assert main(["reference", "--long", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["page"] == reference.guide()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--persona", "A cook"], "a persona is for a model"),
        (["--complete", "SKELETON"], "--complete asks a model"),
        (["--model", "gpt"], "names no model"),
        (["--model", "hf:nowhere"], "no folder of that name"),
        (["--model", "hf:nowhere", "--persona", "gone.jsonl"], "no file of personas"),
        (["--model", "hf:nowhere", "--complete", "BELL"], "nothing to complete"),
    ],
)
def test_what_cannot_be_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    bell = tmp_path / "bell.world"
    bell.write_text((ANSWERS / "plain.txt").read_text("utf-8"))
    given = [str(bell) if word in ("BELL", "SKELETON") else word for word in words]
    assert main(["write", "--out", str(tmp_path / "out"), *given]) == 2
    assert said in capsys.readouterr().err


def test_personas_of_our_own_are_taken_again_where_more_are_asked(tmp_path: Path) -> None:
    own = len(shipped())
    asked = parser().parse_args(
        ["write", "--model", "m", "--out", "o", "--instances", str(own + 2)]
    )
    drafts = _drafts(asked, _settings(asked, (5, 60)))
    assert len({draft.id for draft in drafts}) == own + 2
    assert [draft.persona for draft in drafts[own:]] == [each.text for each in shipped()[:2]]
    assert [draft.id for draft in drafts[:own]] == [each.id for each in shipped()]


def test_a_model_that_cannot_hold_the_page_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers", reason="transformers is an extra")
    words = tiny.tokenizer()
    words.save_pretrained(tmp_path / "m")
    tiny.network(len(words), positions=256).save_pretrained(tmp_path / "m")
    out = tmp_path / "out"
    status = main(["write", "--model", f"hf:{tmp_path / 'm'},device=cpu", "--persona", "A cook",
                   "--rounds", "0", "--out", str(out), "--workers", "1", "--json"])  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    assert (status, told["written"], told["kept"], told["reasons"]) == (1, 1, 0, {"failed": 1})
    assert "the model holds 256 tokens" in told["failure"]
    line = json.loads((out / "authored.jsonl").read_text())
    assert "the model holds 256 tokens" in line["attempts"][-1]["why"]
