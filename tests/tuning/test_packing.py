"""Packed rows behave as if each were alone: losses and gradients are those of padding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from tests.tuning.small import config
from worldengine.tuning.config import Batch
from worldengine.tuning.errors import TuningError
from worldengine.tuning.models import model_of, tokenizer_of
from worldengine.tuning.packing import joined
from worldengine.tuning.probe import check_rows_stay_apart
from worldengine.tuning.rows import Row, tokenised
from worldengine.tuning.step import gradients

CPU = torch.device("cpu")


def prepared(folder: Path, **changes: Any) -> tuple[Any, Any, list[Row], int]:
    made = config(folder, **changes)
    tokenizer = tokenizer_of(made)
    model = model_of(made, tokenizer, CPU)
    model.eval()
    rows, _ = tokenised(made.data.train, tokenizer, 256, len(tokenizer))
    return made, model, rows, int(tokenizer.pad_token_id)


def grads(model: Any) -> dict[str, torch.Tensor]:
    return {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("architecture", ["llama", "qwen3"])
@pytest.mark.parametrize("at_once", [10_000, 300])
def test_packing_and_accumulation_change_nothing(
    tmp_path: Path, architecture: str, at_once: int
) -> None:
    scratch = {"architecture": architecture, "layers": 2, "hidden": 32, "heads": 2}
    made, model, rows, pad = prepared(tmp_path, model={"scratch": scratch})
    found: list[tuple[float, dict[str, torch.Tensor]]] = []
    for packing, bound in (("pad", 10_000), ("blocks", at_once), ("pad", at_once)):
        batch = Batch(rows=4, tokens_at_once=bound, packing=packing)  # type: ignore[arg-type]
        model.zero_grad()
        loss = gradients(model, rows[:7], made.model_copy(update={"batch": batch}), pad, CPU)
        found.append((loss, grads(model)))
    for loss, each in found[1:]:
        assert loss == pytest.approx(found[0][0], rel=1e-5)
        for name, gradient in each.items():
            torch.testing.assert_close(gradient, found[0][1][name], rtol=1e-4, atol=1e-6)


def test_a_change_in_one_row_does_not_reach_its_neighbour(tmp_path: Path) -> None:
    _, model, rows, pad = prepared(tmp_path)
    first, second = rows[0], rows[1]
    other = Row("x", tuple(reversed(first.input_ids)), first.labels)
    logits = []
    for neighbour in (first, other):
        each = joined([neighbour, second], "blocks", pad)
        output = model(
            input_ids=each.input_ids, attention_mask=each.mask, position_ids=each.position_ids
        )
        logits.append(output.logits[0, len(first.input_ids) :])
    torch.testing.assert_close(logits[0], logits[1], rtol=0, atol=0)


def test_an_architecture_that_leaks_is_found_before_training(tmp_path: Path) -> None:
    made, model, rows, pad = prepared(tmp_path, batch={"rows": 4, "packing": "blocks"})
    check_rows_stay_apart(model, rows, made, pad, CPU)

    class Forgetful(torch.nn.Module):
        """Does not look at the block mask."""

        def forward(self, attention_mask: torch.Tensor, **inputs: Any) -> Any:
            return model(attention_mask=None, **inputs)

    class Counting(Forgetful):
        """Positions do not begin again either."""

        def forward(self, attention_mask: torch.Tensor, **inputs: Any) -> Any:
            del inputs["position_ids"]
            return model(attention_mask=None, **inputs)

    with pytest.raises(TuningError, match=r'batch.packing = "pad"'):
        check_rows_stay_apart(Counting(), rows, made, pad, CPU)
