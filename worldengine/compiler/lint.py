"""Lints that need only the tree: natural slips that compile but rarely mean well."""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.reporter import Reporter
from worldengine.syntax import ast


def lint(world: r.Resolved, own: ast.Document, reporter: Reporter) -> None:
    """Add warnings; never an error."""
