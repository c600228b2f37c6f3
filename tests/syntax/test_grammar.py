"""The grammar itself: strict for lark, portable for llguidance, its words listed by hand."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import pytest
from lark import Lark, UnexpectedInput

from worldengine import resources
from worldengine.source import Source
from worldengine.syntax import format_document, grammar, parse, words

llguidance = pytest.importorskip("llguidance", reason="llguidance is an extra")

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "corpus" / "authored"
GRAMMAR = resources.read("grammars", "world.lark")

EVERYTHING = """\
world w "W" { turns 9, goal "g"; timeout "t" persona "p" intro "i" }
use a, b
enum os : a "A" | b
kind k is thing, device { in : place? = none, start : bool text : text = "x"; n : -12 .. 4 = -1
  on : a "A" | b describe "d" when on exit out to hall through hatch when x else "no" }
thing jar 4 "jar" aka "b", "c" plural in store proper
place hall "hall" { } door d "d"
player player "you" in hall { carries = 3 left = (1 + 2) }
fact f(a: person, b: x | y "Y", n: 1..9) : 0..3 = 0 fact signed fact g : bool = true
derive d(p: plant) = not p.a -1 > -3 * (2 + p.b) % 2 and prior(x).in.b == next(x.a) or false
derive e : 0..99 = sum(r: receipt where r.ok of r.amount) - -min(r: receipt of 1) / 2
derive view : text = "{the x} {if x in {a, b}}y{end}"
start { set f(a) = 1 }
vary a.in among x, y vary (a.in, b.tag) among (x, "t"), (y, "s")
action go(p: thing here, n: -1..99, q: a | b) { form "go" regex "^a\\\\s(.*)$" ; require x is thing
  require x not in {a, b} else "t" require x.in == player else place "u" ; set p.a += 2
  if a { } else if b { remove x } else { say "s" } match a, b { c, d { } e, -1 { } else { } }
  each j: jar where j.open { set j.open = all(x: k where x.on) } }
before take(x: thing) { require y else logic "n" } after wait { say "w" }
rule r once { when count(x: k) > 1 say "x" } rule s { set f(x, y) -= player.used -1 }
milestone m "m" when x.start win when a say "b" lose when c proof "a", "b" proof "c"
"""


@cache
def matcher() -> object:
    class Bytes:
        """A vocabulary of bytes is enough to ask what the grammar takes."""

        eos_token_id = bos_token_id = 256
        tokens: ClassVar = [bytes([i]) for i in range(256)] + [b"<end>"]
        special_token_ids: ClassVar = [256]

        def __call__(self, text: bytes | str) -> list[int]:
            return list(text.encode("utf-8") if isinstance(text, str) else text)

    from llguidance import LLTokenizer, TokenizerWrapper

    return LLTokenizer(TokenizerWrapper(Bytes()))


@cache
def compiled() -> Any:
    return llguidance.LLMatcher(
        matcher(), llguidance.LLMatcher.grammar_from_lark(GRAMMAR), log_level=0
    )


def decoder_takes(text: str) -> bool:
    constrained = compiled().deep_copy()
    data = list(text.encode("utf-8"))
    return bool(constrained.try_consume_tokens(data) == len(data) and constrained.is_accepting())


def lark_takes(text: str) -> bool:
    try:
        grammar.load().parse(text, start="start")
    except UnexpectedInput:
        return False
    return True


def whole_scripts() -> list[str]:
    scripts = [EVERYTHING.strip()]
    for path in sorted(FOLDER.glob("*.world")):
        text = path.read_text(encoding="utf-8")
        document, _ = parse(Source(path.name, text))
        assert document is not None
        scripts.append(text[document.header.span.start :] if document.header else text)
        scripts.append(format_document(document).split("\nworld ", 1)[-1])
    return [s if s.startswith("world ") else "world " + s for s in scripts]


def broken_scripts() -> list[str]:
    """Each token of one script left out, doubled, or swapped with the next."""
    tokens = re.findall(r'"(?:[^"\\\n]|\\.)*"|\w+|[^\w\s"]+|\s+', EVERYTHING)
    solid = [i for i, token in enumerate(tokens) if token.strip()]
    broken = []
    for here, following in pairwise(solid):
        head, tail = tokens[:here], tokens[here + 1 :]
        broken.append("".join(head + tail))
        broken.append("".join([*head, tokens[here], " ", tokens[here], *tail]))
        swapped = tokens[:]
        swapped[here], swapped[following] = tokens[following], tokens[here]
        broken.append("".join(swapped))
    return broken


def test_strict_lark_finds_no_conflict() -> None:
    pytest.importorskip("interegular")
    Lark(GRAMMAR, parser="lalr", lexer="contextual", start=["start", "insertion"], strict=True)


def test_portable_subset() -> None:
    rules = re.sub(r"//[^\n]*|/(?:[^/\\\n]|\\.)+/", "", GRAMMAR)
    assert "'" not in rules and "%declare" not in rules and "%import" not in rules
    assert not re.search(r"^[A-Z_]+\.\d", rules, re.M), "no priorities"
    assert not re.search(r"\w\{", rules), "no templates"
    assert "(?" not in GRAMMAR, "no look-around and no named groups"


def test_all_constructs_are_read() -> None:
    document, diagnostics = parse(Source("everything", EVERYTHING))
    assert diagnostics == () and document is not None
    assert len(document.items) == 26
    formatted = format_document(document)
    again, _ = parse(Source("everything", formatted))
    assert again == document and format_document(again) == formatted


def test_words_are_those_of_the_grammar() -> None:
    known = set(words.KEYWORDS) | {"any", "all", "count", "sum", "min", "max", *words.SCOPES}
    known |= set(words.CLASSES)
    written = set(re.findall(r'"([a-z_]+)"', GRAMMAR))
    assert written == known


def test_decoder_takes_all_that_lark_takes() -> None:
    for text in whole_scripts():
        assert lark_takes(text)
        assert decoder_takes(text), text[:60]


def test_decoder_takes_little_more() -> None:
    """What only the decoder takes is a word of the language used as a name, nothing else."""
    surplus = 0
    for text in broken_scripts()[::4]:
        ours, theirs = lark_takes(text), decoder_takes(text)
        assert theirs or not ours, text
        if theirs and not ours:
            surplus += 1
            assert reads_with_words_as_names(text), text
    assert surplus < len(broken_scripts()) // 40


@cache
def without_words() -> Lark:
    """The same grammar where a word may also be a name: an ambiguous one, for Earley."""
    return Lark(GRAMMAR, parser="earley", lexer="dynamic", start="start", ambiguity="resolve")


def reads_with_words_as_names(text: str) -> bool:
    try:
        without_words().parse(text)
    except UnexpectedInput:
        return False
    return True
