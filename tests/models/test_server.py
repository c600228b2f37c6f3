"""A compatible server, asked for real; how it takes a grammar is found out."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.models import tiny
from tests.models.serving import served
from worldengine.models.protocol import Message, Model, ModelError, ModelSpecError, Request, cost
from worldengine.models.specs import make

pytest.importorskip("transformers", reason="transformers is an extra")
pytest.importorskip("llguidance", reason="llguidance is an extra")
pytest.importorskip("openai", reason="openai is an extra")

GRAMMAR = 'start: "take " THING\nTHING: "key" | "lamp"'


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Model]:
    import torch

    torch.set_num_threads(1)
    yield make(f"hf:{tiny.save(tmp_path_factory.mktemp('tiny'))},device=cpu")


def ask(seed: int = 0, **settings: object) -> Request:
    return Request((Message("user", "x"),), 12, 1.0, seed=seed, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("dialect", ["structured_outputs", "guided_grammar", "ebnf", "grammar"])
def test_the_dialect_of_a_server_is_found(model: Model, dialect: str) -> None:
    with served(model, dialect) as address:
        client = make(f"openai:{address},price_in=1,price_out=2")
        assert client.unconstrained() == ""
        answers = client.answer([ask(seed, grammar=GRAMMAR) for seed in range(6)])
    assert all(answer.constrained for answer in answers)
    assert {answer.text for answer in answers} == {"take key", "take lamp"}
    tokens = sum(a.prompt_tokens + 2 * a.completion_tokens for a in answers)
    assert cost(client, answers) == tokens / 1e6


def test_what_a_server_does_not_support_is_said(model: Model) -> None:
    for how, said in (("ignored", "structured_outputs ignored"), ("refused", "refused (422")):
        with served(model, how) as address:
            client = make(f"openai:{address}")
            assert said in client.unconstrained()
            (answer,) = client.answer([ask(grammar=GRAMMAR)])
        assert not answer.constrained and answer.completion_tokens > 0


def test_answers_are_those_of_the_model(model: Model) -> None:
    with served(model) as address:
        client = make(f"openai:{address},structured=none,width=4")
        seen = client.answer([ask(seed) for seed in range(5)])
    alone = model.answer([ask(seed) for seed in range(5)])
    assert [each.text for each in seen] == [each.text for each in alone]


def test_no_server_and_no_such_model(model: Model) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    client = make(f"openai:small@http://127.0.0.1:{port}/v1,retries=0")
    with pytest.raises(ModelError, match="no server answers there"):
        client.answer([ask()])
    with served(model) as address, pytest.raises(ModelError, match="no model other"):
        make(f"openai:{address.replace('small@', 'other@')}").answer([ask()])


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("small", "names no model"),
        ("openai:small", "write openai:MODEL@URL"),
        ("openai:small@127.0.0.1:1", "write openai:MODEL@URL"),
        ("openai:small@http://", "names no host"),
        ("openai:small@http://h:99999/v1", "its port is a number from 1 to 65535"),
        ("openai:s@http://h,widht=3", "no option 'widht'"),
        ("openai:s@http://h,width=many", "it is a number"),
        ("openai:s@http://h,price_in=1", "go together"),
        ("openai:s@http://h,structured=xml", "one of structured_outputs"),
    ],
)
def test_specs_that_name_no_model(spec: str, said: str) -> None:
    with pytest.raises(ModelSpecError, match=said):
        make(spec)
