"""The Machine: one finite, deterministic text world as a value.

It is the product's public contract. Whatever a world was written in, everything after
compilation takes a Machine and nothing else. It holds integers, strings and tuples only.

**State.** A tuple of `len(machine.variables)` integers, one a variable. It is complete:
milestones reached, `once` rules fired and the ending are variables too, so equal states
behave equally for ever.

**Slots.** While a turn runs, an engine keeps one flat vector of 32-bit integers:

```
[0, V)        the variables as they are now
[V, 2V)       the variables as they were when the turn began   (`prior`)
2V            the number argument of the command               (0 if it has none)
[2V+1, +R)    scratch registers, R = REGISTERS
[B, B+D)      the derived variables, B = 2V + 1 + R
```

**Programs.** A program is a tuple of steps and runs from step 0 until the step counter
passes the end. A step:

```
if every test holds:  assignments, then text, then call, then refuse;   go to `then`
else:                                                                   go to `other`
```

Both targets lie strictly ahead, so every program ends. A step that refuses ends the whole
command with its class. A call runs one block (a program without refusals) and comes back;
calls do not recurse.

**Undefined.** Reading through `none` gives UNDEFINED. A test with an undefined operand is
false whatever its operator; sums carry it along; storing it into a variable or derived
variable does nothing (a derived variable keeps the default 0).

**Derived variables** have a program each that stores into their own slot; they are never
part of the state and are recomputed when read after a change. Those with the same
`group` >= 0 depend on one another: their values are the least fixed point from 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from worldengine.machine.errors import NoSuchVariant

if TYPE_CHECKING:
    from worldengine.runtime import Transition

FORMAT = 1
"""Version of this schema; a saved Machine of another version is refused by name."""

NONE = -1
"""The value of an empty reference, and of `in` when a thing is nowhere."""
UNDEFINED = -(2**31)
"""What reading through `none` gives. Lives in registers, never in a state."""
REGISTERS = 32
"""Scratch registers of every program; nothing in them outlives a statement."""
SATURATION = 2**31 - 1
"""Register arithmetic stops at +-SATURATION."""

State: TypeAlias = tuple[int, ...]

# Operators of a test: `left op right + offset`, or `left op offset` where right is -1.
EQ, NE, LT, LE, GT, GE, IS_UNDEFINED = range(7)
TEST_SYMBOLS = ("==", "!=", "<", "<=", ">", ">=", "undefined")

# Operators of an assignment, in notation. `k` is the constant.
(
    CONST,  # target := k
    COPY,  # target := left + k
    ADD,  # target := left + right + k
    SUB,  # target := left - right + k
    MUL,  # target := left * k
    DIV,  # target := floor(left / k), k != 0
    MOD,  # target := left mod k, with the sign of k, k != 0
    SELECT,  # target := what table k gives for the value of left; UNDEFINED if it has no row
    MIN,  # target := the smaller of left and right; an undefined one is left out
    MAX,  # target := the larger of left and right; an undefined one is left out
) = range(10)

# Refusal classes of AgentRefine, and "accepted".
ACCEPTED, PARAMETER, PLACE, LOGIC = range(4)
CLASS_NAMES = ("ok", "parameter", "place", "logic")

# Values of the variable whose role is "status".
RUNNING, WON, LOST = range(3)
STATUS_NAMES = ("running", "won", "lost")


class Test(NamedTuple):
    """`left op right + offset`; `right` is -1 for a comparison with the constant `offset`."""

    left: int
    op: int
    right: int
    offset: int


class Assign(NamedTuple):
    """One assignment; see the operators above. Unused operands are -1.

    What is stored into an integer variable or derived variable stops at the ends of its
    range; registers stop at 32 bits.
    """

    target: int
    op: int
    left: int
    right: int
    constant: int


class Argument(NamedTuple):
    """An operand of a text: a slot, or `constant` where slot is -1."""

    slot: int
    constant: int


class Step(NamedTuple):
    """One step of a program; -1 (or 0 for `refuse`) where it does not do a thing."""

    tests: tuple[Test, ...]
    assigns: tuple[Assign, ...]
    text: int
    arguments: tuple[Argument, ...]
    call: int
    refuse: int
    then: int
    other: int


Program: TypeAlias = tuple[Step, ...]


class Row(NamedTuple):
    """One row of a SELECT table: for `value` take `slot`, or `constant` where slot is -1."""

    value: int
    slot: int
    constant: int


class Insert(NamedTuple):
    """A gap in a text: argument `index` printed as `type` in `style`.

    `type` is object, symbol, number, bool or text; `style` is one of "", the, a, The, A,
    is, has, it, s (the last four print only the form of the word that agrees).
    """

    index: int  # type: ignore[assignment]  # hides tuple.index, which nothing here needs
    type: str
    style: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text with gaps. `kind` says how it joins what was emitted before:

    say   begins a new saying (a line of its own)
    more  goes on with the current saying
    list  begins a list (parts are empty), item adds one item, end closes it
    """

    kind: str
    parts: tuple[str | Insert, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """Where a part was written: lines and columns from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Variable:
    """One place in the state.

    `kind`: bool, int, enum, ref or text. `domain` lists the values of enum, ref and text
    (symbols, objects or NONE, strings); bool and int use low..high and leave it empty.
    `role`: attribute, location, fact, turn, once, milestone or status.
    """

    name: str
    kind: str
    role: str
    low: int
    high: int
    domain: tuple[int, ...]
    initial: int
    span: int


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived variable; `group` is -1 unless it is recursive."""

    name: str
    kind: str
    low: int
    high: int
    group: int
    program: Program
    span: int


@dataclass(frozen=True, slots=True)
class Requirement:
    """The steps from `entry` up to the next entry hold, or refuse with `refusal`."""

    entry: int
    refusal: int
    span: int


@dataclass(frozen=True, slots=True)
class Operator:
    """A ground action. `arguments` has one value a parameter (object or symbol); the number
    parameter, if there is one, holds NONE and is read from the number slot.

    `program[:body]` are the requirements: they write registers only. `program[body:]` acts.
    """

    schema: int
    arguments: tuple[int, ...]
    requirements: tuple[Requirement, ...]
    body: int
    program: Program
    span: int


@dataclass(frozen=True, slots=True)
class Parameter:
    """`type` is object, symbol or number; `candidates` are the values it may take (empty for
    a number, which ranges over low..high). `noun` stands for it in templates, as in PLANT."""

    name: str
    type: str
    scope: str
    noun: str
    candidates: tuple[int, ...]
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Form:
    """One thing that may be typed.

    `template` is the canonical print, words and parameter indices. `pattern` is the same for
    matching: RE2 source over normalised text between the parameter indices. Where the script
    gave `regex`, it stands in `regex`, `pattern` is empty and group i is parameter i.
    `literal` counts fixed letters: the more literal of two matching forms wins.
    """

    template: tuple[str | int, ...]
    pattern: tuple[str | int, ...]
    regex: str
    literal: int


@dataclass(frozen=True, slots=True)
class Schema:
    """An action schema. `own` is false for the library's verbs: own forms win over them."""

    name: str
    own: bool
    parameters: tuple[Parameter, ...]
    forms: tuple[Form, ...]
    span: int


@dataclass(frozen=True, slots=True)
class Rule:
    """`kind` is rule, milestone, lose or win; all run in the order of the tuple."""

    name: str
    kind: str
    title: str
    program: Program
    span: int


@dataclass(frozen=True, slots=True)
class Block:
    """A text that many programs share, called by step."""

    name: str
    program: Program


@dataclass(frozen=True, slots=True)
class Object:
    """`role`: place, thing, person, door, exit, player, or concept (neither place nor thing:
    a topic, a mode; part of the vocabulary, never hidden). `name` is what is printed.
    `numbered` objects take no article. `location` is the slot of its `in`, or -1 with the
    constant `fixed`."""

    id: str
    name: str
    aka: tuple[str, ...]
    kind: str
    kinds: tuple[str, ...]
    role: str
    plural: bool
    proper: bool
    numbered: bool
    location: int
    fixed: int
    span: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """An enum value and how it is printed."""

    id: str
    display: str


@dataclass(frozen=True, slots=True)
class Exit:
    """A way out, for maps; `door` is an object or NONE; `conditional` if it may be barred."""

    object: int
    place: int
    direction: str
    target: int
    door: int
    conditional: bool


class ScopeRow(NamedTuple):
    """Whether `object` is in the scope: the slot to read, or `constant` where slot is -1."""

    object: int
    slot: int
    constant: int


@dataclass(frozen=True, slots=True)
class Scope:
    """One scope word over the objects that some parameter with that word may take."""

    word: str
    rows: tuple[ScopeRow, ...]


@dataclass(frozen=True, slots=True)
class Variant:
    """One start. `values` are for people (target, value); `assignments` (variable, value)
    are what differs from the variables' initial values, `start` already done."""

    values: tuple[tuple[str, str], ...]
    assignments: tuple[tuple[int, int], ...]


@dataclass(frozen=True, repr=False)
class Machine:
    """One compiled world: what `worldengine.compile` gives, and all that is needed to play.

        state = machine.start(variant=0)
        turn = machine.step(state, "take lamp")    # turn.observation, turn.state, turn.status
        machine.applicable(turn.state)             # the commands that would be accepted now

    It never changes. Indices point into the tuples next to them; -1 is "none". `spans[i]` is
    where part i was written; it is left out of the hash. All else is told in the module.
    """

    name: str
    title: str
    persona: str
    intro: str
    goal: str
    timeout: str
    turns: int
    variables: tuple[Variable, ...]
    derived: tuple[Derived, ...]
    tables: tuple[tuple[Row, ...], ...]
    texts: tuple[Text, ...]
    strings: tuple[str, ...]
    symbols: tuple[Symbol, ...]
    objects: tuple[Object, ...]
    exits: tuple[Exit, ...]
    scopes: tuple[Scope, ...]
    schemas: tuple[Schema, ...]
    operators: tuple[Operator, ...]
    blocks: tuple[Block, ...]
    opening: int
    rules: tuple[Rule, ...]
    variants: tuple[Variant, ...]
    proofs: tuple[tuple[str, ...], ...]
    player: int
    status: int
    turn: int
    milestones: tuple[int, ...]
    spans: tuple[Location, ...]
    format: int = field(default=FORMAT)

    # -- layout of the slots ---------------------------------------------------------

    @property
    def number_slot(self) -> int:
        return 2 * len(self.variables)

    @property
    def register_base(self) -> int:
        return 2 * len(self.variables) + 1

    @property
    def derived_base(self) -> int:
        return 2 * len(self.variables) + 1 + REGISTERS

    @property
    def slots(self) -> int:
        return self.derived_base + len(self.derived)

    def __repr__(self) -> str:
        counted = (
            f"{sum(item.role == 'place' for item in self.objects)} places,"
            f" {len(self.objects)} objects, {len(self.schemas)} actions,"
            f" {len(self.operators)} commands, {len(self.variants)} variants"
        )
        return f"<Machine {self.name} {self.title!r}: {counted}, hash {self.hash[:12]}>"

    # -- identity --------------------------------------------------------------------

    @cached_property
    def hash(self) -> str:
        """SHA-256 of everything but spans: formatting a script keeps it."""
        from worldengine.machine.storage import content_hash

        return content_hash(self)

    @cached_property
    def shape(self) -> str:
        """SHA-256 of everything but spans, names, prose and forms: equal up to renaming."""
        from worldengine.machine.storage import shape_hash

        return shape_hash(self)

    # -- the public facade over worldengine.runtime -------------------------------------

    def start(self, variant: int = 0) -> State:
        """The state before the first command. NoSuchVariant if there is no such variant."""
        if variant not in range(len(self.variants)):
            raise NoSuchVariant(self.name, len(self.variants), variant)
        changed = dict(self.variants[variant].assignments)
        return tuple(changed.get(at, each.initial) for at, each in enumerate(self.variables))

    def step(self, state: State, command: str) -> Transition:
        """One turn; see `worldengine.runtime.interpreter` for the semantics."""
        from worldengine.runtime import runtime_of

        return runtime_of(self).step(state, command)

    def applicable(self, state: State) -> tuple[str, ...]:
        """Canonical commands whose every requirement holds now (an oracle's list)."""
        from worldengine.runtime import runtime_of

        return runtime_of(self).applicable_texts(state)
