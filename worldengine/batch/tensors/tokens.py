"""Token ids of observations on the device, looked up without leaving it.

A step looks its texts up in a sorted table; a text that is new there comes out as padding and is
marked. `fill`, called outside the step (beside sampling, say), encodes what was missing.
"""

from __future__ import annotations

import torch
from torch import Tensor

from worldengine.batch.texts.tokens import TokenTable


class DeviceTokens:
    """See the module. Every text takes a row of `length` tokens (int64) on the device."""

    def __init__(self, table: TokenTable, length: int, pad: int, device: str = "cpu") -> None:
        self.table, self.length, self.pad = table, length, pad
        self._ids = torch.zeros(0, dtype=torch.int64, device=device)
        self._tokens = torch.zeros((0, length), dtype=torch.int64, device=device)
        self._lengths = torch.zeros(0, dtype=torch.int64, device=device)

    def look_up(self, ids: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(n, length) tokens padded on the right, (n,) lengths, (n,) bool: found. Asks the
        device nothing."""
        if not len(self._ids):
            blank = torch.full((len(ids), self.length), self.pad, device=ids.device)
            nothing = torch.zeros_like(ids)
            return blank, nothing, nothing.bool()
        place = torch.searchsorted(self._ids, ids).clamp(max=len(self._ids) - 1)
        found = self._ids[place] == ids
        tokens = torch.where(found[:, None], self._tokens[place], self.pad)
        return tokens, torch.where(found, self._lengths[place], 0), found

    def fill(self, ids: Tensor) -> int:
        """Encode the texts that are not there yet; how many they were. Texts must be known to
        the table's reader: call `TorchBatch.texts` (or `collect`) for their turn first."""
        known = set(self._ids.tolist())
        new = sorted({value for value in ids.tolist() if value not in known})
        if not new:
            return 0
        fresh = torch.tensor(new, dtype=torch.int64)
        tokens, lengths = self.table.padded(fresh.numpy(), self.length, self.pad)
        device = self._ids.device
        every = torch.cat([self._ids, fresh.to(device)])
        order = torch.argsort(every)
        rows = torch.cat([self._tokens, torch.from_numpy(tokens).long().to(device)])
        sizes = torch.cat([self._lengths, torch.from_numpy(lengths).to(device)])
        self._ids, self._tokens, self._lengths = every[order], rows[order], sizes[order]
        return len(new)
