"""The map of a world: its places on a grid and the ways between them.

In: a Machine. Out: a layout, and that layout as text or as SVG. Directions give the grid
(north is up); a way without a compass direction, and one whose cell is taken, goes to the
nearest free cell. Names are content: they are escaped, never interpreted.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from html import escape

from worldengine.diagnostics import width
from worldengine.machine import Machine
from worldengine.machine.schema import NONE

Cell = tuple[int, int]
"""Column and row; rows grow to the south."""

COMPASS: dict[str, Cell] = {
    "north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0),
    "northeast": (1, -1), "northwest": (-1, -1), "southeast": (1, 1), "southwest": (-1, 1),
    "up": (0, -1), "down": (0, 1), "in": (1, 0), "out": (-1, 0),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Way:
    """One exit. `barred` if a door or a condition may close it."""

    source: int
    target: int
    direction: str
    door: str
    barred: bool


@dataclass(frozen=True, slots=True)
class Atlas:
    """`cells` by place; `start` is where the player begins (-1 if nowhere)."""

    title: str
    names: dict[int, str]
    cells: dict[int, Cell]
    ways: tuple[Way, ...]
    start: int


def atlas(machine: Machine, variant: int = 0) -> Atlas:
    """Every place on its cell."""
    state = machine.start(variant)
    player = machine.objects[machine.player]
    start = state[player.location] if player.location >= 0 else player.fixed
    places = [index for index, item in enumerate(machine.objects) if item.role == "place"]
    ways = tuple(
        Way(
            exit.place,
            exit.target,
            exit.direction,
            machine.objects[exit.door].name if exit.door != NONE else "",
            exit.conditional or exit.door != NONE,
        )
        for exit in machine.exits
    )
    order = [start, *places] if start in places else places
    return Atlas(
        title=machine.title,
        names={place: machine.objects[place].name for place in places},
        cells=_layout(order, ways),
        ways=ways,
        start=start if start in places else -1,
    )


def _layout(order: list[int], ways: tuple[Way, ...]) -> dict[int, Cell]:
    """Breadth first from each place that has no cell yet."""
    cells: dict[int, Cell] = {}
    taken: set[Cell] = set()
    for root in order:
        if root in cells:
            continue
        cells[root] = _free(_beside(taken), taken)
        queue = deque([root])
        while queue:
            place = queue.popleft()
            for way in ways:
                for here, there, sign in (
                    (way.source, way.target, 1),
                    (way.target, way.source, -1),
                ):
                    if here != place or there in cells or there < 0:
                        continue
                    step = COMPASS.get(way.direction, (1, 0))
                    x, y = cells[place]
                    cells[there] = _free((x + sign * step[0], y + sign * step[1]), taken)
                    queue.append(there)
    return cells


def _beside(taken: set[Cell]) -> Cell:
    """Where a part of the map begins that nothing joins to the rest: to the right while the
    map is narrow, else below."""
    if not taken:
        return (0, 0)
    right, left = max(cell[0] for cell in taken), min(cell[0] for cell in taken)
    if right - left < WIDE:
        return (right + 2, 0)
    return (left, max(cell[1] for cell in taken) + 2)


def _free(wanted: Cell, taken: set[Cell]) -> Cell:
    """`wanted`, or the nearest free cell; ties go up, then left."""
    radius = 0
    while True:
        ring = [
            (wanted[0] + dx, wanted[1] + dy)
            for dy in range(-radius, radius + 1)
            for dx in range(-radius, radius + 1)
            if max(abs(dx), abs(dy)) == radius
        ]
        for cell in sorted(
            ring, key=lambda cell: abs(cell[0] - wanted[0]) + abs(cell[1] - wanted[1])
        ):
            if cell not in taken:
                taken.add(cell)
                return cell
        radius += 1


def as_text(chart: Atlas) -> str:
    """The grid with boxes, what its signs mean, then every way in words."""
    lines = [chart.title, ""]
    lines += _grid(chart)
    signs = ["* where the player starts"] if chart.start in chart.cells else []
    if any(way.barred for way in chart.ways):
        signs.append("+ a door, or a way that is not always open")
    lines += ["", *signs, ""]
    for way in chart.ways:
        door = f" through {way.door}" if way.door else (" (not always)" if way.barred else "")
        target = chart.names.get(way.target, "?")
        lines.append(f"{chart.names[way.source]}: {way.direction} to {target}{door}")
    return "\n".join(lines)


def _grid(chart: Atlas) -> list[str]:
    if not chart.cells:
        return []
    left = min(cell[0] for cell in chart.cells.values())
    top = min(cell[1] for cell in chart.cells.values())
    by_cell = {(x - left, y - top): place for place, (x, y) in chart.cells.items()}
    box = min(max(width(name) for name in chart.names.values()) + 3, 24)
    joined: dict[frozenset[int | None], str] = {}
    for way in sorted(chart.ways, key=lambda way: not way.barred):
        joined.setdefault(frozenset((way.source, way.target)), "barred" if way.barred else "open")
    lines: list[str] = []
    columns = 1 + max(cell[0] for cell in by_cell)
    for row in range(1 + max(cell[1] for cell in by_cell)):
        boxes, below = "", ""
        west = ""
        for column in range(columns):
            here = by_cell.get((column, row))
            east = joined.get(frozenset((here, by_cell.get((column + 1, row)))), "")
            south = joined.get(frozenset((here, by_cell.get((column, row + 1)))), "")
            boxes += " " * box if here is None else _box_text(chart, here, box, west, east)
            boxes += {"": "   ", "open": "---", "barred": "-+-"}[east]
            below += {"": " ", "open": "|", "barred": "+"}[south].center(box) + "   "
            west = east
        lines += [boxes.rstrip(), below.rstrip()]
    return lines[:-1]


def _box_text(chart: Atlas, place: int, columns: int, west: str, east: str) -> str:
    """A name in brackets, in the middle of its columns; a way reaches up to the brackets."""
    label = f"[{_fit(_marked(chart, place), columns - 2)}]"
    gap = columns - width(label)
    left, right = gap // 2, gap - gap // 2
    return ("-" if west else " ") * left + label + ("-" if east else " ") * right


def _marked(chart: Atlas, place: int) -> str:
    return f"*{chart.names[place]}" if place == chart.start else chart.names[place]


def _fit(text: str, columns: int) -> str:
    while width(text) > columns:
        text = text[:-2] + "…" if len(text) > 1 else ""
    return text


WIDE = 3
"""Columns of a map before its next part goes below."""
BOX = (150, 48)
PITCH = (200, 110)


def as_svg(chart: Atlas) -> str:
    """One self-contained SVG: boxes, lines, dashed where a way may be barred."""
    left = min((cell[0] for cell in chart.cells.values()), default=0)
    top = min((cell[1] for cell in chart.cells.values()), default=0)
    middle = {
        place: ((x - left) * PITCH[0] + 100, (y - top) * PITCH[1] + 80)
        for place, (x, y) in chart.cells.items()
    }
    right = max((x for x, _ in middle.values()), default=0) + 100
    height = max((y for _, y in middle.values()), default=0) + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<title>{escape(chart.title)}</title><rect width="100%" height="100%" fill="#fbfaf7"/>',
        f'<text x="25" y="30" font-size="17" fill="#222">{escape(chart.title)}</text>',
    ]
    for way in chart.ways:
        if way.source in middle and way.target in middle:
            parts.append(_line(way, middle))
    for place, (x, y) in middle.items():
        parts.append(_box(chart, place, x, y))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _line(way: Way, middle: dict[int, Cell]) -> str:
    (x1, y1), (x2, y2) = middle[way.source], middle[way.target]
    dash = ' stroke-dasharray="6 4"' if way.barred else ""
    said = f"{way.direction}{' through ' + way.door if way.door else ''}"
    return (
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#888" stroke-width="2"{dash}>'
        f"<title>{escape(said)}</title></line>"
    )


def _box(chart: Atlas, place: int, x: int, y: int) -> str:
    fill = "#dcebdd" if place == chart.start else "#ffffff"
    name = chart.names[place]
    size = "" if len(name) <= 20 else f' textLength="{BOX[0] - 10}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<rect x="{x - BOX[0] // 2}" y="{y - BOX[1] // 2}" width="{BOX[0]}" height="{BOX[1]}" '
        f'rx="6" fill="{fill}" stroke="#444"/>'
        f'<text x="{x}" y="{y + 5}" text-anchor="middle" fill="#222"{size}>{escape(name)}</text>'
    )
