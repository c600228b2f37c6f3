"""The stored parse tables are those of the grammar, and parse as it does."""

from __future__ import annotations

import json

from worldengine import resources
from worldengine.syntax import tables

GRAMMAR = resources.read("grammars", "world.lark")


def test_stored_tables_are_in_step_with_the_grammar() -> None:
    stored = json.loads(resources.read("grammars", tables.NAME))
    assert stored["stamp"] == tables.stamp(GRAMMAR), "run: make grammar"


def test_a_changed_grammar_is_worked_out_anew() -> None:
    changed = GRAMMAR + "\n// one more comment\n"
    assert tables.stamp(changed) != tables.stamp(GRAMMAR)
    text = 'world w "W" { goal "g" }'
    assert tables.load(changed).parse(text, start="start") == tables.load(GRAMMAR).parse(
        text, start="start"
    )


def test_stored_and_built_parsers_agree_on_every_world() -> None:
    stored, built = tables.load(GRAMMAR), tables.build(GRAMMAR)
    for path in resources.shipped_worlds():
        text = path.read_text("utf-8")
        assert stored.parse(text, start="start") == built.parse(text, start="start"), path.name
