"""Which arguments an action is ground for.

Up to `WIDE` combinations all of them: a player who tries one that can never work is refused
by the requirement that fails, with its class and text. A wider action (planning domains have
actions with seven parameters) is ground only for combinations that no requirement rules out
for ever; the others are commands that no action answers to. They are found by choosing one
argument after the other and asking each requirement as soon as all it reads is chosen.
"""

from __future__ import annotations

from itertools import product
from math import prod

from worldengine.compiler import resolved as r
from worldengine.compiler.budget import MAX_OPERATORS, OverBudget
from worldengine.compiler.evaluate import Evaluator
from worldengine.compiler.flow import UNKNOWN, free_locals
from worldengine.compiler.trees import Tree, Unbounded

WIDE = 2_000
"""Combinations of one action that are ground whatever its requirements say."""
SAMPLES = 60
PRIMES = (1, 7, 13, 19, 29, 37, 43, 53, 61, 71, 79, 89)
"""Strides with which a sample walks through the arguments of each parameter."""
Pair = tuple[int, Tree]
"""An argument, and the tree that stands for it."""
Choice = tuple[Pair, ...]


def choices(
    action: r.ActionInfo, values: list[list[Pair]], evaluator: Evaluator, left: int
) -> list[Choice]:
    """Combinations in the order of their parameters; OverBudget if there are more than `left`."""
    if prod(len(item) for item in values) <= WIDE:
        found: list[Choice] = list(product(*values))
        if len(found) > left:
            raise over_budget(action, MAX_OPERATORS - left + len(found))
        return found
    search = _Search(action, values, evaluator, left)
    search.run()
    search.found.sort()
    return [
        tuple(pairs[place] for pairs, place in zip(values, places, strict=True))
        for places in search.found
    ]


def over_budget(action: r.ActionInfo, total: int) -> OverBudget:
    return OverBudget(
        "budget-operators",
        action.span,
        f"`{action.name}` brings the ground actions to {total} or more; "
        f"{MAX_OPERATORS} is the most",
        "give its parameters narrower kinds, or leave out what nobody acts on",
    )


class _Search:
    """Chooses parameters in the order in which requirements become decidable soonest."""

    def __init__(
        self, action: r.ActionInfo, values: list[list[Pair]], evaluator: Evaluator, left: int
    ) -> None:
        self.action = action
        self.values = values
        self.evaluator = evaluator
        self.left = left
        self.found: list[tuple[int, ...]] = []
        asked = [
            part
            for demand in action.demands
            if not demand.guard
            for part in _parts(demand.condition)
        ]
        self.reads = [(part, tuple(sorted(free_locals(part)))) for part in asked]
        self._memo: dict[tuple[int, tuple[int, ...]], bool] = {}
        self.shares = [self._share(number) for number in range(len(self.reads))]
        self.order = self._order()
        self.due = self._due()

    def _order(self) -> list[int]:
        """Always the parameter that leaves the fewest ways to go on, as far as samples tell."""
        order: list[int] = []
        waiting = list(range(len(self.values)))
        while waiting:
            best = min(waiting, key=lambda index: (self._ways(index, set(order)), index))
            order.append(best)
            waiting.remove(best)
        return order

    def _ways(self, index: int, chosen: set[int]) -> float:
        """How many arguments of a parameter pass what can be asked once it is chosen."""
        ways = float(len(self.values[index]))
        for number, (_, reads) in enumerate(self.reads):
            if index in reads and set(reads) <= chosen | {index}:
                ways *= self.shares[number]
        return ways

    def _share(self, number: int) -> float:
        """The share of combinations that a requirement lets through, from a sample."""
        reads = self.reads[number][1]
        sizes = [len(self.values[index]) for index in reads]
        if not all(sizes):
            return 1.0
        env: list[Tree] = [UNKNOWN] * len(self.values)
        chosen = [0] * len(self.values)
        passed = 1
        for step in range(SAMPLES):
            for index, size, prime in zip(reads, sizes, PRIMES, strict=False):
                chosen[index] = step * prime % size
                env[index] = self.values[index][chosen[index]][1]
            passed += self._may_hold(number, chosen, env)
        return passed / (SAMPLES + 1)

    def _due(self) -> list[list[int]]:
        """For each place of the order, the requirements that can be asked there."""
        due: list[list[int]] = [[] for _ in self.order]
        places = {index: place for place, index in enumerate(self.order)}
        for number, (_, reads) in enumerate(self.reads):
            if reads:
                due[max(places[index] for index in reads)].append(number)
        return due

    def run(self) -> None:
        chosen = [0] * len(self.values)
        env: list[Tree] = [UNKNOWN] * len(self.values)
        if self.values:
            self._choose(0, chosen, env)

    def _choose(self, place: int, chosen: list[int], env: list[Tree]) -> None:
        if place == len(self.order):
            if len(self.found) >= self.left:
                raise over_budget(self.action, MAX_OPERATORS + 1)
            self.found.append(tuple(chosen))
            return
        index = self.order[place]
        self.evaluator.meter.spend(1 + len(self.values[index]) // 10)
        for number, (_, tree) in enumerate(self.values[index]):
            chosen[index] = number
            env[index] = tree
            if all(self._may_hold(due, chosen, env) for due in self.due[place]):
                self._choose(place + 1, chosen, env)
        env[index] = UNKNOWN

    def _may_hold(self, number: int, chosen: list[int], env: list[Tree]) -> bool:
        part, reads = self.reads[number]
        key = number, tuple(chosen[index] for index in reads)
        known = self._memo.get(key)
        if known is None:
            self.evaluator.meter.spend(1)
            try:
                tree = self.evaluator.tree(part, env)
            except Unbounded:
                tree = UNKNOWN
            known = self._memo[key] = type(tree) is not int or tree == 1
        return known


def _parts(condition: r.Expr) -> tuple[r.Expr, ...]:
    return condition.items if isinstance(condition, r.AllOf) else (condition,)
