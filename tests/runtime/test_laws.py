"""Laws that hold of every Machine, tried along plays of the shipped worlds.

Every applicable command, typed in any of the ways people type, is understood as itself;
refusals change nothing; a state is complete; equal work in many threads gives equal results;
nothing a player can type raises anything.
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tests.build_machine import lamp_world
from worldengine.machine.schema import Machine, State
from worldengine.machine.storage import from_json, to_json
from worldengine.machine.validate import validate
from worldengine.matching import Understood, conflicts, normalise
from worldengine.matching.vocabulary import DIRECTION_WORDS
from worldengine.runtime import Runtime, begin, known, restore, runtime_of, snapshot
from worldengine.runtime.interpreter import Evaluation

ROOT = Path(__file__).resolve().parents[2]
WORLDS = {path.stem: path for path in sorted((ROOT / "worlds").glob("*.world"))}
RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
STEPS = 40
WIDE = 101
"""Numbers that are all tried, one by one, in a law."""


@cache
def machine_of(name: str) -> Machine:
    if name == "lamp":
        return lamp_world()
    from worldengine.compiler import compile

    return compile(WORLDS[name].read_text(encoding="utf-8"))


every_world = pytest.mark.parametrize("name", ["lamp", *WORLDS])


def numbered(text: str, random: Random) -> str:
    """A command with every range in it replaced by one of its numbers."""
    return RANGE.sub(lambda found: str(random.randint(int(found[1]), int(found[2]))), text)


def walk(machine: Machine, seed: int, steps: int = STEPS) -> list[State]:
    """The states of a random play of accepted commands, never beyond an ending."""
    random, runtime = Random(seed), runtime_of(machine)
    states = [machine.start(seed % len(machine.variants))]
    for _ in range(steps):
        commands = runtime.applicable_texts(states[-1])
        if not commands:
            break
        transition = runtime.step(states[-1], numbered(random.choice(commands), random))
        assert transition.accepted, transition
        if transition.status != "running":
            break
        states.append(transition.state)
    return states


@every_world
def test_the_machine_is_sound_and_survives_saving(name: str) -> None:
    machine = machine_of(name)
    validate(machine)
    loaded = from_json(to_json(machine))
    assert loaded == machine
    assert loaded.hash == machine.hash


@every_world
def test_every_applicable_command_is_understood_as_itself(name: str) -> None:
    machine = machine_of(name)
    runtime, random = runtime_of(machine), Random(1)
    for state in walk(machine, 1, 12):
        turn = runtime.evaluation(state)
        for text in runtime.applicable_texts(state):
            text = numbered(text, random)
            meant = runtime.matcher.answer(text, turn.in_scope)
            assert isinstance(meant, Understood), (text, meant)
            for typed in variations(text):
                assert runtime.matcher.answer(typed, turn.in_scope) == meant, typed
            assert runtime.act(state, *meant) == runtime.step(state, text)


def variations(text: str) -> tuple[str, ...]:
    return text.upper(), f"  {text} ", text.replace(" ", "  "), text.title(), f"{text}."


@every_world
def test_articles_and_aliases_mean_the_same(name: str) -> None:
    machine = machine_of(name)
    runtime = runtime_of(machine)
    for state in walk(machine, 2, 6):
        turn = runtime.evaluation(state)
        for operator, numbers in runtime.applicable(state):
            number = numbers[0][0] if numbers else 0
            canonical = runtime.matcher.canonical(operator, number)
            meant = runtime.matcher.answer(canonical, turn.in_scope)
            if not isinstance(meant, Understood):
                continue
            ground = machine.operators[operator]
            for piece in machine.schemas[ground.schema].forms[0].template:
                if not isinstance(piece, int) or ground.arguments[piece] < 0:
                    continue
                parameter = machine.schemas[ground.schema].parameters[piece]
                if parameter.type == "object":
                    subject = machine.objects[ground.arguments[piece]]
                    if canonical.count(subject.name) == 1:
                        for article in ("the", "a", "my"):
                            typed = canonical.replace(subject.name, f"{article} {subject.name}")
                            found = runtime.matcher.answer(typed, turn.in_scope)
                            assert found == meant or subject.name.startswith(("the ", "a "))
                        for alias in subject.aka:
                            typed = canonical.replace(subject.name, alias)
                            other = runtime.matcher.answer(typed, turn.in_scope)
                            if isinstance(other, Understood) and not shared(machine, alias):
                                same = machine.operators[other.operator].schema == ground.schema
                                assert other == meant or not same  # a more literal form


def shared(machine: Machine, alias: str) -> bool:
    return sum(alias in (item.name, *item.aka) for item in machine.objects) > 1


@every_world
def test_refused_commands_keep_the_state(name: str) -> None:
    machine = machine_of(name)
    runtime = runtime_of(machine)
    for state in walk(machine, 3, 10):
        accepted = {operator for operator, _ in runtime.applicable(state)}
        for operator in range(len(machine.operators)):
            if operator in accepted:
                continue
            transition = runtime.act(state, operator, 1)
            assert not transition.accepted
            assert transition.state is state
            assert transition.observation
            assert transition.refusal is not None
            assert not runtime.holds(state, transition.refusal)


@every_world
def test_applicable_is_exactly_what_is_accepted(name: str) -> None:
    machine = machine_of(name)
    runtime = runtime_of(machine)
    for state in walk(machine, 4, 4):
        offered = dict(runtime.applicable(state))
        for operator in range(len(machine.operators)):
            numbers = offered.get(operator)
            if numbers is None:
                assert runtime.act(state, operator).accepted == (operator in offered)
            for low, high in numbers or ():
                assert runtime.act(state, operator, low).accepted
                assert runtime.act(state, operator, high).accepted
            if numbers is not None and numbers[-1][1] - numbers[0][0] <= WIDE:
                taken = [n for low, high in numbers for n in range(low, high + 1)]
                every = range(numbers[0][0] - 1, numbers[-1][1] + 2)
                assert [n for n in every if runtime.act(state, operator, n).accepted] == taken


@every_world
def test_a_state_is_complete(name: str) -> None:
    """A play continued from a snapshot, in a Runtime that never saw the past, is the same."""
    machine = machine_of(name)
    other = from_json(to_json(machine))
    fresh = Runtime(other)
    runtime, random = runtime_of(machine), Random(5)
    for state in walk(machine, 5, 15):
        copied = restore(other, snapshot(machine, state))
        commands = runtime.applicable_texts(state)
        assert fresh.applicable_texts(copied) == commands
        assert fresh.opening(copied) == runtime.opening(state)
        if commands:
            command = numbered(random.choice(commands), random)
            assert fresh.step(copied, command) == runtime.step(state, command)


def transcript(machine: Machine, seed: int) -> list[tuple[str, State]]:
    random, runtime = Random(seed), runtime_of(machine)
    state, found = machine.start(seed % len(machine.variants)), []
    odd = ("take the sun", "xyzzy", "", "go north. go south", "look", "inventory")
    for _ in range(25):
        commands = [*runtime.applicable_texts(state), *odd]
        transition = runtime.step(state, numbered(random.choice(commands), random))
        found.append((transition.observation, transition.state))
        if transition.status != "running":
            break
        state = transition.state
    return found


@every_world
def test_threads_do_not_disturb_one_another(name: str) -> None:
    machine = machine_of(name)
    serial = [transcript(machine, seed) for seed in range(16)]
    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(lambda seed: transcript(machine, seed), range(16))) == serial


ODD = ("\ud800", "\x00", "\u202e", "[/]", "[0]", "\\", "(", "*", "\n", "then", ",", ".", "and")


@every_world
def test_nothing_that_is_typed_raises(name: str) -> None:
    machine = machine_of(name)
    runtime, random = runtime_of(machine), Random(6)
    state = machine.start(0)
    words = [word for item in machine.objects for word in item.name.split()]
    words += [word for word in runtime.matcher.forms.first_words() if word]
    for _ in range(400):
        text = " ".join(random.choice((*ODD, *words)) for _ in range(random.randint(0, 8)))
        transition = runtime.step(state, text)
        assert transition.observation
        assert transition.accepted or transition.state is state


@every_world
def test_no_two_forms_clash(name: str) -> None:
    assert list(conflicts(machine_of(name), 100_000)) == []


@every_world
def test_known_commands_are_made_of_what_was_shown(name: str) -> None:
    machine = machine_of(name)
    runtime = runtime_of(machine)
    knowledge = begin(machine)
    before: tuple[str, ...] = ()
    for state in walk(machine, 7, 5):
        knowledge = knowledge.seen(runtime.opening(state))
        now = known(machine, knowledge)
        assert len(before) <= len(now)
        before = now
    assert before


@every_world
def test_refusals_give_nothing_away(name: str) -> None:
    """What is out of scope and sight is answered as if it were not there: in a world where
    it goes by another name, the same command gets the same words."""
    machine = machine_of(name)
    runtime, state = runtime_of(machine), machine.start(0)
    turn = runtime.evaluation(state)
    for index in hidden(machine, turn)[:6]:
        nameless = replace(machine.objects[index], name="qqq", aka=(), numbered=False)
        objects = (*machine.objects[:index], nameless, *machine.objects[index + 1 :])
        other = Runtime(replace(machine, objects=objects))
        for operator, ground in enumerate(machine.operators):
            if (ground.schema, index) not in scoped_in(machine, operator):
                continue
            text = runtime.matcher.canonical(operator, 1)
            here, there = runtime.step(state, text), other.step(state, text)
            if here.operator < 0:  # otherwise another form took it, or its author answered
                assert here.observation == there.observation, text
                assert here.refusal and there.refusal
                assert here.refusal.template == there.refusal.template


def hidden(machine: Machine, turn: Evaluation) -> list[int]:
    """Things that are in no scope word now; the usual directions are no secret."""
    scopes = [scope.word for scope in machine.scopes]
    return [
        index
        for index, item in enumerate(machine.objects)
        if item.role not in ("player", "concept")
        and normalise(item.name) not in DIRECTION_WORDS
        and not any(turn.in_scope(word, index) for word in scopes)
    ]


def scoped_in(machine: Machine, operator: int) -> list[tuple[int, int]]:
    """(schema, object) of the arguments of an operator that have to be in a scope."""
    schema = machine.operators[operator].schema
    return [(schema, index) for _, index in runtime_of(machine).tables.operator_scopes[operator]]
