"""The map with the player on it.

In: a session and the size there is. Out: rows. Places stand where `worldengine.atlas` puts
them. A player's map shows the places that were visited and what their exits lead to; the
whole map is a spoiler and is asked for. Borders tell what colours repeat: heavy where the
player is, thin for a visited place, dotted for one not visited yet.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from worldengine.atlas import Atlas, Way, atlas
from worldengine.machine import Machine
from worldengine.memo import by_machine

from .canvas import Canvas, fit
from .rows import BLANK, Row, heading, row
from .session import Session

HERE, SEEN, UNSEEN = tuple("┏━┓┃┗┛"), tuple("┌─┐│└┘"), tuple("┌╌┐┊└┘")
GAP = 5
TALL = 4
"""Rows of one place with the gap below it."""


@by_machine(32)
def layout(machine: Machine) -> Atlas:
    """The places of a world on their cells; the same for every variant."""
    return atlas(machine, 0)


def shown_places(session: Session, seen: frozenset[int], everything: bool) -> frozenset[int]:
    """The places on the map: visited ones and their neighbours, or all."""
    chart = layout(session.machine)
    if everything:
        return frozenset(chart.cells)
    return seen | {way.target for way in chart.ways if way.source in seen and way.target >= 0}


def rows(session: Session, width: int, height: int, everything: bool) -> list[Row]:
    """The map, then the exits from here in words; choosing one goes there."""
    here, seen = session.at.place, session.at.seen
    places = shown_places(session, seen, everything)
    shown = _drawn(session.machine, frozenset(places), seen, here, width, max(5, height))
    shown.append(BLANK)
    names = layout(session.machine).names
    shown.append(heading(f"Exits from {names.get(here, 'nowhere')}"))
    shown += [_exit(session, way, seen, everything) for way in _from(session, here)]
    if len(shown[-1].spans) == 1:
        shown.append(row(("none", "muted")))
    hint = "s hides what was not visited" if everything else "s shows the whole map (a spoiler)"
    return [*shown, BLANK, row((hint, "muted"))]


def _from(session: Session, here: int) -> Iterator[Way]:
    return (way for way in layout(session.machine).ways if way.source == here)


def _exit(session: Session, way: Way, seen: frozenset[int], everything: bool) -> Row:
    name = layout(session.machine).names.get(way.target, "?")
    new = "" if way.target in seen or everything else "  not visited"
    through = f" through {way.door}" if way.door else ""
    barred = "  may be barred" if way.barred else ""
    return row(
        (f"  {way.direction}", "command"),
        (" → ", "mark"),
        name + through,
        (barred + new, "muted"),
        action="play",
        value=f"go {way.direction}",
        indent=4,
    )


@lru_cache(maxsize=64)
def _fitted(names: tuple[str, ...], columns: int, width: int) -> int:
    """Cells of a box, so that the grid fits if it can and names are readable at least."""
    wanted = max((len(name) for name in names), default=4) + 2
    room = (width - GAP * (columns - 1)) // max(1, columns) - 2
    return max(7, min(wanted, 20, max(room, 7)))


def _drawn(
    machine: Machine,
    places: frozenset[int],
    seen: frozenset[int],
    here: int,
    width: int,
    height: int,
) -> list[Row]:
    chart = layout(machine)
    cells = {place: chart.cells[place] for place in sorted(places) if place in chart.cells}
    if not cells:
        return [row(("there is no place to draw", "muted"))]
    # Columns and rows without a place on them are left out.
    across = {x: at for at, x in enumerate(sorted({x for x, _ in cells.values()}))}
    down = {y: at for at, y in enumerate(sorted({y for _, y in cells.values()}))}
    inner = _fitted(tuple(chart.names[place] for place in cells), len(across), width)
    pitch = inner + 2 + GAP
    canvas = Canvas(len(across) * pitch - GAP, len(down) * TALL - 1)
    corners = {p: (across[x] * pitch, down[y] * TALL) for p, (x, y) in cells.items()}
    for way in chart.ways:
        if way.source in seen or len(places) == len(chart.cells):
            _line(canvas, way, cells, corners, inner)
    for place, (x, y) in corners.items():
        _box(canvas, x, y, inner, chart.names[place], place == here, place in seen)
    x, y = corners.get(here, (0, 0))
    first = max(0, min(x + inner // 2 + 1 - width // 2, canvas.width - width))
    top = max(0, min(y + 1 - height // 2, canvas.height - height))
    return canvas.rows(first, top, width, height)


def _box(canvas: Canvas, x: int, y: int, inner: int, name: str, here: bool, seen: bool) -> None:
    a, b, c, d, e, f = HERE if here else SEEN if seen else UNSEEN
    edge = "accent" if here else "muted"
    canvas.put(x, y, a + b * inner + c, edge)
    canvas.put(x, y + 1, d, edge)
    label = fit(f"@ {name}" if here else name, inner)
    canvas.put(x + 1, y + 1, label, "strong" if here else "" if seen else "muted")
    canvas.put(x + 1 + inner, y + 1, d, edge)
    canvas.put(x, y + 2, e + b * inner + f, edge)


def _line(
    canvas: Canvas,
    way: Way,
    cells: dict[int, tuple[int, int]],
    corners: dict[int, tuple[int, int]],
    inner: int,
) -> None:
    """Only neighbours on the grid are joined; the list of exits tells the rest."""
    if way.source not in cells or way.target not in cells:
        return
    (x1, y1), (x2, y2) = cells[way.source], cells[way.target]
    dx, dy = x2 - x1, y2 - y1
    if max(abs(dx), abs(dy)) != 1:
        return
    x, y = corners[way.source if (dx, dy) > (0, 0) else way.target]
    tone = "warn" if way.barred else "muted"
    if dy == 0:
        canvas.put(x + inner + 2, y + 1, "──┼──" if way.barred else "─────", tone)
    elif dx == 0:
        canvas.put(x + inner // 2 + 1, y + 3 if dy > 0 else y - 1 + TALL, _upright(way), tone)
    else:
        stroke = "╲" if dx == dy else "╱"
        canvas.put(x + inner + 4, y + 3 if dx == dy else y - 1, stroke, tone)


def _upright(way: Way) -> str:
    return "┿" if way.barred else "│"
