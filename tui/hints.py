"""What to do next, how far it is, and whether it can still be done at all.

In: a session. Out: an `Advice`. A plan is only ever shown after it was played through in
the runtime from the present state. Plans come from the model checker where this
installation has one that answers, else from the world's own proofs, fitted to the present
state by leaving out what is refused. What nobody can tell is said to be unknown; only the
checker says that winning is impossible.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Protocol

from worldengine.machine import Machine, State
from worldengine.proof import winning_plan
from worldengine.runtime import runtime_of

from .history import Node
from .rows import BLANK, Row, heading, row
from .session import Session

BY_CHECKER = "proven by the checker"
BY_PROOF = "the world's proof, fitted to where you are"


@dataclass(frozen=True, slots=True)
class Advice:
    """`plan` wins from here (None: none is known). `doomed` is what the checker says when
    winning is impossible; `strayed` that the proof fitted before the last move and not now;
    `about` an estimate of the turns to a win where nothing exact is known."""

    plan: tuple[str, ...] | None
    source: str
    shortest: bool
    doomed: str
    strayed: bool
    too_late: bool
    checker: bool
    about: int | None = None


def advise(machine: Machine, variant: int, node: Node) -> Advice:
    """The advice for one node. May take a while; made for a thread."""
    if node.over:
        return Advice(None, "", False, "", False, False, False)
    left = machine.turns - node.depth
    checker = checker_for()
    answer = checker(machine, node.state) if checker is not None else None
    if answer is not None and answer.plan is not None and wins(machine, node.state, answer.plan):
        doomed = _too_long(answer.plan, left)
        return Advice(answer.plan, BY_CHECKER, True, doomed, False, False, True)
    if answer is not None and answer.doomed:
        return Advice(None, BY_CHECKER, True, answer.doomed, False, False, True)
    plan = fitted(machine, variant, node.state)
    before = node.parent
    strayed = (
        plan is None and before is not None and fitted(machine, variant, before.state) is not None
    )
    late = plan is not None and len(plan) > left
    about = answer.about if answer is not None else None
    return Advice(plan, BY_PROOF, False, "", strayed, late, checker is not None, about)


def doom(machine: Machine, node: Node) -> str:
    """Why this turn made winning impossible; "" if it did not, or if nobody can tell."""
    checker = checker_for()
    if checker is None or node.over:
        return ""
    answer = checker(machine, node.state)
    if answer.plan is not None and wins(machine, node.state, answer.plan):
        return _too_long(answer.plan, machine.turns - node.depth)
    return answer.doomed


def _too_long(shortest: tuple[str, ...], left: int) -> str:
    if len(shortest) <= left:
        return ""
    return f"The shortest win takes {len(shortest)} turns, and {left} are left."


def fitted(machine: Machine, variant: int, state: State) -> tuple[str, ...] | None:
    """The shortest end of the variant's winning plan that wins from this state, the
    commands that are refused on the way left out."""
    plan = winning_plan(machine, variant)
    best: tuple[str, ...] | None = None
    for start in range(len(plan or ())):
        kept = _played(machine, state, (plan or ())[start:])
        if kept is not None and (best is None or len(kept) < len(best)):
            best = kept
    return best


def _played(machine: Machine, state: State, commands: tuple[str, ...]) -> tuple[str, ...] | None:
    runtime = runtime_of(machine)
    kept: list[str] = []
    for command in commands:
        turn = runtime.step(state, command)
        if turn.refusal is None:
            kept.append(command)
            state = turn.state
        if turn.status != "running":
            return tuple(kept) if turn.status == "won" else None
    return None


def wins(machine: Machine, state: State, commands: tuple[str, ...]) -> bool:
    """Whether these commands, none of them refused, win from here."""
    return _played(machine, state, commands) == commands


# -- the checker ---------------------------------------------------------------------------


class Answer(Protocol):
    """What a checker says of a state: a shortest plan, or why there is none, or neither."""

    @property
    def plan(self) -> tuple[str, ...] | None: ...
    @property
    def doomed(self) -> str: ...
    @property
    def about(self) -> int | None: ...


Checker = Callable[[Machine, State], Answer]


@cache
def checker_for() -> Checker | None:
    """The model checker, loaded when it is first asked; None where it cannot be loaded."""
    try:
        room = import_module(".checker", __package__)
    except ImportError:
        return None
    ask: Checker = room.ask
    return ask


# -- showing it ----------------------------------------------------------------------------


def rows(session: Session, advice: Advice | None, shown: int) -> list[Row]:
    """`shown` steps of the plan are uncovered; the rest stays hidden until asked for."""
    if session.at.over:
        return [row(("The play is over.", "muted")), row("ctrl+z steps back.")]
    if advice is None:
        return [row(("working it out …", "muted"))]
    found: list[Row] = []
    if advice.doomed:
        found += [row(("✗ Winning is no longer possible.", "bad")), row(advice.doomed)]
        found.append(row("ctrl+z takes the last move back."))
    if advice.strayed:
        found += [
            row(("! The proof fitted before your last move, and no longer does.", "warn")),
            row(("That does not prove it cannot be won. ctrl+z takes it back.", "muted")),
        ]
    if advice.plan is None:
        if not advice.doomed:
            found.append(
                row("No winning plan is known from here, and no proof that there is none.")
            )
        if advice.about is not None and not advice.doomed:
            found.append(row((f"An estimate: about {advice.about} turns to a win.", "muted")))
    else:
        found += _plan(advice, shown)
    if not advice.checker:
        note = "There is no model checker in this installation; nothing here is proven."
        found += [BLANK, row((note, "muted"))]
    return found


def _plan(advice: Advice, shown: int) -> list[Row]:
    plan = advice.plan or ()
    exact = "" if advice.shortest else "at most "
    if advice.doomed:
        return []
    found = [heading("Distance", f"{exact}{len(plan)} turns to winning; {advice.source}")]
    if advice.too_late:
        found.append(row(("! That is more than the turns that are left.", "warn")))
    found += [BLANK, heading("Next steps", "space shows one more, enter plays it")]
    for index, command in enumerate(plan):
        if index < shown:
            found.append(
                row((f"{index + 1:>3} ", "muted"), (command, "command"), action="play" if not index
                    else "", value=command, indent=4)
            )  # fmt: skip
    if shown < len(plan):
        found.append(row((f"    … {len(plan) - shown} more", "muted"), action="more"))
    return found
