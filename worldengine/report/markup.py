"""Markup in which nothing can be forgotten to be escaped.

In: text, numbers, other markup. Out: `Markup`. Plain text given to `tag` is escaped; only what
`tag` made goes through as it is. Attribute values are escaped and quoted.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


class Markup(str):
    """Text that is markup already. Made by this module alone."""

    __slots__ = ()


Content = str | int | float | None


def text(value: Content) -> Markup:
    """Escaped text; markup stays. Control characters, which no page may hold, become marks."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return Markup("")
    plain = "".join(c if c.isprintable() or c in "\n\t\u200d" else "\ufffd" for c in str(value))
    return Markup(html.escape(plain.encode("utf-8", "replace").decode("utf-8"), quote=True))


def tag(name: str, *content: Content, **attributes: Content) -> Markup:
    """An element. A trailing underscore is for names that Python keeps, as in `class_`;
    other underscores are hyphens. An attribute that is None is left out."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{told}>{''.join(map(text, content))}</{name}>")


def joined(parts: Iterable[Content]) -> Markup:
    """Parts one after the other."""
    return Markup("".join(map(text, parts)))


def table(head: Sequence[Content], rows: Iterable[Sequence[Content]], caption: str = "") -> Markup:
    """A table; numbers are set right, and so are the heads of columns of numbers."""

    def cell(value: Content) -> Markup:
        kind = "n" if _numeric(value) else "r" if _range(value) else None
        return tag("td", value, class_=kind)

    lines = [list(row) for row in rows]
    right = [bool(lines) and all(_numeric(row[at]) for row in lines if at < len(row))
             for at in range(len(head))]  # fmt: skip
    top = tag(
        "thead",
        tag(
            "tr",
            *(
                tag("th", name, scope="col", class_="n" if right[at] else None)
                for at, name in enumerate(head)
            ),
        ),
    )
    body = tag("tbody", *(tag("tr", *map(cell, row)) for row in lines))
    parts = (tag("caption", caption), top, body) if caption else (top, body)
    return tag("div", tag("table", *parts), class_="wide")


def _range(value: Content) -> bool:
    """`0.41 to 0.58`: never broken over lines."""
    low, to, high = str(value).partition(" to ")
    return bool(to) and _numeric(low) and _numeric(high)


def _numeric(value: Content) -> bool:
    if isinstance(value, Markup):
        return False
    plain = str(value).strip().replace(",", "").replace("%", "").lstrip("+-−<")
    plain, _, power = plain.partition("e-")  # 7.6e-06, as small chances are written
    if power and not power.isdigit():
        return False
    return plain.replace(".", "", 1).isdigit() or value in ("", "-")
