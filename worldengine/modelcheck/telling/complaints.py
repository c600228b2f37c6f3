"""What a verdict gives an author to fix.

In: a Machine, its verdict, its source. Out: diagnostics. Errors: a world or a variant that
cannot be won, a goal that holds before the first command, a start that is lost by any command.
Warnings: a proof that wins nowhere, starts that no proof wins though others are won, a plan that
passes no milestone, few turns, starts that a player must guess, several proofs of which one wins
every start. Notes: one plan that wins every
start, a verdict left open, the nearest way into a dead end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from worldengine.diagnostics import Diagnostic
from worldengine.machine.schema import LOST, WON, Machine
from worldengine.modelcheck.compiled.kernel import expand, scratch
from worldengine.modelcheck.guessing.discovery import DISCOVERABLE
from worldengine.modelcheck.guessing.guesses import sentence
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.verdicts.verdict import UNKNOWN, UNWINNABLE, Decided, Verdict
from worldengine.modelcheck.wording.places import (
    header_span,
    located,
    location_of,
    span_of,
    turns_span,
    vary_span,
)
from worldengine.modelcheck.wording.speech import shortened
from worldengine.proof import complaint, replays
from worldengine.proof.starts import named, unproven
from worldengine.runtime import runtime_of
from worldengine.source import Source, Span

VALUED = 3
"""Starts of which it is told what is different there."""
ROOMY = 1.5
"""`turns` should be this many times the shortest plan known."""


def complaints(machine: Machine, verdict: Verdict, source: Source) -> list[Diagnostic]:
    """See the module."""
    found: list[Diagnostic] = []
    found.extend(_verdict(machine, verdict, source))
    found.extend(_first_turn(machine, source))
    found.extend(_proofs(machine, verdict, source))
    found.extend(_unproven(machine, verdict, source))
    found.extend(_turns(machine, verdict, source))
    found.extend(_milestones(machine, verdict, source))
    found.extend(_one_for_all(machine, verdict, source))
    found.extend(_discovery(machine, verdict, source))
    found.extend(_dead_ends(machine, verdict, source))
    return found


def _verdict(machine: Machine, verdict: Verdict, source: Source) -> Iterator[Diagnostic]:
    worst = verdict.worst
    where = _where(machine, worst)
    if worst.status == UNWINNABLE:
        reason = worst.reason
        place = header_span(source)
        if reason is not None and reason.location is not None:
            if reason.location.file == source.name:
                place = located(reason.location, source)
        elif worst.by == "turns":
            place = turns_span(source)
        text = reason.text if reason is not None else "no way leads to `win`"
        yield Diagnostic(
            "world-unwinnable",
            "error",
            f"this world cannot be won{where}: {text}",
            place,
            "change what the sentence ends with, or what `win` asks for",
        )
    elif worst.status == UNKNOWN:
        yield Diagnostic(
            "world-undecided",
            "note",
            f"whether this world can be won{where} is not known: out of {worst.stopped_by}"
            f"{_won_elsewhere(machine)}",
            header_span(source),
            'add a `proof "…"` with a winning play, or give a larger --budget',
        )


def _won_elsewhere(machine: Machine) -> str:
    """Where a start stays open, which of the others the proofs do win."""
    bare = unproven(machine)
    won = [start for start in range(len(machine.variants)) if start not in bare]
    if not won or not bare:
        return ""
    return f"; {_by_whom(machine)} only variant{_several(won)}"


def _by_whom(machine: Machine) -> str:
    return "its proof wins" if len(machine.proofs) == 1 else "its proofs win"


def _several(starts: Sequence[int]) -> str:
    """` 1`, `s 0, 2`."""
    return named(starts).removeprefix("start")


def _where(machine: Machine, decided: Decided) -> str:
    if len(machine.variants) < 2:
        return ""
    return f" from variant {decided.variant} ({_differing(machine, decided.variant)})"


def _differing(machine: Machine, variant: int) -> str:
    """What is so in one start, as its `vary` has it."""
    values = machine.variants[variant].values
    return ", ".join(f"{target} = {value}" for target, value in values)


def _first_turn(machine: Machine, source: Source) -> Iterator[Diagnostic]:
    """Starts from which every first command ends the game the same way."""
    problem = Problem(machine)
    actions = problem.everything
    if not len(actions):
        return
    import numpy as np

    out = np.zeros((len(actions), len(machine.variables)), np.int32)
    which = np.zeros(len(actions), np.int32)
    for variant in range(len(machine.variants)):
        state = np.array(machine.start(variant), np.int32)
        count = expand(
            problem.tables,
            state,
            actions.operators,
            actions.numbers,
            out,
            which,
            scratch(problem.tables),
        )
        endings = {int(value) for value in out[:count, machine.status]}
        for ending, kind in ((WON, "win"), (LOST, "lose")):
            if endings == {ending}:
                yield _at_start(machine, kind, source)
                return


def _at_start(machine: Machine, kind: str, source: Source) -> Diagnostic:
    rule = next(rule for rule in machine.rules if rule.kind == kind)
    words = {
        "win": "this holds at the start: any first command wins",
        "lose": "this holds at the start: any first command loses",
    }
    return Diagnostic(
        "goal-at-start" if kind == "win" else "lose-at-start",
        "error",
        words[kind],
        span_of(machine, rule.span, source),
        "ask for something that is not so yet",
    )


def _proofs(machine: Machine, verdict: Verdict, source: Source) -> Iterator[Diagnostic]:
    """Proofs that show nothing; that there is none only where the search shows nothing either."""
    if machine.proofs or verdict.worst.status == UNKNOWN:
        yield from complaint(machine, source)


def _unproven(machine: Machine, verdict: Verdict, source: Source) -> Iterator[Diagnostic]:
    """Starts that no proof wins, where some are won: what follows proofs knows no way there."""
    bare = unproven(machine) if machine.proofs else ()
    if len(bare) == len(machine.variants):  # said of each proof already
        return
    lost = {each.variant for each in verdict.variants if each.status == UNWINNABLE}
    bare = tuple(start for start in bare if start not in lost)
    if not bare:
        return
    won = [start for start in range(len(machine.variants)) if start not in {*bare, *lost}]
    told = _with_values(machine, bare) if len(bare) <= VALUED else named(bare)
    yield Diagnostic(
        "proof-not-all-starts",
        "warning",
        f"no proof wins {told}: {_by_whom(machine)} {named(won)} only",
        vary_span(source),
        "give every start a proof that wins it; `worldengine solve` with `--variant"
        f" {bare[0]}` looks for one. Players that go by proofs know no way there",
    )


def _with_values(machine: Machine, starts: Sequence[int]) -> str:
    """`start 1 (player.right = blue_hive), start 2 (…)`."""
    return ", ".join(f"start {start} ({_differing(machine, start)})" for start in starts)


def _turns(machine: Machine, verdict: Verdict, source: Source) -> Iterator[Diagnostic]:
    longest = max((len(each.plan) for each in verdict.variants if each.plan), default=0)
    if longest and machine.turns < ROOMY * longest:
        yield Diagnostic(
            "turns-tight",
            "warning",
            f"{machine.turns} turns are few for a plan of {longest}",
            turns_span(source),
            f"give at least {int(ROOMY * longest + 0.999)}",
        )


def _milestones(machine: Machine, verdict: Verdict, source: Source) -> Iterator[Diagnostic]:
    if not machine.milestones:
        return
    runtime = runtime_of(machine)
    for decided in verdict.variants:
        if not decided.plan:
            continue
        state = machine.start(decided.variant)
        for command in decided.plan:
            state = runtime.step(state, command).state
        if not any(state[slot] for slot in machine.milestones):
            yield Diagnostic(
                "plan-passes-no-milestone",
                "warning",
                "the winning plan passes no milestone, so progress says nothing on the way",
                _win_span(machine, source),
                "put milestones on the way that a player has to go",
            )
            return


def _win_span(machine: Machine, source: Source) -> Span:
    rule = next((rule for rule in machine.rules if rule.kind == "win"), None)
    return span_of(machine, rule.span, source) if rule else header_span(source)


def _one_for_all(machine: Machine, verdict: Verdict, source: Source) -> Iterator[Diagnostic]:
    """The same commands win from every start, none of them refused in any: what differs between
    the starts need not be found out. Proofs are tried; where there are none, the plans found."""
    count = len(machine.variants)
    if count < 2:
        return
    found = tuple(dict.fromkeys(each.plan for each in verdict.variants if each.plan))
    for number, plan in enumerate(machine.proofs or found, start=1):
        if not all(replays(machine, variant, plan) for variant in range(count)):
            continue
        several = len(machine.proofs) > 1
        what = f"proof {number}" if machine.proofs else f"`{shortened(plan)}`"
        yield Diagnostic(
            "one-plan-wins-all",
            "warning" if several else "note",
            f"{what} wins from all {count} starts by the same commands: what differs between"
            " them need not be found out",
            vary_span(source),
            "let `win`, a requirement or a rule ask for what differs; fine if it is only there"
            " for colour",
        )
        return


def _discovery(machine: Machine, verdict: Verdict, source: Source) -> Iterator[Diagnostic]:
    """Starts that a player must guess."""
    found = verdict.found
    if found is None or found.status == DISCOVERABLE:
        return
    place = vary_span(source)
    if found.guess is not None:
        yield Diagnostic(
            "needs-guess",
            "warning",
            f"this world needs a guess: {sentence(machine, found.guess)}",
            place,
            "let some text differ between these starts before the choice, or let the choice be"
            " taken back",
        )
        return
    yield Diagnostic(
        "discovery-undecided",
        "note",
        f"whether a player must guess the start is not known: out of {found.stopped_by}",
        place,
        "give a larger --budget, or proofs that read the clues before they act on them",
    )


def _dead_ends(machine: Machine, verdict: Verdict, source: Source) -> Iterator[Diagnostic]:
    """The nearest way into a state from which no win follows."""
    ends = verdict.ends
    if ends is None or not ends.path:
        return
    state = machine.start(ends.variant)
    runtime, operator = runtime_of(machine), -1
    for command in ends.path:
        turn = runtime.step(state, command)
        state, operator = turn.state, turn.operator
    schema = machine.schemas[machine.operators[operator].schema]
    location = location_of(machine, schema.span)
    own = location is not None and location.file == source.name
    share = "" if ends.share is None else f"; {100 * ends.share:.1f}% of all states are such"
    yield Diagnostic(
        "dead-end",
        "note",
        f"after `{shortened(ends.path)}` this world can no longer be won{share}",
        span_of(machine, schema.span, source) if own else header_span(source),
        "fine if it is meant so; else let it be undone, or say `lose` where it happens",
    )
