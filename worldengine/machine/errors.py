"""What is said of a Machine that means nothing: one sentence, naming the part."""

from __future__ import annotations


class MachineError(ValueError):
    """A Machine that is unsound, of another version, or not readable as a Machine."""
