"""Holes: comments that begin with `HOLE` say what a script still lacks.

An importer writes them where its source was silent; each becomes a warning at its place, so
that `check` lists what a person or a model has to fill in.
"""

from __future__ import annotations

from worldengine.compiler.reporter import Reporter
from worldengine.syntax import ast

MARK = "HOLE"


def check_holes(document: ast.Document, reporter: Reporter) -> None:
    """A warning for every hole."""
    for comment in document.comments:
        if comment.text.startswith(MARK):
            words = comment.text.removeprefix(MARK).lstrip(": ").strip() or "something is missing"
            reporter.warning("hole", comment.span, words, "write it and take this comment away")
