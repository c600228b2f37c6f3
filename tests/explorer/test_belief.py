"""Beliefs: what is known was shown, what was not shown changes nothing, refusals teach."""

from __future__ import annotations

from dataclasses import replace

import pytest

from worldengine.compiler import compile as compile_world
from worldengine.explorer.deciding.mind import Moment, begin
from worldengine.explorer.knowing.augmented import augmented
from worldengine.explorer.knowing.insight import insight_of
from worldengine.machine import Machine
from worldengine.machine.schema import RUNNING
from worldengine.machine.validate import validate
from worldengine.proof import winning_plan
from worldengine.resources import shipped_worlds
from worldengine.runtime import runtime_of

WORLDS = [path.stem for path in shipped_worlds()]
TURNS = 6

HIDING = """
world hiding "Hiding" {
  persona "A clerk"
  intro "The office closes at six."
  goal "Put the letter into the tray."
  turns 30
}
use travel, take, open
place office "office" { exit north to archive }
place archive "archive" { exit south to office }
container box "box" in office
container crate "crate" in archive
surface tray "tray" in office
thing letter "letter" in box
player in office { stamped : bool = false }
action stamp {
  form "stamp letter"
  require held(letter) else place "You are not holding the letter."
  set player.stamped = true
  say "Stamped."
}
before put_on(x: letter, c: tray) { require player.stamped else logic "It bears no stamp." }
win when letter.in == tray and player.stamped say "Done."
proof "open box", "take letter", "stamp letter", "put letter on tray"
"""


def world(name: str) -> Machine:
    (path,) = [path for path in shipped_worlds() if path.stem == name]
    return compile_world(path.read_text(encoding="utf-8"))


def hiding() -> Machine:
    return compile_world(HIDING)


def variable(machine: Machine, name: str) -> int:
    return next(i for i, each in enumerate(machine.variables) if each.name == name)


def thing(machine: Machine, name: str) -> int:
    return next(i for i, each in enumerate(machine.objects) if each.id == name)


def changed(machine: Machine, index: int, value: int) -> Machine:
    """The world with another initial value; starts that set it themselves keep theirs."""
    variables = list(machine.variables)
    variables[index] = replace(variables[index], initial=value)
    return replace(machine, variables=tuple(variables))


def played(
    machine: Machine, turns: int, rules: str = "none", variant: int = 0
) -> list[tuple[str, str]]:
    """What is read and then done, turn by turn."""
    moment = begin(machine, variant, 0, rules)
    runtime = runtime_of(machine)
    read = runtime.opening(machine.start(variant))
    found: list[tuple[str, str]] = []
    while len(found) < turns and moment.state[machine.status] == RUNNING:
        command = moment.decision().command
        found.append((read, command))
        read = runtime.step(moment.state, command).observation
        moment = moment.then(command)
    return found


def same_until_read(one: list[tuple[str, str]], other: list[tuple[str, str]]) -> bool:
    """Whether the first command that differs comes after something that was read so."""
    for (read, command), (other_read, other_command) in zip(one, other, strict=False):
        if read != other_read:
            return True
        if command != other_command:
            return False
    return True


def test_what_lies_elsewhere_is_unknown_and_what_is_here_is_known() -> None:
    machine = hiding()
    belief = begin(machine, 0, 0).belief
    known = belief.known
    assert not known[variable(machine, "letter.in")]
    assert not known[variable(machine, "crate.open")]
    assert known[variable(machine, "box.in")]
    letter = belief.candidates(variable(machine, "letter.in"))
    assert thing(machine, "box") in letter and thing(machine, "archive") in letter
    assert thing(machine, "office") not in letter, "it would have been seen"


def test_a_value_is_known_once_a_text_depended_on_it() -> None:
    machine = hiding()
    moment = begin(machine, 0, 0).then("open box")
    assert moment.belief.known[variable(machine, "letter.in")]


def test_a_rule_is_learnt_by_being_refused_for_it() -> None:
    machine = hiding()
    moment = begin(machine, 0, 0)
    assert not moment.belief.learnt
    after = moment.then("stamp letter")
    assert len(after.belief.learnt) == 1
    assert begin(machine, 0, 0, "all").belief.learnt >= after.belief.learnt
    assert after.then("stamp letter").belief.learnt == after.belief.learnt


def test_rules_not_learnt_are_not_planned_for() -> None:
    """Without the rule the stamp is left out, for the plan of a player that knows it is in."""
    machine = hiding()
    opened: list[Moment] = []
    for rules in ("none", "all"):
        opened.append(begin(machine, 0, 0, rules).then("open box"))
    naive, wise = (moment.decision().plan for moment in opened)
    stamp = next(
        i for i, o in enumerate(machine.operators) if machine.schemas[o.schema].name == "stamp"
    )
    assert (stamp, 0) in wise
    assert naive and all(step in wise for step in naive)


@pytest.mark.parametrize("rules", ["none", "some", "all"])
def test_it_wins_a_small_world_at_every_setting(rules: str) -> None:
    machine = hiding()
    turns = played(machine, machine.turns, rules)
    state = machine.start(0)
    for _, command in turns:
        state = machine.step(state, command).state
    assert machine.step is not None and runtime_of(machine).status(state) == "won"


def test_equal_worlds_are_played_equally() -> None:
    assert played(hiding(), 12) == played(hiding(), 12)


@pytest.mark.parametrize("place", ["box", "crate", "archive"])
def test_where_a_hidden_thing_lies_changes_nothing_before_it_is_read(place: str) -> None:
    machine = hiding()
    other = changed(machine, variable(machine, "letter.in"), thing(machine, place))
    assert same_until_read(played(machine, 12), played(other, 12))


def test_a_hidden_requirement_changes_nothing_before_it_refuses() -> None:
    strict = hiding()
    loose = compile_world(
        HIDING.replace("require held(letter) else place", "require turn > 20 else place")
    )
    assert same_until_read(played(strict, 12), played(loose, 12))


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_hidden_values_of_shipped_worlds_change_nothing_before_they_are_read(name: str) -> None:
    """Every tenth hidden variable of a world, with the last other value one may think of."""
    machine = world(name)
    samples = insight_of(machine).samples
    set_by_start = {v for each in machine.variants for v, _ in each.assignments}
    base = played(machine, TURNS)
    hidden = [
        index
        for index, values in enumerate(samples)
        if len(values) > 1 and index not in set_by_start
    ]
    for index in hidden[::10]:
        value = [v for v in samples[index] if v != machine.variables[index].initial][-1]
        other = played(changed(machine, index, value), TURNS)
        assert same_until_read(base, other), machine.variables[index].name


@pytest.mark.parametrize("name", ["lagos_market", "thesis_shell", "town_archive"])
def test_starts_are_played_alike_until_they_read_differently(name: str) -> None:
    """With every rule known, too: whole plays, against the first start."""
    machine = world(name)
    base = played(machine, machine.turns, "all")
    for variant in range(1, len(machine.variants)):
        assert same_until_read(base, played(machine, machine.turns, "all", variant))


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_starts_of_shipped_worlds_are_played_alike_until_they_read_differently(name: str) -> None:
    machine = world(name)
    base = played(machine, 2 * TURNS, "all")
    for variant in range(1, min(len(machine.variants), 4)):
        assert same_until_read(base, played(machine, 2 * TURNS, "all", variant))


@pytest.mark.parametrize(
    ("name", "hidden"), [("tide_clock", "tin.open"), ("ferry", "line_.made_fast")]
)
def test_a_hidden_value_changes_nothing_before_it_is_read_though_rules_are_known(
    name: str, hidden: str
) -> None:
    machine = world(name)
    index = variable(machine, hidden)
    other = changed(machine, index, 1 - machine.variables[index].initial)
    one, two = (played(each, 2 * TURNS, "all") for each in (machine, other))
    assert same_until_read(one, two)


def test_what_only_two_hidden_things_decide_together_is_not_ruled_out() -> None:
    """A play that goes on tells of matches and lamp at once: either may be what it takes."""
    machine = world("lighthouse")
    lit, left = variable(machine, "lamp.lit"), variable(machine, "matches.left")
    other = changed(machine, lit, 1 - machine.variables[lit].initial)
    for each in (machine, other):
        assert 0 in begin(each, 0, 0).then("look").belief.candidates(left)
    assert same_until_read(played(machine, TURNS), played(other, TURNS))


@pytest.mark.parametrize("name", ["tide_clock", "lagos_market", "thesis_shell"])
def test_it_wins_every_start_where_all_rules_are_known(name: str) -> None:
    machine = world(name)
    for variant in range(len(machine.variants)):
        state = machine.start(variant)
        for _, command in played(machine, machine.turns, "all", variant):
            state = machine.step(state, command).state
        assert runtime_of(machine).status(state) == "won"


@pytest.mark.parametrize("name", ["tide_clock", "unix_intern", "old_rink"])
def test_with_every_rule_known_the_world_is_the_same(name: str) -> None:
    machine = world(name)
    rules = augmented(machine)
    validate(rules.machine)
    state = machine.start(0)
    both = (*state, *[1] * len(rules.flags))
    for command in winning_plan(machine, 0) or ():
        turn = runtime_of(machine).step(state, command)
        again = runtime_of(rules.machine).step(both, command)
        assert again.observation == turn.observation
        assert again.state[: len(state)] == turn.state
        state, both = turn.state, again.state


def test_with_no_rule_known_nothing_that_depends_on_the_state_refuses() -> None:
    machine = hiding()
    rules = augmented(machine)
    state = (*machine.start(0), *[0] * len(rules.flags))
    assert not machine.step(machine.start(0), "stamp letter").accepted
    assert runtime_of(rules.machine).step(state, "stamp letter").accepted
