"""The map: places on a grid of cells, joined to a tree with a few loops, some ways barred.

In: a draft and how many places and gates. Out: the draft's places, with gates numbered outward
from the start. What bars each gate is chosen afterwards by the parts.
"""

from __future__ import annotations

from worldengine.generator.draft import Draft, Exit, Gate, Place

STEPS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
_PAIRS = (("north", "south"), ("east", "west"), ("up", "down"))
BACK = dict(_PAIRS) | {there: here for here, there in _PAIRS}

Cell = tuple[int, int, int]


def lay_out(draft: Draft, places: int, gates: int) -> None:
    """Places with exits; `draft.gates` in the order of their numbers."""
    cells: dict[Cell, Place] = {}
    _add(draft, cells, (0, 0, 0), None)
    barred = set(draft.random.sample(range(1, places), min(gates, places - 1)))
    number = 1
    while number < places:
        parent_cell = _growing(draft, list(cells))
        cell, direction = _free_neighbour(draft, cells, parent_cell)
        if cell is None:
            continue
        parent = cells[parent_cell]
        gate = Gate(len(draft.gates)) if number in barred else None
        if gate is not None:
            draft.gates.append(gate)
        place = _add(draft, cells, cell, parent, gate)
        _join(parent, place, direction, gate)
        number += 1
    _loops(draft, cells)


def _growing(draft: Draft, cells: list[Cell]) -> Cell:
    """Mostly one of the last, so that ways get long; else any."""
    if draft.random.random() < 0.6:
        return draft.random.choice(cells[-3:])
    return draft.random.choice(cells)


def _free_neighbour(draft: Draft, cells: dict[Cell, Place], cell: Cell) -> tuple[Cell | None, str]:
    x, y, z = cell
    around = {name: (x + dx, y + dy, z) for name, (dx, dy) in STEPS.items()}
    if draft.random.random() < 0.15:
        around = {"up": (x, y, z + 1), "down": (x, y, z - 1)}
    free = [name for name, other in around.items() if other not in cells]
    if not free:
        return None, ""
    name = draft.random.choice(free)
    return around[name], name


def _add(
    draft: Draft,
    cells: dict[Cell, Place],
    cell: Cell,
    parent: Place | None,
    gate: Gate | None = None,
) -> Place:
    name, text = draft.pick("places")
    if draft.has("details") and draft.random.random() < 0.6:
        text = f"{text} {draft.pick('details')}"
    draft.names.show(name)
    before = parent.gates if parent else ()
    own = (gate.number,) if gate else ()
    place = Place(draft.names.ident(name), name, text, before + own)
    draft.places.append(place)
    cells[cell] = place
    return place


def _join(here: Place, there: Place, direction: str, gate: Gate | None) -> None:
    here.exits.append(Exit(direction, there, gate))
    # A condition bars the way in only: whoever is inside can always come out.
    back = gate if gate is not None else None
    there.exits.append(Exit(BACK[direction], here, back))


def _loops(draft: Draft, cells: dict[Cell, Place]) -> None:
    """A second way round, now and then, between neighbours behind the same gates."""
    for cell, here in list(cells.items()):
        for name in ("north", "east"):
            dx, dy = STEPS[name]
            there = cells.get((cell[0] + dx, cell[1] + dy, cell[2]))
            if there is None or there.gates != here.gates:
                continue
            if any(way.target is there for way in here.exits):
                continue
            if draft.random.random() < 0.25:
                _join(here, there, name, None)


def gate_ends(draft: Draft, gate: Gate) -> tuple[Place, Place, str]:
    """The place before a gate, the one behind it, and the direction that leads in."""
    for place in draft.places:
        for way in place.exits:
            if way.gate is gate and gate.number not in place.gates:
                return place, way.target, way.direction
    raise AssertionError("a gate stands between two places")


def way_back_is_free(draft: Draft, gate: Gate) -> None:
    """Takes the bar off the way out: for gates that are conditions, not doors."""
    _, behind, _ = gate_ends(draft, gate)
    for way in behind.exits:
        if way.gate is gate:
            way.gate = None


def way_to(draft: Draft, target: Place) -> list[Place]:
    """The places one has to pass between the start and `target`, in order, `target` last: those
    whose removal cuts it off."""
    must = [p for p in draft.places[1:] if p is target or not _reached(draft, target, p)]
    return sorted(must, key=lambda p: _distance(draft, p))


def _reached(draft: Draft, target: Place, without: Place) -> bool:
    return _distance(draft, target, without) < len(draft.places) + 1


def _distance(draft: Draft, target: Place, without: Place | None = None) -> int:
    """Steps from the start, gates not counted; more than there are places if there is no way."""
    layer, seen, steps = [draft.places[0]], {id(draft.places[0])}, 0
    while layer:
        if any(place is target for place in layer):
            return steps
        steps += 1
        ahead = [way.target for place in layer for way in place.exits if way.target is not without]
        layer = [place for place in ahead if id(place) not in seen]
        seen |= {id(place) for place in layer}
    return len(draft.places) + 1
