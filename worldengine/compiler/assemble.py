"""The last pass: ground everything in a fixed order and put the Machine together."""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler import trees as e
from worldengine.compiler.budget import MAX_DIGITS, MAX_OPERATORS, MAX_PIECES, OverBudget
from worldengine.compiler.catalogue import Catalogue
from worldengine.compiler.choices import Choice, choices
from worldengine.compiler.ground import DEFINED, Ground
from worldengine.compiler.lower import Lower
from worldengine.compiler.notes import Note, Notes
from worldengine.compiler.saying import MAX_TEXTS
from worldengine.compiler.strata import groups_of
from worldengine.compiler.trees import SCOPE, Tree
from worldengine.machine.schema import (
    NONE,
    Block,
    Derived,
    Location,
    Machine,
    Operator,
    Parameter,
    Program,
    Rule,
    Schema,
    Scope,
    ScopeRow,
    Symbol,
)
from worldengine.source import Span


class Assembly:
    """Holds the spans and parts while the Machine is put together."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.world = ground.world
        self.lower = Lower(ground)
        self.spans: dict[Location, int] = {}
        self.symbols = [Symbol(name, display) for name, display in self.world.symbols]
        self.notes: tuple[list[tuple[Note, ...]], ...] = ([], [], [])
        self._digits: dict[int, int] = {}
        self._locations: dict[tuple[int, int, int], int] = {}

    def span(self, span: Span) -> int:
        key = (id(span.source), span.start, span.end)
        known = self._locations.get(key)
        if known is None:
            line, column = span.source.position(span.start)
            end_line, end_column = span.source.position(span.end)
            location = Location(span.source.name, line, column, end_line, end_column)
            known = self.spans.setdefault(location, len(self.spans))
            self._locations[key] = known
        return known

    # -- actions -------------------------------------------------------------------------------

    def schemas(self) -> tuple[list[Schema], list[Operator]]:
        """Everything is counted before anything is lowered: a refusal should come at once."""
        plans = [self._plan(action) for action in self.world.actions]
        every: list[list[Choice]] = []
        left = MAX_OPERATORS
        for action, (_, values) in zip(self.world.actions, plans, strict=True):
            self.ground.meter.at = action.span if action.own else None
            every.append(choices(action, values, self.ground.evaluator, left))
            left -= len(every[-1])
        schemas: list[Schema] = []
        operators: list[Operator] = []
        for number, (action, plan) in enumerate(zip(self.world.actions, plans, strict=True)):
            schemas.append(
                Schema(action.name, action.own, plan[0], action.forms, self.span(action.span))
            )
            operators += self._operators(number, action, every[number])
        return schemas, operators

    def _plan(
        self, action: r.ActionInfo
    ) -> tuple[tuple[Parameter, ...], list[list[tuple[int, Tree]]]]:
        """Parameters of the schema, and for each what it ranges over: (argument, tree)."""
        numbers = [i for i, item in enumerate(action.parameters) if item.kind == "number"]
        widest = max(numbers, key=lambda i: _width(action.parameters[i]), default=-1)
        parameters, values = [], []
        for index, item in enumerate(action.parameters):
            low, high = item.type.low, item.type.high
            if item.kind == "number" and index != widest:
                if _width(item) > MAX_DIGITS:
                    raise OverBudget(
                        "budget-numbers",
                        item.span,
                        f"beside the widest, a number parameter has at most {MAX_DIGITS} values",
                        "narrow one of the ranges",
                    )
                choices = [(self._digit(value), value) for value in range(low, high + 1)]
                candidates = tuple(argument for argument, _ in choices)
                parameters.append(
                    Parameter(item.name, "symbol", "anywhere", item.noun, candidates, 0, 0)
                )
                values.append(choices)
            elif item.kind == "number":
                parameters.append(
                    Parameter(item.name, "number", "anywhere", item.noun, (), low, high)
                )
                symbolic: Tree = (e.NUMBER, low, high)
                values.append([(NONE, symbolic)])
            else:
                candidates = item.values
                parameters.append(
                    Parameter(item.name, item.kind, item.scope, item.noun, candidates, 0, 0)
                )
                values.append([(v, v) for v in candidates if self._ever(item.scope, v)])
        return tuple(parameters), values

    def _digit(self, value: int) -> int:
        if value not in self._digits:
            self._digits[value] = len(self.symbols)
            self.symbols.append(Symbol(str(value), str(value)))
        return self._digits[value]

    def _ever(self, scope: str, value: int) -> bool:
        if scope == "anywhere":
            return True
        tree = self.ground.derive(SCOPE + scope, (value,), False)
        return type(tree) is not int or tree == 1

    def _operators(
        self,
        number: int,
        action: r.ActionInfo,
        chosen: list[Choice],
    ) -> list[Operator]:
        found = []
        for choice in chosen:
            arguments = tuple(argument for argument, _ in choice)
            lowered = self.lower.action(action, [tree for _, tree in choice])
            spans = [self.span(span) for _, _, span in lowered.requirements]
            self.notes[0].append(lowered.notes)
            found.append(
                Operator(
                    number,
                    arguments,
                    lowered.as_requirements(spans),
                    lowered.body,
                    lowered.program,
                    self.span(action.span),
                )
            )
        return found

    # -- everything else -------------------------------------------------------------------------

    def rules(self) -> list[Rule]:
        found = []
        for rule in self.world.rules:
            program, notes = self.lower.rule(rule)
            self.notes[1].append(notes)
            found.append(Rule(rule.name, rule.kind, rule.title, program, self.span(rule.span)))
        return found

    def blocks(self) -> list[Block]:
        found: list[Block] = []
        names = list(self.lower.blocks)
        while len(found) < len(names):
            program, notes = self.lower.block(names[len(found)])
            self.notes[2].append(notes)
            found.append(Block(names[len(found)], program))
            names += list(self.lower.blocks)[len(names) :]
        self._check_nesting(found)
        return found

    def _check_nesting(self, blocks: list[Block]) -> None:
        """Calls go in no circle, not deep, and together print no more than anybody reads."""
        calls = [[step.call for step in block.program if step.call >= 0] for block in blocks]
        depth, length = [0] * len(blocks), [1] * len(blocks)
        for _ in range(MAX_TEXTS):
            deeper = [1 + max((depth[call] for call in item), default=-1) for item in calls]
            if deeper == depth:
                break
            depth = deeper
            longer = (len(block.program) for block in blocks)
            length = [
                min(own + sum(length[call] for call in item), MAX_PIECES + 1)
                for own, item in zip(longer, calls, strict=True)
            ]
        else:
            length = [MAX_PIECES + item for item in depth]
        worst = max(range(len(blocks)), key=lambda index: length[index])
        if length[worst] <= MAX_PIECES:
            return
        name = blocks[worst].name
        derive = self.ground.derives.get(name)
        raise OverBudget(
            "text-circle",
            derive.node.name.span if derive is not None else None,
            f"the text `{name}` inserts itself, or more texts than can be printed",
            "a description cannot hold {look}, which prints it"
            if name == "look"
            else "a text cannot hold itself, however far around; say it in fewer pieces",
        )

    def scopes(self) -> tuple[Scope, ...]:
        wanted: dict[str, dict[int, None]] = {}
        for action in self.world.actions:
            for item in action.parameters:
                if item.kind == "object" and item.scope != "anywhere":
                    wanted.setdefault(item.scope, {}).update(dict.fromkeys(item.values))
        found = []
        for word in sorted(wanted):
            rows = tuple(
                ScopeRow(value, *self.ground.forced(SCOPE + word, (value,)))
                for value in sorted(wanted[word])
            )
            found.append(Scope(word, rows))
        return tuple(found)

    def derived(self) -> list[Derived]:
        ground = self.ground
        programs: list[Program] = []
        while len(programs) < len(ground.derived):
            ground.settle()
            programs.append(self.lower.derived(len(programs)))
        groups = groups_of(ground)
        found = []
        for number, (name, arguments, prior) in enumerate(ground.derived):
            declared = ground.derives[name].type if name in ground.derives else None
            kind = declared.kind if declared is not None else "bool"
            low, high = 0, 1
            if declared is not None and declared.kind == "int":
                low, high = declared.low, declared.high
            elif declared is not None and declared.kind in ("ref", "enum"):
                values = ground.evaluator.possible((e.DERIVED, name, arguments, prior)) or {0}
                low, high = min(values), max(values)
            span = (
                self.span(ground.derives[name].node.name.span) if name in ground.derives else NONE
            )
            shown = self._derived_name(name, arguments, prior)
            found.append(Derived(shown, kind, low, high, groups[number], programs[number], span))
        return found

    def _derived_name(self, name: str, arguments: tuple[int, ...], prior: bool) -> str:
        ground = self.ground
        base = name.removesuffix(DEFINED)
        if base in ground.derives:
            types = [declared for _, declared in ground.derives[base].parameters]
            shown = [ground.value_name(t, v) for t, v in zip(types, arguments, strict=True)]
        else:
            shown = [ground.objects[value].id for value in arguments]
        plain = name.removesuffix("?").removeprefix(SCOPE)
        text = f"{plain}({', '.join(shown)})" if shown else plain
        return f"prior({text})" if prior else text


def _width(item: r.ParameterInfo) -> int:
    return item.type.high - item.type.low + 1


def assemble(ground: Ground) -> tuple[Machine, Notes]:
    """Everything grounded, lowered and numbered; and where each step was written."""
    world = ground.world
    parts = Assembly(ground)
    schemas, operators = parts.schemas()
    rules = parts.rules()
    blocks = parts.blocks()
    scopes = parts.scopes()
    derived = parts.derived()
    lists = Catalogue(ground, parts.span)
    objects = lists.objects()
    notes = Notes(*(tuple(each) for each in parts.notes))
    machine = Machine(
        name=world.name,
        title=world.title,
        persona=world.persona,
        intro=world.intro,
        goal=world.goal,
        timeout=world.timeout,
        turns=world.turns,
        variables=tuple(ground.variables),
        derived=tuple(derived),
        tables=ground.tables_of_rows,
        texts=tuple(ground.texts),
        strings=tuple(ground.tables.strings),
        symbols=tuple(parts.symbols),
        objects=objects,
        exits=lists.exits(),
        scopes=scopes,
        schemas=tuple(schemas),
        operators=tuple(operators),
        blocks=tuple(blocks),
        opening=parts.lower.blocks["look"],
        rules=tuple(rules),
        variants=lists.variants(),
        proofs=world.proofs,
        player=world.player,
        status=ground.status,
        turn=ground.turn,
        milestones=tuple(ground.latch.values()),
        spans=tuple(parts.spans),
    )
    return machine, notes
