"""stub"""
from __future__ import annotations
from lark import UnexpectedInput
from worldengine.diagnostics import Diagnostic
from worldengine.source import Source, Span
from worldengine.syntax import explain
from worldengine.syntax.expressions import Placed

def recover(source: Source, text: str, error: UnexpectedInput, library: bool) -> list[Diagnostic]:
    return [explain.script(error, Placed(source))]

def header_missing(source: Source) -> Diagnostic:
    return Diagnostic("syntax-header-missing", "error", "a world begins with a header", Span(source, 0, 0), 'world NAME "Title" { persona "…" intro "…" goal "…" turns 40 }')

def header_in_library(span: Span) -> Diagnostic:
    return Diagnostic("syntax-header-in-library", "error", "a library of verbs has no header", span)
