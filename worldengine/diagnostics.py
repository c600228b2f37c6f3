"""Diagnostics: what is wrong with a script, as a value.

In: a stable id, a span and words. Out: a value that is rendered in one place only
(`render_terminal`, `render_json`), so terminal and JSON can never disagree. An author's
mistake is always a Diagnostic, never an exception of ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.source import Span

SEVERITIES = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Label:
    """A second place worth looking at, with a few words about it."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One complaint. `id` outlives the wording: tests and tools rely on it."""

    id: str
    severity: str
    message: str
    span: Span
    hint: str | None = None
    labels: tuple[Label, ...] = ()


def has_errors(diagnostics: tuple[Diagnostic, ...]) -> bool:
    return any(item.severity == "error" for item in diagnostics)
