"""Keeping a local model to a grammar: llguidance says which tokens may come next.

In: Lark text and a tokenizer. Out: for each step of each row a mask over the vocabulary.
Refused: grammars that llguidance cannot read (`ModelError` with its sentence).
"""

from __future__ import annotations

from typing import Any

from worldengine.models.protocol import ModelError


class Vocabulary:
    """A tokenizer as llguidance sees it, made once a model. `size` counts the logits."""

    def __init__(self, tokenizer: Any, size: int) -> None:
        import llguidance.hf

        self._tokens = llguidance.hf.from_tokenizer(tokenizer, n_vocab=size)
        self.size = size

    def follow(self, grammar: str) -> Follower:
        return Follower(self, grammar)

    def matcher(self, grammar: str) -> Any:
        from llguidance import LLMatcher

        lark = LLMatcher.grammar_from_lark(grammar)
        complaint = LLMatcher.validate_grammar(lark, self._tokens)
        if complaint:
            raise ModelError(f"the grammar cannot be decoded under: {complaint}")
        return LLMatcher(self._tokens, lark, log_level=0)


class Follower:
    """One answer's way through the grammar."""

    def __init__(self, vocabulary: Vocabulary, grammar: str) -> None:
        self._matcher = vocabulary.matcher(grammar)
        self._words = (vocabulary.size + 31) // 32
        self._size = vocabulary.size

    def take(self, token: int) -> None:
        """The token that was chosen. One the mask did not allow is a fault of ours."""
        if not self._matcher.is_stopped() and not self._matcher.consume_token(token):
            raise ModelError(f"the decoder left its grammar: {self._matcher.get_error()}")

    @property
    def stopped(self) -> bool:
        """Nothing but the end may follow."""
        return bool(self._matcher.is_stopped())

    def allowed(self) -> Any:
        """(vocabulary,) bool: which tokens may come next."""
        import numpy as np

        words = np.zeros(self._words, dtype=np.int32)
        self._matcher.unsafe_compute_mask_ptr(words.ctypes.data, words.nbytes)
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")[: self._size]
        return bits.astype(bool)
