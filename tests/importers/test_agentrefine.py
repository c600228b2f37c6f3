"""AgentRefine's scripts and JSON of other makers become skeletons that say what they lack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.corpus import CORPUS, identity, needs_corpus
from worldengine.compiler import Compilation, compile_source
from worldengine.diagnostics import render_terminal
from worldengine.importers.agentrefine import import_agentrefine
from worldengine.source import Source

UNIX = {
    "Environment": {
        "home": {
            "user": {
                "documents": {"info.txt": {"content": "The password is swordfish."}},
                "config.cfg": {"editable": True, "size": 12},
            },
        },
        "etc": {"hosts": {}},
        "Player": {"location": "home", "inventory": ["notebook"], "patience": 3},
    },
    "Goal": "Change to the documents directory and read info.txt.",
    "Completion Conditions": ["The player is in documents.", "info.txt was printed."],
    "Available Actions": {
        "cd {path}": {
            "verification code": r"^\s*cd\s+(.*?)\s*$",
            "parameters": {"path": ["home", "user", "documents", ".."]},
        },
        "ls": {"verification code": r"^\s*ls\s*$", "parameters": {}},
        "cat {file}": {
            "verification code": r"^\s*cat\s+(?=\S)(.*?)\s*$",
            "parameters": {"file": ["info.txt", "config.cfg"]},
        },
        "wait {turns}": {"parameters": {"turns": ["1", "2", "3"]}},
    },
}
"""In the shape of the paper's figure."""


def compiled(text: str) -> tuple[str, Compilation]:
    found = import_agentrefine(Source("script.json", text), "unix")
    assert found.text is not None, render_terminal(found.diagnostics)
    return found.text, compile_source(Source("unix.world", found.text))


def holes(compilation: Compilation) -> list[str]:
    return [item.message for item in compilation.diagnostics if item.id == "hole"]


def test_the_unix_script() -> None:
    text, compilation = compiled(json.dumps(UNIX))
    machine = compilation.machine
    assert machine is not None, render_terminal(compilation.diagnostics)
    state = machine.start()
    for command in ("cd documents", "cd ..", "  CD   home ", "cat info.txt", "ls", "wait 2"):
        assert machine.step(state, command).accepted, command
    assert machine.step(state, "cd nowhere at all").outcome_name == "parameter"
    assert machine.step(state, "wait 9").outcome_name == "parameter"
    assert "patience : 0..10 = 3" in text and 'thing notebook "notebook"' in text
    assert [item.name for item in machine.objects if item.role == "place"] == ["home", "etc"]


def test_what_is_missing_is_listed() -> None:
    _, compilation = compiled(json.dumps(UNIX))
    told = holes(compilation)
    assert sum("`cd {path}`" in words for words in told) == 2
    assert any("linear time" in words for words in told)
    assert any("places connect" in words for words in told)
    assert any(words.endswith("when: info.txt was printed.") for words in told)


def test_a_filled_hole_is_told_no_more() -> None:
    text, before = compiled(json.dumps(UNIX))
    lines = [line for line in text.splitlines() if "places connect" not in line]
    after = compile_source(Source("unix.world", "\n".join(lines)))
    assert len(holes(after)) == len(holes(before)) - 1


@pytest.mark.parametrize(
    "text, id",
    [
        ("", "json-invalid"),
        ("no JSON at all", "json-invalid"),
        ('{"Environment": {}', "json-invalid"),
        ('{"Environment": {}, "Available Actions": {}}', "json-no-actions"),
        ('{"recipes": {"cake": ["egg"]}}', "json-no-actions"),
        ("[" * 100_000, "json-too-deep"),
    ],
)
def test_refused_with_a_place(text: str, id: str) -> None:
    found = import_agentrefine(Source("script.json", text))
    assert found.text is None
    assert [item.id for item in found.diagnostics] == [id]


@pytest.mark.parametrize(
    "actions",
    [
        {"give {x} to {x}": {}, "": {}, "{a}{b}": {"parameters": {"a": ["1"], "b": []}}},
        {"say <what> [loudly]": {"parameters": [{"name": "what"}, {"name": "what"}]}},
        {"look": {}, "wait {x}": {"parameters": {"x": ["in", "if", "..", "é", "Player"]}}},
        ["plain words", "go {where}"],
    ],
)
def test_odd_actions_compile(actions: object) -> None:
    script = {"Completion Conditions": 3.5, "Available Actions": actions}
    _, compilation = compiled(json.dumps(script))
    assert compilation.machine is not None, render_terminal(compilation.diagnostics)


def test_fences_and_prose_are_forgiven() -> None:
    text = f"Here it is:\n```json\n{json.dumps(UNIX)}\n```\nI hope it helps."
    assert compiled(text)[1].machine is not None


JSON = CORPUS / "json_env"
WITH_ACTIONS = [
    *sorted(JSON.glob("autoenv/*/action_space.txt")),
    *sorted(JSON.glob("envscaler/*.jsonl")),
    *sorted(JSON.glob("llm-dm/prompts/*/action_model.json")),
    *sorted(JSON.glob("llm-dm/results/*/*/*.json")),
    *sorted(JSON.glob("agentgen/*.json")),
]


@needs_corpus
@pytest.mark.parametrize("path", WITH_ACTIONS, ids=identity)
def test_every_environment_with_actions(path: Path) -> None:
    found = import_agentrefine(Source(path.name, path.read_text(encoding="utf-8")))
    assert found.text is not None, render_terminal(found.diagnostics)
    compilation = compile_source(Source("imported.world", found.text))
    if any(item.id.startswith("budget") for item in compilation.diagnostics):
        return
    assert compilation.machine is not None, render_terminal(compilation.diagnostics)
    assert holes(compilation) or "agentgen" in path.parts
