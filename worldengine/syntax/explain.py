"""stub"""
from __future__ import annotations
from lark import UnexpectedInput
from worldengine.diagnostics import Diagnostic
from worldengine.source import Span
from worldengine.syntax.expressions import Placed

def insertion(error: UnexpectedInput, text: str, placed: Placed) -> Diagnostic:
    at = min(error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(text), max(len(text) - 1, 0))
    return Diagnostic("text-bad-insertion", "error", "this insertion is not understood", placed.span(at, at + 1) if text else placed.span(0, 0))

def script(error: UnexpectedInput, placed: Placed) -> Diagnostic:
    at = error.pos_in_stream
    if at is None or at < 0: at = len(placed.source.text)
    return Diagnostic("syntax-unexpected", "error", "this is not understood", Span(placed.source, at, at + 1))
