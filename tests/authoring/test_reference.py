"""The page that authors are given: its pieces are one world, and it is short."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from worldengine.authoring import reference
from worldengine.compiler import compile_source
from worldengine.compiler.library import VERBS, library_file
from worldengine.modelcheck.budget import Budget
from worldengine.modelcheck.telling.report import judged
from worldengine.modelcheck.verdicts.decide import decide
from worldengine.source import Source
from worldengine.syntax import ast
from worldengine.syntax.words import CLASSES, ITEM_WORDS, PART_WORDS, SCOPES

PAGES = {"page": reference.page, "guide": reference.guide}


@pytest.mark.parametrize("name", PAGES)
def test_the_pieces_are_a_world_that_is_won_without_a_warning(name: str) -> None:
    source = Source(name, reference.example(PAGES[name]()))
    compilation = compile_source(source)
    assert compilation.machine is not None, compilation.diagnostics
    verdict = decide(compilation.machine, Budget())
    assert verdict.status == "winnable"
    assert all(each.by == "proof" for each in verdict.variants)
    assert not [*compilation.diagnostics, *judged(compilation.machine, verdict, source)]


def test_the_page_fits_a_small_prompt() -> None:
    """At most 2,500 tokens. A byte-pair encoding of cl100k's size needs 1.63 tokens a word of
    this page (measured); 1.65 is the bound where no such encoding is at hand."""
    assert len(reference.page().split()) * 1.65 <= 2550


@pytest.mark.parametrize("name", PAGES)
def test_every_word_of_the_language_is_shown(name: str) -> None:
    words = set(re.findall(r"[a-z_]+", PAGES[name]()))
    left_out = {"page": {"regex"}, "guide": set()}[name]
    assert {*ITEM_WORDS, *PART_WORDS, *SCOPES, *CLASSES} - words == left_out


def test_the_guide_in_docs_is_the_one_that_is_printed() -> None:
    """`worldengine reference --long > docs/language.md` writes it anew."""
    docs = Path(__file__).resolve().parents[2] / "docs" / "language.md"
    assert docs.read_text("utf-8") == reference.guide().rstrip("\n") + "\n"


def test_every_ready_made_action_is_named() -> None:
    page = reference.page()
    for verb in ("always", *VERBS):
        for item in library_file(verb).items:
            if isinstance(item, ast.Action):
                name = item.name.text
                assert f"`{name}`" in page or re.search(rf"[:,] {name}\b", page), name


def test_a_rule_that_is_not_there_is_named() -> None:
    with pytest.raises(KeyError, match="no rule called nonsense"):
        reference.grammar_rule("nonsense")
