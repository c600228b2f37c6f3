"""Charts as SVG inside the page: curves, intervals, shares, a heatmap.

In: numbers. Out: markup. Every chart has a title and a description for those who do not see
it, and no colour that alone carries a meaning: lines have labels, cells have figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from worldengine.report.markup import Markup, tag

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 22, 40
LEGEND = 20
"""Height of a line of the legend."""
NAMES, LETTERS = 280, 34
"""Room for names of rows, and how many letters of them are shown."""
COLOURS = ("#1b6ca8", "#c4501b", "#2f7d32", "#7b3fa0", "#8a6d00", "#00727a")
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")

Points = Sequence[tuple[float, float]]


def curves(
    title: str,
    lines: Mapping[str, Points],
    across: str,
    up: str,
    groups: Mapping[str, str] | None = None,
) -> Markup:
    """Lines over a common pair of axes, named in a legend below. Lines of one group (of each
    by itself where no groups are given) share colour, dashes and name."""
    drawn = {name: points for name, points in lines.items() if points}
    if not drawn:
        return tag("p", f"{title}: nothing was recorded.")
    xs = [x for points in drawn.values() for x, _ in points]
    ys = [y for points in drawn.values() for _, y in points if math.isfinite(y)]
    if not ys:
        return tag("p", f"{title}: nothing finite was recorded.")
    x0, x1 = min(0.0, min(xs)), max(max(xs), min(xs) + 1e-9)
    y0, y1 = min(0.0, min(ys)), max(max(ys), 1e-9)

    def at(x: float, y: float) -> tuple[float, float]:
        across_ = LEFT + (WIDTH - LEFT - RIGHT) * (x - x0) / (x1 - x0)
        return across_, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (y - y0) / (y1 - y0)

    parts = [_axes(x0, x1, y0, y1, at(x0, y0), at(x1, y1), across, up)]
    names = list(dict.fromkeys((groups or {}).get(name, name) for name in drawn))
    for name, points in drawn.items():
        there = [at(x, y) for x, y in points if math.isfinite(y)]
        if not there:
            continue
        colour, dashes = _style(names.index((groups or {}).get(name, name)))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in there)
        parts.append(
            tag("polyline", points=path, fill="none", stroke=colour, stroke_width=2,
                stroke_dasharray=dashes)
        )  # fmt: skip
        x, y = there[-1]
        parts.append(tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=3, fill=colour))
    parts += _legend(names)
    described = "; ".join(f"{name} ends at {points[-1][1]:.4g}" for name, points in drawn.items())
    height = HEIGHT + LEGEND * math.ceil(len(names) / _columns(names))
    return _svg(title, described, height, parts)


def _style(number: int) -> tuple[str, str | None]:
    """Colour and dashes of a line; those of the first 36 differ from one another."""
    colours = len(COLOURS)
    return COLOURS[number % colours], DASHES[(number + number // colours) % len(DASHES)] or None


def _columns(names: Sequence[str]) -> int:
    """As many as fit beside one another."""
    longest = max(map(len, names))
    return 1 if longest > 30 else 2 if longest > 17 else 3


def _legend(names: Sequence[str]) -> list[Markup]:
    columns = _columns(names)
    found: list[Markup] = []
    for number, name in enumerate(names):
        colour, dashes = _style(number)
        x = LEFT + (WIDTH - LEFT) / columns * (number % columns)
        y = HEIGHT + LEGEND * (number // columns) + 8
        found.append(
            tag("line", x1=f"{x:.0f}", x2=f"{x + 26:.0f}", y1=y, y2=y, stroke=colour,
                stroke_width=2, stroke_dasharray=dashes)
        )  # fmt: skip
        found.append(tag("text", name[:84], x=f"{x + 32:.0f}", y=y + 4))
    return found


def intervals(
    title: str, rows: Sequence[tuple[str, float | None, Sequence[float] | None]]
) -> Markup:
    """A dot and a line for each row: a share and its interval. The axis begins at 0 and ends
    at 1, at a half or at a quarter, as the largest needs."""
    ends = [max(figure or 0.0, *(interval or (0.0,))) for _, figure, interval in rows]
    low, high = 0.0, next(end for end in (0.25, 0.5, 1.0) if end == 1.0 or max(ends) <= end)
    step, left = 26, NAMES
    height = TOP + step * len(rows) + BOTTOM
    room = WIDTH - left - 70

    def at(value: float) -> float:
        return left + room * (min(max(value, low), high) - low) / (high - low)

    parts: list[Markup] = []
    for tick in range(6):
        value = low + (high - low) * tick / 5
        x = at(value)
        parts.append(tag("line", x1=x, x2=x, y1=TOP, y2=height - BOTTOM, stroke="#ccc"))
        parts.append(tag("text", _tick(value), x=x, y=height - 14, text_anchor="middle"))
    told = []
    for number, (name, figure, interval) in enumerate(rows):
        y = TOP + step * number + step / 2
        parts.append(tag("text", name[:LETTERS], x=left - 10, y=y + 4, text_anchor="end"))
        if interval is not None:
            one, other = at(interval[0]), at(interval[1])
            parts.append(
                tag("line", x1=one, x2=other, y1=y, y2=y, stroke="#1b6ca8", stroke_width=3)
            )
        if figure is not None:
            parts.append(tag("circle", cx=at(figure), cy=y, r=4.5, fill="#1b6ca8"))
            parts.append(tag("text", f"{figure:.2f}", x=WIDTH - 60, y=y + 4))
            told.append(f"{name} {figure:.3f}")
    return _svg(title, "; ".join(told), height, parts)


def shares(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> Markup:
    """One bar a row, cut by kind; the counts stand in the table beside it."""
    step, left = 28, NAMES
    kinds = list(dict.fromkeys(kind for _, counts in rows for kind in counts))
    height = TOP + step * len(rows) + BOTTOM
    parts: list[Markup] = []
    told = []
    for number, (name, counts) in enumerate(rows):
        y = TOP + step * number
        parts.append(tag("text", name[:LETTERS], x=left - 10, y=y + 16, text_anchor="end"))
        total = sum(counts.values())
        x = float(left)
        for at, kind in enumerate(kinds):
            count = counts.get(kind, 0)
            width = (WIDTH - left - 20) * count / total if total else 0.0
            if width > 0:
                colour = COLOURS[at % len(COLOURS)]
                parts.append(tag("rect", x=x, y=y + 3, width=width, height=18, fill=colour))
                if width > 8 * len(f"{kind} {count}"):
                    parts.append(tag("text", f"{kind} {count}", x=x + 4, y=y + 16, fill="#fff"))
            x += width
        told.append(f"{name}: " + ", ".join(f"{k} {v}" for k, v in counts.items()))
    x, y = float(LEFT), height - 22
    for at, kind in enumerate(kinds):
        parts.append(tag("rect", x=x, y=y, width=12, height=12, fill=COLOURS[at % len(COLOURS)]))
        parts.append(tag("text", kind, x=x + 17, y=y + 11))
        x += 40 + 8 * len(kind)
    return _svg(title, "; ".join(told), height, parts)


def heatmap(
    title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[float | None]]]
) -> Markup:
    """Shares between 0 and 1, the figure in each cell."""
    side, left, top = 44, NAMES, 90
    width = max(WIDTH, left + side * len(columns) + 20)
    height = top + 26 * len(rows) + 16
    parts: list[Markup] = []
    for at, name in enumerate(columns):
        x = left + side * at + side / 2
        parts.append(tag("text", name[:16], transform=f"translate({x:.0f} {top - 8}) rotate(-40)"))
    for number, (name, values) in enumerate(rows):
        y = top + 26 * number
        parts.append(tag("text", name[:LETTERS], x=left - 10, y=y + 17, text_anchor="end"))
        for at, value in enumerate(values):
            if value is None:
                continue
            x, shade = left + side * at, 1 - value
            levels = (round(low + (255 - low) * shade) for low in (27, 108, 168))
            colour = f"rgb({','.join(map(str, levels))})"
            parts.append(tag("rect", x=x, y=y, width=side - 2, height=24, fill=colour))
            ink = "#fff" if value > 0.55 else "#222"
            parts.append(
                tag("text", f"{value:.2f}", x=x + side / 2 - 1, y=y + 16, fill=ink,
                    text_anchor="middle")
            )  # fmt: skip
    return _svg(title, f"{len(rows)} rows, {len(columns)} columns", height, parts, width)


def _axes(
    x0: float, x1: float, y0: float, y1: float,
    origin: tuple[float, float], end: tuple[float, float], across: str, up: str,
) -> Markup:  # fmt: skip
    parts: list[Markup] = []
    for tick in range(5):
        share = tick / 4
        y = origin[1] + (end[1] - origin[1]) * share
        x = origin[0] + (end[0] - origin[0]) * share
        parts.append(tag("line", x1=origin[0], x2=end[0], y1=y, y2=y, stroke="#ddd"))
        parts.append(
            tag("text", _tick(y0 + (y1 - y0) * share), x=origin[0] - 6, y=y + 4, text_anchor="end")
        )
        parts.append(
            tag("text", _tick(x0 + (x1 - x0) * share), x=x, y=origin[1] + 16, text_anchor="middle")
        )
    middle = (origin[0] + end[0]) / 2
    parts.append(tag("text", across, x=middle, y=HEIGHT - 8, text_anchor="middle"))
    parts.append(tag("text", up, x=LEFT, y=TOP - 8))
    return tag("g", *parts)


def _tick(value: float) -> str:
    if abs(value) >= 10_000:
        return f"{value / 1000:.0f}k"
    return f"{value:.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.2g}"


def _svg(
    title: str, described: str, height: float, parts: Sequence[Markup], width: float = WIDTH
) -> Markup:
    drawing = tag(
        "svg",
        tag("title", title),
        tag("desc", described),
        *parts,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        role="img",
    )
    return tag("figure", tag("figcaption", title), drawing)
