"""Names of kinds that nothing declares: what an author most likely meant."""

from __future__ import annotations

from worldengine.compiler.tables import Tables
from worldengine.diagnostics import did_you_mean
from worldengine.source import Span

KEYWORDS = ("action", "rule", "kind", "fact", "derive", "milestone", "player", "enum", "vary")
"""A misspelt keyword reads like the declaration of an object."""
INNER = frozenset({"openable", "exit", "player"})
"""Kinds that no author needs to name."""


def unknown_kind(tables: Tables, span: Span, name: str, *, declares: bool = False) -> None:
    """Report a kind that there is not; `declares` where an object of it is being declared."""
    known = [kind for kind in tables.kinds if kind not in INNER]
    near = did_you_mean(name, [*known, *tables.enums, *(KEYWORDS if declares else ())])
    family = tables.families.get(name)
    if near in KEYWORDS:
        tables.reporter.error(
            "kind-unknown",
            span,
            f"`{name}` is neither a kind nor a word that begins a declaration",
            f"did you mean `{near}`?",
        )
        return
    if near:
        hint = f"did you mean `{near}`?"
    elif name == "topic":
        hint = "the kind `topic` comes with `use talk`; or declare it yourself: kind topic"
    elif family:
        first = tables.objects[family[0]]
        hint = (
            f"`{name}` names {len(family)} objects of kind `{first.kind}`: declare "
            f"`kind {name} is {first.kind}` and write them as `{name} {name} {len(family)} …`"
        )
    else:
        listed = ", ".join(f"`{kind}`" for kind in known[:12])
        hint = f"declare it (`kind {name} is thing`), or use one of {listed}"
    tables.reporter.error("kind-unknown", span, f"there is no kind called `{name}`", hint)
