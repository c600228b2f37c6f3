"""What a text says in any state, and a note about it."""

from __future__ import annotations

from worldengine.diagnostics import Diagnostic
from worldengine.syntax import ast


def constant(text: ast.Text) -> str:
    """What a text says in any state; what depends on one is left out."""
    return "".join(
        part.value
        if isinstance(part, ast.Literal)
        else "…"
        if isinstance(part, ast.Insert)
        else " "
        for part in text.parts
    )


def note(name: str, node: ast.Node, message: str, hint: str) -> Diagnostic:
    return Diagnostic(name, "note", message, node.span, hint)
