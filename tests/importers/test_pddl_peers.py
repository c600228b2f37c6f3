"""Independent implementations agree: the same applicable actions, the same successors.

Neither pyperplan nor Unified Planning is a dependency; the extra `peers` brings them. Where one
can be imported states of random plays are held against it.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.importers.corpus import first_pairs, identity, imported, machine_of, needs_corpus
from worldengine.importers.pddl import Imported
from worldengine.machine import Machine, State
from worldengine.runtime import runtime_of

FOLDERS = ("pddl/agentboard", "pddl/pddlgym", "pddl/planbench", "pddl/classical-domains",
           "pddl/hypertension", "pddl/llm-dm", "pddl/unified-planning", "pddl/pddl-parser",
           "pddl/ai-planning-pddl")  # fmt: skip
PLAYS, STEPS = 3, 8
MOST = 700
"""Ground actions of a world that is compared: the peers enumerate slowly."""
Step = tuple[str, ...]


class PeerBroken(Exception):
    """The peer failed on what it had read itself; it cannot be a judge there."""


class Ours:
    """The imported world in the peers' words."""

    def __init__(self, found: Imported, machine: Machine) -> None:
        self.machine = machine
        self.runtime = runtime_of(machine)
        names = {made: name for name, made in found.actions.items()}
        objects = {made: name for name, made in found.objects.items()}
        ids = [objects.get(item.id, "") for item in machine.objects]
        self.steps: dict[int, Step] = {}
        for index, operator in enumerate(machine.operators):
            name = names.get(machine.schemas[operator.schema].name)
            if name is not None and machine.schemas[operator.schema].own:
                self.steps[index] = (name, *(ids[value] for value in operator.arguments))
        facts = {made: name for name, made in found.facts.items()}
        self.atoms: dict[int, Step] = {}
        for index, variable in enumerate(machine.variables):
            if variable.role == "fact" and variable.kind == "bool":
                head, _, rest = variable.name.partition("(")
                if head not in facts:  # the importer's own, such as that play has begun
                    continue
                terms = [objects[term] for term in rest.rstrip(")").split(", ") if term]
                self.atoms[index] = (facts[head], *terms)

    def applicable(self, state: State) -> dict[Step, int]:
        found = (action[0] for action in self.runtime.applicable(state))
        return {self.steps[index]: index for index in found if index in self.steps}

    def true(self, state: State) -> set[Step]:
        return {atom for index, atom in self.atoms.items() if state[index]}


def small() -> list[tuple[Path, Path]]:
    return list(first_pairs(*FOLDERS))


@cache
def ours(domain: Path, problem: Path) -> Ours | None:
    found = imported(domain, problem)
    if found.text is None or found.task is None or found.task.functions:
        return None
    machine = machine_of(found)
    if not isinstance(machine, Machine) or len(machine.operators) > MOST:
        return None
    return Ours(found, machine)


def walk(world: Ours, peer: Any, seed: int) -> int:
    """Plays at random and compares at every step; the number of states compared."""
    compared = 0
    state, theirs = world.machine.start(), peer.start()
    draw = random.Random(seed)
    known = set(world.atoms.values())
    for _ in range(STEPS):
        if world.runtime.status(state) != "running":
            break
        mine = world.applicable(state)
        assert set(mine) == peer.applicable(theirs)
        assert world.true(state) == peer.true(theirs) & known
        compared += 1
        if not mine:
            break
        chosen = draw.choice(sorted(mine))
        state = world.runtime.act(state, mine[chosen]).state
        theirs = peer.after(theirs, chosen)
        assert world.true(state) == peer.true(theirs) & known
    return compared


def compare(peer_of: Any, wanted: int) -> None:
    domains, states = set(), 0
    for domain, problem in small():
        world = ours(domain, problem)
        peer = peer_of(domain, problem) if world is not None else None
        if world is None or peer is None:
            continue
        try:
            states += sum(walk(world, peer, seed) for seed in range(PLAYS))
        except PeerBroken:
            continue
        except AssertionError as error:
            raise AssertionError(f"{identity(problem)}: {error}") from error
        domains.add(domain)
    assert len(domains) >= wanted, len(domains)
    assert states > len(domains)


# --- pyperplan: STRIPS with types ---------------------------------------------------------------


class Pyperplan:
    def __init__(self, task: Any) -> None:
        self.task = task
        self.operators = {words(item.name): item for item in task.operators}

    def start(self) -> frozenset[str]:
        return frozenset(self.task.initial_state)

    def applicable(self, state: frozenset[str]) -> set[Step]:
        return {step for step, item in self.operators.items() if item.applicable(state)}

    def after(self, state: frozenset[str], step: Step) -> frozenset[str]:
        return frozenset(self.operators[step].apply(state))

    def true(self, state: frozenset[str]) -> set[Step]:
        return {words(item) for item in state}


def words(text: str) -> Step:
    return tuple(text.strip("()").lower().split())


def pyperplan_of(domain: Path, problem: Path) -> Pyperplan | None:
    parser = import_module("pyperplan.pddl.parser").Parser(str(domain), str(problem))
    try:
        parsed = parser.parse_problem(parser.parse_domain())
        ground = import_module("pyperplan.grounding").ground
        return Pyperplan(ground(parsed, False, False))
    except (Exception, SystemExit):  # it takes less of PDDL than we do, and says so variously
        return None


@needs_corpus
@pytest.mark.slow
def test_pyperplan_agrees() -> None:
    pytest.importorskip("pyperplan", reason="pyperplan is not importable here")
    compare(pyperplan_of, wanted=20)


# --- Unified Planning: ADL ------------------------------------------------------------------------


class Unified:
    def __init__(self, problem: Any) -> None:
        shortcuts = import_module("unified_planning.shortcuts")
        self.problem = problem
        self.simulator = shortcuts.SequentialSimulator(problem)
        self.actions = {item.name.lower(): item for item in problem.actions}
        self.objects = {item.name.lower(): item for item in problem.all_objects}
        self.fluents = [
            (expression, (expression.fluent().name.lower(),
                          *(str(item).lower() for item in expression.args)))
            for fluent in problem.fluents if fluent.type.is_bool_type()
            for expression in every(problem, fluent)
        ]  # fmt: skip

    def start(self) -> Any:
        return self.simulator.get_initial_state()

    def applicable(self, state: Any) -> set[Step]:
        try:
            found = list(self.simulator.get_applicable_actions(state))
        except Exception as error:
            raise PeerBroken from error
        return {(item.name.lower(), *(str(o).lower() for o in objects)) for item, objects in found}

    def after(self, state: Any, step: Step) -> Any:
        arguments = tuple(self.objects[name] for name in step[1:])
        return self.simulator.apply(state, self.actions[step[0]], arguments)

    def true(self, state: Any) -> set[Step]:
        return {atom for expression, atom in self.fluents if state.get_value(expression).is_true()}


def every(problem: Any, fluent: Any) -> Iterator[Any]:
    return iter(import_module("unified_planning.model.fluent").get_all_fluent_exp(problem, fluent))


def unified_of(domain: Path, problem: Path) -> Unified | None:
    reader = import_module("unified_planning.io").PDDLReader()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Unified(reader.parse_problem(str(domain), str(problem)))
    except Exception:  # it takes less of PDDL than we do, and says so variously
        return None


@needs_corpus
@pytest.mark.slow
def test_unified_planning_agrees() -> None:
    pytest.importorskip("unified_planning", reason="unified_planning is not importable here")
    compare(unified_of, wanted=20)
