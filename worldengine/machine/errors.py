"""What is said of a Machine that means nothing: one sentence, naming the part."""

from __future__ import annotations


class MachineError(ValueError):
    """A Machine that is unsound, of another version, or not readable as a Machine."""


class NoSuchVariant(IndexError, ValueError):
    """A start that a Machine does not have."""

    def __init__(self, name: str, count: int, variant: object) -> None:
        super().__init__(f"{name} has variants 0..{count - 1}, not {variant!r}")
