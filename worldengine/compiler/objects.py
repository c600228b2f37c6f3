"""Objects, places, exits and the player: their identity, attributes and first values.

Part of `collect`. Values are settled in a second sweep, when every object has a number.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.compiler.attributes import declare_attributes, merged_describes
from worldengine.compiler.constants import constant, zero
from worldengine.compiler.containment import check_containment, require_player
from worldengine.compiler.tables import LOCATION, RESERVED, Tables
from worldengine.compiler.types import AttributeType, KindInfo, ObjectInfo, integer
from worldengine.compiler.unknown import unknown_kind
from worldengine.diagnostics import Label
from worldengine.machine.schema import NONE
from worldengine.matching.normal import normalise
from worldengine.syntax import ast

MAX_OBJECTS = 2_000
"""Objects a world may have, exits included; a stated budget, far above any real script."""

ABBREVIATIONS = {
    "north": ("n",), "south": ("s",), "east": ("e",), "west": ("w",), "up": ("u",),
    "down": ("d",), "northeast": ("ne",), "northwest": ("nw",), "southeast": ("se",),
    "southwest": ("sw",),
}  # fmt: skip

ROLES = ("player", "place", "exit", "door", "person", "thing")


def collect_objects(tables: Tables, own: ast.Document) -> None:
    _declare(tables, own)
    require_player(tables, own)
    if len(tables.objects) > MAX_OBJECTS:
        return
    for info in tables.objects:
        _first_values(tables, info)
    check_containment(tables)


def _declare(tables: Tables, own: ast.Document) -> None:
    places: list[ObjectInfo] = []
    for item in own.items:
        if isinstance(item, ast.Object):
            for info in _objects_of(tables, item):
                if not _add(tables, info):
                    return
                if info.role == "place":
                    places.append(info)
        elif isinstance(item, ast.Player):
            _add_player(tables, item)
    for place in places:
        _add_exits(tables, place)


def _objects_of(tables: Tables, item: ast.Object) -> Iterator[ObjectInfo]:
    kind = item.kind.text
    if kind not in tables.kinds:
        unknown_kind(tables, item.kind.span, kind, declares=True)
        kind = "thing"
    if kind in ("exit",):
        tables.reporter.error(
            "exit-as-object",
            item.kind.span,
            "exits are written inside the place they lead out of",
            "write `exit north to hall` in the place",
        )
        return
    attributes, describes = _own_fields(tables, kind, item.fields, f"`{item.name.text}`")
    count = item.count if item.count is not None else 0
    if item.count is not None and not 1 <= item.count <= MAX_OBJECTS:
        tables.reporter.error(
            "count-range", item.span, f"a number of objects lies between 1 and {MAX_OBJECTS}"
        )
        count = 1
    for number in range(1, count + 1) if item.count is not None else (None,):
        suffix = "" if number is None else f"_{number}"
        shown = item.display if number is None else f"{item.display} {number}"
        yield ObjectInfo(
            index=-1,
            id=item.name.text + suffix,
            name=shown,
            aka=item.aka if number is None else tuple(f"{name} {number}" for name in item.aka),
            kind=kind,
            role=_role(tables, kind),
            plural=item.plural,
            proper=item.proper,
            numbered=number is not None,
            span=item.name.span,
            node=item,
            attributes=attributes,
            describes=describes,
        )


def _own_fields(
    tables: Tables, kind: str, fields: tuple[ast.Field, ...], owner: str
) -> tuple[dict[str, AttributeType], tuple[ast.Describe, ...]]:
    info = tables.kinds[kind]
    attributes = dict(info.attributes)
    declare_attributes(tables, attributes, fields, owner)
    own = tuple(field for field in fields if isinstance(field, ast.Describe))
    return attributes, merged_describes(own, info.describes)


def _role(tables: Tables, kind: str) -> str:
    return next((role for role in ROLES if tables.is_kind(kind, role)), "concept")


def _add(tables: Tables, info: ObjectInfo) -> bool:
    """Number the object; False when the budget is used up."""
    if len(tables.objects) >= MAX_OBJECTS:
        tables.reporter.error(
            "budget-objects",
            info.span,
            f"this world has more than {MAX_OBJECTS} objects",
            "leave out what the player never needs to name",
        )
        info.index = len(tables.objects)
        tables.objects.append(info)
        return False
    if info.id in RESERVED:
        tables.reporter.error(
            "name-reserved",
            info.span,
            f"`{info.id}` has a meaning of its own in the language",
            f"choose another name, for instance `{info.id}_one`",
        )
        return True
    if info.id in tables.by_id:
        first = tables.objects[tables.by_id[info.id]]
        tables.reporter.error(
            "object-twice",
            info.span,
            f"there is already an object called `{info.id}`",
            "every object needs its own id; the display name may repeat",
            [Label(first.span, "the first one")],
        )
        return True
    if not normalise(info.name):
        tables.reporter.error(
            "name-empty", info.span, f"`{info.id}` needs a name that can be shown and typed"
        )
    info.index = len(tables.objects)
    tables.objects.append(info)
    tables.by_id[info.id] = info.index
    if info.numbered:
        base = info.id.rsplit("_", 1)[0]
        tables.families[base] = (*tables.families.get(base, ()), info.index)
    return True


def _add_player(tables: Tables, item: ast.Player) -> None:
    if tables.player != NONE:
        tables.reporter.error(
            "player-twice",
            item.span,
            "there is a player already",
            labels=[Label(tables.objects[tables.player].span, "the first one")],
        )
        return
    span = item.span
    attributes = {
        "carries": AttributeType("carries", integer(0, 9999), ast.Number(9999), span),
    }
    declare_attributes(tables, attributes, item.fields, "the player")
    describes = tuple(field for field in item.fields if isinstance(field, ast.Describe))
    info = ObjectInfo(
        index=len(tables.objects), id="player", name=item.display or "you", aka=(), kind="player",
        role="player", plural=False, proper=True, numbered=False, span=span, node=item,
        attributes=attributes, describes=describes,
    )  # fmt: skip
    tables.player = info.index
    tables.kinds["player"] = KindInfo("player", span, (), None, True, ("player",), attributes)
    tables.objects.append(info)
    tables.by_id["player"] = info.index


def _add_exits(tables: Tables, place: ObjectInfo) -> None:
    if not isinstance(place.node, ast.Object):
        return
    seen: set[str] = set()
    for item in place.node.fields:
        if not isinstance(item, ast.Exit):
            continue
        word = item.direction.text.replace("_", " ")
        if word in seen:
            tables.reporter.error("exit-twice", item.span, f"{place.name} has two exits {word}")
            continue
        seen.add(word)
        info = ObjectInfo(
            index=-1, id=f"{place.id}.{item.direction.text}", name=word,
            aka=ABBREVIATIONS.get(word, ()), kind="exit", role="exit", plural=False, proper=True,
            numbered=False, span=item.span, node=None,
            attributes=dict(tables.kinds["exit"].attributes), exit=item,
        )  # fmt: skip
        if not _add(tables, info):
            return
        info.values["in"] = place.index
        info.values["to"] = _object(tables, item.target, "place", "exit-to-nowhere")
        info.values["door"] = _object(tables, item.door, "door", "exit-door") if item.door else NONE


def _object(tables: Tables, name: ast.Name, kind: str, id: str) -> int:
    index = tables.by_id.get(name.text)
    known = [item.id for item in tables.objects if tables.is_kind(item.kind, kind)]
    if index is None:
        tables.reporter.unknown(id, name.span, kind, name.text, known)
        return NONE
    if not tables.is_kind(tables.objects[index].kind, kind):
        tables.reporter.error(
            id,
            name.span,
            f"`{name.text}` is a {tables.objects[index].kind}, not a {kind}",
            "known here: " + ", ".join(f"`{item}`" for item in known[:12]) if known else None,
        )
        return NONE
    return index


def _first_values(tables: Tables, info: ObjectInfo) -> None:
    if info.role != "exit":
        info.values["in"] = _location(tables, info)
    for name, attribute in info.attributes.items():
        if info.role == "exit" and name in info.values:
            continue
        if attribute.default is None:
            info.values[name] = zero(attribute.type)
        else:
            info.values[name] = constant(
                tables, attribute.default, attribute.type, f"`{info.id}.{name}`"
            )


def _location(tables: Tables, info: ObjectInfo) -> int:
    node = info.node
    name = node.location if node is not None else None
    given = None
    for field in node.fields if node is not None else ():
        if isinstance(field, ast.Attribute) and field.name.text == "in" and field.value:
            given = field.value
    if given is not None:
        return constant(tables, given, LOCATION, f"`{info.id}.in`")
    if name is None or name.text in ("nowhere", "none"):
        return NONE
    if info.role == "player":
        return _object(tables, name, "place", "player-place")
    index = tables.by_id.get(name.text)
    if index is None:
        family = tables.families.get(name.text)
        if family:
            ids = ", ".join(f"`{tables.objects[item].id}`" for item in family[:6])
            tables.reporter.error(
                "object-numbered",
                name.span,
                f"there are {len(family)} of `{name.text}`",
                f"name one of them: {ids}",
            )
        else:
            known = [item.id for item in tables.objects if item.role != "exit"]
            tables.reporter.unknown(
                "location-unknown", name.span, "place or object", name.text, known
            )
        return NONE
    if tables.objects[index].role in ("exit", "concept"):
        tables.reporter.error(
            "location-kind",
            name.span,
            f"nothing can be in `{name.text}`: it is a {tables.objects[index].kind}, "
            "which is neither a place nor a thing",
        )
        return NONE
    return index
