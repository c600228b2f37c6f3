"""Mutants that no play can tell from the original.

In: a script, a mutant of its `win`, a budget. Out: whether it is proven that both end alike. A
third world is made that is won where the one condition holds and the other does not: if the
prover shows that it cannot be won from any start, no play of any length ends differently.
False means that it is not proven. Other mutants are not tried: a requirement that can never
fail is a lint already, and all else shows in a text.
"""

from __future__ import annotations

from worldengine.compiler import compile_source
from worldengine.judging.mutants import Mutant
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.source import Source
from worldengine.syntax import ast, parse


def proven_same(source: Source, mutant: Mutant, budget: Budget) -> bool:
    """See the module."""
    text = apart(source, mutant)
    machine = compile_source(Source(source.name, text)).machine if text else None
    return machine is not None and decide(machine, budget).status == "unwinnable"


def apart(source: Source, mutant: Mutant) -> str:
    """The world that is won where original and mutant differ; "" where `win` is not what was
    changed. Where both are won, by this condition or another, both are over: a way to lose."""
    document, other = parse(source)[0], parse(Source(source.name, mutant.text))[0]
    if document is None or other is None:
        return ""
    ours, theirs = _wins(document), _wins(other)
    changed = [
        (a, b)
        for a, b in zip(ours, theirs, strict=False)
        if _text(source.text, a.when) != _text(mutant.text, b.when)
    ]
    if len(ours) != len(theirs) or len(changed) != 1:
        return ""
    one, two = changed[0]
    was, now = _text(source.text, one.when), _text(mutant.text, two.when)
    if _put(source.text, [(one.when, now)]) != mutant.text:
        return ""
    differ = f"((({now}) and not ({was})) or (({was}) and not ({now})))"
    both = f"lose when ({was}) and ({now})"  # there both games are over
    edits: list[tuple[ast.Node, str]] = [(one.when, differ)]
    edits += [(item, "") for item in document.items if isinstance(item, ast.Proof)]
    edits += [
        (item, "lose" + _text(source.text, item).removeprefix("win"))
        for item in ours
        if item is not one
    ]
    return _put(source.text, edits) + f"\n{both}\n"


def _wins(document: ast.Document) -> list[ast.Ending]:
    return [i for i in document.items if isinstance(i, ast.Ending) and i.which == "win"]


def _text(text: str, node: ast.Node) -> str:
    return text[node.span.start : node.span.end]


def _put(text: str, edits: list[tuple[ast.Node, str]]) -> str:
    for node, new in sorted(edits, key=lambda edit: -edit[0].span.start):
        text = text[: node.span.start] + new + text[node.span.end :]
    return text
