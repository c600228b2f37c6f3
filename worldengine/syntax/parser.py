"""`parse`: a source in, a `Document` or diagnostics out. It never raises on any input.

Refused, always as diagnostics: what is too big or too deep, what the grammar does not take,
strings with broken insertions, a world without a header and a library with one. A document
comes back only if there is no error, so later stages never meet a half of one.
"""

from __future__ import annotations

from lark import UnexpectedInput

from worldengine.diagnostics import Diagnostic, has_errors
from worldengine.source import Source, Span
from worldengine.syntax import ast, grammar, recovery
from worldengine.syntax.expressions import Placed
from worldengine.syntax.insertions import Insertions
from worldengine.syntax.limits import MAX_DIAGNOSTICS, Screened, screen
from worldengine.syntax.tree import DocumentBuilder


def parse(
    source: Source, library: bool = False
) -> tuple[ast.Document | None, tuple[Diagnostic, ...]]:
    """The tree of a script, or what is wrong with it, in the order it is written."""
    screened = screen(source)
    if screened.refused:
        return None, screened.refused
    try:
        tree = grammar.load().parse(screened.text, start="start")
    except UnexpectedInput as error:
        return None, _in_order(recovery.recover(source, screened.text, error, library))
    insertions = Insertions(source)
    builder = DocumentBuilder(Placed(source), insertions)
    document: ast.Document = builder.build(tree)
    found = [
        *builder.diagnostics,
        *insertions.diagnostics,
        *builder.depth_complaints(document, screened.nesting),
        *_header_complaints(document, source, library),
    ]
    diagnostics = _in_order(found)
    if has_errors(diagnostics):
        return None, diagnostics
    return _whole(document, source, screened), diagnostics


def _whole(document: ast.Document, source: Source, screened: Screened) -> ast.Document:
    span = Span(source, 0, len(source.text))
    return ast.Document(document.header, document.items, screened.comments, span=span)


def _header_complaints(document: ast.Document, source: Source, library: bool) -> list[Diagnostic]:
    """A header further down reads like an object of kind `world`; here it is named."""
    late = [
        item.kind.span
        for item in document.items
        if isinstance(item, ast.Object) and item.kind.text == "world"
    ]
    if library:
        found = [recovery.header_in_library(span) for span in late]
        if document.header is not None:
            found.append(recovery.header_in_library(document.header.span))
        return found
    if document.header is not None:
        return [recovery.header_twice(span) for span in late]
    return [recovery.header_late(span) for span in late] or [recovery.header_missing(source)]


def _in_order(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By place, each once, and no more than a person can use."""
    kept: dict[tuple[str, int, int], Diagnostic] = {}
    for item in sorted(found, key=lambda item: (item.span.start, item.span.end)):
        kept.setdefault((item.id, item.span.start, item.span.end), item)
    return tuple(kept.values())[:MAX_DIAGNOSTICS]
