"""A transformers model in a folder, asked for real."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.models import tiny
from worldengine.models.protocol import Message, Model, ModelError, Request
from worldengine.models.specs import make

pytest.importorskip("transformers", reason="transformers is an extra")
pytest.importorskip("llguidance", reason="llguidance is an extra")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    import torch

    torch.set_num_threads(1)
    yield tiny.save(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def model(folder: Path) -> Model:
    return make(f"hf:{folder},width=4,device=cpu")


def ask(text: str, **settings: object) -> Request:
    return Request((Message("user", text),), **settings)  # type: ignore[arg-type]


def test_equal_seeds_give_equal_answers_whoever_shares_the_batch(model: Model) -> None:
    wanted = ask("Write.", max_tokens=20, temperature=1.0, seed=7)
    others = [ask("Something longer than that, please.", max_tokens=30, temperature=1.0, seed=s)
              for s in range(3)]  # fmt: skip
    (alone,) = model.answer([wanted])
    among = model.answer([others[0], wanted, *others[1:]])[1]
    assert alone.text == among.text and alone.completion_tokens == 20
    assert len({answer.text for answer in model.answer([wanted, *others])}) == 4


def test_an_answer_keeps_to_its_grammar(model: Model) -> None:
    grammar = 'start: "take " THING\nTHING: "key" | "lamp"'
    answers = model.answer(
        [ask("x", max_tokens=40, temperature=1.5, seed=s, grammar=grammar) for s in range(12)]
    )
    assert {answer.text for answer in answers} == {"take key", "take lamp"}
    assert all(answer.constrained and answer.ended == "stop" for answer in answers)


def test_out_of_tokens_is_said(model: Model) -> None:
    (answer,) = model.answer([ask("x", max_tokens=3, grammar='start: "a long way to go"')])
    assert answer.ended == "length" and answer.completion_tokens == 3


def test_a_stop_text_ends_the_answer(model: Model) -> None:
    grammar = 'start: "one;two;three"'
    (answer,) = model.answer([ask("x", max_tokens=40, stop=(";",), grammar=grammar)])
    assert (answer.text, answer.ended) == ("one", "stop")


def test_a_grammar_that_cannot_be_read_is_refused(model: Model) -> None:
    with pytest.raises(ModelError, match="grammar cannot be decoded under"):
        model.answer([ask("x", grammar='start: nothing "a"')])


def test_a_prompt_that_is_too_long_fails_alone(model: Model) -> None:
    long, short = model.answer([ask("word " * 20000), ask("x", max_tokens=4)])
    assert long.ended == "failed" and "the model holds 16384 tokens" in long.failure
    assert short.completion_tokens == 4


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no folder of that name"):
        make(f"hf:{tmp_path / 'gone'}")
    with pytest.raises(ModelError, match="cannot be loaded"):
        make(f"hf:{tmp_path}")
