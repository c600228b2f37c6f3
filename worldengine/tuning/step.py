"""One update: the loss of its rows, the gradients, the optimizer.

In: a model, rows. Out: the loss as a number and a changed model. The gradients of all passes
of an update add up to the gradient of the whole, because every token's weight was fixed by
the whole update (`worldengine.tuning.loss`).
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch

from worldengine.tuning.config import Optimizer, TrainConfig
from worldengine.tuning.loss import Normalise, masked_loss, weights
from worldengine.tuning.packing import Pass, passes
from worldengine.tuning.rows import IGNORED, Row


def precision(config: TrainConfig, device: torch.device) -> AbstractContextManager[Any]:
    """bfloat16 products where they were asked for."""
    if config.bf16:
        return torch.autocast(device.type, dtype=torch.bfloat16)
    return nullcontext()


def pass_loss(model: Any, each: Pass) -> torch.Tensor:
    """The part of an update's loss that one pass holds. Logits are made only for the columns
    in which something is trained: with a large vocabulary they are what fills the memory."""
    columns = (each.targets != IGNORED).any(0).nonzero()[:, 0]
    wanted: dict[str, Any] = {}
    targets, weight = each.targets, each.weights
    if _takes_columns(model):
        wanted["logits_to_keep"] = columns
        targets, weight = targets[:, columns], weight[:, columns]
    output = model(
        input_ids=each.input_ids,
        attention_mask=each.mask,
        position_ids=each.position_ids,
        use_cache=False,
        **wanted,
    )
    return masked_loss(output.logits, targets, weight)


def _takes_columns(model: Any) -> bool:
    inner = model.get_base_model() if hasattr(model, "get_base_model") else model
    return "logits_to_keep" in inspect.signature(inner.forward).parameters


def optimizer_of(model: Any, section: Optimizer) -> torch.optim.AdamW:
    """AdamW over what is trained; norms and biases do not decay."""
    decayed: list[torch.nn.Parameter] = []
    free: list[torch.nn.Parameter] = []
    for parameter in model.parameters():
        if parameter.requires_grad:
            (decayed if parameter.dim() >= 2 else free).append(parameter)
    groups = [
        {"params": decayed, "weight_decay": section.weight_decay},
        {"params": free, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=section.rate, betas=(section.beta1, section.beta2))


def gradients(
    model: Any, rows: Sequence[Row], config: TrainConfig, pad: int, device: torch.device
) -> float:
    """Adds the gradients of one update's rows to the model's; the loss of the update."""
    total = 0.0
    for each in passes(
        _weighted(rows, config.loss.normalise),
        config.batch.packing,
        config.batch.tokens_at_once,
        pad,
    ):
        with precision(config, device):
            loss = pass_loss(model, each.to(device))
        loss.backward()
        total += float(loss.detach())
    return total


def mean_loss(
    model: Any, rows: Sequence[Row], config: TrainConfig, pad: int, device: torch.device
) -> float:
    """The mean loss of a trained token over rows, as nothing is learnt from them."""
    model.eval()
    total = 0.0
    with torch.no_grad():
        for each in passes(
            _weighted(rows, "token"), config.batch.packing, config.batch.tokens_at_once, pad
        ):
            with precision(config, device):
                total += float(pass_loss(model, each.to(device)))
    model.train()
    return total


def _weighted(rows: Sequence[Row], how: Normalise) -> list[tuple[Row, list[float]]]:
    return list(zip(rows, weights(rows, how), strict=True))
