"""Batched decoding with a key-value cache that lives as long as a conversation.

In: for each row the tokens it is to go on from, what was kept of its last turn, and how it
picks. Out: the tokens it wrote and what to keep. Of what was kept, the longest common
beginning with the new tokens is used again, so that a turn reads only what is new. Rows are
laid side by side as [padding, kept, padding, new] with their own positions; a row that ends
leaves the batch. What a row writes depends on its own tokens and numbers alone, up to how
the network rounds in batches of different shapes; with one row at a time not even that.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from worldengine.models.constraint import Follower

NOT_FULL = ("sliding_attention", "chunked_attention", "linear_attention", "conv", "mamba")


@dataclass(slots=True)
class Kept:
    """Tokens that were read or written, and per layer (keys, values), each of shape
    (heads, tokens, width)."""

    ids: list[int]
    layers: list[tuple[Any, Any]]


@dataclass(slots=True)
class Job:
    """One row. `written` grows while it is decoded; `cached` tokens did not need reading."""

    ids: list[int]
    limit: int
    random: Random
    kept: Kept | None = None
    follower: Follower | None = None
    written: list[int] = field(default_factory=list)
    cached: int = 0


Choose = Callable[[Any, Sequence[Job]], list[int]]
"""Logits of shape (rows, vocabulary) and their rows → a token each."""


class Decoder:
    """See the module. `network` is a causal model of transformers, `ends` its end tokens."""

    def __init__(self, network: Any, ends: frozenset[int], choose: Choose) -> None:
        self._network, self._ends, self._choose = network, ends, choose
        config = network.config.get_text_config()
        kinds = getattr(config, "layer_types", None) or ()
        self.keeps = not any(kind in NOT_FULL for kind in kinds)
        """Whether this network's cache is one that can be cut and laid side by side."""

    def decode(self, jobs: Sequence[Job]) -> None:
        """Writes every job to its end, and leaves in it what to keep."""
        import torch

        for job in jobs:
            job.cached = _common(job.kept, job.ids) if self.keeps else 0
        with torch.inference_mode():
            _Batch(self._network, list(jobs), self.keeps).run(self._choose, self._ends)


class _Batch:
    """Rows under way. `old` and `new` are the widths of the two parts of a row."""

    def __init__(self, network: Any, jobs: list[Job], keeps: bool) -> None:
        import torch

        self.network, self.jobs, self.keeps = network, jobs, keeps
        self.old = max(job.cached for job in jobs)
        self.new = max(len(job.ids) - job.cached for job in jobs)
        device = network.device
        shape = len(jobs), self.new
        self.ids = torch.zeros(shape, dtype=torch.long)
        self.positions = torch.zeros(shape, dtype=torch.long)
        self.mask = torch.zeros((len(jobs), self.old + self.new), dtype=torch.long)
        for row, job in enumerate(jobs):
            size = len(job.ids) - job.cached
            self.ids[row, self.new - size :] = torch.tensor(job.ids[job.cached :])
            self.positions[row, self.new - size :] = torch.arange(job.cached, len(job.ids))
            self.mask[row, self.old - job.cached : self.old] = 1
            self.mask[row, self.old + self.new - size :] = 1
        self.ids, self.positions = self.ids.to(device), self.positions.to(device)
        self.mask = self.mask.to(device)
        taken = inspect.signature(network.forward).parameters
        self.argument = "cache" if "cache" in taken else "past_key_values"  # its name changed
        self.cache = self._laid()

    def _laid(self) -> Any:
        """The kept keys and values side by side, each at the right end of the old part."""
        import torch
        from transformers import DynamicCache

        if not self.keeps:
            return DynamicCache(config=self.network.config)
        cache = DynamicCache()
        if self.old == 0:
            return cache
        some = next(job.kept for job in self.jobs if job.cached and job.kept is not None)
        for layer, pair in enumerate(some.layers):
            parts = []
            for which, sample in enumerate(pair):
                whole = torch.zeros(
                    (len(self.jobs), sample.shape[0], self.old, sample.shape[2]),
                    dtype=sample.dtype,
                    device=sample.device,
                )
                for row, job in enumerate(self.jobs):
                    if job.cached and job.kept is not None:
                        own = job.kept.layers[layer][which]
                        whole[row, :, self.old - job.cached :] = own[:, : job.cached]
                parts.append(whole)
            cache.update(parts[0], parts[1], layer)
        return cache

    def run(self, choose: Choose, ends: frozenset[int]) -> None:
        import torch

        while True:
            out = self.network(
                input_ids=self.ids,
                attention_mask=self.mask,
                position_ids=self.positions,
                use_cache=True,
                logits_to_keep=1,
                **{self.argument: self.cache},
            )
            tokens = choose(out.logits[:, -1].float(), self.jobs)
            going: list[int] = []
            for row, (job, token) in enumerate(zip(self.jobs, tokens, strict=True)):
                if self._ended(job, token, ends):
                    self._keep(row)
                else:
                    going.append(row)
            if not going:
                return
            if len(going) < len(self.jobs):
                self._only(going)
            device = self.mask.device
            said = [job.written[-1] for job in self.jobs]
            at = [len(job.ids) + len(job.written) - 1 for job in self.jobs]
            self.ids = torch.tensor(said, device=device)[:, None]
            self.positions = torch.tensor(at, device=device)[:, None]
            self.mask = torch.cat([self.mask, torch.ones_like(self.mask[:, :1])], dim=1)

    def _ended(self, job: Job, token: int, ends: frozenset[int]) -> bool:
        """Takes a token in; whether it was the last."""
        job.written.append(token)
        if token in ends:
            return True
        if job.follower is not None:
            job.follower.take(token)
            if job.follower.stopped:
                return True
        return len(job.written) >= job.limit

    def _keep(self, row: int) -> None:
        """Leaves a row's keys and values with its job, without the padding."""
        job = self.jobs[row]
        if not self.keeps:
            return
        places = self.mask[row].nonzero()[:, 0]
        layers = [
            (layer.keys[row].index_select(1, places), layer.values[row].index_select(1, places))
            for layer in self.cache.layers
        ]
        job.kept = Kept([*job.ids, *job.written[:-1]], layers)

    def _only(self, rows: list[int]) -> None:
        import torch

        chosen = torch.tensor(rows, device=self.mask.device)
        self.jobs = [self.jobs[row] for row in rows]
        self.mask = self.mask[chosen]
        self.cache.batch_select_indices(chosen)


def _common(kept: Kept | None, ids: list[int]) -> int:
    """How many tokens need not be read again; one at least is read, for its logits."""
    if kept is None:
        return 0
    most = min(len(kept.ids), len(ids) - 1)
    if kept.ids[:most] == ids[:most]:
        return most
    return next(at for at in range(most) if kept.ids[at] != ids[at])


def chooser(temperature: float, top_p: float) -> Choose:
    """Takes the likeliest token, or draws one with a number of the row's own generator."""

    def choose(logits: Any, jobs: Sequence[Job]) -> list[int]:
        import torch

        if any(job.follower is not None for job in jobs):
            allowed = torch.stack([_allowed(job, logits.shape[1]) for job in jobs])
            logits = logits.masked_fill(~allowed.to(logits.device), float("-inf"))
        if temperature <= 0:
            found: list[int] = logits.argmax(-1).tolist()
            return found
        ordered, places = torch.softmax(logits / temperature, -1).sort(-1, descending=True)
        total = ordered.double().cumsum(-1)
        within = (total - ordered) < top_p  # the likeliest token always is
        mass = (ordered * within).double().cumsum(-1)
        numbers = [job.random.random() for job in jobs]
        drawn = torch.tensor(numbers, dtype=torch.double, device=logits.device)[:, None]
        chosen = (mass <= drawn * mass[:, -1:]).sum(-1, keepdim=True)
        last = within.sum(-1, keepdim=True) - 1
        picked: list[int] = places.gather(1, torch.minimum(chosen, last))[:, 0].tolist()
        return picked

    return choose


def _allowed(job: Job, size: int) -> Any:
    import torch

    if job.follower is None:
        return torch.ones(size, dtype=torch.bool)
    return torch.from_numpy(job.follower.allowed())
