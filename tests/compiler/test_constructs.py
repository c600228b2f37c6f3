"""Every clause of the language as a tiny world, played; and laws that hold of all of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.compiler.cases import FOLDER, PATHS, Play, machine_of
from worldengine.compiler import compile_source
from worldengine.machine.schema import State
from worldengine.machine.storage import from_json, to_json
from worldengine.machine.validate import validate
from worldengine.matching.forms import canonical_text
from worldengine.runtime import Runtime
from worldengine.source import Source
from worldengine.syntax import format_document, parse

each = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def test_there_are_many() -> None:
    assert len(PATHS) >= 150


@each
def test_it_plays_as_written(path: Path) -> None:
    Play(path).run()


@each
def test_it_is_sound_and_survives_storage_and_formatting(path: Path) -> None:
    machine = machine_of(path)
    validate(machine)
    assert from_json(to_json(machine)) == machine
    once = formatted(path.read_text(encoding="utf-8"))
    assert formatted(once) == once
    result = compile_source(Source(path.name, once))
    assert result.machine is not None
    assert result.machine.hash == machine.hash


def formatted(text: str) -> str:
    document, diagnostics = parse(Source("text", text))
    assert document is not None, diagnostics
    return format_document(document)


@each
def test_what_is_offered_is_what_is_accepted(path: Path) -> None:
    """Applicable commands parse back to their actions however they are typed, all other
    actions in scope are refused, and refusing changes nothing."""
    play = Play(path)
    play.run()
    for state in list(dict.fromkeys(play.visited))[:12]:
        check_state(play.runtime, state)


def check_state(runtime: Runtime, state: State) -> None:
    if runtime.status(state) != "running":
        assert runtime.applicable(state) == ()
        return
    applicable = dict(runtime.applicable(state))
    for operator, intervals in runtime.scoped(state):
        offered = applicable.get(operator, ())
        low, high = intervals[0] if intervals else (0, 0)
        for number in sorted({low, high, (low + high) // 2}):
            wanted = offered is None or any(a <= number <= b for a, b in offered)
            direct = runtime.act(state, operator, number)
            assert direct.accepted == wanted, direct
            assert wanted or direct.state == state
            for text in meanings(runtime, state, operator, number):
                answer = runtime.step(state, text)
                assert (answer.operator, answer.number) == (operator, number), (text, answer)
                assert answer.accepted == wanted and answer.state == direct.state, text
    for text in runtime.applicable_texts(state):
        if ".." not in text:
            assert runtime.step(state, text).accepted, text


def meanings(runtime: Runtime, state: State, operator: int, number: int) -> list[str]:
    """Ways to type an action: each form that means it here, in other clothes. (Another form
    or a namesake may rightly answer first; then the form is left out.)"""
    machine = runtime.machine
    schema = machine.schemas[machine.operators[operator].schema]
    found = []
    for form in range(len(schema.forms)):
        text = canonical_text(machine, operator, form, number)
        if runtime.step(state, text).operator != operator:
            continue
        found += [text, f"  {text.upper()} ", text.replace(" ", "   ")]
        found += with_articles(runtime, operator, form)
    return found


def with_articles(runtime: Runtime, operator: int, form: int) -> list[str]:
    """The same with an article before each object, where its name takes one."""
    machine = runtime.machine
    ground = machine.operators[operator]
    schema = machine.schemas[ground.schema]
    if any(item.type != "object" for item in schema.parameters) or not schema.parameters:
        return []
    text = ""
    for piece in schema.forms[form].template:
        if isinstance(piece, str):
            text += piece
            continue
        item = machine.objects[ground.arguments[piece]]
        plain = item.role == "thing" and not item.proper and not item.numbered
        text += ("the " if plain and text.endswith(" ") else "") + item.name
    return [text]


HASHES = """
import sys
from pathlib import Path
from worldengine.compiler import compile_source
from worldengine.source import Source
for path in sorted(Path(sys.argv[1]).glob("*.world")):
    machine = compile_source(Source(path.name, path.read_text(encoding="utf-8"))).machine
    print(path.stem, machine.hash)
"""


@pytest.mark.parametrize("seed", ["1", "77"])
def test_hashes_do_not_depend_on_the_process(seed: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", HASHES, str(FOLDER)],
        env={"PYTHONHASHSEED": seed, "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    found = dict(line.split() for line in answer.stdout.splitlines())
    assert found == {path.stem: machine_of(path).hash for path in PATHS}
