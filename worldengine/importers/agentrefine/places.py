"""`Environment`, a nest of JSON objects → places, things and the player.

What holds things at the top is a place; what lies deeper is a thing, a container if it holds
something itself. Words such as `items` or `rooms` only group. Plain values become attributes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from worldengine.importers.naming import TAKEN, TAKEN_KINDS, Space
from worldengine.syntax import ast

GROUPS = {"items", "objects", "contents", "things", "files", "children", "furniture", "inventory"}
PLACES = {"locations", "places", "rooms", "areas", "scenes", "directories"}
PLAYER = {"player", "agent", "user", "character", "you", "player information", "playerinfo"}
DESCRIBED = {"description", "describe", "desc"}
HERE = {"location", "current location", "position", "start", "starting location"}
MAX_OBJECTS = 300
Fields = list[ast.Field]


@dataclass
class Surroundings:
    """`names` maps what is shown to the object's name in the script."""

    space: Space = field(default_factory=lambda: Space({*TAKEN, *TAKEN_KINDS}, "the_{}"))
    places: list[ast.Object] = field(default_factory=list)
    things: list[ast.Object] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    player: Fields = field(default_factory=list)
    start: str = ""
    carried: list[str] = field(default_factory=list)

    @property
    def home(self) -> str:
        known = self.names.get(self.start.lower(), self.start)
        return known if any(p.name.text == known for p in self.places) else self.places[0].name.text


def surroundings(environment: Mapping[str, Any]) -> Surroundings:
    found = Surroundings()
    for key, value in _ungrouped(environment, PLACES):
        name = _plain(key)
        if name in PLAYER:
            _player(found, value)
        elif isinstance(value, dict) and name not in GROUPS:
            _place(found, key, value)
        elif isinstance(value, list | dict):
            _contents(found, _anywhere(found), key if name not in GROUPS else "", value)
        elif name in HERE:
            found.start = str(value)
        elif not isinstance(value, dict):
            found.player += _attribute(key, value)
    _anywhere(found)
    return found


def _plain(key: str) -> str:
    return re.sub(r"[\s_-]+", " ", key).strip().lower()


def _ungrouped(value: Mapping[str, Any], groups: set[str]) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        if _plain(str(key)) in groups and isinstance(item, dict):
            yield from ((str(name), inner) for name, inner in item.items())
        elif _plain(str(key)) in groups and isinstance(item, list):
            for part in item:
                yield _name_of(part), part if isinstance(part, dict) else {}
        else:
            yield str(key), item


def _name_of(part: Any) -> str:
    if isinstance(part, dict):
        return str(next((part[key] for key in ("name", "id", "title") if key in part), "thing"))
    return str(part)


def _anywhere(found: Surroundings) -> str:
    """The first place; one is made where the JSON has none."""
    if not found.places:
        name = found.space.name("surroundings")
        found.places.append(_object("place", name, "the surroundings", None, ()))
    return found.places[0].name.text


def _object(
    kind: str, name: str, shown: str, location: str | None, fields: tuple[ast.Field, ...]
) -> ast.Object:
    place = ast.Name(location) if location else None
    return ast.Object(ast.Name(kind), ast.Name(name), None, shown, False, False, (), place, fields)


def _named(found: Surroundings, key: str) -> tuple[str, str]:
    shown = re.sub(r"\s+", " ", key.replace("_", " ")).strip() or "thing"
    number, unique = 2, shown
    while unique.lower() in found.names:
        unique, number = f"{shown} {number}", number + 1
    name = found.space.name(unique)
    found.names[unique.lower()] = name
    if key.lower() not in found.names:
        found.names[key.lower()] = name
    return name, unique


def _place(found: Surroundings, key: str, value: Mapping[str, Any]) -> None:
    name, shown = _named(found, key)
    fields = [part for inner, item in value.items() for part in _attribute(str(inner), item)]
    found.places.append(_object("place", name, shown, None, tuple(fields)))
    _members(found, name, value)


def _members(found: Surroundings, holder: str, value: Mapping[str, Any]) -> None:
    for key, item in _ungrouped(value, GROUPS):
        if _plain(key) in PLAYER and isinstance(item, dict):
            found.start = found.start or holder
            _player(found, item)
        elif isinstance(item, dict):
            _thing(found, holder, key, item)
        elif isinstance(item, list):
            _contents(found, holder, key, item)


def _contents(found: Surroundings, holder: str, key: str, value: Any) -> None:
    """A list of things, or one thing for each member of an object."""
    if isinstance(value, dict):
        if key:
            _thing(found, holder, key, value)
        else:
            _members(found, holder, value)
        return
    for part in value:
        if isinstance(part, dict | str):
            _thing(found, holder, _name_of(part), part if isinstance(part, dict) else {})


def _thing(found: Surroundings, holder: str, key: str, value: Mapping[str, Any]) -> None:
    if len(found.things) >= MAX_OBJECTS:
        return
    name, shown = _named(found, key)
    holds = any(isinstance(item, dict | list) and item for item in value.values())
    fields = [part for inner, item in value.items() for part in _attribute(str(inner), item)]
    if holds:
        fields = [part for part in fields if not _is(part, "open")]
        fields.insert(0, ast.Attribute(ast.Name("open"), None, ast.Boolean(True)))
    kind = "container" if holds else "thing"
    found.things.append(_object(kind, name, shown, holder, tuple(_once(fields))))
    _members(found, name, value)


def _is(part: ast.Field, name: str) -> bool:
    return isinstance(part, ast.Attribute) and part.name.text == name


def _once(fields: Fields) -> Fields:
    seen: set[str] = set()
    kept: Fields = []
    for part in fields:
        name = part.name.text if isinstance(part, ast.Attribute) else ""
        if not name or name not in seen:
            kept.append(part)
        seen.add(name)
    return kept


def _player(found: Surroundings, value: Any) -> None:
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        name = _plain(str(key))
        if name in HERE:
            found.start = str(item)
        elif name in GROUPS and isinstance(item, list):
            before = len(found.things)
            _contents(found, _anywhere(found), "", item)
            found.carried += [thing.name.text for thing in found.things[before:]]
        else:
            found.player += _attribute(str(key), item)
    found.player = _once(found.player)


OWN = {"in", "open", "locked", "key", "portable", "light", "wearable", "worn", "content",
       "transparent", "on", "dark", "name", "id", "carries"}  # fmt: skip


def _attribute(key: str, value: Any) -> Fields:
    """An attribute of its own, under a name the language has not given away."""
    plain = _plain(key)
    if plain in DESCRIBED and isinstance(value, str):
        return [ast.Describe(ast.Text((ast.Literal(value),)), None)]
    if plain in ("name", "id") or isinstance(value, dict | list) or value is None:
        return []
    space = Space({*TAKEN, *TAKEN_KINDS, *OWN}, "is_{}")
    name = ast.Name(space.name(key))
    if isinstance(value, bool):
        return [ast.Attribute(name, ast.BoolType(), ast.Boolean(value))]
    if isinstance(value, int) and abs(value) < 1_000_000:
        low, high = min(0, value), max(10, 2 * value)
        return [ast.Attribute(name, ast.RangeType(low, high), ast.Number(value))]
    return [ast.Attribute(name, ast.TextType(), ast.String(str(value)[:400]))]
