"""JSON of many makers → one `Script`: surroundings, goal, conditions, actions with parameters.

In: text. Out: a `Script`, or diagnostics. Taken: AgentRefine's scripts (`Environment`, `Goal`,
`Completion Conditions`, `Available Actions`); lists of tools, one JSON value or one a line;
actions by name with a description. Tolerated: Markdown fences and prose after the JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from worldengine.diagnostics import Diagnostic
from worldengine.source import Source, Span

MAX_CHARACTERS = 1_000_000
MAX_ACTIONS = 200
SLOT = re.compile(r"\{\s*([^{}]+?)\s*\}|<\s*([^<>]+?)\s*>|\[\s*([a-z_ ]+?)\s*\]")


@dataclass(frozen=True)
class Slot:
    """A parameter: its values where the JSON lists them, else what it says about it."""

    name: str
    values: tuple[str, ...] | None
    told: str


@dataclass(frozen=True)
class Deed:
    """An action: its template with the slots as `{name}`, in their order."""

    template: str
    regex: str
    slots: tuple[Slot, ...]
    told: str


@dataclass(frozen=True)
class Script:
    environment: Mapping[str, Any]
    goal: str
    conditions: tuple[str, ...]
    deeds: tuple[Deed, ...]


class NotAScript(Exception):
    def __init__(self, id: str, span: Span, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(id, "error", message, span, hint)


def read(source: Source) -> Script:
    """Raises NotAScript with a diagnostic."""
    values = _values(source)
    first = values[0]
    if isinstance(first, dict) and _get(first, "available actions", "actions") is not None:
        return _script(first, source)
    if isinstance(first, dict) and len(values) == 1:
        named = {key: item for key, item in first.items() if _is_deed(item)}
        return Script({}, "", (), _named(named, source))
    tools = first if isinstance(first, list) else values
    return Script({}, "", (), _named([item for item in tools if _is_deed(item)], source))


def _is_deed(value: Any) -> bool:
    """Whether a JSON object speaks of an action, where nothing else says so."""
    return isinstance(value, dict) and (
        _get(value, "parameters", "params", "verification code") is not None
        or (_get(value, "desc") is not None and _get(value, "extra info") is not None)
    )


def _values(source: Source) -> list[Any]:
    """The JSON in the text: one value, or several one after the other."""
    if len(source.text) > MAX_CHARACTERS:
        raise NotAScript("json-too-long", Span(source, 0, 0), "this script is longer than 1 MB")
    text = re.sub(r"^\s*```.*$", lambda match: " " * len(match[0]), source.text, flags=re.M)
    start = next((index for index, letter in enumerate(text) if letter in "[{"), len(text))
    decoder = json.JSONDecoder()
    found: list[Any] = []
    while start < len(text):
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if found:
                break
            place = Span(source, error.pos, error.pos + 1)
            raise NotAScript("json-invalid", place, f"this is not JSON: {error.msg}") from None
        except RecursionError:
            place = Span(source, start, start + 1)
            raise NotAScript("json-too-deep", place, "this JSON nests too deep") from None
        found.append(value)
        rest = text[end:]
        start = end + len(rest) - len(rest.lstrip())
        if start < len(text) and text[start] not in "[{":
            break
    if not found:
        raise NotAScript("json-invalid", Span(source, 0, 0), "there is no JSON in this file")
    return found


def _get(value: Mapping[str, Any], *names: str) -> Any:
    """A member by name; case, blanks and underscores do not matter."""
    for key, item in value.items():
        if re.sub(r"[\s_-]+", " ", str(key)).strip().lower() in names:
            return item
    return None


def _script(value: dict[str, Any], source: Source) -> Script:
    environment = _get(value, "environment", "environments", "world")
    goal = _get(value, "goal", "task", "objective")
    conditions = _get(value, "completion conditions", "completion condition", "conditions")
    if isinstance(conditions, str):
        conditions = [conditions]
    if isinstance(conditions, dict):
        conditions = [f"{key}: {item}" for key, item in conditions.items()]
    return Script(
        environment if isinstance(environment, dict) else {},
        goal if isinstance(goal, str) else "",
        tuple(_text(item) for item in conditions) if isinstance(conditions, list) else (),
        _named(_get(value, "available actions", "actions"), source),
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- actions ------------------------------------------------------------------------------


def _named(value: Any, source: Source) -> tuple[Deed, ...]:
    found = tuple(_deeds(value))
    if not found:
        raise NotAScript(
            "json-no-actions",
            Span(source, 0, min(1, len(source.text))),
            "there are no actions in this JSON",
            "a script has `Available Actions`, or is a list of things with a name",
        )
    return found[:MAX_ACTIONS]


def _deeds(value: Any) -> Iterator[Deed]:
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, dict | str) or item is None:
                yield _deed(str(key), item if isinstance(item, dict) else {"description": item})
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            if isinstance(item, str):
                yield _deed(item, {})
            elif isinstance(item, dict):
                name = _get(item, "name", "action", "template", "command")
                if isinstance(name, str):
                    yield _deed(name, item)


def _deed(name: str, value: Mapping[str, Any]) -> Deed:
    shape = _get(value, "special format", "format")
    template = shape if isinstance(shape, str) and SLOT.search(shape) else name
    template, slots = _fitted(template, _slots(_get(value, "parameters", "params", "arguments")))
    regex = _get(value, "verification code", "regex", "pattern")
    told = [_get(value, name) for name in ("description", "desc", "preconditions", "effects")]
    extra = _get(value, "extra info")
    told += extra if isinstance(extra, list) else []
    said = " ".join(re.sub(r"\s+", " ", _text(item)) for item in told if item)
    return Deed(template, regex if isinstance(regex, str) else "", tuple(slots), said)


def _fitted(template: str, slots: list[Slot]) -> tuple[str, list[Slot]]:
    """The template with its slots as `{name}`, each once, and those slots in their order."""
    bare = (replace(slot, name=re.sub(r"[{}<>\[\]]", "", slot.name).strip()) for slot in slots)
    known = {slot.name: slot for slot in bare if slot.name}
    inside: list[str] = []
    pieces: list[str] = []
    last = 0
    for match in SLOT.finditer(template):
        own = " ".join("".join(match.groups("")).split())
        named, number = own, 2
        while named in inside:  # a slot that stands twice may be filled with two things
            named, number = f"{own} {number}", number + 1
        inside.append(named)
        known.setdefault(named, known.get(own, Slot(named, None, "")))
        pieces += [template[last : match.start()], " {" + named + "} "]
        last = match.end()
    if inside:
        found = [replace(known[named], name=named) for named in inside]
        return "".join([*pieces, template[last:]]), found
    words = re.sub(r"[_\s{}<>]+", " ", template).strip()
    return " ".join([words, *("{" + name + "}" for name in known)]), list(known.values())


def _slots(value: Any) -> list[Slot]:
    if isinstance(value, dict) and isinstance(value.get("properties"), dict):
        value = value["properties"]  # a JSON schema
    if isinstance(value, dict):
        return [_slot(str(name), item) for name, item in value.items()]
    if isinstance(value, list):
        return [_slot_of_list(item) for item in value]
    return []


def _slot(name: str, item: Any) -> Slot:
    if isinstance(item, list):
        return Slot(name, tuple(dict.fromkeys(_text(part) for part in item)), "")
    if isinstance(item, dict):
        values = item.get("enum") or item.get("values")
        told = _text(_get(item, "description", "type") or "")
        if isinstance(values, list):
            return Slot(name, tuple(dict.fromkeys(_text(part) for part in values)), told)
        return Slot(name, None, told)
    quoted = re.findall(r"'([^']+)'", item) if isinstance(item, str) else []
    return Slot(name, tuple(dict.fromkeys(quoted)) or None, _text(item))


def _slot_of_list(item: Any) -> Slot:
    if isinstance(item, dict):
        return _slot(_text(_get(item, "name") or "thing"), item)
    name, _, told = _text(item).partition(":")
    return Slot(name.partition(" - ")[0].strip().lstrip("?"), None, told.strip())
