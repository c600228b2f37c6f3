"""Articles, plurals, agreement: golden texts."""

from __future__ import annotations

import pytest

from worldengine.machine.schema import NONE, Object
from worldengine.matching.names import article_for, is_plain, joined, with_article


def thing(name: str, plural: bool = False, proper: bool = False, numbered: bool = False) -> Object:
    return Object("x", name, (), "thing", (), "thing", plural, proper, numbered, -1, NONE, NONE)


@pytest.mark.parametrize(
    ("name", "article"),
    [
        ("lamp", "a"),
        ("orange", "an"),
        ("hour glass", "an"),
        ("unicorn", "a"),
        ("uninteresting book", "an"),
        ("umbrella", "an"),
        ("user manual", "a"),
        ("one-way ticket", "a"),
        ("euro coin", "a"),
        ("X-ray", "an"),
        ("MRI scan", "an"),
        ("USB stick", "a"),
        ("8-ball", "an"),
        ("11th key", "an"),
        ("180 cm pole", "a"),
        ("\u00e9clair", "an"),
        ("[egg]", "an"),
        ("\U0001f511", "a"),
        ("\u94a5\u5319", "a"),
    ],
)
def test_articles_follow_the_sound(name: str, article: str) -> None:
    assert article_for(name) == article


@pytest.mark.parametrize(
    ("subject", "printed"),
    [
        (thing("lamp"), ("lamp", "the lamp", "a lamp", "The lamp", "A lamp")),
        (
            thing("scissors", plural=True),
            ("scissors", "the scissors", "some scissors", "The scissors", "Some scissors"),
        ),
        (thing("Anna", proper=True), ("Anna",) * 5),
        (thing("jar 2", numbered=True), ("jar 2", "jar 2", "jar 2", "Jar 2", "Jar 2")),
        (thing("the pass"), ("the pass", "the pass", "the pass", "The pass", "The pass")),
        (thing("a tin"), ("a tin", "a tin", "a tin", "A tin", "A tin")),
        (thing("backup.sh", proper=True), ("backup.sh",) * 5),
        (thing("[box]"), ("[box]", "the [box]", "a [box]", "The [box]", "A [box]")),
    ],
)
def test_names_in_every_style(subject: Object, printed: tuple[str, ...]) -> None:
    styles = ("", "the", "a", "The", "A")
    assert tuple(with_article(subject, style) for style in styles) == printed


def test_plain_names() -> None:
    assert is_plain("brass key")
    plain = (
        "Anna's hand-axe",
        "nurses' station",
        "nurses\u2019",
        "box VR/1",
        "st. anne's",
        "pump 3",
    )
    assert [name for name in plain if not is_plain(name)] == []
    technical = ["backup.sh", "/home", ".vimrc", "iPad", "[box]", "\U0001f511", "7up", "rm -rf"]
    technical += ["cat notes.txt", "cd ..", "ls /home", "max_size", "x-www_form", "a.b c"]
    assert [name for name in technical if is_plain(name)] == []


def test_lists() -> None:
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert joined(["a", "b"], "or") == "a or b"
    assert joined([]) == "nothing"
