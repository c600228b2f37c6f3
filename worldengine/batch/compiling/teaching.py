"""What compiled functions may call that is no Python function: told to the compiler when it comes.

In: an object that stands in compiled functions, and its lesson. Out: the lessons, which are held
when the first function of a process has to be compiled, and not at all where all is on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Lesson:
    """How compiled functions call something, in the compiler's words: `typed(template, arguments,
    named)` gives its signature, `lowered(context, builder, signature, arguments)` what is put in
    its place; `arguments` are the types of which that is told."""

    typed: Callable[..., Any]
    lowered: Callable[..., Any]
    arguments: Any


LESSONS: list[tuple[object, Callable[[], Lesson]]] = []
"""Those that have not been held."""


def taught(unit: object, lesson: Callable[[], Lesson]) -> None:
    """Have `unit` taught when there is somebody to listen."""
    LESSONS.append((unit, lesson))
