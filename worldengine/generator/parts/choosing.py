"""Which part is used where: a choice among those that the theme has words for."""

from __future__ import annotations

from worldengine.generator.draft import CannotFit, Draft, Gate
from worldengine.generator.parts import gates, knowing, making, passages, perils, sources
from worldengine.generator.parts.sources import Source

# What each source draws from the theme, so that it is offered only where words are left.
_FREE: tuple[tuple[Source, tuple[str, ...]], ...] = (
    (sources.lying, ()),
    (sources.shut_away, ("containers",)),
    (sources.hidden, ("nooks",)),
)
_NEEDY: tuple[tuple[Source, tuple[str, ...]], ...] = (
    (sources.locked_away, ("keys", "containers")),
    (sources.traded, ("goods", "people")),
    (sources.told_of, ("topics", "people")),
    (knowing.code_box, ("codeboxes", "papers")),
    (knowing.in_one_of, ("containers", "papers")),
)
_MAKING: tuple[tuple[Source, tuple[str, ...]], ...] = (
    (making.crafted, ("recipes",)),
    (making.fired, ("ovens",)),
    (making.grown, ("plants",)),
)
_BARS: tuple[tuple[gates.Bar, tuple[str, ...]], ...] = (
    (gates.closed_door, ("doors",)),
    (gates.locked_door, ("doors", "keys")),
    (gates.locked_door, ("doors", "keys")),
    (gates.obstacle, ("obstacles",)),
    (gates.guard, ("people", "goods")),
    (gates.password, ("people", "passwords", "papers")),
    (gates.lever, ("levers",)),
    (passages.timetable, ("vehicles",)),
    (passages.hazard, ("hazards",)),
    (passages.darkness, ("lamps",)),
    (perils.creature, ("creatures",)),
)


def choose_source(draft: Draft, name: str, depth: int) -> Source:
    """Some way to come by a thing of this name; the deeper it may be, the longer the way."""
    random = draft.random
    offered = [source for source, pools in _FREE if all(map(draft.has, pools))]
    if depth > 0:
        needy = [source for source, pools in _NEEDY if all(map(draft.has, pools))]
        if needy and random.random() < 0.75:
            offered = needy
        if "shop" not in draft.mechanics and draft.has("people") and random.random() < 0.15:
            draft.mechanics.add("shop")
            return making.bought
    return random.choice(offered)


def bar_ways(draft: Draft) -> None:
    """Something in every gate, the first before the last."""
    for gate in draft.gates:
        _bar(draft, gate)


def _bar(draft: Draft, gate: Gate) -> None:
    offered = [bar for bar, pools in _BARS if all(map(draft.has, pools))]
    fresh = [bar for bar in offered if bar not in draft.made.setdefault("bars", [])]
    if not offered:
        raise CannotFit("nothing is left to bar a way with")
    bar = draft.random.choice(fresh or offered)
    if bar in (gates.password, passages.darkness) and bar in draft.made["bars"]:
        bar = gates.locked_door
    draft.made["bars"].append(bar)
    bar(draft, gate)


def some_good(draft: Draft, limit: int, depth: int):  # type: ignore[no-untyped-def]
    """A thing worth having for its own sake: found, or made in one of the theme's ways."""
    making_ways = [way for way, pools in _MAKING if all(map(draft.has, pools))]
    if depth > 0 and making_ways and draft.random.random() < 0.5:
        return draft.random.choice(making_ways)(draft, "", "", limit, depth)
    return sources.obtain(draft, "goods", limit, depth)
