"""How alike worlds are in what they say.

In: worlds with their text. Out: a matrix of cosines, an order in which alike worlds stand
together, the nearest other world of each. By default words and pairs of words are hashed into
vectors, weighed by rarity (TF-IDF) and brought to length one; with a folder of a sentence
model its mean-pooled last layer is taken instead, as all-MiniLM is used.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldengine.curation.statistics import World

DIMENSIONS = 4096
SENTENCE_TOKENS = 256
CHUNK = 1000
"""Characters that a sentence model is given at once."""
MOST = 5000
_WORD = re.compile(r"\w+")


class SimilarityError(ValueError):
    """Worlds cannot be compared so; the message is for people."""


@dataclass(frozen=True, slots=True)
class Similarity:
    """`matrix` is (worlds, worlds) in the order of `names`; `order` lines alike ones up."""

    method: str
    names: tuple[str, ...]
    matrix: NDArray[np.float32]
    order: tuple[int, ...]

    def told(self) -> dict[str, object]:
        """Mean likeness and for each world its nearest other."""
        count = len(self.names)
        if count < 2:
            return {"method": self.method, "mean": None, "nearest": []}
        off = self.matrix[~np.eye(count, dtype=bool)]
        apart = self.matrix - 2 * np.eye(count, dtype=np.float32)
        nearest = apart.argmax(axis=1)
        return {
            "method": self.method,
            "mean": round(float(off.mean()), 4),
            "highest": round(float(off.max()), 4),
            "nearest": [
                {
                    "world": self.names[at],
                    "nearest": self.names[other],
                    "cosine": round(float(self.matrix[at, other]), 4),
                }
                for at, other in enumerate(nearest)
            ],
        }


def similarity(worlds: Sequence[World], embeddings: Path | None = None) -> Similarity:
    """Of worlds in their order."""
    if len(worlds) > MOST:
        raise SimilarityError(f"{len(worlds)} worlds are too many to compare; select up to {MOST}")
    texts = [world.text for world in worlds]
    if embeddings is None:
        method, vectors = "tf-idf of hashed words", hashed(texts)
    else:
        method, vectors = f"mean-pooled {embeddings.name}", _embedded(texts, embeddings)
    matrix = (vectors @ vectors.T).clip(-1.0, 1.0).astype(np.float32)
    names = tuple(world.name for world in worlds)
    return Similarity(method, names, matrix, _lined_up(matrix))


def hashed(texts: Sequence[str]) -> NDArray[np.float32]:
    """(texts, DIMENSIONS), each row of length one."""
    vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
    for row, text in enumerate(texts):
        words = _WORD.findall(text.lower())
        pairs = [f"{one} {two}" for one, two in pairwise(words)]
        for term, count in Counter(words + pairs).items():
            code = zlib.crc32(term.encode("utf-8", "replace"))
            sign = 1.0 if code & 0x80000000 else -1.0
            vectors[row, code % DIMENSIONS] += sign * (1.0 + np.log(count))
    present = (vectors != 0).sum(axis=0)
    vectors *= np.log((1 + len(texts)) / (1 + present)) + 1.0
    return _unit(vectors)


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def _embedded(texts: Sequence[str], folder: Path) -> NDArray[np.float32]:
    if not folder.is_dir():
        raise SimilarityError(f"{folder} is no folder with a sentence model")
    import torch
    from transformers import AutoModel, AutoTokenizer

    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        model: Any = AutoModel.from_pretrained(
            str(folder), local_files_only=True, use_safetensors=True, trust_remote_code=False
        ).eval()
    except (OSError, ValueError) as error:
        first = str(error).strip().partition("\n")[0]
        raise SimilarityError(f"{folder} holds no sentence model: {first}") from None
    rows = []
    for text in texts:
        chunks = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)][:8] or ["-"]
        found = tokenizer(
            chunks, return_tensors="pt", padding=True, truncation=True, max_length=SENTENCE_TOKENS
        )
        with torch.inference_mode():
            last = model(
                input_ids=found["input_ids"], attention_mask=found["attention_mask"]
            ).last_hidden_state
        mask = found["attention_mask"][..., None].float()
        pooled = (last.float() * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1)
        rows.append(torch.nn.functional.normalize(pooled, dim=1).mean(dim=0).numpy())
    return _unit(np.array(rows, np.float32))


def _lined_up(matrix: NDArray[np.float32]) -> tuple[int, ...]:
    """An order that keeps alike ones together: by the second eigenvector of the Laplacian."""
    count = len(matrix)
    if count < 3:
        return tuple(range(count))
    near = matrix.clip(0, 1).astype(np.float64)
    np.fill_diagonal(near, 0)
    _, vectors = np.linalg.eigh(np.diag(near.sum(axis=1)) - near)
    values = vectors[:, 1]
    if values[int(np.abs(values).argmax())] < 0:
        values = -values
    return tuple(sorted(range(count), key=lambda at: (round(float(values[at]), 9), at)))
