"""What to do next, how far it is, and whether it can still be done at all.

In: a session. Out: `Advice`, better and better: what the world's own proof gives comes at once,
what the model checker proves follows. A plan is only ever shown after it was played through in
the runtime from the present state. What nobody can tell is said to be unknown; only the checker
says that winning is impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from worldengine.cli.printing import counted
from worldengine.machine import Machine

from .counsel import CounselError, Question, Reply, counsel
from .fitting import wins
from .history import Node
from .rows import BLANK, Row, heading, row
from .session import Session

BY_CHECKER = "proven by the checker"
BY_PROOF = "the world's proof, fitted to where you are"
BY_SEARCH = "found by searching, played through"
SOON, LONG, LONGEST = 1.5, 8.0, 25.0
"""Seconds for a proof at once, for a plan of any length, and for a proof at last."""
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Advice:
    """`plan` wins from here (None: none is known), and if `shortest` none is shorter. `doomed`
    is what the checker says when winning is impossible; `strayed` that the proof fitted before
    the last move and not now; `about` an estimate of the turns to a win where nothing exact is
    known; `searching` what is still being looked for; `failed` what went wrong with that."""

    plan: tuple[str, ...] | None = None
    source: str = ""
    shortest: bool = False
    doomed: str = ""
    strayed: bool = False
    too_late: bool = False
    about: int | None = None
    searching: str = ""
    failed: str = ""


def advise(
    machine: Machine, variant: int, node: Node, stop: Stop = lambda: False
) -> Iterator[Advice]:
    """Advice for one node, the best last. Takes its time; made for a thread."""
    if node.over:
        yield Advice()
        return
    best = Advice(searching="a plan")
    try:
        for best in _better(machine, variant, node, stop):
            yield best
    except CounselError as error:
        yield replace(best, searching="", failed=str(error))


def _better(machine: Machine, variant: int, node: Node, stop: Stop) -> Iterator[Advice]:
    left = machine.turns - node.depth

    def ask(asked: str, seconds: float, at: Node = node) -> Reply | None:
        question = Question(asked, variant, at.state, machine.turns, seconds)
        return counsel().ask(machine, question, stop)

    best = _with_plan(Advice(searching="a plan"), machine, node, ask("known", SOON), BY_PROOF)
    before = node.parent
    if best.plan is None and before is not None and not stop():
        fitted = ask("known", SOON, before)
        best = replace(best, strayed=fitted is not None and fitted.plan is not None)
    yield replace(best, searching="a proof" if best.plan else best.searching)
    for asked, seconds in (("proven", SOON), ("searched", LONG), ("proven", LONGEST)):
        if stop() or (asked == "searched" and best.plan is not None):
            continue
        reply = ask(asked, seconds)
        if reply is None:
            return
        if reply.exact:
            yield _exact(machine, node, reply, left)
            return
        best = replace(best, about=reply.about if asked == "proven" else best.about)
        best = _with_plan(best, machine, node, reply, BY_SEARCH)
        looking = "" if seconds == LONGEST else "a proof" if best.plan else "a plan"
        yield replace(best, searching=looking)


def _with_plan(
    best: Advice, machine: Machine, node: Node, reply: Reply | None, source: str
) -> Advice:
    plan = reply.plan if reply is not None else None
    if plan is None or not wins(machine, node.state, plan):
        return best
    late = len(plan) > machine.turns - node.depth
    return replace(best, plan=plan, source=source, too_late=late, strayed=False)


def _exact(machine: Machine, node: Node, reply: Reply, left: int) -> Advice:
    if reply.plan is None or not wins(machine, node.state, reply.plan):
        return Advice(source=BY_CHECKER, shortest=True, doomed=reply.doomed)
    doomed = _too_long(reply.plan, left)
    return Advice(reply.plan, BY_CHECKER, shortest=True, doomed=doomed)


def doom(machine: Machine, variant: int, node: Node, stop: Stop = lambda: False) -> str:
    """Why this turn made winning impossible; "" if it did not, or if nobody can tell."""
    if node.over:
        return ""
    reply = counsel().ask(machine, Question("proven", variant, node.state, 0, SOON), stop)
    if reply is None or not reply.exact:
        return ""
    if reply.plan is not None and wins(machine, node.state, reply.plan):
        return _too_long(reply.plan, machine.turns - node.depth)
    return reply.doomed


def _too_long(shortest: tuple[str, ...], left: int) -> str:
    if len(shortest) <= left:
        return ""
    are = "is" if left == 1 else "are"
    return f"The shortest win takes {counted(len(shortest), 'turn')}, and {left} {are} left."


# -- showing it ----------------------------------------------------------------------------


def rows(session: Session, advice: Advice | None, shown: int) -> list[Row]:
    """`shown` steps of the plan are uncovered; the rest stays hidden until asked for."""
    if session.at.over:
        return [row(("The play is over.", "muted")), row("ctrl+z steps back.")]
    if advice is None:
        return [row(("searching for a plan …", "muted"))]
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
        if not advice.doomed and not advice.searching:
            found.append(
                row("No winning plan is known from here, and no proof that there is none.")
            )
        if advice.about is not None and not advice.doomed:
            about = counted(advice.about, "turn")
            found.append(row((f"An estimate: about {about} to a win.", "muted")))
    else:
        found += _plan(advice, shown)
    if advice.searching:
        found += [BLANK, row((f"searching for {advice.searching} …", "muted"))]
    if advice.failed:
        found += [BLANK, row(("✗ ", "bad"), advice.failed, indent=2)]
    return found


def _plan(advice: Advice, shown: int) -> list[Row]:
    plan = advice.plan or ()
    exact = "" if advice.shortest else "at most "
    if advice.doomed:
        return []
    turns = counted(len(plan), "turn")
    found = [heading("Distance", f"{exact}{turns} to winning; {advice.source}")]
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
