"""The wording of refusals: the player's own words, the template nearest to them, and no more."""

from __future__ import annotations

from functools import cache

import pytest

from worldengine.compiler import compile as compile_world
from worldengine.machine.schema import PARAMETER, PLACE, Machine
from worldengine.matching.echo import Echo, undetermined
from worldengine.matching.normal import normalise
from worldengine.matching.spellings import listed, written
from worldengine.runtime import Transition, begin, prompt, runtime_of

WORLD = """world desk "The help desk" { goal "Close the call." turns 20 }
use travel, take, talk

enum matter : password | light "the light" | bill "the bill" | weather
place hall "hall" { exit north to ward  exit east to annexe }
place ward "nurses' station" { exit south to hall  exit back to hall }
place annexe "annexe" { exit west to hall }
person adeyemi "Mrs. Adeyemi" proper in hall
person amira "Amira" proper in ward
thing script "backup.sh" proper in hall
thing alike "notes.md" proper in hall
thing plain "notesmd" proper in hall
thing half "2.5 bar gauge" in hall
thing diary "your diary" proper aka "diary" in ward
thing handle "pump handle" in hall
thing clock "clock" in ward
player in hall { asked : bool = false }

action enquire(t: matter) {
  form "enquire about {t}"
  set player.asked = true
}
action pump(x: thing here) {
  form "(tap|pump) {x}"
  say "You work {the x}."
}
action book(n: 1..9) {
  form "apply for [the] leave of {n} days"
  form "(book|reserve|plan|order|take out|claim|get) [the] leave of {n} days"
  form "[kindly] request leave of {n} days"
  say "Booked."
}
action wind(x: thing here) { form "wind {x}" say "Wound." }
win when player.asked
"""


@cache
def desk() -> Machine:
    return compile_world(WORLD)


def turn(command: str) -> Transition:
    machine = desk()
    return runtime_of(machine).step(machine.start(), command)


# -- signs in names -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("talk to Mrs Adeyemi", "talk to Mrs. Adeyemi"),
        ("talk to mrs. adeyemi", "talk to Mrs. Adeyemi"),
        ("take backupsh", "take backup.sh"),
        ("take notesmd", "take notesmd"),
        ("take notes.md", "take notes.md"),
        ("take 2.5 bar gauge", "take 2.5 bar gauge"),
    ],
)
def test_names_answer_without_the_signs_in_them(typed: str, meant: str) -> None:
    assert turn(typed).action == meant


def test_a_point_between_digits_is_part_of_the_number() -> None:
    assert turn("take 25 bar gauge").outcome == PARAMETER


# -- what was typed -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("talk to Amira", "You see no Amira here. Try: talk to PERSON."),
        ("talk to Zorblax", "You see no Zorblax here. Try: talk to PERSON."),
        ("TAKE the Golden  Fleece", "You see no Golden Fleece here. Try: take THING."),
        ("take your string of Beads", "You see no string of Beads here. Try: take THING."),
        ("take your diary", "You see no diary here. Try: take THING."),
        ("take all", "Name one thing. Try: take THING."),
        ("TAKE It", "Name one thing. Try: take THING."),
        ("talk to her", "Name one thing. Try: talk to PERSON."),
        ("Xyzzy Foo", '"Xyzzy Foo" is not something you know how to do. Try: look.'),
    ],
)
def test_the_players_words_keep_their_letters(typed: str, said: str) -> None:
    assert turn(typed).observation == said


@pytest.mark.parametrize(
    ("typed", "part", "again"),
    [
        ("take \u201cThe Hope\u201d", '"the hope"', '"The Hope"'),
        ("put Box in box", "box", "box"),
        ("take Stra\u00dfe", "strasse", "strasse"),
        ("take \uff34\uff25\uff21", "tea", "TEA"),
        ("take \u00c9clair", "\u00e9clair", "\u00c9clair"),
    ],
)
def test_echoes(typed: str, part: str, again: str) -> None:
    assert Echo(typed, normalise(typed)).words(part) == again


def test_determiners_go_if_a_name_follows() -> None:
    assert undetermined("Your diary") == "diary"
    assert undetermined("her") == "her"
    assert undetermined("theatre seat") == "theatre seat"


def test_a_value_that_is_not_in_the_list() -> None:
    assert turn("enquire about the lihgt").observation == (
        '"the lihgt" is not one of: password, the light, the bill, weather.'
        " Try: enquire about password|the light|the bill|weather."
    )


# -- the nearest template -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "template"),
    [
        ("pump hanlde", "pump THING"),
        ("tap hanlde", "tap THING"),
        ("pmup handle", "pump THING"),
        ("book leave of x days", "book leave of N days"),
        ("book the leave", "book leave of N days"),
        ("reserve me a leave", "reserve leave of N days"),
        ("apply for holidays", "apply for leave of N days"),
        ("pick up zork", "pick up THING"),
        ("walk sideways", "walk DIRECTION"),
    ],
)
def test_the_template_nearest_to_what_was_typed(typed: str, template: str) -> None:
    refused = turn(typed)
    assert refused.refusal is not None
    assert refused.refusal.template == template
    assert refused.observation.endswith(f"Try: {template}.")


def test_the_prompt_shows_every_way_to_begin() -> None:
    text = prompt(desk())
    assert "- tap THING (or: pump THING)\n" in text
    book = next(schema for schema in desk().schemas if schema.name == "book")
    assert [written(book, pieces) for pieces in listed(book)] == [
        "apply for leave of N days",
        "book leave of N days",
        "request leave of N days",
        "reserve leave of N days",
        "plan leave of N days",
        "order leave of N days",
        "take out leave of N days",
        "claim leave of N days",
        "get leave of N days",
    ]


def test_a_name_in_another_spelling_of_a_form_has_been_shown() -> None:
    machine = compile_world(WORLD.replace("(tap|pump) {x}", "(tap|work the clock with) {x}"))
    clock = next(i for i, item in enumerate(machine.objects) if item.name == "clock")
    assert begin(machine).name(machine, clock) == "clock"
    assert begin(desk()).name(desk(), clock) is None


# -- when a template is said ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("go west", "You cannot go west from here."),
        ("West", "You cannot go West from here."),
        ("back", "You cannot go back from here."),
        ("go back", "You cannot go back from here."),
        ("drop pump handle", "You are not holding the pump handle."),
    ],
)
def test_what_is_only_out_of_place_gets_no_template(typed: str, said: str) -> None:
    refused = turn(typed)
    assert (refused.observation, refused.outcome) == (said, PLACE)
    assert refused.refusal is not None
    assert refused.refusal.template


def test_a_name_out_of_sight_gets_one_whether_it_exists_or_not() -> None:
    hidden, unknown = turn("take clock"), turn("take clonk")
    assert hidden.observation == "You see no clock here. Try: take THING."
    assert unknown.observation == hidden.observation.replace("clock", "clonk")
    assert (hidden.outcome, unknown.outcome) == (PLACE, PARAMETER)


def test_a_place_heading_begins_with_a_capital() -> None:
    assert turn("go north").observation.startswith("Nurses' station")
