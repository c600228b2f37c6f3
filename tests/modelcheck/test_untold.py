"""Proofs that nothing tells starts apart in time, against beliefs searched by the interpreter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from tests.build_machine import Builder, eq, form, ne, parameter, put, step
from tests.modelcheck.brute_beliefs import NEVER, least_turns
from tests.modelcheck.secret_machines import secret_machine
from tests.modelcheck.test_discovery_agreement import bounds, surveyed
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.machine.schema import Machine, Variant
from worldengine.machine.validate import validate
from worldengine.modelcheck.budget import Budget, clock
from worldengine.modelcheck.guessing.tails import Tails
from worldengine.modelcheck.problem import Problem
from worldengine.modelcheck.telling.report import check_file
from worldengine.modelcheck.untold.abreast import Abreast
from worldengine.modelcheck.untold.proof import needs_guess
from worldengine.modelcheck.untold.turns import Turns

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "untold"
FILES = sorted(FOLDER.glob("*/*.world"))
LIMIT = 300
"""Beliefs up to which the interpreter judges."""
SEEDS = 60
"""Of one batch."""


def supports(machine: Machine) -> list[tuple[int, ...]]:
    """All pairs of starts, and all starts together."""
    everyone = range(len(machine.variants))
    found: list[tuple[int, ...]] = list(combinations(everyone, 2))
    return found if len(found) < 2 else [*found, tuple(everyone)]


def judged(machines: list[Machine]) -> Counter[str]:
    """How many proofs hold, are wrong, are not given though they would hold, and how many sets of
    starts can be won from."""
    found: Counter[str] = Counter()
    for machine in machines:
        reach = Problem(machine).reach
        assert reach is not None
        for support in supports(machine):
            proven = needs_guess(reach, support, clock(600))
            value = least_turns(machine, tuple((v, machine.start(v)) for v in support), LIMIT)
            if value is None:
                continue
            if value < NEVER:
                found["wrong" if proven else "won"] += 1
            else:
                found["proven" if proven else "missed"] += 1
    return found


def secrets(batch: int) -> list[Machine]:
    """Every third one has commands that only an article tells from others."""
    seeds = range(5000 + batch * SEEDS, 5000 + (batch + 1) * SEEDS)
    return [secret_machine(seed, masked=seed % 3 == 0) for seed in seeds]


@pytest.mark.parametrize("batch", range(2))
def test_secrets_agree_with_the_interpreter(batch: int) -> None:
    found = judged(secrets(batch))
    assert found["wrong"] == 0, found
    assert found["proven"] >= 20 and found["won"] >= 10, found
    assert found["missed"] < found["proven"] / 2, found


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(2, 10))
def test_more_secrets_agree_with_the_interpreter(batch: int) -> None:
    found = judged(secrets(batch))
    assert found["wrong"] == 0 and min(found["proven"], found["won"]) >= 10, found


def _mute(self: Abreast, *_: object) -> None:
    """Nothing is ever told apart by words."""


def _always(self: Turns, *_: object) -> bool:
    return True


@pytest.mark.parametrize(
    ("owner", "name", "fault"),
    [(Abreast, "_say", _mute), (Turns, "one_scope", _always), (Turns, "_doomed", _always)],
    ids=["deaf", "scopes not compared", "all is doomed"],
)
def test_the_judge_finds_planted_faults(
    owner: type, name: str, fault: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, name, fault)
    assert any(judged([machine])["wrong"] for machine in secrets(0))


def machine_of(path: Path) -> Machine:
    machine = compile_source(read(path).source).machine
    assert machine is not None
    return machine


def test_half_of_the_worlds_lack_their_clue() -> None:
    told = {path.stem for path in FILES if path.parent.name == "discoverable"}
    untold = {path.stem for path in FILES if path.parent.name == "guess"}
    assert told == untold and len(FILES) >= 24


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_several_places_and_starts(path: Path) -> None:
    """Worlds of several places and three to six starts, with things that do not matter: far too
    many beliefs to be gone through."""
    machine = machine_of(path)
    assert len(machine.variants) >= 3
    reach = Problem(machine).reach
    assert reach is not None
    everyone = tuple(range(len(machine.variants)))
    assert needs_guess(reach, everyone, clock(600)) == (path.parent.name == "guess")


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_check_decides_them(path: Path) -> None:
    verdict = check_file(path, Budget(seconds=60)).document["verdict"]
    assert verdict["discovery"] == path.parent.name
    assert (verdict["guess"] is not None) == (path.parent.name == "guess")


def shadowed(*taken: str) -> Machine:
    """Two starts, in one of which a cup is in sight. Poking it would tell, but a command of its
    own takes these texts. Naming the wrong start loses."""
    b = Builder()
    secret = b.integer("secret", 0, 1, 0)
    good, bad = b.boolean("good"), b.boolean("bad")
    status = b.integer("status", 0, 2, 0, role="status")
    done = b.text("Done.")
    b.object("cup", "cup")
    b.scope("here", (0, secret, 0))
    seen = parameter("x", (0,), scope="here")
    b.operator(b.schema("poke", (seen,), form("poke ", 0), own=True), (0,), (), step(say=done))
    b.operator(b.schema("nudge", (), *map(form, taken), own=True), (), (), step(say=done))
    for value in (0, 1):
        named = b.schema(f"name{value}", (), form(f"name {value}"), own=True)
        right, wrong = eq(secret, value), ne(secret, value)
        b.operator(named, (), (), step(right, do=(put(good, 1),)), step(wrong, do=(put(bad, 1),)))
    for kind, slot, ending in (("lose", bad, 2), ("win", good, 1)):
        ends = step(eq(status, 0), eq(slot, 1), do=(put(status, ending),))
        b.rule(kind, ends, kind=kind)
    starts = tuple(Variant((), ((secret, value),)) for value in (0, 1))
    machine = b.machine(status, turns=9, variants=starts)
    validate(machine)
    return machine


ARTICLED = tuple(f"poke {article}cup" for article in ("", "the ", "a ", "an ", "some ", "my "))


@pytest.mark.parametrize(
    ("taken", "turns"), [(ARTICLED[:1], 2), (ARTICLED[:5], 2), (ARTICLED, NEVER)]
)
def test_an_article_may_be_what_tells(taken: tuple[str, ...], turns: int) -> None:
    machine = shadowed(*taken)
    problem = Problem(machine)
    surveys = surveyed(problem)
    assert surveys is not None
    tails = Tails(problem, [("name 0",), ("name 1",)], surveys, clock(60))
    root = tuple((variant, machine.start(variant)) for variant in (0, 1))
    assert least_turns(machine, root, LIMIT) == turns
    assert bounds(problem, tails, root) == turns
