"""What was said, printed: sayings, lists, agreement, capitals, names of every script."""

from __future__ import annotations

import pytest

from tests.build_machine import Builder
from worldengine.machine.schema import NONE, UNDEFINED, Symbol
from worldengine.runtime.observation import Printer

b = Builder()
STATUS = b.integer("status", 0, 2, 0, role="status")
LAMP = b.object("lamp", "lamp")
SCISSORS = b.object("scissors", "scissors", plural=True)
BACKUP = b.object("backup", "backup.sh", proper=True)
PASS = b.object("pass", "the pass")
JAR = b.object("jar", "jar 2", numbered=True)
BOX = b.object("box", "box VR/1", proper=True)
STATION = b.object("station", "nurses' station", proper=True)
VIMRC = b.object("vimrc", ".vimrc", proper=True)
EMOJI = b.object("emoji", "\U0001f511 [0] \u94a5\u5319")
b.symbols.append(Symbol("in_flower", "in flower"))
b.strings.append("torn")

TYPES = ("symbol", "bool", "number", "text")
Parts = tuple[str | tuple[int, str, str], ...]


def printed(*sayings: tuple[str, Parts, tuple[int, ...]]) -> str:
    before = len(b.texts)
    indices = [b.text(*parts, kind=kind) for kind, parts, _ in sayings]
    printer = Printer(b.machine(STATUS))
    text = printer.print([(i, values) for i, (_, _, values) in zip(indices, sayings, strict=True)])
    del b.texts[before:]
    return text


def said(*parts: str | tuple[int, str, str], values: tuple[int, ...] = ()) -> str:
    return printed(("say", parts, values))


@pytest.mark.parametrize(
    ("thing", "sentence"),
    [
        (LAMP, "The lamp is here. You take it. The lamp looks old. A lamp, lamp."),
        (
            SCISSORS,
            "The scissors are here. You take them. The scissors look old. Some scissors, scissors.",
        ),
        (BACKUP, "backup.sh is here. You take it. backup.sh looks old. backup.sh, backup.sh."),
        (PASS, "The pass is here. You take it. The pass looks old. The pass, the pass."),
        (JAR, "Jar 2 is here. You take it. Jar 2 looks old. Jar 2, jar 2."),
        (NONE, "Nothing is here. You take it. Nothing looks old. Nothing, nothing."),
        (UNDEFINED, "Nothing is here. You take it. Nothing looks old. Nothing, nothing."),
    ],
)
def test_agreement(thing: int, sentence: str) -> None:
    o = "object"
    text = said(
        (0, o, "the"), " ", (0, o, "is"), " here. You take ", (0, o, "it"), ". ",
        (0, o, "The"), " look", (0, o, "s"), " old. ", (0, o, "a"), ", ", (0, o, ""), ".",
        values=(thing,),
    )  # fmt: skip
    assert text == sentence


def test_other_insertions() -> None:
    parts: Parts = (
        (0, "symbol", ""),
        ", ",
        (1, "bool", ""),
        ", ",
        (2, "number", ""),
        ", ",
        (3, "text", ""),
    )
    assert said(*parts, values=(0, 1, -3, 0)) == "In flower, yes, -3, torn"
    assert said((0, "bool", ""), " and ", (0, "bool", ""), values=(0,)) == "No and no"
    assert said((0, "text", ""), " it is.", values=(0,)) == "torn it is."
    assert said((0, "number", ""), values=(UNDEFINED,)) == "Nothing"


def test_what_the_author_wrote_stays() -> None:
    assert said("ls: done. ok") == "ls: done. ok"
    assert said("v1.", (0, "object", ""), values=(LAMP,)) == "v1.lamp"
    assert said('He says: "', (0, "object", "the"), '!"', values=(LAMP,)) == 'He says: "the lamp!"'
    assert said("Yes. (", (0, "object", "a"), ")", values=(LAMP,)) == "Yes. (A lamp)"


@pytest.mark.parametrize(
    ("thing", "name"),
    [(BOX, "Box VR/1"), (STATION, "Nurses' station"), (BACKUP, "backup.sh"), (VIMRC, ".vimrc")],
)
def test_a_name_that_begins_with_a_plain_word_is_raised(thing: int, name: str) -> None:
    assert said((0, "object", ""), " is closed.", values=(thing,)) == f"{name} is closed."


def test_lists() -> None:
    item: Parts = ((0, "object", "a"),)

    def listed(*things: int) -> str:
        return printed(
            ("say", ("You see ",), ()),
            ("list", (), ()),
            *(("item", item, (thing,)) for thing in things),
            ("end", (), ()),
            ("more", (".",), ()),
        )

    assert listed() == "You see nothing."
    assert listed(LAMP) == "You see a lamp."
    assert listed(LAMP, SCISSORS) == "You see a lamp and some scissors."
    assert listed(LAMP, BACKUP, JAR) == "You see a lamp, backup.sh and jar 2."


def test_a_list_may_begin_a_sentence() -> None:
    item: Parts = ((0, "object", "a"),)
    begin, end = ("say", (), ()), ("end", (), ())
    opened = ("list", (), ())
    rest = ("more", (" lie here.",), ())
    text = printed(begin, opened, ("item", item, (LAMP,)), ("item", item, (PASS,)), end, rest)
    assert text == "A lamp and the pass lie here."
    assert printed(begin, opened, end, rest) == "Nothing lie here."


def test_lists_within_lists_and_conditional_pieces() -> None:
    text = printed(
        ("say", ("Shelf: ",), ()),
        ("list", (), ()),
        ("item", ((0, "object", "a"),), (LAMP,)),
        ("more", (" (holding ",), ()),
        ("list", (), ()),
        ("item", ((0, "object", ""),), (JAR,)),
        ("item", ((0, "object", ""),), (BACKUP,)),
        ("end", (), ()),
        ("more", (")",), ()),
        ("item", ((0, "object", "a"),), (SCISSORS,)),
        ("end", (), ()),
        ("more", (".",), ()),
    )
    assert text == "Shelf: a lamp (holding jar 2 and backup.sh) and some scissors."


def test_sayings_are_lines_and_empty_ones_are_dropped() -> None:
    assert (
        printed(("say", ("One. ",), ()), ("say", ("  ",), ()), ("say", ("Two.",), ()))
        == "One.\nTwo."
    )


def test_nothing_is_markup() -> None:
    assert said("[b] ", (0, "object", "the"), " [/]", values=(EMOJI,)) == (
        "[b] the \U0001f511 [0] \u94a5\u5319 [/]"
    )
