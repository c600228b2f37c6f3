"""Exports read by the loaders of trainers that are seldom installed here: what each would train is
what was marked. Every test is skipped where its trainer is not importable."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tuning.families import CHATML, raw
from tests.worlds import lamp
from worldengine.rollout.runner import rollout
from worldengine.tuning.export import export

IGNORED = -100


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere") / "run"
    rollout([lamp()], "explorer", episodes=6, seed=4, out=folder)
    return folder


def exported(run: Path, to: str, out: Path) -> list[dict[str, Any]]:
    summary = export(run, to, out)
    assert summary.trained_turns > 0 and summary.masked_turns > 0
    return [json.loads(line) for line in out.open()] if out.suffix == ".jsonl" else []


def trained(row: dict[str, Any]) -> list[str]:
    """The replies that are to be learnt."""
    return [m["content"] for m in row["messages"] if m["role"] == "assistant" and m["train"]]


def learnt(labels: Any, words: Any) -> list[str]:
    """The texts of unbroken stretches of labels."""
    found: list[list[int]] = [[]]
    for label in labels:
        if label == IGNORED:
            found.append([])
        else:
            found[-1].append(int(label))
    return [words.decode(ids) for ids in found if ids]


def test_llama_factory_v1(run: Path, tmp_path: Path) -> None:
    engine = pytest.importorskip("llamafactory.v1.core.data_engine")
    rendering = pytest.importorskip("llamafactory.v1.core.utils.rendering")
    rows = exported(run, "llamafactory", tmp_path / "x.jsonl")
    words = raw(CHATML)
    data = engine.DataEngine(str(tmp_path / "x.jsonl"))
    assert len(data) == len(rows)
    samples = [data[at] for at in range(len(data))]
    for row, made in zip(
        rows, rendering.Renderer("chatml", words).process_samples(samples), strict=True
    ):
        wanted = [
            m["content"][0]["value"] for m in row["messages"] if m["loss_weight"] > 0
        ]  # its own template learns the head of a reply and the line's end with it
        assert learnt(made["labels"], words) == [
            f"<|im_start|>assistant\n{text}<|im_end|>\n" for text in wanted
        ]


def test_axolotl(run: Path, tmp_path: Path) -> None:
    module = pytest.importorskip("axolotl.prompt_strategies.chat_template")
    rows = exported(run, "messages", tmp_path / "x.jsonl")
    words = raw(CHATML)
    prompter = module.ChatTemplatePrompter(
        words, chat_template=words.chat_template, message_field_training="train"
    )
    strategy = module.ChatTemplateStrategy(
        prompter, words, train_on_inputs=False, sequence_len=100_000, roles_to_train=[],
        train_on_eos="turn",
    )  # fmt: skip
    for row in rows:
        made = strategy.tokenize_prompt({"messages": row["messages"]})
        assert learnt(made["labels"], words) == [f"{text}<|im_end|>" for text in trained(row)]


def test_swift(run: Path, tmp_path: Path) -> None:
    scaling = pytest.importorskip("swift.loss_scale")
    kinds = pytest.importorskip("swift.template")
    rows = exported(run, "messages", tmp_path / "x.jsonl")
    scale = scaling.get_loss_scale("default")
    for row in rows:
        messages = row["messages"][1:]
        texts = [m["content"] for m in messages]
        types = [
            kinds.ContextType.RESPONSE if m["role"] == "assistant" else kinds.ContextType.OTHER
            for m in messages
        ]
        said, weights = scale(texts, types, messages)
        assert [text for text, weight in zip(said, weights, strict=True) if weight] == trained(row)
