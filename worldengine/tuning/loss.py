"""The refinement loss: AgentRefine's equation (1), with the indicator outside the logarithm.

In: logits, targets, weights. Out: one number, and gradients that are exactly zero wherever a
turn is masked. For a trajectory with turns A_j (thought and action together) the loss is

    L = - sum_j 1(A_j) * sum_t log p(token t of turn j | everything before it)

where 1(A_j) is 0 for a refused turn. Printed with the indicator inside the logarithm the sum
would be minus infinity for any masked turn. What an update divides by is a choice:

    token   every trained token weighs the same: divided by the tokens trained in the update
    turn    every trained turn weighs the same, however long: the mean over turns of their means
    row     every conversation weighs the same: the mean over rows of their means

The divisor is that of the whole update, not of one pass, so that accumulation changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch

from worldengine.tuning.rows import IGNORED, Row

Normalise = Literal["token", "turn", "row"]


def weights(rows: Sequence[Row], how: Normalise) -> list[list[float]]:
    """For each row of one update the weight of every token (0 where it is not trained),
    by the position of the token itself. All weights of an update sum to 1."""
    tokens = sum(row.trained for row in rows)
    turns = sum(len(row.turns) for row in rows)
    found: list[list[float]] = []
    for row in rows:
        each = [0.0] * len(row.labels)
        trained = row.trained
        for begin, end in row.turns:
            if how == "token":
                weight = 1.0 / tokens
            elif how == "turn":
                weight = 1.0 / (turns * (end - begin))
            else:
                weight = 1.0 / (len(rows) * trained)
            each[begin:end] = [weight] * (end - begin)
        found.append(each)
    return found


def masked_loss(logits: torch.Tensor, targets: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """The weighted sum of the negative log-likelihoods. `logits` (…, vocabulary) predict
    `targets` (…): the shift by one has been made. Computed in float32."""
    kept = targets != IGNORED
    chosen = torch.nn.functional.cross_entropy(
        logits[kept].float(), targets[kept], reduction="none"
    )
    return (chosen * weight[kept]).sum()
