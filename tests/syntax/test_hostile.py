"""Whatever comes in, `parse` answers soon, with a diagnostic or a document, and never raises."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from worldengine.diagnostics import Diagnostic, render_terminal, to_json
from worldengine.source import Source
from worldengine.syntax import parse, words
from worldengine.syntax.limits import MAX_DIAGNOSTICS

HEADER = 'world w "W" { goal "g" }\n'
MIB = 1 << 20
KEYS = "id severity file line column end_line end_column message hint"
SIGNS = "{ } ( ) , ; : = == .. . | ? + - * / % < <= -> => := && || ! [ ] # ' “ ” ``` // \n"

HOSTILE = {
    "ten megabytes": ("x" * (10 * MIB), "syntax-too-big"),
    "one mebibyte of wide letters": ("漢" * (MIB // 2), "syntax-too-big"),
    "nul": ("world w \x00", "syntax-control-character"),
    "escape": ('world w "\x1b[31m"', "syntax-control-character"),
    "carriage return alone": ("world w\r", "syntax-control-character"),
    "line separator": ('world w "a\u2028b"', "syntax-control-character"),
    "emoji": ("🗝️ 🚪", "syntax-"),
    "right to left": ("עולם قصة", "syntax-"),
    "combining marks": ("a" + "\u0301" * 5000, "syntax-"),
    "lone surrogate": ("world \ud800", "syntax-"),
    "open braces": ("{" * 40, "syntax-"),
    "closing braces": ("}" * 40_000, "syntax-unbalanced-brace"),
    "depth 500": (HEADER + "derive d = " + "(" * 500 + "a" + ")" * 500, "syntax-too-deep"),
    "depth 100000": (HEADER + "derive d = " + "(" * 100_000, "syntax-too-deep"),
    "many nots": (HEADER + "derive d = " + "not " * 50_000 + "a", "syntax-too-deep"),
    "many dots": (HEADER + "derive d = a" + ".b" * 50_000, "syntax-too-deep"),
    "many sums": (HEADER + "derive d = a" + " + b" * 30_000, "syntax-too-deep"),
    "deep insertion": (HEADER + 'derive d = "{' + "(" * 500 + 'a}"', "syntax-too-deep"),
    "many open ifs": (HEADER + 'derive d = "' + "{if a}" * 20_000 + '"', "text-"),
    "many open braces in a text": (HEADER + 'derive d = "' + "{" * 100_000 + '"', "text-"),
    "a huge number": (HEADER + "fact a : 0.." + "9" * 100_000, "syntax-number-too-big"),
    "a huge name": (HEADER + "fact " + "a" * 500_000 + " !", "syntax-"),
    "junk": ("%$ §" * 200_000, "syntax-"),
    "quotes": ('"' * 100_001, "syntax-"),
    "single quotes": ("'" * 100_000, "syntax-"),
    "backslashes": (HEADER + 'fact "' + "\\" * 200_000, "syntax-"),
    "slashes": ("/" * 500_000 + "\n{", "syntax-"),
    "words": ("wrod " * 200_000, "syntax-"),
    "lines of words": ("wrod wrod wrod wrod\n" * 50_000, "syntax-"),
    "broken items": (HEADER + "actoin a(p: x) { }\n" * 30_000, "syntax-keyword-misspelt"),
    "broken statements": (HEADER + "rule r {" + " set x == 1\n" * 40_000 + "}", "syntax-"),
    "fences": ("```\n" * 100_000, "syntax-"),
    "unclosed items": (HEADER + "action a {\n" * 15, "syntax-"),
}


@pytest.fixture(autouse=True, scope="module")
def warm() -> None:
    parse(Source("warm", HEADER))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_is_answered_within_a_second(name: str) -> None:
    text, expected = HOSTILE[name]
    source = Source("hostile", text)
    started = time.process_time()
    document, diagnostics = parse(source)
    elapsed = time.process_time() - started
    assert document is None
    assert 0 < len(diagnostics) <= MAX_DIAGNOSTICS
    assert any(item.id.startswith(expected) for item in diagnostics), diagnostics[0].id
    well_formed(diagnostics)
    assert elapsed < 1.0


def well_formed(diagnostics: tuple[Diagnostic, ...]) -> None:
    for item in diagnostics:
        assert 0 <= item.span.start <= item.span.end <= len(item.span.source.text)
        assert item.severity == "error" and item.message
        assert not any(token in item.message for token in ("LBRACE", "RPAR", "__ANON", "$END"))
        assert " ".join(to_json(item)) == KEYS
    shown = render_terminal(diagnostics)
    dangerous = {unicodedata.category(c) for c in shown if c not in "\n\u200d"}
    assert not dangerous & {"Cc", "Cf", "Cs", "Zl", "Zp"}


FRAGMENTS = [
    *words.KEYWORDS,
    *SIGNS.split(" "),
    *[
        '"text"',
        '"{x}"',
        '"{if a}b{end}"',
        '"{',
        '"',
        "a",
        "lamp",
        "Lamp",
        "brass-key",
        "7",
        "0..9",
    ],
    "\n",
]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=40), st.booleans())
def test_word_salad_never_raises(fragments: list[str], header: bool) -> None:
    text = (HEADER if header else "") + " ".join(fragments)
    document, diagnostics = parse(Source("salad", text))
    assert (document is None) == bool(diagnostics)
    well_formed(diagnostics)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_characters_never_raise(text: str) -> None:
    well_formed(parse(Source("characters", text))[1])
    well_formed(parse(Source("string", f'{HEADER}derive d = "{text}"'))[1])


def test_byte_order_mark_and_windows_lines_are_fine() -> None:
    text = '\ufeffworld w "W" {\r\n  goal "g"\r\n}\r\n// done\r\nfact a\r\n'
    document, diagnostics = parse(Source("windows", text))
    assert diagnostics == () and document is not None
    assert document.items[0].span.text == "fact a"
    assert document.comments[0].text == "done"


def test_a_library_has_no_header() -> None:
    assert parse(Source("library", "fact a"), library=True)[1] == ()
    document, diagnostics = parse(Source("library", HEADER), library=True)
    assert document is None and diagnostics[0].id == "syntax-header-in-library"
