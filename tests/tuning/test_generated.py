"""What a model read and wrote, turn by turn, is what a row of its play holds, token by token."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tuning.families import CHATML, GEMMA, LLAMA, MISTRAL, QUIET, Family, chat, raw
from tests.worlds import lamp
from worldengine.players.models.talk import Talk, digest
from worldengine.players.reply import LIMIT, Usage, read, used
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.rollout.verify import verify
from worldengine.tuning.export import export
from worldengine.tuning.masks import Mask
from worldengine.tuning.sources import Options
from worldengine.tuning.tokens import Tokens

pytest.importorskip("torch", reason="torch is an extra")
pytest.importorskip("llguidance", reason="llguidance is an extra")

EVERYTHING = {"include": "verified", "mask": Mask(())}


def played(family: Family, out: Path, **options: Any) -> list[Trajectory]:
    """A tiny model with the family's tokenizer plays two episodes of five turns, sampling: so
    it hardly ever cuts its words as its tokenizer would."""
    from tests.models.tiny import network
    from worldengine.players.models.hf import HF, OPTIONS

    words = raw(family)
    settings: dict[str, Any] = {option.name: option.default for option in OPTIONS}
    settings |= {"max_tokens": 20, "device": "cpu", "temperature": 1.0, "constrain": "react"}
    settings |= {"system": family.system == "system"} | options
    player = HF("hf:tiny", network(len(words)), words, settings)
    rollout([replace(lamp(), turns=5)], player, episodes=2, seed=3, out=out)
    assert verify(out).rejected == []
    return [row.trajectory for row in Run(out).rows() if row.trajectory is not None]


def exported(family: Family, run: Path, out: Path, **options: Any) -> tuple[Any, list[Any]]:
    tokens = Tokens(chat(family), **options)
    summary = export(run, Options(to="tokens", tokens=tokens, **EVERYTHING), out)  # type: ignore[arg-type]
    return summary, [json.loads(line) for line in out.open()]


@pytest.mark.parametrize("family", [CHATML, LLAMA, MISTRAL, GEMMA], ids=lambda each: each.name)
def test_rows_are_what_was_read_and_written(family: Family, tmp_path: Path) -> None:
    found = played(family, tmp_path / "run")
    summary, rows = exported(family, tmp_path / "run", tmp_path / "x.jsonl")
    kinds: Counter[str] = Counter()
    by_id = {each.id: each for each in found}
    for row in rows:
        for span in row["spans"]:
            notes = by_id[row["id"]].turns[span["turn"]].notes
            assert notes is not None and notes.ids
            kinds[span["ids"]] += 1
            assert span["asked"] is (digest(row["input_ids"][: span["start"]]) == notes.context)
            if span["ids"] != "unread":
                written = row["input_ids"][span["start"] : span["end"]]
                assert written[: len(notes.ids)] == list(notes.ids)
                assert len(written) - len(notes.ids) in (0, 1)  # one that was cut has no end
    assert all(span["asked"] for row in rows for span in row["spans"])
    if family is MISTRAL:  # it sets a space before each reply, which the model did not write
        assert kinds["kept"] == 0 and kinds["unread"] > 0
    else:
        assert kinds["kept"] > 0
        assert kinds["unread"] == 0 or "trim" in family.template  # a space at the end is gone
    told = summary.told()["generated"]
    assert {name: told[name] for name in kinds} == dict(kinds)
    assert told["asked"] + told["asked_otherwise"] == sum(len(row["spans"]) for row in rows)


def test_text_read_anew_is_noticed(tmp_path: Path) -> None:
    """Asked with its words cut anew, as a server does it, a model is asked with other tokens."""
    played(CHATML, tmp_path / "run", ids=False)
    _, rows = exported(CHATML, tmp_path / "run", tmp_path / "x.jsonl")
    told = [[span["asked"] for span in row["spans"]] for row in rows]
    assert all(first is True for first, *_ in told)
    assert False in [asked for _, *later in told for asked in later]


def test_another_tokenizer_takes_no_ids_over(tmp_path: Path) -> None:
    played(CHATML, tmp_path / "run")
    summary, rows = exported(LLAMA, tmp_path / "run", tmp_path / "x.jsonl")
    told = summary.told()["generated"]
    assert told["kept"] == 0 and told["unread"] > 0 and told["asked"] == 0
    words = chat(LLAMA)
    for row in rows:
        for span in row["spans"]:
            text = words.decode(row["input_ids"][span["start"] : span["end"]])
            assert words.encode([text])[0] == row["input_ids"][span["start"] : span["end"]]


def test_a_conversation_that_was_changed_is_read_anew_from_there() -> None:
    words = raw(QUIET)

    def plain(text: str) -> list[int]:
        return list(words(text, add_special_tokens=False)["input_ids"])

    def letters(text: str) -> list[int]:
        return [plain(letter)[0] for letter in text]

    talk = Talk(words)
    talk.wrote("What?", talk.going_on("What?"), letters("the key"))
    second = "What?the key<|im_end|>And?"
    ids = talk.going_on(second)
    assert ids == plain("What?") + letters("the key") + plain("<|im_end|>And?")
    talk.wrote(second, ids, letters(" the door "))
    third = second + " the door<|im_end|>So?"  # without its last space
    assert talk.going_on(third) == ids + plain(" the door<|im_end|>So?")
    assert talk.going_on("What?key<|im_end|>") == plain("What?") + plain("key<|im_end|>")
    assert talk.going_on("Whatever") == plain("Whatever")


def test_ids_of_what_was_cut_are_not_kept() -> None:
    reply = used(read("x" * (LIMIT + 5)), Usage(), (1, 2, 3), "0" * 16)
    assert reply.cut == 5 and reply.ids == () and reply.context
