"""The loop from persona to world: what is asked, kept, counted, and gone on with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.authoring.scripted import Scripted
from worldengine.authoring.asking import Wanted
from worldengine.authoring.completing import NothingToFill, skeleton
from worldengine.authoring.drafts import Draft, Settings
from worldengine.authoring.personas import given, shipped
from worldengine.authoring.writing import WritingError, write
from worldengine.authoring.yields import Yields, wilson
from worldengine.inputs import InputError
from worldengine.models.protocol import Answer, Request

ANSWERS = Path(__file__).resolve().parents[1] / "corpus" / "answers"
BELL = (ANSWERS / "plain.txt").read_text("utf-8")
BROKEN = BELL.replace("player.rang = true", "player.rung = true")
LOCKED = BELL.replace("exit in to tower", "exit in to tower when player.rang")
NAMES = ("ann", "ben", "cas", "dot")


def persona(request: Request) -> str:
    return request.messages[1].content.split("at work: ")[1].split("\n")[0]


def question(request: Request) -> str:
    text = request.messages[-1].content
    heads = {
        "Plan a text game": "plan",
        "Write this world": "script",
        "Your last": "again",
        "This script is a": "complete",
    }
    return next((kind for head, kind in heads.items() if text.startswith(head)), "repair")


def reply(request: Request) -> Answer | str:
    """Ann is right at once; ben needs the compiler, cas the prover, dot says nothing useful."""
    name, asked = persona(request), question(request)
    if asked == "plan":
        return f"The plan of {name}."
    other = BELL.replace("bell", name).replace("It rings", f"It rings for {name}")
    if name == "ben":
        return BROKEN if asked == "script" else other + extra(1)
    if name == "cas":
        return LOCKED if asked == "script" else other + extra(2)
    if name == "dot":
        return "I'm sorry, I can't." if asked == "script" else Answer("", "failed", failure="busy")
    return other


def extra(number: int) -> str:
    return "".join(f'place room_{n} "room {n}" {{ exit out to yard }}\n' for n in range(number))


def drafts(settings: Settings) -> list[Draft]:
    return [Draft(name, name, settings) for name in NAMES]


def run(out: Path, settings: Settings, model: Scripted | None = None, **more: object) -> Yields:
    return write(model or Scripted(reply), drafts(settings), settings, out, **more)  # type: ignore[arg-type]


def test_drafts_come_as_far_as_they_come(tmp_path: Path) -> None:
    settings = Settings(rounds=1, wanted=Wanted((1, 9)))
    model = Scripted(reply)
    told = run(tmp_path, settings, model).told()
    assert (told["written"], told["compiled_first"], told["winnable_first"]) == (4, 2, 1)
    assert (told["kept"], told["repairs"], told["reasons"]) == (3, 3, {"failed": 1})
    first, second = told["by_round"]
    assert (first["compiled"], first["winnable"]) == (2, 1)
    assert (second["compiled"], second["winnable"]) == (3, 3)
    assert told["reasons_of_attempts"] == {
        "does_not_compile": 1, "failed": 1, "refusal": 1, "unwinnable": 1,
    }  # fmt: skip
    assert told["prompt_tokens"] == 1000 and told["cost"] == pytest.approx(10 * 120 / 1e6)
    assert sorted(path.name for path in tmp_path.glob("*.world")) == [
        "ann.world", "ben.world", "cas.world",
    ]  # fmt: skip


def test_the_compiler_and_the_prover_are_quoted_to_the_author(tmp_path: Path) -> None:
    model = Scripted(reply)
    run(tmp_path, Settings(rounds=1, wanted=Wanted((1, 9))), model)
    repairs = {persona(r): r.messages[-1].content for r in model.asked if question(r) == "repair"}
    assert "no attribute of `player` called `rung`" in repairs["ben"]
    assert "did you mean `rang`?" in repairs["ben"] and BROKEN in repairs["ben"]
    assert "won from 0 of its 1 starts" in repairs["cas"]
    again = [r.messages for r in model.asked if question(r) == "again"]
    assert again[0][-1].content.startswith("Your last answer could not be used: the model declined")
    assert again[0][-2].content == "The plan of dot."


def test_every_attempt_is_kept(tmp_path: Path) -> None:
    run(tmp_path, Settings(rounds=1, wanted=Wanted((1, 9))))
    folder = tmp_path / "attempts"
    assert (folder / "ben" / "0.world").read_text() == BROKEN
    assert "rung" in (folder / "ben" / "0.told.txt").read_text()
    assert (folder / "dot" / "0.txt").read_text() == "I'm sorry, I can't."
    assert (folder / "dot" / "plan.txt").read_text() == "The plan of dot."
    assert not (folder / "dot" / "0.world").exists()


def test_stopped_and_gone_on_with_it_is_the_same(tmp_path: Path) -> None:
    settings = Settings(rounds=1, wanted=Wanted((1, 9)))
    whole = run(tmp_path / "whole", settings)
    model = Scripted(reply)
    model.stop_after = 5
    part = run(tmp_path / "part", settings, model)
    assert part.interrupted and part.written < 4
    with (tmp_path / "part" / "authored.jsonl").open("a") as index:
        index.write('{"id": "torn')
    rest = run(tmp_path / "part", settings, resume=True)
    assert rest.told() == whole.told()
    ends = [(tmp_path / name / "authored.jsonl").read_text() for name in ("whole", "part")]
    assert ends[0] == ends[1]


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    settings = Settings(rounds=0, wanted=Wanted((1, 9)))
    run(tmp_path / "a", settings)
    with pytest.raises(WritingError, match="add --resume"):
        run(tmp_path / "a", settings)
    with pytest.raises(WritingError, match="other settings"):
        run(tmp_path / "a", Settings(rounds=1), resume=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "mine.txt").touch()
    with pytest.raises(WritingError, match="not empty"):
        run(tmp_path / "b", settings)


def test_a_world_that_is_there_already_is_not_kept(tmp_path: Path) -> None:
    settings = Settings(rounds=0, wanted=Wanted((1, 9)))
    model = Scripted(lambda request: BELL.replace("bell", persona(request)))
    there = tmp_path / "there.world"
    there.write_text(BELL.replace("yard", "court"))
    told = write(
        model, drafts(settings), settings, tmp_path / "out", existing=[there], workers=2
    ).told()
    assert (told["kept"], told["winnable_first"]) == (0, 4)
    assert told["reasons"] == {"duplicate": 4}


@pytest.mark.parametrize(
    ("wanted", "reason", "said"),
    [
        (Wanted((5, 9)), "plan_too_short", "but in 2 commands, and 5 or more were asked for"),
        (Wanted((1, 1)), "plan_too_long", "takes 2 commands, and at most 1"),
        (Wanted((1, 9), places=3), "other_places", "has 2 places, and 3 were asked for"),
        (Wanted((1, 9), mistakes=1), "fewer_mistakes", "lost in 0 ways"),
        (Wanted((1, 9), places=2, mistakes=0), "", ""),
    ],
)
def test_difficulty_is_asked_for_and_measured(
    tmp_path: Path, wanted: Wanted, reason: str, said: str
) -> None:
    settings = Settings(rounds=1, wanted=wanted)
    model = Scripted(lambda request: BELL)
    write(model, [Draft("ann", "ann", settings)], settings, tmp_path)
    line = json.loads((tmp_path / "authored.jsonl").read_text())
    assert line["reason"] == reason and said in model.asked[-1].messages[-1].content
    assert (line["measured"]["plan_length"], line["measured"]["places"]) == (2, 2)
    low, high = wanted.plan
    assert (str(low) if low == high else f"{low} to {high}") in model.asked[0].messages[1].content


def test_a_skeleton_is_filled(tmp_path: Path) -> None:
    holed = BELL.replace("  set player.rang = true\n", "  // HOLE: what pulling the rope changes\n")
    settings = Settings(rounds=1, wanted=Wanted((1, 9)))
    model = Scripted(lambda request: holed if question(request) == "complete" else BELL)
    told = write(model, [skeleton("bell", holed, settings)], settings, tmp_path).told()
    assert "what pulling the rope changes" in model.asked[0].messages[-1].content
    assert (told["kept"], told["repairs"]) == (1, 1)
    assert told["reasons_of_attempts"] == {"holes_left": 1}
    with pytest.raises(NothingToFill, match="nothing to complete"):
        skeleton("bell", BELL, settings)


def test_personas_of_our_own() -> None:
    found = shipped()
    assert len(found) >= 60 and len({each.id for each in found}) == len(found)
    assert all(10 < len(each.text) < 120 for each in found)


def test_personas_given(tmp_path: Path) -> None:
    lines = tmp_path / "p.jsonl"
    lines.write_text('{"persona": "A cook"}\n\n{"id": "x y", "persona": "A  baker"}\n')
    plain = tmp_path / "p.txt"
    plain.write_text("A cook\nA cook who sings\n")
    found = given([str(lines), str(plain), "A diver, once"])
    assert [(each.id, each.text) for each in found] == [
        ("a_cook", "A cook"), ("x_y", "A baker"), ("a_cook_who_sings", "A cook who sings"),
        ("a_diver_once", "A diver, once"),
    ]  # fmt: skip
    lines.write_text('{"persona": 3}\n')
    with pytest.raises(InputError, match=r"p\.jsonl:1 lacks its text"):
        given([str(lines)])
    with pytest.raises(InputError, match="no file of personas"):
        given([str(tmp_path / "gone.jsonl")])
    with pytest.raises(InputError, match="is empty"):
        given([" "])


def test_wilson() -> None:
    low, high = wilson(9, 10)
    assert (round(low, 3), round(high, 3)) == (0.596, 0.982)
    assert wilson(0, 0) == (0.0, 1.0) and wilson(0, 30)[0] == 0.0 and wilson(30, 30)[1] == 1.0
