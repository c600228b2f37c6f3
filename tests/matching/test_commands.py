"""Which form answers, who is meant, and what a refusal says and does not say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.build_machine import Builder, form, lamp_world, parameter, put, step
from worldengine.machine.schema import NONE, PARAMETER, PLACE, Machine
from worldengine.matching import Matcher, Misunderstood, Understood
from worldengine.matching.conflicts import conflicts
from worldengine.matching.patterns import expansions

LAMP = lamp_world()
MATCHER = Matcher(LAMP)
EVERYTHING = MATCHER.operators


def everywhere(word: str, index: int) -> bool:
    return True


def only(*names: str) -> set[int]:
    return {index for index, item in enumerate(LAMP.objects) if item.id in names}


def answer(text: str, *in_reach: str, held: tuple[str, ...] = ()) -> Understood | Misunderstood:
    here, carried = only(*in_reach), only(*held)

    def in_scope(word: str, index: int) -> bool:
        if word == "held":
            return index in carried
        if word == "here":
            return index in here
        return index in here | carried

    return MATCHER.answer(text, in_scope)


def words(text: str, *in_reach: str, held: tuple[str, ...] = ()) -> str:
    refused = answer(text, *in_reach, held=held)
    assert isinstance(refused, Misunderstood)
    return refused.words


@pytest.mark.parametrize("operator", range(len(LAMP.operators)))
def test_canonical_commands_come_back(operator: int) -> None:
    text = MATCHER.canonical(operator, 5)
    number = 5 if text.startswith("dial") else 0
    for typed in (text, text.upper(), f"  {text.title()}  ", text.replace(" ", "   "), text + "."):
        assert MATCHER.answer(typed, everywhere) == (operator, number)


@pytest.mark.parametrize("article", ["the", "a", "an", "some", "my", "The"])
def test_articles_are_ignored(article: str) -> None:
    plain = MATCHER.answer("unlock door with red key", everywhere)
    assert plain == MATCHER.answer(f"unlock {article} door with {article} red key", everywhere)


def test_an_alias_is_resolved_by_scope() -> None:
    assert answer("take key", "red_key") == answer("take red key", "red_key")
    assert answer("take key", "blue_key") == answer("take blue key", "blue_key")
    assert words("take key", "red_key", "blue_key") == (
        "Which do you mean: the red key or the blue key? Try: take THING."
    )


def test_a_numbered_thing_answers_to_its_name_without_the_number() -> None:
    assert answer("take the jar", "jar_2") == answer("take jar 2", "jar_2")
    assert words("take jar").startswith("You see no jar here.")


def test_refusals_give_nothing_away() -> None:
    hidden, unknown = answer("take emerald"), answer("take zorblax")
    assert isinstance(hidden, Misunderstood)
    assert isinstance(unknown, Misunderstood)
    assert hidden.words == unknown.words.replace("zorblax", "emerald")
    assert hidden.template == unknown.template
    assert (hidden.refusal, unknown.refusal) == (PLACE, PARAMETER)
    assert hidden.scope == ("here", next(iter(only("gem"))))


def test_what_is_in_sight_is_told() -> None:
    assert words("drop lamp", "lamp") == "You are not holding the lamp."
    assert words("take lamp", held=("lamp",)) == "You are holding the lamp."
    assert words("light red key", "red_key").startswith("You cannot do that with the red key.")


def test_directions_are_words_everybody_knows() -> None:
    for text in ("go north", "north", "go up", "u", "northwest", "back", "go upstairs"):
        refused = answer(text)
        assert isinstance(refused, Misunderstood)
        assert refused.refusal == PLACE
        assert refused.words == f"You cannot go {text.removeprefix('go ')} from here."
    unknown = answer("go sideways")
    assert isinstance(unknown, Misunderstood)
    assert unknown.refusal == PARAMETER
    assert unknown.words == "You cannot go sideways from here. Try: go DIRECTION."


@pytest.mark.parametrize("number", ["0", "10", "-1", "123456789", "12345678901234567890", "five"])
def test_numbers_out_of_range_name_the_range(number: str) -> None:
    assert words(f"dial {number}") == "N must be a whole number from 1 to 9. Try: dial N."


@pytest.mark.parametrize("number", ["7", "+7", "007"])
def test_numbers_in_range(number: str) -> None:
    meant = MATCHER.answer(f"dial {number}", everywhere)
    assert isinstance(meant, Understood)
    assert meant.number == 7


@pytest.mark.parametrize(
    "text",
    [
        "take lamp then go north",
        "take lamp. go north",
        "take lamp; go north",
        "TAKE LAMP THEN GO NORTH",
        "take lamp, drop lamp",
        "take lamp and go north",
        "take lamp and north",
        "take lamp\ngo north",
        "take zork then take zork",
    ],
)
def test_several_commands_are_refused_as_such(text: str) -> None:
    refused = answer(text, "lamp")
    assert isinstance(refused, Misunderstood)
    assert refused.refusal == PARAMETER
    assert refused.words == "One command at a time, please. Try: take THING."


def test_several_things_are_refused_as_such() -> None:
    assert words("take lamp and red key", "lamp").startswith("One thing at a time, please.")


def test_unknown_verbs_get_a_suggestion() -> None:
    assert words("tkae lamp", "lamp").endswith("Try: take THING.")
    assert words("unlock door", "door").endswith("Try: unlock DOOR with KEY.")
    assert "xyzzy" in words("xyzzy")


@pytest.mark.parametrize("text", ["", "   ", "\u200b", "\x00", "x" * 1001, "take " * 400])
def test_empty_and_endless_texts_are_refused(text: str) -> None:
    refused = answer(text)
    assert isinstance(refused, Misunderstood)
    assert refused.refusal == PARAMETER
    assert refused.words.endswith("Try: look.")


def test_the_players_own_words_are_clipped_and_cleaned() -> None:
    said = words("take " + "z\x1b[31m" * 100)
    assert len(said) < 120
    assert "\x1b" not in said


PLAIN_PIECES = ("take", "drop", "lamp", "red", "key", "unlock", "the", "with", "dial", "7", "go")
JOINING_PIECES = ("and", "then", ",", ".", ";", "!", "\n", "north", "door")
ODD_PIECES = (
    "\ud800",
    "\x00",
    "\u202e",
    "\u94a5",
    "[0]",
    "[/]",
    "(",
    ")",
    "\\",
    "*",
    "+",
    "?",
    "{",
)
PIECES = st.sampled_from(PLAIN_PIECES + JOINING_PIECES + ODD_PIECES)


@given(st.one_of(st.text(st.characters(codec=None)), st.lists(PIECES).map(" ".join)))
def test_every_string_is_answered(text: str) -> None:
    for in_scope in (everywhere, lambda word, index: False):
        found = MATCHER.answer(text, in_scope)
        if isinstance(found, Misunderstood):
            assert found.refusal in (PARAMETER, PLACE)
            assert found.template
            if found.refusal == PARAMETER:
                assert found.words.endswith(f"Try: {found.template}.")


# -- own forms, literal forms, regular expressions, conflicts -------------------------------


def shop() -> Machine:
    """A world whose own `take BOOK` stands before the library's `take THING`."""
    b = Builder()
    status = b.integer("status", 0, 2, 0, role="status")
    book = b.object("book", "book")
    home = b.object("pass", "the pass", "card")
    card = b.object("card", "card")
    taken = b.text("Taken.")
    things = (book, home, card)
    take = b.schema("take", (parameter("x", things),), form("take ", 0), form("get ", 0), own=False)
    own = b.schema("borrow", (parameter("b", (book,)),), form("take ", 0), own=True)
    cat = b.schema(
        "cat",
        (parameter("f", (home, card)),),
        replace(form("cat ", 0), pattern=(), regex=r"^\s*(?:cat|less)\s+(.*?)\s*$"),
        own=True,
    )
    for item in things:
        b.operator(take, (item,), (), step(do=(put(status, 0),), say=taken))
    b.operator(own, (book,), (), step(say=taken))
    b.operator(cat, (home,), (), step(say=taken))
    b.operator(cat, (card,), (), step(say=taken))
    return b.machine(status)


def test_own_forms_win_for_what_they_accept() -> None:
    matcher = Matcher(shop())
    assert matcher.answer("take book", everywhere) == (3, 0)
    assert matcher.answer("take card", everywhere) == (2, 0)
    assert matcher.answer("get book", everywhere) == (0, 0)
    assert matcher.canonical(0) == "get book"
    assert matcher.canonical(3) == "take book"


def test_a_printed_name_is_preferred_to_an_alias() -> None:
    matcher = Matcher(shop())
    assert matcher.answer("take the pass", everywhere) == (1, 0)
    assert matcher.answer("take pass", everywhere) == (1, 0)
    assert matcher.answer("take card", everywhere) == (2, 0)


def test_an_authors_regular_expression() -> None:
    matcher = Matcher(shop())
    assert matcher.answer("LESS  the pass", everywhere) == (4, 0)
    refused = matcher.answer("cat x.txt", everywhere)
    assert isinstance(refused, Misunderstood)
    assert refused.words == "You see no x.txt here. Try: cat F."


def test_forms_that_clash_are_found() -> None:
    machine = shop()
    assert not conflicts(machine)
    other = replace(machine.schemas[1], name="other")
    clashing = replace(machine, schemas=(*machine.schemas, other))
    found = conflicts(clashing)
    assert [(c.first, c.second, c.command) for c in found] == [((1, 0), (3, 0), "take book")]
    assert not found.complete  # there is a regular expression of the author's
    assert not conflicts(clashing, limit=1).complete


def test_expansions() -> None:
    assert expansions(r"pour (?:some )?water (?:on|over)\ ") == (
        "pour some water on ",
        "pour some water over ",
        "pour water on ",
        "pour water over ",
    )
    assert expansions("(?:some )?") == ("some ", "")
    assert expansions(r"a\.b") == ("a.b",)
    assert expansions("a+") == expansions("[ab]") == expansions("(?:a") == expansions("a)") == ()


def test_numbers_are_no_names() -> None:
    assert MATCHER.operators[(6, (NONE,))] == len(LAMP.operators) - 1


def test_a_question_which_lists_some_and_counts_the_rest() -> None:
    from worldengine.compiler import compile_source
    from worldengine.runtime import runtime_of
    from worldengine.source import Source

    words = ["red", "blue", "green", "white", "black", "grey", "brown", "pink", "gold", "pale"]
    words += ["dark", "odd"]
    jars = "\n".join(
        f'thing jar_{n} "{word} jar" aka "jar" in hall' for n, word in enumerate(words)
    )
    text = f'world w "W" {{ goal "Do." turns 9 }}\nuse take\nplace hall "Hall"\n{jars}\n'
    compilation = compile_source(Source("w.world", text + "player in hall\nwin when false\n"))
    machine = compilation.machine
    assert machine is not None, compilation.diagnostics
    said = runtime_of(machine).step(machine.start(0), "take jar").observation
    assert said.startswith("Which do you mean: the red jar, the blue jar, ")
    assert "the pink jar or one of 4 others?" in said and "gold" not in said
