"""Tables that several parts of the page have: figures with intervals, and what was run.

In: plain dictionaries as other commands write them. Out: markup. Figures that are not known
show as a hyphen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from worldengine.report.markup import Content, Markup, table, tag

FIGURES = ("success", "progress", "grounding", "loops", "repeats", "recovery", "turns")


def results(rows: Any, caption: str) -> Markup:
    """One row for each name with its figures, success with its interval."""
    body = [
        [
            name,
            told["episodes"],
            number(told.get("success")),
            interval(told.get("ci", {}).get("success")),
            *(number(told.get(key)) for key in FIGURES[1:]),
        ]
        for name, told in rows
    ]
    return table(["", "episodes", "success", "95%", *FIGURES[1:]], body, caption)


def facts(told: dict[str, Any], title: str = "What was run") -> Markup:
    """Names and values, folded until they are opened."""
    rows: list[Sequence[Content]] = [
        [key, tag("code", "" if value is None else str(value))] for key, value in told.items()
    ]
    return tag("details", tag("summary", title), table(["", ""], rows))


def shared_facts(each: dict[str, dict[str, Any]], title: str = "What was run") -> Markup:
    """The same for several at once: what all have in common, then what is each one's own."""
    first = next(iter(each.values()))
    common = {
        key: value
        for key, value in first.items()
        if all(key in told and told[key] == value for told in each.values())
    }
    if len(each) == 1:
        return facts(common, title)
    own = [
        facts({key: value for key, value in told.items() if key not in common}, f"Only {name}")
        for name, told in each.items()
    ]
    return tag("div", facts(common, f"{title}: the same in all"), *own)


def flat(value: Any, before: str = "") -> dict[str, Any]:
    """Nested tables as one, with dotted names."""
    if not isinstance(value, dict):
        return {before: value}
    found: dict[str, Any] = {}
    for key, inner in value.items():
        found |= flat(inner, f"{before}.{key}" if before else str(key))
    return found


def short(names: Sequence[str]) -> list[str]:
    """Paths without what all of them begin with, and no more than their last three parts."""
    parts = [name.split("/") for name in names]
    common = 0
    if len(names) > 1:
        while all(len(p) > common + 1 and p[common] == parts[0][common] for p in parts):
            common += 1
    ends = ["/".join(p[common:][-3:]) for p in parts]
    return ends if len(set(ends)) == len(ends) else ["/".join(p[common:]) for p in parts]


def number(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def signed(value: Any) -> str:
    return "-" if value is None else f"{value:+.3f}"


def interval(value: Any, signs: bool = False) -> str:
    """`0.412 to 0.583`, a hyphen where none is known."""
    if value is None:
        return "-"
    low, high = (f"{each:+.3f}" if signs else f"{each:.3f}" for each in value)
    return f"{low} to {high}"
