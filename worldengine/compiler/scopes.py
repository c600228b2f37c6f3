"""What is held, here, visible, reachable, adjacent: each as a tree over the cells.

These are the built-in derived values; their meaning is fixed in the language:

- held: carried, also inside held things that show what they hold
- here: in the player's place, on its surfaces and in its open containers, to any depth;
  a door is here where an exit goes through it; in the dark only persons, doors and exits
- visible: held or here, or shown but out of reach (with a person, behind glass)
- reachable: held or here
- adjacent: a place one exit away that is open now
- inside(a, b): a is in b, to any depth
- in_light: the player's place is not dark, or a light shines in it
"""

from __future__ import annotations

from collections.abc import Callable

from worldengine.compiler import resolved as r
from worldengine.compiler.evaluate import Evaluator
from worldengine.compiler.trees import SCOPE, SELECT, Tree, conjunction, disjunction, negate
from worldengine.machine.schema import NONE, UNDEFINED

BUILT_IN = ("held", "here", "visible", "reachable", "adjacent", "inside", "passable", "in_light")
PARTS = ("near", "seen", "glows", "held_in", "near_in", "seen_in", "glows_in")
NAMES = frozenset(SCOPE + name for name in (*BUILT_IN, *PARTS))


class Scopes:
    """`body(name, arguments, prior)` builds the tree of one derived value."""

    def __init__(self, world: r.Resolved, evaluator: Evaluator) -> None:
        self.world = world
        self.objects = world.objects
        self.evaluator = evaluator
        self.exits = [item for item in self.objects if item.role == "exit"]
        self.derives: dict[str, r.DeriveOf] = {}
        self._open: dict[tuple[str, tuple[int, ...], bool], Tree] = {}
        self._bodies: dict[str, Callable[..., Tree]] = {
            name: getattr(self, "_" + name.removeprefix(SCOPE)) for name in sorted(NAMES)
        }

    def tree(self, name: str, arguments: tuple[int, ...], prior: bool) -> Tree:
        """The tree with everything below it expanded (for known values only)."""
        key = (name, arguments, prior)
        if key in self._open:
            return 0
        self._open[key] = 0
        try:
            return self.body(name, arguments, prior)
        finally:
            del self._open[key]

    def body(self, name: str, arguments: tuple[int, ...], prior: bool) -> Tree:
        if UNDEFINED in arguments or (NONE in arguments and name in NAMES):
            return 0
        return self._bodies[name](*arguments, prior)

    # -- small parts ------------------------------------------------------------------------

    def _is(self, index: int, kind: str) -> bool:
        return kind in self.world.kinds[self.objects[index].kind].ancestors

    def _derive(self, name: str, prior: bool, *arguments: int) -> Tree:
        return self.evaluator.derive(SCOPE + name, arguments, prior)

    def _shows(self, index: int, prior: bool) -> Tree:
        """Whether what it holds can be reached: surfaces always, containers when open."""
        if self._is(index, "surface"):
            return 1
        if self._is(index, "container"):
            return self.evaluator.attribute(index, "open", prior)
        return 0

    def _player_at(self, place: int, prior: bool) -> Tree:
        at = self.evaluator.attribute(self.world.player, "in", prior)
        return self.evaluator.comparison("==", at, place)

    def _chain(self, index: int, prior: bool, targets: list[Tree], inner: str, *rest: int) -> Tree:
        """Directly in one of `targets`, or in a holder of which `inner` holds."""
        where = self.evaluator.attribute(index, "in", prior)
        if type(where) is int and where in (NONE, UNDEFINED):
            return 0
        parts = [self.evaluator.comparison("==", where, target) for target in targets]

        def by(at: int) -> Tree:
            if at == NONE or at in targets or self.objects[at].role in ("place", "player"):
                return 0
            return self._derive(inner, prior, at, *rest)

        found = self.evaluator.over(where, by)
        if type(found) is int:
            found = int(found == 1)
        elif found[0] == SELECT and all(row == 0 for _, row in found[2]):
            found = 0
        return disjunction([*parts, found])

    def _here_now(self, prior: bool) -> Tree:
        return self.evaluator.attribute(self.world.player, "in", prior)

    def _unless_dark(self, index: int, raw: Tree, prior: bool) -> Tree:
        if type(raw) is int and raw == 0:
            return 0
        if self.objects[index].role == "person":
            return raw
        return conjunction([raw, self._derive("in_light", prior)])

    # -- the scopes -----------------------------------------------------------------------

    def _held(self, index: int, prior: bool) -> Tree:
        if self.objects[index].role in ("place", "player", "exit"):
            return 0
        return self._chain(index, prior, [self.world.player], "held_in")

    def _held_in(self, index: int, prior: bool) -> Tree:
        return self._offers(index, "held", prior)

    def _offers(self, index: int, inner: str, prior: bool) -> Tree:
        """The holder shows what it holds and `inner` holds of it."""
        shows = self._shows(index, prior)
        if type(shows) is int and shows == 0:
            return 0
        return conjunction([shows, self._derive(inner, prior, index)])

    def _here(self, index: int, prior: bool) -> Tree:
        item = self.objects[index]
        if item.role == "player":
            return 1
        if item.role == "place":
            return self._player_at(index, prior)
        if item.role == "exit":
            return self._player_at(item.values["in"], prior)
        if item.role == "door":
            places = [e.values["in"] for e in self.exits if e.values.get("door") == index]
            sides = [self._player_at(place, prior) for place in dict.fromkeys(places)]
            return disjunction(sides)
        return self._unless_dark(index, self._near(index, prior), prior)

    def _near(self, index: int, prior: bool) -> Tree:
        return self._chain(index, prior, [self._here_now(prior)], "near_in")

    def _near_in(self, index: int, prior: bool) -> Tree:
        return self._offers(index, "near", prior)

    def _seen(self, index: int, prior: bool) -> Tree:
        targets = [self._here_now(prior), self.world.player]
        return self._chain(index, prior, targets, "seen_in")

    def _seen_in(self, index: int, prior: bool) -> Tree:
        return self._shown_in(index, "seen", prior)

    def _shown_in(self, index: int, inner: str, prior: bool) -> Tree:
        """The holder lets what it holds be seen, be it out of reach, and `inner` holds of it."""
        shows: Tree = self._shows(index, prior)
        if self._is(index, "container"):
            glass = self.evaluator.attribute(index, "transparent", prior)
            shows = disjunction([shows, glass])
        elif self.objects[index].role == "person":
            shows = 1
        if type(shows) is int and shows == 0:
            return 0
        return conjunction([shows, self._derive(inner, prior, index)])

    def _visible(self, index: int, prior: bool) -> Tree:
        if self.objects[index].role in ("place", "player", "exit", "door"):
            return self._here(index, prior)
        out_of_reach = self._unless_dark(index, self._derive("seen", prior, index), prior)
        return disjunction([self._derive("held", prior, index), out_of_reach])

    def _reachable(self, index: int, prior: bool) -> Tree:
        return disjunction([self._derive("held", prior, index), self._derive("here", prior, index)])

    def _adjacent(self, place: int, prior: bool) -> Tree:
        ways = []
        for item in self.exits:
            if item.values.get("to") != place:
                continue
            parts = [self._player_at(item.values["in"], prior)]
            if item.values.get("door", NONE) != NONE:
                parts.append(self.evaluator.attribute(item.values["door"], "open", prior))
            parts.append(self._derive("passable", prior, item.index))
            ways.append(conjunction(parts))
        return disjunction(ways)

    def _passable(self, index: int, prior: bool) -> Tree:
        condition = self.world.passable.get(index)
        return 1 if condition is None else self.evaluator.tree(condition, [], prior)

    def _inside(self, index: int, outer: int, prior: bool) -> Tree:
        return self._chain(index, prior, [outer], "inside", outer)

    def _in_light(self, prior: bool) -> Tree:
        at = self.evaluator.attribute(self.world.player, "in", prior)
        dark = self.evaluator.over(
            at, lambda place: 0 if place == NONE else self.evaluator.attribute(place, "dark", prior)
        )
        if type(dark) is int and dark != 1:
            return 1
        lights = []
        for item in self.objects:
            if "light" in item.values:
                shines = self.evaluator.attribute(item.index, "light", prior)
                if type(shines) is int and shines == 0:
                    continue
                lights.append(conjunction([shines, self._derive("glows", prior, item.index)]))
        return disjunction([negate(dark), *lights])

    def _glows(self, index: int, prior: bool) -> Tree:
        targets = [self._here_now(prior), self.world.player]
        return self._chain(index, prior, targets, "glows_in")

    def _glows_in(self, index: int, prior: bool) -> Tree:
        return self._shown_in(index, "glows", prior)
