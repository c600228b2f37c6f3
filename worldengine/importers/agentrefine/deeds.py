"""Actions of the JSON → actions of the script, as far as it speaks of them.

Forms and regular expressions are there; what the action needs and what it changes is not, and
becomes a hole. Parameters take the values that are listed: objects of the surroundings where
all of them are, a range where all are numbers, else an enumeration.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import re2

from worldengine.importers.agentrefine.places import Surroundings
from worldengine.importers.agentrefine.reading import SLOT, Deed, Slot
from worldengine.importers.naming import TAKEN, TAKEN_ACTIONS, TAKEN_KINDS, Space, identifier
from worldengine.syntax import ast

MOST = 1_000
"""Combinations of values that one action keeps."""
NUMBERED = re.compile(r"number|quantity|amount|count|how many|index|integer|level", re.IGNORECASE)


@dataclass
class Deeds:
    """Makes actions one after the other; `holes` belong to the action made last."""

    around: Surroundings
    actions: Space = field(default_factory=lambda: Space(TAKEN_ACTIONS, "do_{}"))
    symbols: dict[str, str] = field(default_factory=dict)
    values: Space = field(default_factory=lambda: Space({*TAKEN, *TAKEN_KINDS}, "{}_value"))
    holes: list[str] = field(default_factory=list)
    said: set[str] = field(default_factory=set)

    def action(self, deed: Deed) -> ast.Action | None:
        self.holes = []
        words = _words(deed.template)
        space = Space({*TAKEN, *self.around.names.values()}, "the_{}")
        names = {slot.name: space.name(slot.name) for slot in deed.slots}
        form = re.sub(r"\{([^{}]*)\}", lambda match: "{" + names.get(match[1], "") + "}", words)
        if not form or form in self.said or "{}" in form or len(form) > 200 or len(deed.slots) > 12:
            return None
        self.said.add(form)
        head = SLOT.split(words)[0].strip() or "act"
        name = self.actions.name("_".join(identifier(head).strip("_").split("_")[:4]) or "act")
        parameters = tuple(
            ast.Parameter(ast.Name(names[slot.name]), self._type(slot, len(deed.slots)), None)
            for slot in deed.slots
        )
        parts: list[ast.ActionPart] = [ast.Form(form), *self._regex(deed)]
        told = f" ({deed.told[:300]})" if deed.told else ""
        self.holes.append(f"say with `require` when `{words}` is possible, and why it is not{told}")
        self.holes.append(f"say with `set` what `{words}` changes, and with `say` what is seen")
        parts.append(ast.Say(ast.Text((ast.Literal("Nothing happens yet."),))))
        return ast.Action(ast.Name(name), parameters, tuple(parts))

    # -- parameters ----------------------------------------------------------------------

    def _type(self, slot: Slot, count: int) -> ast.Type:
        values = slot.values
        if values is None:
            return self._open(slot)
        if not values:
            self.holes.append(f"`{slot.name}` has an empty list of values: give it some")
            return self._enum(())
        named = [self.around.names.get(value.lower()) for value in values]
        numbers = [int(value) for value in values if re.fullmatch(r"-?\d{1,6}", value)]
        if len(numbers) == len(values) and max(numbers) - min(numbers) < len(numbers):
            return ast.RangeType(min(numbers), max(numbers))
        things = {thing.name.text for thing in self.around.things}
        if named and len(named) == len(things) and set(named) == things:
            return ast.NamedType(ast.Name("thing"), False)
        kept = max(2, int(MOST ** (1 / count)))
        if len(values) > kept:
            self.holes.append(f"`{slot.name}` has {len(values)} values; the first {kept} are kept")
        return self._enum(values[:kept])

    def _open(self, slot: Slot) -> ast.Type:
        told = f" ({slot.told[:200]})" if slot.told else ""
        self.holes.append(f"say which values `{slot.name}` may have{told}")
        if NUMBERED.search(slot.name + " " + slot.told):
            return ast.RangeType(0, 10)
        return self._enum(())

    def _enum(self, values: tuple[str, ...]) -> ast.EnumType:
        """Two values at least: with one, nobody would have anything to choose."""
        padded = (*values, "something", "something else") if len(values) < 2 else values
        return ast.EnumType(tuple(self._value(value) for value in padded[: max(2, len(values))]))

    def _value(self, shown: str) -> ast.EnumValue:
        shown = re.sub(r"\s+", " ", shown).strip() or "nothing"
        if shown.lower() not in self.symbols:
            self.symbols[shown.lower()] = self.values.name(_symbol(shown))
        name = self.symbols[shown.lower()]
        return ast.EnumValue(ast.Name(name), None if name == shown else shown)

    # -- regular expressions ----------------------------------------------------------------

    def _regex(self, deed: Deed) -> list[ast.ActionPart]:
        """The JSON's own pattern, where it can be kept; the form stands in for it anyway."""
        if not deed.regex:
            return []
        groups = _groups(deed.regex)
        if groups is None:
            self.holes.append(f"the pattern {deed.regex} does not run in linear time: leave it out")
        elif groups != len(deed.slots):
            self.holes.append(
                f"the pattern {deed.regex} has {groups} groups for {len(deed.slots)} parameters"
            )
        elif not deed.regex.startswith("^") or not deed.regex.endswith("$"):
            self.holes.append(f"the pattern {deed.regex} is not anchored: it would match too much")
        else:
            return [ast.Regex(deed.regex)]
        return []


def _symbol(shown: str) -> str:
    """What the value is called: `..` would be all underscores, which nobody reads."""
    return shown[:40] if re.search(r"[A-Za-z0-9]", shown) else "value"


def _groups(pattern: str) -> int | None:
    options: Any = re2.Options()
    options.log_errors = False
    try:
        return int(re2.compile(pattern, options).groups)
    except re2.error:
        return None


def _words(template: str) -> str:
    """The template as a form: brackets that would mean something are left out."""
    pieces: list[str] = []
    last = 0
    for match in re.finditer(r"\{[^{}]*\}", template):
        pieces += [_bare(template[last : match.start()]), match[0]]
        last = match.end()
    pieces.append(_bare(template[last:]))
    return re.sub(r"\s+", " ", " ".join(pieces)).strip()


def _bare(text: str) -> str:
    return re.sub(r"[\[\](){}<>|\"]", " ", text)
