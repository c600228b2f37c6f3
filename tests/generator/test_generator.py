"""The generator: every world proven, equal bytes for equal seeds, dials kept, files whole.

The golden files are what twelve seeds give. They are written anew only where the environment
says WORLDENGINE_UPDATE_GOLDEN=1; then read the difference before it is kept.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from worldengine.compiler import compile, compile_source
from worldengine.generator import FAMILIES, Settings, SettingsError, generate, words
from worldengine.generator.expanding import Base
from worldengine.generator.themes import theme, theme_names
from worldengine.generator.writing import write
from worldengine.inputs import read
from worldengine.proof import check, replay
from worldengine.source import Source
from worldengine.syntax import format_document, parse

GOLDEN = Path(__file__).parent / "golden"
SAMPLES: dict[str, tuple[int, Settings]] = {
    "mixed_short": (1, Settings(plan=(5, 10))),
    "mixed_middle": (2, Settings(plan=(20, 30))),
    "mixed_long": (3, Settings(plan=(50, 60), mistakes=2)),
    "mixed_plain": (4, Settings(plan=(12, 24), mistakes=0, distractors=0)),
    "household_heat": (5, Settings(family="household", task="heat", plan=(5, 15))),
    "household_chain": (6, Settings(family="household", plan=(25, 40))),
    "science": (7, Settings(family="science", plan=(15, 40))),
    "grid": (8, Settings(family="grid", plan=(15, 30))),
    "planning_blocks": (9, Settings(family="planning", task="blocks", plan=(5, 12))),
    "planning_logistics": (10, Settings(family="planning", task="logistics", plan=(5, 25))),
    "adventure": (11, Settings(family="adventure", plan=(20, 40))),
    "retrieval": (12, Settings(family="retrieval", plan=(6, 20))),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_seed_gives_the_same_world_as_ever(name: str) -> None:
    made = generate(*SAMPLES[name])
    path = GOLDEN / f"{name}.world"
    if os.environ.get("WORLDENGINE_UPDATE_GOLDEN") == "1":
        path.write_text(made.text, encoding="utf-8", newline="\n")
    assert made.text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_golden_world_is_canonical_clean_and_won_word_for_word(name: str) -> None:
    source = read(GOLDEN / f"{name}.world").source
    tree, _ = parse(source)
    assert tree is not None and format_document(tree) == source.text
    compilation = compile_source(source)
    machine = compilation.machine
    assert machine is not None
    assert not [item for item in compilation.diagnostics if item.severity != "note"]
    for variant in range(len(machine.variants)):
        played = [replay(machine, proof, variant) for proof in range(len(machine.proofs))]
        assert any(each.won and not each.dropped for each in played)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_the_checker_finds_nothing_to_warn_of(name: str) -> None:
    from worldengine.modelcheck.budget import Budget
    from worldengine.modelcheck.telling.report import check_file

    report = check_file(GOLDEN / f"{name}.world", Budget(seconds=10), strict=True)
    assert report.ok, [item.message for item in report.diagnostics]


@pytest.mark.parametrize("family", FAMILIES)
def test_seeds_of_a_family_are_proven_and_within_their_dials(family: str) -> None:
    for seed in range(100, 104):
        made = generate(seed, Settings(family=family, plan=(5, 30)))
        machine = compile(made.text)
        assert 5 <= made.plan_length <= 30
        assert check(machine).won == len(machine.variants)
        assert made.mistakes == sum(rule.kind == "lose" for rule in machine.rules)
        assert made.mechanics


def test_a_task_can_be_asked_for() -> None:
    for family, item in FAMILIES.items():
        for task in item.tasks:
            made = generate(1, Settings(family=family, task=task, plan=(3, 60)))
            assert made.family == family


def test_mistakes_and_distractors_are_dials() -> None:
    for mistakes in (0, 2):
        made = generate(5, Settings(plan=(15, 40), mistakes=mistakes))
        assert made.mistakes == mistakes
    made = generate(6, Settings(plan=(10, 30), distractors=0))
    assert made.distractors == 0


@pytest.mark.parametrize(
    "settings",
    [
        {"plan": (1, 5)},
        {"plan": (30, 10)},
        {"places": 99},
        {"mistakes": 9},
        {"distractors": -1},
    ],
)
def test_dials_that_no_world_has_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(SettingsError):
        Settings(**settings)  # type: ignore[arg-type]


def test_what_is_not_there_is_refused_by_name() -> None:
    for settings, word in (
        (Settings(family="nosuch"), "nosuch"),
        (Settings(family="household", task="nosuch"), "nosuch"),
        (Settings(theme="nosuch"), "nosuch"),
        (Settings(family="grid", theme="nosuch"), "nosuch"),
        (Settings(family="grid", theme=theme_names()[0]), "its own"),
        (Settings(family="planning", task="lights", plan=(50, 60)), "50"),
    ):
        with pytest.raises(SettingsError, match=word):
            generate(1, settings)


def test_equal_seeds_give_equal_bytes_whatever_the_hash_seed() -> None:
    code = (
        "from worldengine.generator import *; import hashlib; "
        "print([hashlib.sha256(generate(3, Settings(family=f, plan=(5, 30))).text.encode())"
        ".hexdigest() for f in FAMILIES])"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_every_theme_has_the_words_that_every_world_needs() -> None:
    needed = {"titles", "personas", "intros", "timeouts", "endings", "places", "doors", "keys"}
    for name in theme_names():
        words = theme(name).words
        assert needed <= set(words)
        shown = [entry[0] for entry in words["places"]]
        assert len(set(shown)) == len(shown) >= 16


# --- words ----------------------------------------------------------------------------------

ONE_THING = {
    "loose lens", "mounted lens", "polar axis", "portcullis", "star atlas", "thermos of broth",
}  # fmt: skip
"""Names that end in an s although they name one thing."""
NO_THINGS = {
    "candles", "centimetres", "chain the books", "counts", "degrees", "eels", "file the plates",
    "gallons", "hands", "inches", "knots", "pecks", "souls", "tenths", "units",
}  # fmt: skip
"""Units and commands that stand in the lists."""
NO_NAMES = {
    "titles", "personas", "intros", "timeouts", "endings", "details", "remarks", "weather", "coin",
    "places", "passwords", "people", "topics", "strays", "lurkers", "mysteries", "codenotes",
    "cluenotes", "hidingnotes", "wordnotes", "ritenotes",
}  # fmt: skip
"""Lists of sentences, of persons and of words."""


def names_of_things() -> list[str]:
    """Every name of a thing in the word lists of all themes: what is no sentence."""

    def walk(entry: object) -> Iterator[str]:
        if isinstance(entry, list):
            for part in entry:
                yield from walk(part)
        elif isinstance(entry, str) and entry[:1].islower() and not entry.endswith((".", "!")):
            yield entry

    lists = [
        (name, words)
        for shown in theme_names()
        for name, words in theme(shown).words.items()
        if name not in NO_NAMES
    ]
    return [found for _, words in lists for found in walk(words)]


def test_things_named_in_the_plural_are_declared_so() -> None:
    known = set(names_of_things())
    ends = re.compile(r" (?:of|in|with|from|on|for|to|without|shaped|tied)\b")
    heads = {name: ends.split(name)[0] for name in known}
    several = {
        name
        for name, head in heads.items()
        if re.search(r"[^su]s$|dice$", head) and not head.endswith("'s")
    }
    assert several - words.PLURAL == ONE_THING | NO_THINGS
    assert words.PLURAL - known == {"soap suds"}, "the science family's"
    assert not known & words.MASS


# --- folders --------------------------------------------------------------------------------


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_folder_gone_on_with_is_the_folder_made_at_once(tmp_path: Path) -> None:
    settings = Settings(family="planning", plan=(5, 12))
    write(tmp_path / "whole", settings, instances=6, seed=4)
    write(tmp_path / "parts", settings, instances=2, seed=4)
    index = tmp_path / "parts" / "worlds.jsonl"
    index.write_bytes(index.read_bytes() + b'{"file": "torn')
    write(tmp_path / "parts", settings, instances=6, seed=4, resume=True)
    assert files(tmp_path / "whole") == files(tmp_path / "parts")


def test_worlds_of_equal_structure_are_written_once(tmp_path: Path) -> None:
    settings = Settings(family="planning", task="crossing", mistakes=1, distractors=0, plan=(5, 9))
    written = write(tmp_path / "out", settings, instances=12, seed=0)
    assert written.reasons["duplicate"] > 0  # else nothing is tried here
    lines = [json.loads(line) for line in (tmp_path / "out" / "worlds.jsonl").open()]
    kept = [line for line in lines if line["kept"]]
    assert len({line["structure"] for line in kept}) == len(kept) == written.kept == 12
    found = sorted((tmp_path / "out").glob("*.world"))
    machines = [compile_source(read(path).source).machine for path in found]
    hashes = {machine.hash for machine in machines if machine is not None}
    assert hashes == {line["hash"] for line in kept}
    assert len(hashes) == len(found) == 12


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(SettingsError, match="not empty"):
        write(tmp_path, Settings(), instances=1)
    write(tmp_path / "out", Settings(family="planning"), instances=1)
    with pytest.raises(SettingsError, match="--resume"):
        write(tmp_path / "out", Settings(family="planning"), instances=1)
    with pytest.raises(SettingsError, match="other dials"):
        write(tmp_path / "out", Settings(family="grid"), instances=1, resume=True)


# --- instances of one world -------------------------------------------------------------------


def test_instances_of_a_world_are_proven_and_differ() -> None:
    text = (GOLDEN / "mixed_plain.world").read_text(encoding="utf-8")
    base = Base(Source("base.world", text))
    found = [item for number in range(6) if (item := base.instance(1, number)) is not None]
    assert len(found) >= 3
    assert len({item.text for item in found}) == len(found)
    for item in found:
        assert check(item.machine).won == len(item.machine.variants)
        assert item.changes
    again = Base(Source("base.world", text)).instance(1, 0)
    first = base.instance(1, 0)
    assert (again.text if again else None) == (first.text if first else None)


def test_what_cannot_be_expanded_says_why() -> None:
    with pytest.raises(SettingsError, match="does not compile"):
        Base(Source("broken.world", "world w {"))
    with pytest.raises(SettingsError, match="nosuch"):
        Base(Source("base.world", "world w {"), ["nosuch"])
