"""Where things stand in the integer tables: one row layout a kind of part.

Nothing here runs. `tables` writes these rows, the kernels read them. All indices inside a
machine's rows count from that machine's own first row; `HEAD` columns say where its sections
begin in the arrays shared by all machines.

Slots are numbered as `worldengine.machine.schema` lays them out, with one more at the end
that is always 0. A comparison with a constant is a comparison with that slot plus an offset.
"""

from __future__ import annotations

# -- sections in `code` ------------------------------------------------------------------

STEP = 5
"""tests begin, assigns begin, extra, then, other. The next row says where both end."""
TEST = 4
"""left, right, mask, offset."""
ASSIGN = 5
"""target, op, left, right, constant (for SELECT the table)."""
NOTHING = 10
"""One more op: target := UNDEFINED. Rows stay narrow without so small a constant."""
EXTRA = 7
"""text, arguments begin, arguments end, first step of the called block or -1, refusal class,
requirement, where the called block's steps end."""
ARGUMENT = 2
"""slot or -1, constant."""
OPERATOR = 10
"""first step of the requirements, first step of the body, scopes begin, scopes end, number
range or -1, whether requirements depend on the number, where the requirements' steps end,
where the body's end, registers used, whether the body reads what the requirements left in
them."""
DERIVED = 4
"""first step, group or -1, registers to save, where its steps end."""
GROUP_ROW = 2
"""members begin, members end."""
SELECT_ROW = 3
"""value, slot or -1 (-2 for UNDEFINED), constant; ascending by value."""

RETURN = 0
"""The first step row of every machine ends a program."""
NO_EXTRA, EXTRA_RETURN = -1, -2
"""What a step's `extra` says where it is no row."""

# A test's mask holds the outcomes it accepts. A test over variables alone has no other bits.
LESS, SAME, MORE = 1, 2, 4
CAREFUL = 8
"""An operand is derived, may be undefined, or may overflow: take the exact way."""
UNDEFINED_TEST = 16

MASK_OF_OP = (SAME, LESS | MORE, LESS, LESS | SAME, MORE, MORE | SAME, UNDEFINED_TEST)
"""By the operator of `machine.schema`: ==, !=, <, <=, >, >=, undefined."""

# -- columns of `head`, one row a machine -------------------------------------------------

(
    H_STEPS,
    H_TESTS,
    H_ASSIGNS,
    H_EXTRAS,
    H_ARGUMENTS,
    H_OPERATORS,
    H_SCOPES,
    H_DERIVED,
    H_GROUPS,
    H_MEMBERS,
    H_SELECTS,
    H_ROWS,
    H_MILESTONES,
    H_BOUNDS,
    H_RANGES,
    H_VARIANTS,
    H_STARTS,
    H_DEPENDENTS,
    H_SCOPE_MASKS,
    H_WORDS,
    H_MASK_WORDS,
    H_VARIABLES,
    H_DERIVED_COUNT,
    H_OPERATOR_COUNT,
    H_MILESTONE_COUNT,
    H_SCOPE_COUNT,
    H_VARIANT_COUNT,
    H_REGISTER_BASE,
    H_DERIVED_BASE,
    H_ZERO,
    H_STATUS,
    H_TURN,
    H_TURNS,
    H_RULES,
    H_PRIOR,
    H_OPENING,
    H_IDENTITY,
    H_RULES_END,
    H_PRIORS,
    H_PRIOR_COUNT,
    H_REGISTERS,
    H_RUN,
    H_SWEEP,
    H_SHARED,
    H_SHARED_COUNT,
) = range(45)
HEAD = 45
"""H_RUN and H_SWEEP hold no facts of the machine but addresses of
compiled functions in this process; see `apart`."""

# -- what a kernel gives back --------------------------------------------------------------

ENDED = -1
"""A program ran to its end. Anything >= 0 is the extra row of the step that refused."""
UNSETTLED = -2
"""A recursive group of derived variables grows for ever: the Machine is at fault."""
FULL = -3
"""The room for texts is used up; nothing was changed, grow it and go on from here."""

FINISHED = 4
"""Outcome of a slot that was already over when it was asked to step."""
LEFT_DOMAIN = 5
"""A value did not fit the batch's state type: the Machine stores outside its domains."""

NO_REQUIREMENT = -1
SCOPE_FAILED = -2
"""`failed` is SCOPE_FAILED - k where argument k (of those with a scope) was out of scope."""

NOT_REFUSED = -1
OUT_OF_RANGE = -(2**30)
WAS_OVER = -(2**30) - 1
"""What lanes note instead of a requirement: nothing; an operator or number that is not there; that
nothing could happen any more."""

# Texts that no Machine has, by the index under which they are emitted.
SAID_DONE, SAID_SCOPE, SAID_RANGE, SAID_UNKNOWN = -1, -2, -3, -4

REFUSED_TEXT, ACCEPTED_TEXT, OPENING_TEXT = range(3)
"""Kinds of text: what a refusal says, what a turn says, what is read first."""

# -- frames of the kernel's stack -----------------------------------------------------------

FRAME = 10
"""step, position, stage, kind, subject, registers saved below, three that vary by kind, group.

LEADER and its like keep the outer group, trail and tangled mark; ROUNDS keeps whether anything
changed in this round, how many rounds there were and the member's value before it was run. The
subject is a derived variable, in ROUNDS the position of a member."""
CALL, PLAIN, MEMBER, LEADER, ROUNDS = range(5)
STALE, RUNNING_MARK, PROVISIONAL, IN_ROUNDS = range(4)
AT_TESTS, AT_ASSIGNS, AT_EXTRA, AFTER_CALL = range(4)
