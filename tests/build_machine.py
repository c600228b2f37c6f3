"""Small Machines built by hand, so that engines are tested without any compiler.

`Builder` collects parts; `lamp_world()` is a little world with a lamp, two keys, a door
and a dial that uses most of what a Machine can say. Its turn, by hand:

- places hall and cellar; `go north`/`go south` lead through a door that can be locked;
- `take X`, `drop X`; `unlock door with KEY` needs the red key held; `light lamp`;
- `dial N` turns a dial, 1..9; 7 opens the safe in the hall;
- the win is the gem in the player's hands.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from worldengine.machine.schema import (
    ADD,
    CONST,
    COPY,
    EQ,
    GE,
    LOGIC,
    NE,
    NONE,
    PLACE,
    REGISTERS,
    SELECT,
    Argument,
    Assign,
    Block,
    Derived,
    Form,
    Insert,
    Machine,
    Object,
    Operator,
    Parameter,
    Program,
    Requirement,
    Row,
    Rule,
    Schema,
    Scope,
    ScopeRow,
    Step,
    Symbol,
    Test,
    Text,
    Variable,
    Variant,
)


def eq(slot: int, value: int) -> Test:
    return Test(slot, EQ, -1, value)


def ne(slot: int, value: int) -> Test:
    return Test(slot, NE, -1, value)


def ge(slot: int, value: int) -> Test:
    return Test(slot, GE, -1, value)


def put(target: int, value: int) -> Assign:
    return Assign(target, CONST, -1, -1, value)


def copy(target: int, source: int, plus: int = 0) -> Assign:
    return Assign(target, COPY, source, -1, plus)


def total(target: int, left: int, right: int, plus: int = 0) -> Assign:
    return Assign(target, ADD, left, right, plus)


def pick(target: int, key: int, table: int) -> Assign:
    return Assign(target, SELECT, key, -1, table)


def slot(index: int) -> Argument:
    return Argument(index, 0)


def value(constant: int) -> Argument:
    return Argument(-1, constant)


def step(
    *tests: Test,
    do: tuple[Assign, ...] = (),
    say: int = -1,
    arguments: tuple[Argument, ...] = (),
    call: int = -1,
    refuse: int = 0,
    then: int = -1,
    other: int = -1,
) -> Step:
    """A step; targets left out mean the next step (filled in by `program`)."""
    return Step(tests, do, say, arguments, call, refuse, then, other)


def program(*steps: Step) -> Program:
    """Steps with the targets that were left out filled in."""
    return tuple(
        item._replace(
            then=index + 1 if item.then < 0 else item.then,
            other=index + 1 if item.other < 0 else item.other,
        )
        for index, item in enumerate(steps)
    )


@dataclass
class Builder:
    """Parts of a Machine under construction. Declare all variables before any slot of a
    derived variable or register is asked for."""

    variables: list[Variable] = field(default_factory=list)
    derived: list[Derived] = field(default_factory=list)
    tables: list[tuple[Row, ...]] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    strings: list[str] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    objects: list[Object] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    schemas: list[Schema] = field(default_factory=list)
    operators: list[Operator] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)

    # -- variables and slots ----------------------------------------------------------

    def boolean(self, name: str, initial: bool = False, role: str = "attribute") -> int:
        return self._variable(name, "bool", role, 0, 1, (), int(initial))

    def integer(self, name: str, low: int, high: int, initial: int, role: str = "attribute") -> int:
        return self._variable(name, "int", role, low, high, (), initial)

    def reference(self, name: str, domain: tuple[int, ...], initial: int) -> int:
        return self._variable(name, "ref", "location", 0, 0, domain, initial)

    def enumeration(self, name: str, domain: tuple[int, ...], initial: int) -> int:
        return self._variable(name, "enum", "attribute", 0, 0, domain, initial)

    def _variable(self, *parts: Any) -> int:
        variable: tuple[Any, ...] = (*parts, NONE)
        self.variables.append(Variable(*variable))
        return len(self.variables) - 1

    def prior(self, variable: int) -> int:
        return len(self.variables) + variable

    @property
    def number(self) -> int:
        return 2 * len(self.variables)

    def register(self, index: int) -> int:
        return 2 * len(self.variables) + 1 + index

    def derived_slot(self, index: int) -> int:
        return 2 * len(self.variables) + 1 + REGISTERS + index

    def derive(self, name: str, steps: Program, group: int = -1, high: int = 1) -> int:
        kind = "bool" if high == 1 else "int"
        self.derived.append(Derived(name, kind, 0, high, group, steps, NONE))
        return self.derived_slot(len(self.derived) - 1)

    # -- objects, texts and actions ---------------------------------------------------

    def object(self, id: str, name: str, *aka: str, role: str = "thing", **extra: Any) -> int:
        flags: dict[str, Any] = {
            "plural": False,
            "proper": False,
            "numbered": False,
            "location": -1,
        }
        flags |= {"fixed": NONE} | extra
        self.objects.append(Object(id, name, aka, role, (role,), role, span=NONE, **flags))
        return len(self.objects) - 1

    def text(self, *parts: str | tuple[int, str, str], kind: str = "say") -> int:
        made = tuple(part if isinstance(part, str) else Insert(*part) for part in parts)
        self.texts.append(Text(kind, made))
        return len(self.texts) - 1

    def table(self, *rows: tuple[int, int, int]) -> int:
        self.tables.append(tuple(Row(*row) for row in rows))
        return len(self.tables) - 1

    def schema(self, name: str, parameters: tuple[Parameter, ...], *forms: Form, own: bool) -> int:
        self.schemas.append(Schema(name, own, parameters, forms, NONE))
        return len(self.schemas) - 1

    def operator(
        self,
        schema: int,
        arguments: tuple[int, ...],
        requirements: tuple[tuple[tuple[Test, ...], int, int, tuple[Argument, ...]], ...],
        *body: Step,
    ) -> int:
        """Each requirement: the tests that must hold, class and text if they do not."""
        steps: list[Step] = []
        entries: list[Requirement] = []
        for tests, refusal, text, values in requirements:
            at = len(steps)
            entries.append(Requirement(at, refusal, NONE))
            steps.append(Step(tests, (), -1, (), -1, 0, at + 2, at + 1))
            steps.append(Step((), (), text, values, -1, refusal, at + 2, at + 2))
        offset = len(steps)
        steps += [
            item._replace(then=item.then + offset, other=item.other + offset)
            for item in program(*body)
        ]
        self.operators.append(
            Operator(schema, arguments, tuple(entries), offset, tuple(steps), NONE)
        )
        return len(self.operators) - 1

    def scope(self, word: str, *rows: tuple[int, int, int]) -> None:
        self.scopes.append(Scope(word, tuple(ScopeRow(*row) for row in rows)))

    def rule(self, name: str, *steps: Step, kind: str = "rule", title: str = "") -> None:
        self.rules.append(Rule(name, kind, title, program(*steps), NONE))

    def machine(self, status: int, **extra: Any) -> Machine:
        parts: dict[str, Any] = {
            "name": "test",
            "title": "A test",
            "persona": "",
            "intro": "It begins.",
            "goal": "Win.",
            "timeout": "",
            "turns": 50,
            "exits": (),
            "opening": NONE,
            "variants": (Variant((), ()),),
            "proofs": ((),),
            "player": NONE,
            "turn": NONE,
            "milestones": (),
            "spans": (),
        }
        for part in fields(self):
            parts[part.name] = tuple(getattr(self, part.name))
        return Machine(status=status, **(parts | extra))


def parameter(
    name: str,
    candidates: tuple[int, ...] = (),
    *,
    type: str = "object",
    scope: str = "anywhere",
    noun: str = "",
    low: int = 0,
    high: int = 0,
) -> Parameter:
    return Parameter(name, type, scope, noun or name.upper(), candidates, low, high)


def form(*pieces: str | int, pattern: tuple[str | int, ...] = (), regex: str = "") -> Form:
    """A form from its canonical print; the pattern is the same unless it is given."""
    literal = sum(len(piece.replace(" ", "")) for piece in pieces if isinstance(piece, str))
    return Form(pieces, "" if regex else (pattern or pieces), regex, literal)  # type: ignore[arg-type]


def lamp_world() -> Machine:
    """See the module."""
    b = Builder()
    player = b.object("player", "you", role="player", proper=True, location=0)
    hall = b.object("hall", "hall", role="place")
    cellar = b.object("cellar", "cellar", role="place")
    north = b.object("north", "north", "n", role="exit", proper=True)
    south = b.object("south", "south", "s", role="exit", proper=True)
    door = b.object("door", "oak door", "door", role="door")
    lamp = b.object("lamp", "lamp", "oil lamp", location=1)
    red = b.object("red_key", "red key", "key", location=2)
    blue = b.object("blue_key", "blue key", "key", location=3)
    gem = b.object("gem", "emerald", "gem", location=4)
    jar = b.object("jar_2", "jar 2", numbered=True, location=5)
    things = (lamp, red, blue, gem, jar)

    anywhere = (player, hall, cellar, NONE)
    at = b.reference("player.in", (hall, cellar), hall)
    spots = {
        lamp: b.reference("lamp.in", anywhere, hall),
        red: b.reference("red_key.in", anywhere, hall),
        blue: b.reference("blue_key.in", anywhere, cellar),
        gem: b.reference("gem.in", anywhere, cellar),
        jar: b.reference("jar_2.in", anywhere, hall),
    }
    locked = b.boolean("door.locked", True)
    lit = b.boolean("lamp.lit")
    dial = b.integer("dial", 1, 9, 1)
    turns = b.integer("turn", 0, 50, 0, role="turn")
    found = b.boolean("milestone has_gem", role="milestone")
    status = b.integer("status", 0, 2, 0, role="status")

    here: dict[int, int] = {}
    held: dict[int, int] = {}
    for thing in things:
        spot = spots[thing]
        steps = program(step(Test(spot, EQ, at, 0), do=(put(b.derived_slot(len(b.derived)), 1),)))
        here[thing] = b.derive(f"here({thing})", steps)
        own = b.derived_slot(len(b.derived))
        held[thing] = b.derive(f"held({thing})", program(step(eq(spot, player), do=(put(own, 1),))))

    def reachable(thing: int) -> int:
        own = b.derived_slot(len(b.derived))
        return b.derive(
            f"reachable({thing})",
            program(
                step(eq(here[thing], 1), do=(put(own, 1),), then=2),
                step(eq(held[thing], 1), do=(put(own, 1),)),
            ),
        )

    b.scope("here", *((thing, here[thing], 0) for thing in things), (door, -1, 1))
    b.scope("held", *((thing, held[thing], 0) for thing in things))
    b.scope("reachable", *((thing, reachable(thing), 0) for thing in things), (door, -1, 1))
    in_hall = b.derive("in_hall", program(step(eq(at, hall), do=(put(b.derived_slot(15), 1),))))
    in_cellar = b.derive(
        "in_cellar", program(step(eq(at, cellar), do=(put(b.derived_slot(16), 1),)))
    )
    b.scope("adjacent", (north, in_hall, 0), (south, in_cellar, 0))

    taken = b.text("You take ", (0, "object", "the"), ".")
    dropped = b.text("You drop ", (0, "object", "the"), ".")
    is_locked = b.text((0, "object", "The"), " ", (0, "object", "is"), " locked.")
    moved = b.text("You are in ", (0, "object", "the"), ".")
    see = b.text(" You see ", kind="more")
    opens, closes = b.text(kind="list"), b.text(kind="end")
    item = b.text((0, "object", "a"), kind="item")
    stop = b.text(".", kind="more")
    glow = b.text((0, "object", "the"), " glow", (0, "object", "s"), ".")
    wrong = b.text("It does not fit.")
    clicks = b.text("The dial shows ", (0, "number", ""), ".")
    won = b.text("You have it!")
    ticking = b.text("Somewhere a clock strikes.")
    already = b.text("It is lit already.")
    nohand = b.text("You are not holding ", (0, "object", "the"), ".")

    contents = [step(say=see), step(say=opens)]
    contents += [step(eq(here[thing], 1), say=item, arguments=(value(thing),)) for thing in things]
    contents += [step(say=closes), step(say=stop)]
    b.blocks.append(Block("look", program(step(say=moved, arguments=(slot(at),)), *contents)))

    take = b.schema(
        "take",
        (parameter("x", things, scope="here", noun="THING"),),
        form("take ", 0),
        form("pick up ", 0),
        own=False,
    )
    drop = b.schema(
        "drop", (parameter("x", things, scope="held", noun="THING"),), form("drop ", 0), own=False
    )
    go = b.schema(
        "go",
        (parameter("d", (north, south), scope="adjacent", noun="DIRECTION"),),
        form("go ", 0),
        form(0),
        own=False,
    )
    look = b.schema("look", (), form("look"), form("l"), own=False)
    unlock = b.schema(
        "unlock",
        (
            parameter("d", (door,), scope="here", noun="DOOR"),
            parameter("k", things, scope="held", noun="KEY"),
        ),
        form("unlock ", 0, " with ", 1),
        own=True,
    )
    light = b.schema(
        "light",
        (parameter("x", (lamp,), scope="reachable", noun="DEVICE"),),
        form("light ", 0, pattern=("(?:light|switch on) (?:up )?", 0)),
        own=True,
    )
    turn_dial = b.schema(
        "dial",
        (parameter("n", type="number", low=1, high=9, noun="N"),),
        form("dial ", 0),
        own=True,
    )
    for thing in things:
        arg = (value(thing),)
        b.operator(
            take, (thing,), (), step(do=(put(spots[thing], player),), say=taken, arguments=arg)
        )
        b.operator(
            drop, (thing,), (), step(do=(copy(spots[thing], at),), say=dropped, arguments=arg)
        )
    unlocked = (((eq(locked, 0),), LOGIC, is_locked, (value(door),)),)
    for way, target in ((north, cellar), (south, hall)):
        b.operator(go, (way,), unlocked, step(do=(put(at, target),), call=0))
    b.operator(look, (), (), step(call=0))
    for thing in things:
        fits = (() if thing == red else (eq(at, NONE),), LOGIC, wrong, ())
        b.operator(
            unlock,
            (door, thing),
            (((eq(held[thing], 1),), PLACE, nohand, (value(thing),)), fits),
            step(do=(put(locked, 0),)),
        )
    b.operator(
        light,
        (lamp,),
        (((eq(lit, 0),), LOGIC, already, ()),),
        step(do=(put(lit, 1),), say=glow, arguments=(value(lamp),)),
    )
    b.operator(
        turn_dial,
        (NONE,),
        (((Test(b.number, NE, dial, 0),), LOGIC, already, ()),),
        step(do=(copy(dial, b.number),), say=clicks, arguments=(slot(dial),)),
    )
    b.rule("clock", step(ge(turns, 3), eq(b.prior(turns), 2), say=ticking))
    b.rule("has_gem", step(eq(held[gem], 1), eq(found, 0), do=(put(found, 1),)), kind="milestone")
    b.rule("win", step(eq(held[gem], 1), eq(status, 0), do=(put(status, 1),), say=won), kind="win")
    return b.machine(status, opening=0, player=player, turn=turns, milestones=(found,))
