"""Does a world do what it says? The judging, and how much of what is spoilt it notices."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.authoring.scripted import Scripted
from worldengine.authoring.yields import wilson
from worldengine.cli import main
from worldengine.compiler import compile, compile_source
from worldengine.inputs import read as read_script
from worldengine.judging import blind, plays, reader
from worldengine.judging.catching import alarmed, catch
from worldengine.judging.expectations import (
    Expectations,
    ExpectationsError,
    broken,
    parse,
)
from worldengine.judging.joining import joined
from worldengine.judging.mutants import mutants
from worldengine.judging.report import Evidence, judge, judge_source
from worldengine.judging.sameness import apart, proven_same
from worldengine.judging.sheet import Sheet, sheet
from worldengine.judging.situations import SituationError, situation, value_at
from worldengine.modelcheck.budget import Budget
from worldengine.models.protocol import Answer, ModelError, Request
from worldengine.resources import shipped_world
from worldengine.source import Source

TESTS = Path(__file__).resolve().parents[1]
EXPECTED = sorted(path.stem for path in (TESTS / "corpus" / "expectations").glob("*.json"))
READERS = TESTS / "corpus" / "readers"
READ = sorted(path.stem for path in READERS.glob("*.json"))
BELL = (TESTS / "corpus" / "answers" / "plain.txt").read_text("utf-8")


def script(world: str) -> Source:
    path = shipped_world(world)
    assert path is not None
    return read_script(path).source


def evidence(world: str, folder: Path = TESTS / "corpus" / "expectations") -> Evidence:
    played = sorted((TESTS / "plays").glob(f"{world}.*.txt"))
    expected = reader.read_expected(folder / f"{world}.json")
    return Evidence(joined([expected.expectations]), tuple(plays.read(path) for path in played))


@pytest.mark.parametrize("world", EXPECTED)
def test_a_shipped_world_is_as_it_is_expected(world: str) -> None:
    machine = compile(script(world).text)
    expected = evidence(world).expectations
    assert len(expected.expectations) >= 20
    assert [each.told for each in broken(machine, expected)] == []
    assert plays.otherwise(machine, evidence(world).plays) == []


def test_most_of_what_is_spoilt_is_noticed() -> None:
    """The smallest world here; all of them in the slow test."""
    caught = catch(
        Path("tide_clock"), script("tide_clock"), evidence("tide_clock"), Budget(seconds=1)
    )
    assert caught.false_alarms == ()
    assert len(caught.tried) > 20 and caught.caught / len(caught.tried) >= 0.8


@pytest.mark.slow
@pytest.mark.parametrize("world", READ)
def test_what_a_reader_of_the_sheet_expects_notices_most_and_is_seldom_false(world: str) -> None:
    """Entries of a model that saw the sheet alone (tests/corpus/readers); every sixth mutant."""
    read = evidence(world, READERS)
    caught = catch(Path(world), script(world), read, Budget(seconds=1), step=6)
    assert wilson(caught.caught, len(caught.tried))[1] >= 0.8
    assert caught.entries >= 100 and caught.false_entries / caught.entries <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize("world", EXPECTED)
def test_most_of_what_is_spoilt_is_noticed_in_every_world(world: str) -> None:
    """Every fifth mutant; the bound is Wilson's, so that a few unlucky ones do not fail it."""
    caught = catch(Path(world), script(world), evidence(world), Budget(seconds=1), step=5)
    assert wilson(caught.caught, len(caught.tried))[1] >= 0.8


def test_mutants_are_scripts_with_one_change() -> None:
    source = Source("bell", BELL.replace("when player.rang", "when player.rang and not here(rope)"))
    found = mutants(source)
    assert [(each.kind, each.line) for each in found] == [
        ("requirement", 13), ("win_part", 17), ("win_part", 17), ("sign", 17), ("sign", 17),
    ]  # fmt: skip
    assert "require here(rope) else place" not in found[0].text
    assert "win when true and not here(rope)" in found[1].text
    assert len({each.text for each in found}) == 5


IMPLIED = BELL.replace("player.rang say", "player.rang and here(rope) say")


def test_a_mutant_that_no_play_can_tell_apart_is_not_counted() -> None:
    """The bell is rung where the rope is: that `win` asks for the rope, too, changes nothing."""
    source = Source("bell", IMPLIED)
    same = [each.change for each in mutants(source) if proven_same(source, each, Budget(seconds=5))]
    assert same == ["win no longer asks for here(rope)"]
    assert all(not apart(source, each) for each in mutants(source) if each.kind == "requirement")
    caught = catch(Path("bell"), source, Evidence(), Budget(seconds=5)).told()
    assert caught["proven_equal"] == 1
    assert not any("win no longer asks for here" in each["change"] for each in caught["survivors"])


def test_other_ways_to_win_end_the_game_where_two_are_held_apart() -> None:
    text = IMPLIED.replace("\nproof", "\nwin when turn == 3\nproof", 1)
    source = Source("bell", text)
    made = [apart(source, each) for each in mutants(source) if each.kind == "win_part"]
    assert made and all("lose when turn == 3" in each and "proof" not in each for each in made)
    assert all(compile_source(Source("bell", each)).machine is not None for each in made)


def test_a_situation_is_set_by_commands_and_values() -> None:
    machine = compile(script("tide_clock").text)
    state = situation(machine, 0, ("take lamp",), {"player.in": "tower", "dial.hour": 9})
    assert value_at(machine, state, "lamp.in") == "player"
    assert (value_at(machine, state, "player.in"), value_at(machine, state, "dial.hour")) == (
        "tower",
        9,
    )
    for after, given, said in (
        (("take moon",), {}, "command 1 of the way there is refused"),
        ((), {"lamp.light_": True}, "did you mean lamp.light"),
        ((), {"dial.hour": 40}, "it is 1 to 12"),
        ((), {"lamp.lit": 3}, "cannot be 3"),
        ((), {"dial.state": "rigth"}, "one of stopped, wound, right"),
    ):
        with pytest.raises(SituationError, match=said):
            situation(machine, 0, after, given)
    with pytest.raises(SituationError, match="no variant 9"):
        situation(machine, 9, (), {})


def test_what_is_not_met_says_what_came_instead() -> None:
    machine = compile(BELL)
    told = parse(
        json.dumps({"expectations": [
            {"command": "pull rope", "expect": {"outcome": "ok"}},
            {"command": "in", "expect": {"outcome": "refused", "says": "yard", "omits": ["tower"]}},
            {"command": "in", "expect": {"values": {"player.in": "yard"}, "status": "won"}},
            {"command": "look", "given": {"bell.rung": True}, "expect": {}},
            {"command": "look", "after": ["in", "pull rope"], "expect": {}},
            {"command": "in", "expect": {"outcome": "ok", "values": {"player.in": "tower"}}},
        ]}), "x",
    )  # fmt: skip
    found = {each.number: each.told for each in broken(machine, told)}
    assert "refused as place, not ok: 'There is no rope here.'" in found[1]
    assert (
        "accepted" in found[2] and "does not say 'yard'" in found[2] and "says 'tower'" in found[2]
    )
    assert "the game is running, not won" in found[3] and "player.in is tower, not yard" in found[3]
    assert "cannot be set up: bell.rung is no part" in found[4]
    assert "the game is over there" in found[5]
    assert set(found) == {1, 2, 3, 4, 5}


def test_one_thing_changed_before_a_command_of_the_winning_play() -> None:
    """tide_clock's fourth command needs what the first three did."""
    machine = compile(script("tide_clock").text)
    proof = machine.proofs[0]
    last, lit = len(proof), proof.index("light lamp") + 1
    entries = [
        {"before": last, "expect": "won"},
        {"before": last, "given": {"dial.state": "wound"}, "expect": "not_won"},
        {"before": lit, "given": {"lamp.in": "bench"}, "expect": "refused"},
        {"before": lit, "expect": {"values": {"lamp.lit": True}, "changes": {"turn": "more"}},
         "then": [{"command": "light lamp", "expect": "refused"}]},
        {"before": lit + 1, "without": [lit], "command": "light lamp", "expect": "ok"},
    ]  # fmt: skip
    assert broken(machine, parse(json.dumps({"expectations": entries}), "x")) == []
    wrong = [
        {"before": last, "expect": "not_won"},
        {"before": lit, "expect": {"changes": {"turn": "same", "lamp.lit": "less"}}},
        {"before": lit, "expect": {}, "then": [{"command": "light lamp", "expect": "ok"}]},
        {"before": 99, "expect": "ok"},
        {"before": 1, "play": 9, "expect": "ok"},
    ]
    told = [each.told for each in broken(machine, parse(json.dumps({"expectations": wrong}), "x"))]
    assert told[0] == "the game is won, but not won"
    assert told[1] == "turn is more than before, not the same as before; lamp.lit is more than " + (
        "before, not less than before"
    )
    assert told[2].startswith("command 2, light lamp: it was refused as logic, not ok")
    assert told[3] == f"it cannot be set up: winning play 1 has {last} commands"
    assert told[4] == "it cannot be set up: there is no winning play 9"


def test_several_readers_are_joined_and_the_minority_is_left_out() -> None:
    def said(name: str, *expected: str) -> Expectations:
        entries = [{"command": f"do {n}", "expect": e} for n, e in enumerate(expected)]
        return parse(json.dumps({"author": name, "expectations": entries}), name)

    one, two, three = said("a", "ok", "refused"), said("b", "ok", "ok"), said("c", "won", "refused")
    both = joined([one, two])
    assert (len(both.expectations.expectations), both.repeated, both.disputed) == (1, 1, 2)
    every = joined([one, two, three])
    kept = [(e.readers, e.command, e.expect.outcome) for e in every.expectations.expectations]
    assert kept == [
        (("a", "b"), "do 0", "ok"),
        (("a", "c"), "do 1", "refused"),
        (("c",), "do 0", None),
    ]
    assert (every.repeated, every.disputed) == (2, 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"expectations": [{"expect": {}}]}', "needs a `command`"),
        ("[]", "x: the top"),
        ('{"expectations": [{"command": "look", "expect": {"outcome": "fine"}}]}', "outcome"),
        ('{"expectations": [{"comand": "look", "expect": {}}]}', r"expectations\.0"),
        ("nonsense", "x: the top"),
    ],
)
def test_files_that_are_no_expectations(text: str, said: str) -> None:
    with pytest.raises(ExpectationsError, match=said):
        parse(text, "x")


@pytest.mark.parametrize(
    ("change", "alarm"),
    [
        (('goal "Ring the bell."', 'goal "Ring it and fetch the spade."'), "goal-not-asked"),
        (('say "It rings."', 'say "It rings."\n}\naction sit { form "sit" say "You sit."'), ""),
        (("portable = false", 'portable = false describe "Up." when rope.in == yard'),
         "describe-never"),
        (("place yard", 'place attic "attic" { }\nplace yard'), "place-unreachable"),
        (("player.rang say", "player.rang and rope.in == yard say"), "world-unwinnable"),
        (("win when", 'milestone far "far" when not player.rang\nwin when'), "milestone-at-once"),
        (("win when", 'rule hm once { when player.in == yard say "Hm." }\nwin when'),
         "rule-at-once"),
        (('"in", "pull', '"in", "wait", "pull'), ""),
        (('"in", "pull rope"', '"in"'), "wins from no start"),
        (('"in", "pull rope"', '"in", "pull rope", "look"'), "wins 1 commands before its end"),
    ],
)  # fmt: skip
def test_alarms(change: tuple[str, str], alarm: str) -> None:
    text = BELL.replace("player in", 'thing spade "spade" in yard\nplayer in').replace(*change)
    assert text != BELL
    found = judge_source(Path("bell"), Source("bell", text), Evidence(), Budget(seconds=2))
    texts = [each.text for each in found.alarms if "world-too-easy" not in each.text]
    assert any(alarm in text for text in texts) if alarm else not texts, texts
    assert any("world-too-easy" in each.text for each in found.alarms) == (alarm not in
        {"world-unwinnable"})  # fmt: skip


def test_a_play_that_goes_otherwise(tmp_path: Path) -> None:
    (tmp_path / "bell.lose.txt").write_text("# variant 0\nin\npull rope\n")
    (tmp_path / "bell.win.txt").write_text("in\npull rope\nlook\n")
    machine = compile(BELL)
    found = [plays.read(path) for path in sorted(tmp_path.iterdir())]
    told = {play.name: said for play, said in plays.otherwise(machine, found)}
    assert told["bell.lose.txt"] == "the game is won at its end, not lost"
    assert told["bell.win.txt"] == "the game is won before command 3: look"
    with pytest.raises(plays.PlayError, match="is called NAME"):
        plays.read(tmp_path / "bell.txt")


def test_a_play_with_its_answers_is_held_against_the_world(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a text says on the way is no ending; somebody has read it and found it right."""
    world = tmp_path / "bell.world"
    world.write_text(BELL)
    assert main(["judge", str(world), "--plays-out", str(tmp_path / "kept"), "--json"]) == 0
    printed = capsys.readouterr()
    assert "1 play in" in printed.err and json.loads(printed.out)["plays"] == 1
    kept = plays.read(tmp_path / "kept" / "bell.proof_1.win.txt")
    assert kept.commands == ("in", "pull rope") and "It rings. Done." in kept.answers[1]
    assert plays.answered(compile(BELL), [kept]) == []
    other = compile(BELL.replace('say "It rings."', 'say "It {if player.rang}rings{end}."'))
    assert plays.otherwise(other, [kept]) == [] == plays.answered(other, [kept])
    other = compile(BELL.replace('say "It rings."', 'say "It {if not player.rang}rings{end}."'))
    ((_, said),) = plays.answered(other, [kept])
    assert (
        said.startswith("command 2, pull rope, is answered")
        and plays.otherwise(other, [kept]) == []
    )
    early = tmp_path / "bell.win.txt"
    early.write_text("| Hm.\nin\n")
    with pytest.raises(plays.PlayError, match="before the first command"):
        plays.read(early)


# -- models ----------------------------------------------------------------------------


def player(commands: list[str], marks: str) -> Scripted:
    def reply(request: Request) -> str:
        turn = sum(m.role == "assistant" for m in request.messages)
        return marks if request.grammar else commands[turn % len(commands)]

    return Scripted(reply, name="blind")


def test_blind_play_keeps_founded_marks_only() -> None:
    marks = [
        {"turn": 1, "quote": "You see a rope", "why": "none was shown"},
        {"turn": 2, "quote": "THERE is no rope here", "why": "the prose has one"},
        {"turn": 9, "quote": "x", "why": "y"},
    ]
    machine = compile(BELL)
    seen = blind.play(player(["look", "pull rope"], json.dumps(marks)), machine, commands=6)
    assert [turn.outcome for turn in seen.turns] == ["ok", "place"] * 3
    assert [mark.turn for mark in seen.marks] == [2] and seen.unfounded == 2 and not seen.unread
    won = blind.play(player(["in", "Action: pull rope"], "Sorry, no."), machine)
    assert len(won.turns) == 2 and won.unread == "the player answered with no list"
    with pytest.raises(ModelError, match="busy"):
        blind.play(Scripted(lambda r: Answer("", "failed", failure="busy")), machine)
    assert blind.marks_in('[{"turn": 1}]')[1] and blind.marks_in("[" * 9000 + "]")[1]


def sheet_of(name: str, text: str) -> Sheet:
    compilation = compile_source(Source(name, text))
    assert compilation.machine is not None and compilation.document is not None
    return sheet(compilation.machine, compilation.document)


def test_a_reader_sees_prose_and_no_rules() -> None:
    page = sheet_of("lighthouse", script("lighthouse").text).text
    for shown in ("Yellow, stiff with salt", "Fill, mend, wind and light", "Play 1, variant 0"):
        assert shown in page
    for hidden in ("The crusted wick will not take a flame", "lamp.wound == 3"):
        assert hidden not in page


def test_a_sheet_tells_no_rule_that_a_spoilt_world_would_not_tell() -> None:
    """Apart from the answers of the winning play, and from values that can no longer change, a
    copy with other rules has the same sheet."""
    source = script("ferry")
    whole = _without_plays(sheet_of("ferry", source.text).text)
    for mutant in mutants(source)[::9]:
        if compile_source(Source("ferry", mutant.text)).machine is not None:
            assert _without_plays(sheet_of("ferry", mutant.text).text) == whole, mutant.change


def _without_plays(page: str) -> str:
    head, _, rest = page.partition("## Plays that win")
    return head + rest.partition("## How an entry is written")[2]


def test_a_sheet_grows_with_its_world() -> None:
    small = sheet_of("bell", BELL)
    assert small.number < 40 < sheet_of("tide_clock", script("tide_clock").text).number
    assert sheet_of("ferry", script("ferry").text).number > 120


def test_what_a_reader_writes_is_read_as_far_as_it_goes() -> None:
    good = {"command": "in", "expect": {"outcome": "ok"}}
    found = reader.written(
        f'Here: [{json.dumps(good)}, {{"command": 3}}, {json.dumps(good)[:9]}', "m", "w"
    )
    assert len(found.expectations.expectations) == 1
    mended = reader.written(f'[{json.dumps(good)},\n{{"com": \n,{json.dumps(good)}]', "m", "w")
    assert (len(mended.expectations.expectations), len(mended.wrong)) == (2, 1)
    assert "command" in found.wrong[0] or "broke off" in found.wrong[0]
    assert reader.written("no", "m", "w").wrong == ("the reader answered with no list",)


def test_bare_lists_with_odd_edges(tmp_path: Path) -> None:
    file = tmp_path / "odd.json"
    good = '{"because": "x", "command": "look", "expect": "ok"}'
    file.write_bytes(("\ufeff[" + good + "]").encode())
    assert len(reader.read_expected(file).expectations.expectations) == 1
    file.write_text(f"[{good.replace('look', chr(92) + 'ud800 look')},\n{good}]")
    found = reader.read_expected(file)
    assert len(found.expectations.expectations) == 1 and "surrogate" in found.wrong[0]
    for text, said in (("[" * 1_000, "no entry can be read"), ("[ ]\n", "the list is empty")):
        file.write_text(text)
        with pytest.raises(ExpectationsError, match=said):
            reader.read_expected(file)


def test_the_reader_s_grammar_gives_expectations() -> None:
    """A model of random weights under the grammar: every entry is an expectation."""
    pytest.importorskip("transformers", reason="transformers is an extra")
    llguidance = pytest.importorskip("llguidance", reason="llguidance is an extra")
    for world in (BELL, script("tide_clock").text):
        machine = compile(world)
        text = reader.grammar(machine, 5)
        lark = llguidance.LLMatcher.grammar_from_lark(text)
        assert not llguidance.LLMatcher.validate_grammar(lark)
    lark = llguidance.LLMatcher.grammar_from_lark(blind.MARKS)
    assert not llguidance.LLMatcher.validate_grammar(lark)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main([
        "judge", "tide_clock", "--json", "--budget", "3s", "--plays", str(TESTS / "plays"),
        "--expect", str(TESTS / "corpus" / "expectations" / "tide_clock.json"),
    ])  # fmt: skip
    told = json.loads(capsys.readouterr().out)
    assert (status, told["ok"], told["alarms"]) == (0, True, [])
    assert told["expectations"] >= 20 and told["plays"] >= 3 and told["status"] == "winnable"
    page = tmp_path / "sheet.md"
    assert main(["judge", "tide_clock", "--sheet", str(page)]) == 0
    assert "a sheet for about" in capsys.readouterr().err and "B1. " in page.read_text("utf-8")
    assert main(["judge", "tide_clock", "--sheet", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["sheet"] == page.read_text("utf-8")
    bad = tmp_path / "bell.world"
    bad.write_text(BELL.replace("player.rang say", "player.rung say"))
    assert main(["judge", str(bad)]) == 1
    assert main(["judge", "tide_clock", "--budget", "much"]) == 2
    assert judge(bad, Evidence(), Budget()).alarms[0].by == "compiler"


def test_what_was_noticed_is_told_by_means_and_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bell.world").write_text(BELL)
    entries = [
        {"about": "B1a", "before": 2, "given": {"player.in": "yard"}, "expect": "refused"},
        {"about": "A", "before": 2, "expect": "won"},
        {"about": "A", "before": 1, "expect": "won"},
        {"about": "A", "command": 3},
    ]
    for reader_ in "12":
        (tmp_path / f"bell.{reader_}.json").write_text(json.dumps(entries))
    told = [f"--expect={tmp_path / name}" for name in ("bell.1.json", "bell.2.json")]
    assert main(["judge", str(tmp_path / "bell.world"), "--mutants", *told]) == 1
    printed = capsys.readouterr()
    assert "by answers to question: B 1" in printed.out
    assert "by reader: bell.1 1, bell.2 1" in printed.out, printed.out
    assert "3 expectations (3 repeated, left out)" in printed.out
    assert printed.err.count("left out: ") == 2


def test_plays_that_do_not_fit_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = (TESTS / "plays" / "tide_clock.win.txt").read_bytes()
    (tmp_path / "bakery.win.txt").write_bytes(good)
    wanted = ["judge", "tide_clock", "--plays", str(tmp_path)]
    assert main(wanted) == 2
    assert "holds no play of tide_clock" in capsys.readouterr().err
    (tmp_path / "tide_clock.win.txt").write_bytes(good)
    assert main(wanted) == 0
    told = capsys.readouterr()
    assert "not called tide_clock.*.txt: bakery.win.txt" in told.err and "2 plays tried" in told.out
    (tmp_path / "tide_clock.lose.txt").write_bytes(b"\xff\xfe\x00")
    assert main(wanted) == 2
    assert "tide_clock.lose.txt is no play: it is not UTF-8" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--variant", "1"], "--variant is of blind play"),
        (["--commands", "4"], "--commands is of blind play"),
        (["--variant", "99", "--blind", "hf:nowhere"], "no variant 99: they are numbered 0 to"),
    ],
)
def test_what_is_of_blind_play(
    more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "tide_clock", *more]) == 2
    assert said in capsys.readouterr().err


def test_copies_that_mean_the_same_raise_no_alarm() -> None:
    found = alarmed(
        Path("tide_clock"), script("tide_clock"), evidence("tide_clock"), Budget(seconds=1)
    )
    assert len(found) >= 10 and [each for each in found if each.by] == []


def test_a_world_that_is_won_at_once_is_too_easy_however_long_its_proof() -> None:
    proof = 'proof "look", "look", "wait", "look", "in", "pull rope"'
    text = re.sub(r"proof .*", proof, BELL, flags=re.S)
    found = judge_source(Path("bell"), Source("bell", text), Evidence(), Budget(seconds=2))
    assert any("won in 2 commands: go in; pull rope" in each.text for each in found.alarms), [
        each.text for each in found.alarms
    ]
