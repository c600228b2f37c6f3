"""Collation: rows of one update as tensors, without a leak from row to row.

In: rows and the weights of their tokens. Out: passes of at most `tokens_at_once` tokens. With
"pad" every row is a line of its own, filled up behind its end. With "blocks" a line holds
several rows: positions begin again with each, a block mask lets a token see its own row only,
and no row's last token predicts the next row's first. Rows are laid out longest first, the
same way each time.

Shapes: input_ids, position_ids, targets (lines, length), int64; weights the same in float32;
mask (lines, length) for "pad", (lines, 1, length, length) for "blocks", bool.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from worldengine.tuning.rows import IGNORED, Row

Weighted = tuple[Row, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass through the model; `targets[i]` is what the token at i is to predict."""

    input_ids: torch.Tensor
    position_ids: torch.Tensor
    mask: torch.Tensor
    targets: torch.Tensor
    weights: torch.Tensor

    def to(self, device: torch.device | str) -> Pass:
        return Pass(
            self.input_ids.to(device),
            self.position_ids.to(device),
            self.mask.to(device),
            self.targets.to(device),
            self.weights.to(device),
        )


def passes(rows: Sequence[Weighted], packing: str, tokens_at_once: int, pad: int) -> Iterator[Pass]:
    """The rows of one update, in as few passes as the bound allows."""
    ordered = sorted(rows, key=lambda item: -len(item[0].input_ids))
    if packing == "pad":
        lines = [[item] for item in ordered]
    else:
        lines = _bins(ordered, len(ordered[0][0].input_ids))
    taken: list[list[Weighted]] = []
    longest = 0
    for line in lines:
        length = sum(len(row.input_ids) for row, _ in line)
        if taken and max(longest, length) * (len(taken) + 1) > tokens_at_once:
            yield _pass(taken, packing, pad)
            taken, longest = [], 0
        taken.append(line)
        longest = max(longest, length)
    if taken:
        yield _pass(taken, packing, pad)


def joined(rows: Sequence[Row], packing: str, pad: int) -> Pass:
    """All rows in one pass, in their order: in one line with "blocks", else a line each."""
    weighted = [(row, [0.0] * len(row.labels)) for row in rows]
    lines = [weighted] if packing == "blocks" else [[item] for item in weighted]
    return _pass(lines, packing, pad)


def _bins(rows: Sequence[Weighted], room: int) -> list[list[Weighted]]:
    """First fit, longest first: each row into the first line with room for it."""
    bins: list[list[Weighted]] = []
    left: list[int] = []
    for item in rows:
        length = len(item[0].input_ids)
        for at, free in enumerate(left):
            if free >= length:
                bins[at].append(item)
                left[at] -= length
                break
        else:
            bins.append([item])
            left.append(room - length)
    return bins


def _pass(lines: Sequence[Sequence[Weighted]], packing: str, pad: int) -> Pass:
    length = max(sum(len(row.input_ids) for row, _ in line) for line in lines)
    shape = (len(lines), length)
    ids = torch.full(shape, pad, dtype=torch.long)
    positions = torch.zeros(shape, dtype=torch.long)
    targets = torch.full(shape, IGNORED, dtype=torch.long)
    weights = torch.zeros(shape)
    owner = torch.full(shape, -1, dtype=torch.long)
    for at, line in enumerate(lines):
        begin = 0
        for number, (row, weight) in enumerate(line):
            end = begin + len(row.input_ids)
            ids[at, begin:end] = torch.tensor(row.input_ids)
            positions[at, begin:end] = torch.arange(end - begin)
            targets[at, begin : end - 1] = torch.tensor(row.labels[1:])
            weights[at, begin : end - 1] = torch.tensor(weight[1:])
            owner[at, begin:end] = number
            begin = end
    mask = owner >= 0 if packing == "pad" else _block_mask(owner)
    return Pass(ids, positions, mask, targets, weights)


def _block_mask(owner: torch.Tensor) -> torch.Tensor:
    """True where a token may look: itself and what stands before it in its own row. A filling
    token looks at itself alone, so that no line of the mask is empty."""
    length = owner.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    same = owner[:, :, None] == owner[:, None, :]
    real = (owner >= 0)[:, None, :]
    alone = torch.eye(length, dtype=torch.bool)
    return ((same & real & causal) | alone)[:, None]
