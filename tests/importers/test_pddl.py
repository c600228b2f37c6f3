"""One planning problem from end to end: its world as text, and what effects mean in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importers.test_pddl_quirks import shortest
from worldengine.compiler import compile as compile_text
from worldengine.importers.pddl import import_pddl
from worldengine.machine import Machine, State
from worldengine.runtime import runtime_of
from worldengine.source import Source
from worldengine.syntax import format_document, parse

CANAL = Path(__file__).parent / "canal"
DOMAIN = (CANAL / "domain.pddl").read_text(encoding="utf-8")
PROBLEM = (CANAL / "problem.pddl").read_text(encoding="utf-8")


def canal() -> str:
    found = import_pddl(Source("domain.pddl", DOMAIN), Source("problem.pddl", PROBLEM))
    assert found.text is not None and found.diagnostics == ()
    return found.text


def raised(machine: Machine, state: State) -> set[str]:
    names = [variable.name for variable in machine.variables]
    return {name for name, value in zip(names, state, strict=True) if "raised" in name and value}


def test_the_world_is_written_as_expected() -> None:
    assert canal() == (CANAL / "canal.world").read_text(encoding="utf-8")


def test_it_is_canonical() -> None:
    tree, diagnostics = parse(Source("canal.world", canal()))
    assert tree is not None and not diagnostics
    assert format_document(tree) == canal()


def test_all_changes_happen_at_once() -> None:
    machine = compile_text(canal())
    start = machine.start()
    assert raised(machine, start) == {"raised(lock)"}
    turned = machine.step(start, "turn over").state
    assert raised(machine, turned) == {"raised(harbour)", "raised(basin)"}
    again = machine.step(turned, "turn over").state
    assert raised(machine, again) == raised(machine, start)


def test_what_is_deleted_and_added_is_added() -> None:
    machine = compile_text(canal())
    turn = machine.step(machine.start(), "salute anna harbour")
    assert turn.accepted and "anna" in turn.observation.lower()
    assert "flagged(anna)" in {
        variable.name
        for variable, value in zip(machine.variables, turn.state, strict=True)
        if value
    }


@pytest.mark.parametrize(
    "command, outcome, words",
    [
        ("sail anna from basin to lock", "place", "Anna is not in basin."),
        ("sail anna from harbour to basin", "logic", "Gate of harbour is not basin."),
        ("sail harbour from anna to lock", "parameter", ""),
        ("salute berta with basin", "logic", "not flagged"),
    ],
)
def test_refusals_come_from_preconditions(command: str, outcome: str, words: str) -> None:
    machine = compile_text(canal())
    turn = machine.step(machine.start(), command)
    assert (turn.outcome_name, words in turn.observation) == (outcome, True), turn.observation


def test_the_opening_tells_what_is_true() -> None:
    machine = compile_text(canal())
    told = runtime_of(machine).opening(machine.start())
    for words in ("Anna is in harbour.", "Lock is raised.", "Coal of anna is 2.", "Barge: anna."):
        assert words in told


def test_turns_do_not_change_the_meaning_of_numbers() -> None:
    machine = compile_text(canal())
    state = machine.start()
    for command in ("sail anna harbour lock", "sail anna lock basin"):
        state = machine.step(state, command).state
    assert machine.step(state, "sail anna basin lock").outcome_name == "logic"


def test_a_goal_that_depends_on_everything_can_be_won() -> None:
    goal = "(:goal (and (in anna basin) (flagged anna) (reachable-from lock harbour)))"
    problem = PROBLEM[: PROBLEM.index("(:goal")] + goal + ")"
    easier = problem.replace("(in berta basin)", "(in berta basin) (flagged berta)")
    found = import_pddl(Source("domain.pddl", DOMAIN), Source("problem.pddl", easier))
    assert found.text is not None
    assert shortest(compile_text(found.text)) == 4


@pytest.mark.parametrize(
    "change, id, line",
    [
        (("(:action salute", "(:durative-action salute"), "pddl-construct", 34),
        (("(raised ?p - pound)\n", "(rised ?p - pound)\n"), "pddl-predicate-unknown", 22),
        (("(flagged ?w))))", "(flagged ?x))))"), "pddl-variable-unknown", 36),
        (("(in ?v ?p) (forall", "(in ?v) (forall"), "pddl-arity", 36),
        ((":effect (and (not (flagged", ":effect (oneof (not (flagged"), "pddl-construct", 37),
        (("barge ferry - vessel", "barge ferry - vessel vessel - barge"), "pddl-types-circle", 5),
        (("(define (domain", "(definition (domain"), "pddl-define", 3),
        (("decrease (coal ?v) 1", "scale-down (coal ?v) 2"), "pddl-construct", 23),
    ],
)
def test_refused_by_name_with_the_line(change: tuple[str, str], id: str, line: int) -> None:
    broken = DOMAIN.replace(*change)
    assert broken != DOMAIN
    found = import_pddl(Source("domain.pddl", broken), Source("problem.pddl", PROBLEM))
    assert found.text is None
    first = next(item for item in found.diagnostics if item.severity == "error")
    assert (first.id, first.span.source.position(first.span.start)[0]) == (id, line), first


@pytest.mark.parametrize(
    "text", ["", "(", ")", "(define", "(define)", "((((", "; only words", "()"]
)
def test_any_text_is_answered(text: str) -> None:
    for domain, problem in ((text, PROBLEM), (DOMAIN, text)):
        found = import_pddl(Source("d", domain), Source("p", problem))
        assert found.text is None and found.diagnostics


@pytest.mark.parametrize(
    "goal",
    ["()", "(and)", "(in anna harbour)", "(reachable-from harbour lock)", "(> (coal berta) 4)"],
)
def test_a_goal_that_holds_at_first_is_won_by_any_action(goal: str) -> None:
    problem = PROBLEM[: PROBLEM.index("(:goal")] + f"(:goal {goal}))"
    found = import_pddl(Source("domain.pddl", DOMAIN), Source("problem.pddl", problem))
    assert found.text is not None
    machine = compile_text(found.text)
    assert machine.step(machine.start(), "salute anna harbour").status == "won"
