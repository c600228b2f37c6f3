"""The formatter: reading what it wrote gives the same tree, and formatting again nothing new."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from tests.syntax import trees
from worldengine.source import Source
from worldengine.syntax import ast, format_document, parse

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


def read(text: str, library: bool = False) -> ast.Document:
    document, diagnostics = parse(Source("test", text), library)
    assert document is not None, (text, diagnostics)
    return document


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(trees.documents)
def test_any_tree_survives_print_and_parse(document: ast.Document) -> None:
    formatted = format_document(document)
    again = read(formatted)
    assert again == document
    assert format_document(again) == formatted


COMMENTED = """\
// before everything

// the header follows
world w "W" { // behind the brace
  goal "g" // behind the goal
  // before turns
  turns 9 // behind turns
} // behind the header


kind a { b : 0..9 = 1 // behind b
  // before c
  c : x | // within c
     y

  d = 2
  // last in a
}
derive lit = a and // within derive
  b
thing lamp "lamp" in hall { on = true } // behind lamp
action go { // head
  form "go" // behind form
  if a { say "x" } // behind if
  else { // in else
    say "y" } // behind say
  match a { // in match
    b { } // behind case
    else { } // behind else
  }
}
rule r { when a // behind when
  set b = 1 } // behind rule
fact one fact two // behind two
//
//// many slashes
// at the end"""


def test_comments_are_never_lost() -> None:
    document = read(COMMENTED)
    formatted = format_document(document)
    again = read(formatted)
    assert again == document
    assert [c.text for c in again.comments] == [c.text for c in document.comments]
    assert format_document(again) == formatted


def test_comments_stay_where_they_stood() -> None:
    formatted = format_document(read(COMMENTED)).splitlines()
    assert "fact two  // behind two" in formatted
    assert "  b : 0..9 = 1  // behind b" in formatted
    assert 'thing lamp "lamp" in hall { on = true }  // behind lamp' in formatted
    assert formatted[0] == "// before everything" and formatted[1] == ""
    assert formatted[-1] == "// at the end"


def test_empty_lines_are_kept_once() -> None:
    written = "fact a\n\n\n\nfact b\nfact c\n\n// c\n\nfact d\n"
    formatted = format_document(read(written, library=True))
    assert formatted == "fact a\n\nfact b\nfact c\n\n// c\n\nfact d\n"


def test_a_value_may_be_called_like_a_word() -> None:
    written = """\
rule r {
  match lamp.stage {
    stop { }
    start { say "It starts." }
    win { }
    (else) { }
  }
}
"""
    assert format_document(read(written, library=True)) == written


def test_canonical_form() -> None:
    written = """
    thing  jar 4 "jar" in store aka "pot" plural {   }
    player player "you" in hall {carries=3,mood:0..5=5;}
    action go() {form "go" ; say "on"}
    rule r{when a set b=-1}
    derive d()=x is not kind
    """
    assert format_document(read(written, library=True)).splitlines() == [
        'thing jar 4 "jar" plural aka "pot" in store',
        'player "you" in hall { carries = 3  mood : 0..5 = 5 }',
        "action go {",
        '  form "go"',
        '  say "on"',
        "}",
        "rule r { when a  set b = -1 }",
        "derive d = not x is kind",
    ]


def test_long_lines_are_broken() -> None:
    condition = " and ".join(f"lamp_{i}.lit == true" for i in range(12))
    formatted = format_document(read(f"derive all_lit = {condition}", library=True))
    assert max(map(len, formatted.splitlines())) <= 100
    assert formatted.count("\n") > 2
