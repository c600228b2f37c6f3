"""The changes that expanding a world knows: each a tree in, a tree and a table of changes out.

In: the document, the Machine it compiles to, a seeded generator. Out: another document, and what
was changed, old to new; an empty table where there is nothing to change.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from worldengine.machine import Machine
from worldengine.perturb.objects import distractors
from worldengine.perturb.rewriting import Words, in_texts
from worldengine.runtime import runtime_of
from worldengine.syntax import ast

Change = tuple[ast.Document, dict[str, str]]
COMPASS = ("north", "east", "south", "west")
PAIRS = (("north", "south"), ("east", "west"), ("up", "down"))
OPPOSITE = dict(PAIRS) | {there: here for here, there in PAIRS}
MOST_MOVED = 5


def placement(document: ast.Document, machine: Machine, draw: Random) -> Change:
    """Things that can be carried lie elsewhere."""
    movable = _movable(document, machine)
    homes = [item.name.text for item in _objects(document) if item.kind.text == "place"]
    homes += [home for item in movable if (home := _home(item)) and home not in homes]
    if not movable or len(homes) < 2:
        return document, {}
    chosen = draw.sample(movable, draw.randint(1, min(MOST_MOVED, len(movable))))
    table: dict[str, str] = {}
    places: dict[str, str] = {}
    for item in chosen:
        others = [home for home in homes if home not in (_home(item), item.name.text)]
        places[item.name.text] = draw.choice(others)
        table[item.name.text] = f"{_home(item)} -> {places[item.name.text]}"
    return _moved(document, places), table


def _objects(document: ast.Document) -> list[ast.Object]:
    return [item for item in document.items if isinstance(item, ast.Object)]


def _home(item: ast.Object) -> str:
    return item.location.text if item.location is not None else ""


def _movable(document: ast.Document, machine: Machine) -> list[ast.Object]:
    """What a `take` is about, lies somewhere at the start, and is not varied already."""
    taken = _portable(machine)
    varied = {
        target.base.name
        for item in document.items
        if isinstance(item, ast.Vary)
        for target in item.targets
        if isinstance(target, ast.Attr) and isinstance(target.base, ast.Ref)
    }
    holders = {item.id for item in machine.objects}
    return [
        item
        for item in _objects(document)
        if item.name.text in taken
        and item.name.text not in varied
        and item.count is None
        and _home(item) in holders
        and not _holds(document, item.name.text)
    ]


def _portable(machine: Machine) -> set[str]:
    """What a `take` would be accepted for if it lay before the player at the start."""
    takes = {i for i, schema in enumerate(machine.schemas) if schema.name in ("take", "pick_up")}
    runtime = runtime_of(machine)
    found: set[str] = set()
    start = machine.start(0)
    here = machine.objects[machine.player].location if machine.player >= 0 else -1
    for index, operator in enumerate(machine.operators):
        if operator.schema not in takes or not operator.arguments or here < 0:
            continue
        thing = machine.objects[operator.arguments[0]]
        if thing.location >= 0:
            state = list(start)
            state[thing.location] = start[here]
            if runtime.step(tuple(state), runtime.matcher.canonical(index, 0)).accepted:
                found.add(thing.id)
    return found


def _holds(document: ast.Document, name: str) -> bool:
    return any(_home(item) == name for item in _objects(document))


def _moved(document: ast.Document, places: dict[str, str]) -> ast.Document:
    items: list[ast.Item] = []
    for item in document.items:
        if isinstance(item, ast.Object) and item.name.text in places and item.location is not None:
            home = replace(item.location, text=places[item.name.text])
            item = replace(item, location=home)
        items.append(item)
    return replace(document, items=tuple(items))


def distraction(document: ast.Document, machine: Machine, draw: Random) -> Change:
    """Things that do nothing, in places of the world."""
    changed, table = distractors(document, draw)
    return changed, table


def new_ways(document: ast.Document, machine: Machine, draw: Random) -> Change:
    """A new way between two places that were two plain steps apart, and the compass turned."""
    document, table = _shortcut(document, draw)
    turned, directions = _turned(document, draw)
    return turned, table | directions


def _places(document: ast.Document) -> dict[str, ast.Object]:
    return {item.name.text: item for item in _objects(document) if _exits(item)}


def _exits(item: ast.Object) -> list[ast.Exit]:
    return [field for field in item.fields if isinstance(field, ast.Exit)]


def _plain(item: ast.Object) -> list[str]:
    return [way.target.text for way in _exits(item) if way.door is None and way.when is None]


def _shortcut(document: ast.Document, draw: Random) -> Change:
    places = _places(document)
    offered = []
    for name, place in places.items():
        for middle in _plain(place):
            for far in _plain(places[middle]) if middle in places else []:
                near = {way.target.text for way in _exits(place)}
                if far in places and far != name and far not in near:
                    offered += [
                        (name, far, way) for way in COMPASS if _free(places, name, far, way)
                    ]
    if not offered or draw.random() < 0.3:
        return document, {}
    here, there, way = draw.choice(offered)
    document = _with_exit(document, here, way, there)
    document = _with_exit(document, there, OPPOSITE[way], here)
    return document, {f"{here} {way}": there, f"{there} {OPPOSITE[way]}": here}


def _free(places: dict[str, ast.Object], here: str, there: str, way: str) -> bool:
    used = {item.direction.text for item in _exits(places[here])}
    other = {item.direction.text for item in _exits(places[there])}
    return way not in used and OPPOSITE[way] not in other


def _with_exit(document: ast.Document, place: str, way: str, target: str) -> ast.Document:
    items: list[ast.Item] = []
    for item in document.items:
        if isinstance(item, ast.Object) and item.name.text == place:
            field = ast.Exit(ast.Name(way), ast.Name(target), None, None, None)
            item = replace(item, fields=(*item.fields, field))
        items.append(item)
    return replace(document, items=tuple(items))


def _turned(document: ast.Document, draw: Random) -> Change:
    """North becomes east, or the like, in exits, texts and proofs alike."""
    directions = {way.direction.text for item in _objects(document) for way in _exits(item)}
    if not directions & set(COMPASS) or directions - set(OPPOSITE):
        return document, {}
    turn = draw.randrange(4)
    if not turn:
        return document, {}
    table = {name: COMPASS[(index + turn) % 4] for index, name in enumerate(COMPASS)}
    words = Words(table)
    items: list[ast.Item] = []
    for item in document.items:
        if isinstance(item, ast.Object):
            fields = tuple(_facing(field, table) for field in item.fields)
            item = replace(item, fields=fields)
        if isinstance(item, ast.Proof):
            item = replace(item, commands=tuple(words(command) for command in item.commands))
        items.append(item)
    return in_texts(replace(document, items=tuple(items)), words), table


def _facing(field: ast.Field, table: dict[str, str]) -> ast.Field:
    if not isinstance(field, ast.Exit):
        return field
    way = field.direction.text
    return replace(field, direction=replace(field.direction, text=table.get(way, way)))


CHANGES: dict[str, Callable[[ast.Document, Machine, Random], Change]] = {
    "placement": placement,
    "distractors": distraction,
    "map": new_ways,
}
