"""Every script in the folder of authored worlds is read without a complaint and kept by the
formatter with all its comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldengine.source import Source
from worldengine.syntax import format_document, parse

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "corpus" / "authored"
SCRIPTS = sorted(FOLDER.glob("*.world"))
PARAMETERS: list[Path | None] = [*SCRIPTS] or [None]


@pytest.fixture(params=PARAMETERS, ids=lambda path: path.stem if path else "none")
def script(request: pytest.FixtureRequest) -> Source:
    if request.param is None:
        pytest.skip("the authored scripts are not on this machine")
    return Source(request.param.name, request.param.read_text(encoding="utf-8"))


def test_read_without_complaint(script: Source) -> None:
    document, diagnostics = parse(script)
    assert diagnostics == ()
    assert document is not None and document.header is not None


def test_formatting_keeps_tree_and_comments(script: Source) -> None:
    document, _ = parse(script)
    assert document is not None
    formatted = format_document(document)
    again, diagnostics = parse(Source("formatted", formatted))
    assert diagnostics == () and again == document
    assert [c.text for c in again.comments] == [c.text for c in document.comments]
    assert format_document(again) == formatted


def test_spans_cover_what_was_written(script: Source) -> None:
    document, _ = parse(script)
    assert document is not None
    previous = 0
    for item in document.items:
        assert previous <= item.span.start < item.span.end <= len(script.text)
        assert not item.span.text[0].isspace() and not item.span.text[-1].isspace()
        previous = item.span.end
