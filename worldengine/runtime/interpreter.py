"""The meaning of a turn. Every other engine is judged by what this module does.

**A turn, in eight steps.**

1. *Read.* The text is normalised. Text that is empty or longer than 1,000 characters as
   typed is refused as `parameter`.
2. *Match.* The forms of the Machine are tried in order: the world's own before the
   library's, then the more literal, then the order of declaration. A form matches when its
   words, its names and its number's range do. When none matches: `parameter`.
   (`worldengine.matching` does steps 1 and 2 and finds the words for what went wrong.)
3. *Scope.* The first matching form whose arguments are all within their scope words answers.
   If none is, the command is refused as `place`. Two things in scope that bear the typed
   name: `parameter`.
4. *Require.* The first part of the operator's program runs, `program[:body]`. It writes
   registers only. The first step that refuses ends the command with its class; what was
   said up to there is the refusal's text.
5. *Act.* If the Machine has a `turn` variable it grows by one, stopping at its upper end.
   Then `program[body:]` runs. Every step sees what the steps before it did.
6. *Rules* of kind `rule` run once each, in the order of the Machine.
7. *Milestones, lose, win* are rules of those kinds and stand after the others, in that
   order. Their programs guard themselves: a milestone latches a variable, an ending is
   taken only while the status is `running`; so `lose` beats `win`.
8. *Observe.* What was said, in the order it was said, becomes the observation. A turn that
   said nothing observes “Done.”

A refused command runs neither steps 5 to 7 nor any rule and gives back the very same state.
A state that has been won or lost takes no further command.

**How a program runs.** From step 0 to past the end. The tests of a step are tried in order
and stop at the first that fails; then the program goes on at `other`. If all hold: the
assignments happen one after the other, then the text is said with its arguments as they are
now, then the called block runs, then the step refuses if it is to; the program goes on at
`then`. Registers are 0 when a turn begins; a called block shares them with its caller.

**Numbers.** Registers stop at +-SATURATION, integer and boolean variables at their ends.
UNDEFINED makes every test but `undefined` false, every sum undefined, and storing it into a
variable does nothing.

**`prior`** slots hold the state as the turn began, throughout the turn.

**Derived variables** are worked out when they are read and kept until a variable that they
depend on changes. Their programs work on registers of their own, so *when* one is worked
out can never be noticed. Members of a recursive group have the least values, from 0 up, at
which every member equals its program. Two ways lead there and agree:
- *on demand*: a member that asks for another has it worked out first. If no member was ever
  asked for while it was still being worked out, nothing in this state is circular and the
  values are final;
- *in rounds*, otherwise: all members start at 0 and are worked out again whenever one that
  they read has changed, until nothing changes.
"""

from __future__ import annotations

from worldengine.machine.schema import (
    ADD,
    CONST,
    COPY,
    DIV,
    EQ,
    GE,
    GT,
    IS_UNDEFINED,
    LE,
    LT,
    MAX,
    MIN,
    MOD,
    MUL,
    NE,
    SATURATION,
    SELECT,
    SUB,
    UNDEFINED,
    Argument,
    Assign,
    Program,
    State,
)
from worldengine.runtime.derivation import FRESH, Derivation
from worldengine.runtime.tables import Tables

Emission = tuple[int, tuple[int, ...]]
"""A text that was said: its index and the values of its arguments at that moment."""


class Evaluation(Derivation):
    """One slot vector at work. Made for one call, used by one thread, thrown away after."""

    __slots__ = ("said",)

    def __init__(self, tables: Tables, state: State) -> None:
        super().__init__(tables, [*state, *state, *tables.rest])
        self.said: list[Emission] = []

    @property
    def state(self) -> State:
        """The variables as they are now."""
        return tuple(self.slots[: self.tables.variables])

    def set_number(self, number: int) -> None:
        """Give the command its number argument."""
        self.store(2 * self.tables.variables, number)

    def advance(self, variable: int) -> None:
        """Let an integer variable grow by one, stopping at its upper end."""
        value = self.slots[variable]
        if value < self.tables.bounds[variable][1]:
            self.store(variable, value + 1)

    def in_scope(self, word: str, object_index: int) -> bool:
        """Whether an object is within a scope word now; `anywhere` always holds."""
        if word in ("", "anywhere"):
            return True
        row = self.tables.scopes.get(word, {}).get(object_index)
        if row is None:
            return False
        slot, constant = row
        return (constant if slot < 0 else self.read(slot)) != 0

    # -- programs ------------------------------------------------------------------------

    def run(self, program: Program, start: int, end: int) -> int:
        """Run steps from `start` until `end` is reached or passed. Gives back the index of
        the step that refused, or -1. The innermost loop of the engine, hence in one piece."""
        slots, marks, base = self.slots, self.marks, self.tables.derived_base
        at = start
        while at < end:
            tests, assigns, text, arguments, call, refuse, then, other = program[at]
            for left, op, right, offset in tests:
                if left >= base and marks[left - base] != FRESH:
                    self.work_out(left - base)
                value = slots[left]
                if right >= 0:
                    if right >= base and marks[right - base] != FRESH:
                        self.work_out(right - base)
                    against = slots[right]
                    if against != UNDEFINED:
                        against += offset
                else:
                    against = offset
                if op == EQ:
                    if value != against or value == UNDEFINED:
                        break
                elif op == IS_UNDEFINED:
                    if value != UNDEFINED:
                        break
                elif (
                    value == UNDEFINED
                    or against == UNDEFINED
                    or not (
                        (op == NE and value != against)
                        or (op == GE and value >= against)
                        or (op == GT and value > against)
                        or (op == LE and value <= against)
                        or (op == LT and value < against)
                    )
                ):
                    break
            else:
                for assign in assigns:
                    self._assign(assign)
                if text >= 0:
                    self.say(text, arguments)
                if call >= 0:
                    block = self.tables.blocks[call]
                    self.run(block, 0, len(block))
                if refuse:
                    return at
                at = then
                continue
            at = other
        return -1

    def say(self, text: int, arguments: tuple[Argument, ...]) -> None:
        """Say a text with its arguments as they are now."""
        values = tuple(self.read(slot) if slot >= 0 else constant for slot, constant in arguments)
        self.said.append((text, values))

    def _assign(self, assign: Assign) -> None:
        target, tables = assign.target, self.tables
        value = self._value(assign)
        if tables.register_base <= target < tables.derived_base:
            if value != UNDEFINED:
                value = max(-SATURATION, min(SATURATION, value))
            self.slots[target] = value
        elif value != UNDEFINED:
            low, high = tables.bounds[target]
            value = low if value < low else high if value > high else value
            if target < tables.variables:
                self.store(target, value)
            else:
                self.slots[target] = value

    def _value(self, assign: Assign) -> int:
        """What an assignment would store, before any end of a range."""
        _, op, left, right, constant = assign
        if op == CONST:
            return constant
        first = self.read(left)
        if op == SELECT:
            return self._select(constant, first)
        if op in (MIN, MAX):
            second = self.read(right)
            if first == UNDEFINED or second == UNDEFINED:
                return second if first == UNDEFINED else first
            return min(first, second) if op == MIN else max(first, second)
        if first == UNDEFINED:
            return UNDEFINED
        if op == COPY:
            return first + constant
        if op in (ADD, SUB):
            second = self.read(right)
            if second == UNDEFINED:
                return UNDEFINED
            return first + (second if op == ADD else -second) + constant
        if op == MUL:
            return first * constant
        if op == DIV:
            return first // constant
        assert op == MOD
        return first % constant

    def _select(self, table: int, value: int) -> int:
        for case, slot, constant in self.tables.machine.tables[table]:
            if case == value:
                return self.read(slot) if slot >= 0 else constant
        return UNDEFINED
