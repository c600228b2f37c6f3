"""The shipped worlds: they compile clean, can be won, and show all of the language."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

import pytest

from tests.constructs import CONSTRUCTS, NODES, mechanics, used
from tests.readme import fences
from worldengine.compiler import Compilation, compile_source
from worldengine.machine import Machine
from worldengine.resources import shipped_world, shipped_worlds
from worldengine.source import Source
from worldengine.syntax import ast, format_document, parse

ROOT = Path(__file__).resolve().parents[1]
PLAYS = ROOT / "tests" / "plays"
MECHANICS = ROOT.parent / "shared" / "corpus" / "notes" / "world_mechanics.tsv"
WORLDS = [path.stem for path in shipped_worlds()]
TITLED = re.compile(r"(?:Mr|Mrs|Ms|Dr) [A-Z]")
NAMED = {"Pim", "Noor", "Kite One", "room one", "paracetamol"}
"""Names that nobody puts `a` or `the` before, and that no title tells."""
ENDS = {"win": "won", "lose": "lost", "fail": "running"}
"""How a play ends, by what its file is called; `fail` uses up the turns."""


@cache
def text(world: str) -> str:
    path = shipped_world(world)
    assert path is not None
    return path.read_text(encoding="utf-8")


@cache
def compilation(world: str) -> Compilation:
    return compile_source(Source(f"{world}.world", text(world)))


@cache
def document(world: str) -> ast.Document:
    tree, complaints = parse(Source(f"{world}.world", text(world)))
    assert tree is not None, complaints
    return tree


def machine(world: str) -> Machine:
    made = compilation(world).machine
    assert made is not None
    return made


def played(world: str, variant: int, commands: tuple[str, ...]) -> tuple[str, list[str], int]:
    """How it ended, which commands were refused, and how many were left at the end."""
    made = machine(world)
    state, status = made.start(variant), "running"
    refused: list[str] = []
    for number, command in enumerate(commands):
        if status != "running" or number >= made.turns:
            return status, refused, len(commands) - number
        turn = made.step(state, command)
        if not turn.accepted:
            refused.append(f"{command}: {turn.observation}")
        state, status = turn.state, turn.status
    return status, refused, 0


@pytest.mark.parametrize("world", WORLDS)
def test_compiles_without_a_warning(world: str) -> None:
    found = compilation(world)
    assert found.machine is not None
    loud = [item for item in found.diagnostics if item.severity != "note"]
    assert not loud, "\n".join(f"{item.id}: {item.message}" for item in loud)


@pytest.mark.parametrize("world", WORLDS)
def test_every_start_is_won_by_a_proof_with_no_command_refused(world: str) -> None:
    made = machine(world)
    for variant in range(len(made.variants)):
        ways = [played(world, variant, proof) for proof in made.proofs]
        assert ("won", [], 0) in ways, f"start {variant}: {ways}"


@pytest.mark.parametrize("world", WORLDS)
def test_every_proof_wins_a_start(world: str) -> None:
    made = machine(world)
    starts = range(len(made.variants))
    for number, proof in enumerate(made.proofs, start=1):
        assert any(played(world, each, proof)[0] == "won" for each in starts), f"proof {number}"


@pytest.mark.parametrize("world", WORLDS)
def test_the_formatter_leaves_it_as_it_is(world: str) -> None:
    assert format_document(document(world)) == text(world)


@pytest.mark.parametrize("world", WORLDS)
def test_has_a_play_that_wins_and_one_that_does_not(world: str) -> None:
    ends = {path.name.split(".")[1] for path in PLAYS.glob(f"{world}.*.txt")}
    assert "win" in ends
    assert ends & {"lose", "fail"}


@pytest.mark.parametrize("play", sorted(path.name for path in PLAYS.iterdir()))
def test_a_play_ends_as_its_name_says(play: str) -> None:
    world, end, _ = play.split(".")
    lines = [line for line in (PLAYS / play).read_text("utf-8").splitlines() if line.strip()]
    first = re.fullmatch(r"# variant (\d+)", lines[0])
    commands = tuple(lines[1:] if first else lines)
    status, refused, left = played(world, int(first[1]) if first else 0, commands)
    assert status == ENDS[end], refused
    assert left == 0
    if end == "fail":
        assert len(commands) == machine(world).turns


def test_the_readme_shows_the_tide_clock_as_it_ships() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = [each.text for each in fences(readme) if each.argument == "tide_clock.world"]
    assert shown == [text("tide_clock")]


def test_together_they_use_every_construct_of_the_language() -> None:
    together = {name for world in WORLDS for name in used(document(world))}
    assert sorted(CONSTRUCTS - together) == []


def test_every_node_of_the_tree_is_a_construct() -> None:
    assert NODES <= CONSTRUCTS
    assert {"Quantifier", "Fold", "Regex", "Match", "TextList", "BoolType"} <= NODES


def test_what_is_used_is_found() -> None:
    """The finder itself: a bare world shows little, and no more than is in it."""
    script = 'world w "W" { goal "g" }\nplace hall "hall"\nplayer in hall\nwin when turn == 1\n'
    tree, _ = parse(Source("w", script))
    assert tree is not None
    found = used(tree)
    assert {"turn", "compare ==", "Ending", "goal"} <= found
    assert not found & {"persona", "win says", "several win", "Proof", "Action", "exit plain"}


@pytest.mark.skipif(not MECHANICS.exists(), reason="the list of mechanics is not in this checkout")
def test_they_cover_two_thirds_of_the_mechanics_that_other_environments_need() -> None:
    with MECHANICS.open(encoding="utf-8", newline="") as lines:
        names = [row["mechanic"] for row in csv.DictReader(lines, delimiter="\t")]
    heads = [mechanics(text(world)) for world in WORLDS]
    missing = [name for name in names if not any(name.lower() in head for head in heads)]
    assert len(names) - len(missing) >= len(names) * 2 / 3, missing


@pytest.mark.parametrize("world", WORLDS)
def test_who_has_a_name_is_told_of_without_an_article(world: str) -> None:
    machine = compilation(world).machine
    assert machine is not None
    wrong = [
        each.name
        for each in machine.objects
        if not each.proper and (TITLED.match(each.name) or each.name in NAMED)
    ]
    assert not wrong
