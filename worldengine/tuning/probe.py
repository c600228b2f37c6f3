"""A look before training whether the model keeps packed rows apart.

In: a model, rows. Out: nothing, or a TuningError. Two rows packed behind a block mask must
give the logits that each gives alone. An architecture that carries a state from token to
token, or ignores the mask, fails this, and would learn to read its neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from worldengine.tuning.config import TrainConfig
from worldengine.tuning.errors import TuningError
from worldengine.tuning.packing import Pass, joined
from worldengine.tuning.rows import Row

TOLERANCE = {"float32": 1e-3, "bfloat16": 0.25}
PROBED = 256
"""Tokens of each row that are looked at."""


def check_rows_stay_apart(
    model: Any, rows: Sequence[Row], config: TrainConfig, pad: int, device: torch.device
) -> None:
    """TuningError where packing would leak."""
    if config.batch.packing != "blocks":
        return
    shortest = sorted(rows, key=lambda row: len(row.input_ids))[:2]
    probes = [
        Row(row.id, row.input_ids[:PROBED], row.labels[:PROBED]) for row in (*shortest, *shortest)
    ][:2]
    model.eval()
    with torch.no_grad():
        together = _logits(model, joined(probes, "blocks", pad).to(device))[0]
        begin, worst = 0, 0.0
        for row in probes:
            alone = _logits(model, joined([row], "pad", pad).to(device))[0]
            there = together[begin : begin + len(row.input_ids)]
            worst = max(worst, float((there - alone).abs().max() / alone.abs().max().clamp(min=1)))
            begin += len(row.input_ids)
    model.train()
    if not worst <= TOLERANCE[config.model.dtype]:
        raise TuningError(
            f"this architecture does not keep packed rows apart (logits differ by {worst:.2g}); "
            'set batch.packing = "pad"'
        )


def _logits(model: Any, each: Pass) -> torch.Tensor:
    output = model(
        input_ids=each.input_ids,
        attention_mask=each.mask,
        position_ids=each.position_ids,
        use_cache=False,
    )
    logits: torch.Tensor = output.logits.float()
    return logits
