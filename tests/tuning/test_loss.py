"""The loss against numbers worked out by hand; no gradient where a turn is masked."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("torch")

import torch

from worldengine.tuning.loss import masked_loss, weights
from worldengine.tuning.packing import passes
from worldengine.tuning.rows import IGNORED, Row

N = IGNORED
ROWS = [
    # Two trained turns of two tokens and one; a masked turn between them is context only.
    Row("a", (0, 1, 2, 1, 2, 0), (N, 1, 2, N, N, 0)),
    Row("b", (1, 2, 0, 2), (N, N, 0, 2)),
]
P = {0: 0.5, 1: 0.3, 2: 0.2}


def logits(lines: int, length: int) -> torch.Tensor:
    """The same distribution everywhere: token k has probability P[k]."""
    line = torch.tensor([math.log(P[0]), math.log(P[1]), math.log(P[2])])
    return line.expand(lines, length, 3).clone().requires_grad_()


def by_hand(how: str) -> float:
    first, second, third = (
        [-math.log(P[1]), -math.log(P[2])],
        [-math.log(P[0])],
        [
            -math.log(P[0]),
            -math.log(P[2]),
        ],
    )
    if how == "token":
        return (sum(first) + sum(second) + sum(third)) / 5
    if how == "turn":
        return (sum(first) / 2 + sum(second) + sum(third) / 2) / 3
    return ((sum(first) + sum(second)) / 3 + sum(third) / 2) / 2


@pytest.mark.parametrize("how", ["token", "turn", "row"])
@pytest.mark.parametrize("packing", ["pad", "blocks"])
def test_the_loss_is_what_is_worked_out_by_hand(how: str, packing: str) -> None:
    weighted = list(zip(ROWS, weights(ROWS, how), strict=True))  # type: ignore[arg-type]
    total = 0.0
    for each in passes(weighted, packing, 64, 0):
        made = logits(*each.targets.shape)
        total += float(masked_loss(made, each.targets, each.weights).detach())
    assert total == pytest.approx(by_hand(how), rel=1e-6)


def test_weights_of_an_update_sum_to_one_and_are_zero_where_masked() -> None:
    for how in ("token", "turn", "row"):
        found = weights(ROWS, how)  # type: ignore[arg-type]
        assert sum(map(sum, found)) == pytest.approx(1.0)
        for row, each in zip(ROWS, found, strict=True):
            for label, weight in zip(row.labels, each, strict=True):
                assert (weight == 0.0) == (label == IGNORED)


@pytest.mark.parametrize("packing", ["pad", "blocks"])
def test_the_gradient_is_exactly_zero_on_masked_tokens(packing: str) -> None:
    weighted = list(zip(ROWS, weights(ROWS, "token"), strict=True))
    for each in passes(weighted, packing, 64, 0):
        made = logits(*each.targets.shape)
        masked_loss(made, each.targets, each.weights).backward()
        assert made.grad is not None
        masked = each.targets == IGNORED
        assert torch.equal(made.grad[masked], torch.zeros_like(made.grad[masked]))
        assert bool((made.grad[~masked].abs().sum(-1) > 0).all())


def test_the_first_token_of_a_row_is_never_a_target() -> None:
    rows = [Row("a", (0, 1), (0, 1)), Row("b", (2, 1), (2, 1))]
    assert [row.trained for row in rows] == [1, 1]
    weighted = list(zip(rows, weights(rows, "token"), strict=True))
    (each,) = passes(weighted, "blocks", 64, 0)
    assert sorted(each.targets.flatten().tolist()) == [N, N, 1, 1]


def test_turns_are_the_unbroken_stretches_of_labels() -> None:
    assert ROWS[0].turns == ((1, 3), (5, 6))
    assert ROWS[1].turns == ((2, 4),)
