"""Grounding: cells become numbered variables, derived values get a program each.

`Ground` answers the evaluator's questions with slots, hands out text, string and table
numbers, and grounds a derived value the first time somebody reads it. Derived values that
turn out fixed, or as small as a comparison, are written into their readers instead.
"""

from __future__ import annotations

from collections import deque

from worldengine.compiler import resolved as r
from worldengine.compiler import trees as e
from worldengine.compiler.budget import MAX_DERIVED, Meter, OverBudget
from worldengine.compiler.code import Code, Layout
from worldengine.compiler.evaluate import Evaluator
from worldengine.compiler.flow import Flow
from worldengine.compiler.initial import Initial
from worldengine.compiler.scopes import NAMES, Scopes
from worldengine.compiler.tables import Tables
from worldengine.compiler.trees import Key, Tree
from worldengine.compiler.types import Type, names_nothing
from worldengine.machine.schema import NONE, REGISTERS, UNDEFINED, Row, Text, Variable

DEFINED = "!"
"""Ends the name of a derived value that says whether another is defined."""
MAX_DEPTH = 24
"""How deep derived values are followed at once; deeper ones wait in a queue."""


class Ground:
    """The ground world under construction."""

    def __init__(self, tables: Tables, world: r.Resolved) -> None:
        self.tables = tables
        self.world = world
        self.objects = world.objects
        self.meter = Meter()
        self.initial = Initial(world, tables.derives, self.meter)
        self.flow = Flow(world, self.initial, self.meter)
        self.keys: list[Key] = self._order_keys()
        self.index: dict[Key, int] = {key: number for number, key in enumerate(self.keys)}
        self.variables: list[Variable] = [self._variable(key) for key in self.keys]
        self.turn = self._extra("turn", "int", "turn", world.turns) if world.uses_turn else NONE
        self.once: dict[str, int] = {}
        self.latch: dict[str, int] = {}
        for rule in world.rules:
            if rule.kind == "rule" and rule.once:
                self.once[rule.name] = self._extra(f"once.{rule.name}", "bool", "once", 1)
            if rule.kind == "milestone":
                self.latch[rule.name] = self._extra(
                    f"milestone.{rule.name}", "bool", "milestone", 1
                )
        self.status = self._extra("status", "int", "status", 2)
        count = len(self.variables)
        self.number_slot = 2 * count
        self.register_base = 2 * count + 1
        self.derived_base = 2 * count + 1 + REGISTERS
        self.layout = Layout(self._slot, self._table, self.register_base, self.meter.spend)
        self.evaluator = Evaluator(
            self.objects, self.flow.cell, self._possible, self.derive, self.meter
        )
        self.scopes = Scopes(world, self.evaluator)
        self.derives = {derive.name: derive for derive in tables.derives.values()}
        for name, derive in tables.derives.items():
            self.derives[name] = derive
        self.derived: list[tuple[str, tuple[int, ...], bool]] = []
        self.derived_index: dict[tuple[str, tuple[int, ...], bool], int] = {}
        self.derived_trees: dict[int, Tree] = {}
        self._memo: dict[tuple[str, tuple[int, ...], bool], Tree] = {}
        self._queue: deque[tuple[str, tuple[int, ...], bool]] = deque()
        self._depth = 0
        self._rows: dict[tuple[tuple[int, int, int], ...], int] = {}
        self.texts: dict[Text, int] = {}

    # -- variables ------------------------------------------------------------------------

    def _order_keys(self) -> list[Key]:
        objects: dict[int, list[str]] = {}
        facts: dict[str, list[tuple[int, ...]]] = {}
        for key in self.flow.assigned:
            if isinstance(key[0], int):
                objects.setdefault(key[0], []).append(key[1])
            else:
                facts.setdefault(key[0], []).append(key[1])
        found: list[Key] = []
        for item in self.objects:
            names = objects.get(item.index, [])
            found += [(item.index, name) for name in item.values if name in names]
        for fact in self.world.facts:
            found += [(fact.name, arguments) for arguments in sorted(facts.get(fact.name, []))]
        return found

    def _variable(self, key: Key) -> Variable:
        declared = self.flow.type_of(key)
        domain: tuple[int, ...] = ()
        low, high = declared.low, declared.high
        if declared.kind in ("enum", "ref", "text"):
            values = self.flow.possible_of(key) or frozenset()
            domain = tuple(sorted({*values, self.initial.value(key)}))
            low, high = domain[0], domain[-1]
        role = "fact"
        if isinstance(key[0], int):
            role = "location" if key[1] == "in" else "attribute"
        return Variable(
            self.key_name(key),
            declared.kind,
            role,
            low,
            high,
            domain,
            self.initial.value(key),
            NONE,
        )

    def key_name(self, key: Key) -> str:
        if isinstance(key[0], int):
            return f"{self.objects[key[0]].id}.{key[1]}"
        fact = self.flow.fact_types[key[0]]
        shown = [
            self.value_name(declared, value)
            for declared, value in zip(fact.parameters, key[1], strict=True)
        ]
        return f"{key[0]}({', '.join(shown)})" if shown else key[0]

    def value_name(self, declared: Type, value: int) -> str:
        if declared.kind in ("ref", "none"):
            return "none" if value == NONE else self.objects[value].id
        if declared.kind == "enum":
            return self.world.symbols[value][0]
        if declared.kind == "text":
            return next(text for text, number in self.tables.strings.items() if number == value)
        if declared.kind == "bool":
            return "true" if value else "false"
        return str(value)

    def _extra(self, name: str, kind: str, role: str, high: int) -> int:
        self.variables.append(Variable(name, kind, role, 0, high, (), 0, NONE))
        return len(self.variables) - 1

    # -- what the evaluator and the code ask ----------------------------------------------------

    def _possible(self, key: Key) -> frozenset[int] | None:
        if key[0] != "derived":
            return self.flow.possible_of(key)
        name = key[1]
        if name in NAMES or name.endswith(DEFINED):
            return frozenset({0, 1})
        declared = self.derives[name].type
        if declared.kind == "bool":
            return frozenset({0, 1})
        if declared.kind == "enum":
            return frozenset(declared.symbols)
        if declared.kind == "ref":
            return frozenset({NONE, *self.tables.of_kind(declared.of)})
        if declared.kind == "int" and declared.high - declared.low <= 1000:
            return frozenset(range(declared.low, declared.high + 1))
        return None

    def _slot(self, tree: Tree) -> int:
        kind = tree[0]
        if kind == e.CELL:
            index = self.index[tree[1]]
            return index + len(self.variables) if tree[2] else index
        if kind == e.NUMBER:
            return self.number_slot
        if kind == e.TURN:
            return self.turn + len(self.variables) if tree[1] else self.turn
        return self.derived_base + self.derived_index[tree[1:]]

    def _table(self, rows: tuple[tuple[int, int, int], ...]) -> int:
        return self._rows.setdefault(rows, len(self._rows))

    @property
    def tables_of_rows(self) -> tuple[tuple[Row, ...], ...]:
        return tuple(tuple(Row(*row) for row in rows) for rows in self._rows)

    def text(self, item: Text) -> int:
        return self.texts.setdefault(item, len(self.texts))

    def code(self) -> Code:
        return Code(self.layout)

    # -- derived values ----------------------------------------------------------------------

    def derive(self, name: str, arguments: tuple[int, ...], prior: bool) -> Tree:
        """The tree that stands for a ground derived value."""
        key = (name, arguments, prior)
        known = self._memo.get(key)
        if known is not None:
            if known == OPEN:
                return self._number(key)
            return known
        if name in self.derives and names_nothing(self.derives[name].types, arguments):
            return UNDEFINED  # a derived value of nothing is read through none
        if self._depth >= MAX_DEPTH:
            self._queue.append(key)
            self._memo[key] = self._number(key)
            return self._memo[key]
        self._memo[key] = OPEN
        self._depth += 1
        tree = self._body(key)
        self._depth -= 1
        if key not in self.derived_index and self._inline(tree):
            self._memo[key] = tree
            return tree
        recursive = key in self.derived_index
        plain = self._number(key)
        self.derived_trees[self.derived_index[key]] = tree
        self._memo[key] = plain if recursive else self._perhaps(key, plain, tree)
        return self._memo[key]

    def _perhaps(self, key: tuple[str, tuple[int, ...], bool], plain: Tree, tree: Tree) -> Tree:
        """A slot of a derived value is never undefined: where the tree may be, a second
        derived value says whether it is not, and what is read chooses by it."""
        declared = self.derives[key[0]].type if key[0] in self.derives else None
        if declared is None or declared.kind not in ("int", "enum"):
            return plain
        if not e.may_be_undefined(tree, self.evaluator.possible):
            return plain
        flag = (key[0] + DEFINED, key[1], key[2])
        found = self._number(flag)
        self.derived_trees[self.derived_index[flag]] = (e.NOT, (e.UNDEF, tree))
        return (e.SELECT, found, ((1, plain),))

    def _body(self, key: tuple[str, tuple[int, ...], bool]) -> Tree:
        name, arguments, prior = key
        if name in NAMES:
            return self.scopes.body(name, arguments, prior)
        return self.evaluator.tree(self.derives[name].body, list(arguments), prior)  # type: ignore[arg-type]

    def _number(self, key: tuple[str, tuple[int, ...], bool]) -> Tree:
        """Give the derived value a number; the tree that reads it."""
        if key not in self.derived_index:
            if len(self.derived) >= MAX_DERIVED:
                raise OverBudget(
                    "budget-derived",
                    self.meter.at,
                    f"more than {MAX_DERIVED} derived values would be needed",
                    "a derive over two or three large kinds multiplies: use smaller kinds",
                )
            self.derived_index[key] = len(self.derived)
            self.derived.append(key)
        return (e.DERIVED, *key)

    def _inline(self, tree: Tree) -> bool:
        """Small enough to be written out wherever it is read."""
        if type(tree) is int or tree[0] in (e.CELL, e.DERIVED, e.TURN):
            return True
        if tree[0] == e.NOT:
            # not of a derived value: two negations in a circle would hide each other
            return type(tree[1]) is not int and tree[1][0] == e.CELL
        return tree[0] == e.CMP and all(
            type(side) is int or side[0] in (e.CELL, e.TURN) for side in tree[2:]
        )

    def settle(self) -> None:
        """Ground what waits in the queue."""
        while self._queue:
            key = self._queue.popleft()
            if self.derived_index[key] not in self.derived_trees:
                self.derived_trees[self.derived_index[key]] = self._body(key)

    def forced(self, name: str, arguments: tuple[int, ...]) -> tuple[int, int]:
        """(slot, constant) of a derived value; a slot always, unless it is fixed."""
        tree = self.derive(name, arguments, False)
        if type(tree) is int:
            return -1, tree
        if tree[0] in (e.CELL, e.DERIVED):
            return self._slot(tree), 0
        key = (f"{name}?", arguments, False)
        known = self.derived_index.get(key)
        if known is None:
            self._number(key)
            known = self.derived_index[key]
            self.derived_trees[known] = tree
        return self.derived_base + known, 0


OPEN: Tree = ("open",)
"""Marks a derived value whose body is being grounded."""
