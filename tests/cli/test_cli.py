"""The command line: contract keys, exit statuses, hostile input, clean endings."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.started import started
from tests.test_house import subcommands
from tests.worlds import TINY
from worldengine.cli import main
from worldengine.cli.arguments import parser

SECONDS = 120.0
ROOT = Path(__file__).resolve().parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


def worldengine(*arguments: str | Path, text: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """One command, in this process: a traceback is then the test's own failure."""
    streams = [io.TextIOWrapper(io.BytesIO(start), encoding="utf-8") for start in (text, b"", b"")]
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = streams
    try:
        status = main([str(argument) for argument in arguments])
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    printed = []
    for stream in streams[1:]:
        stream.flush()
        assert isinstance(stream.buffer, io.BytesIO)
        printed.append(stream.buffer.getvalue())
    return subprocess.CompletedProcess([], status, *printed)


def documents(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def no_traceback(done: subprocess.CompletedProcess[bytes]) -> None:
    """A traceback cannot pass unseen: the command ran in this process."""
    assert done.returncode in (0, 1, 2, 3), done.stderr.decode()


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.world"
    path.write_text(TINY)
    return path


@pytest.mark.parametrize("name", subcommands())
def test_help_has_an_example(name: str) -> None:
    done = worldengine(name, "--help")
    assert done.returncode == 0
    assert f"worldengine {name}".encode() in done.stdout.split(b"example:")[1]


def test_examples_can_be_typed() -> None:
    commands = parser()._subparsers
    assert commands is not None
    subs = commands._group_actions[0].choices
    assert isinstance(subs, dict)
    for sub in subs.values():
        example = sub.epilog.split("example:")[1]
        typed = re.findall(r"(?<!`)worldengine ([^|&\n]+)", example.split("\n\n")[0])
        assert typed
        for each in typed:
            parser().parse_args(shlex.split(each))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_of_the_pages_can_be_typed(page: Path) -> None:
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in re.findall(r"(?m)^(?:\$ )?worldengine ([^|\n]*)$", text):
        typed = re.sub(r"\[[^]]*\]| # .*", "", line)
        parser().parse_args(shlex.split(typed))


def test_players_are_listed_as_json_too() -> None:
    (listed,) = documents(worldengine("rollout", "--players", "--json"))
    text = worldengine("rollout", "--players").stdout.decode()
    for each in listed["players"]:
        assert each["about"] in text and each["player"] in text
        for option in each["options"]:
            assert f"{option['name']}=" in text and option["about"] in text
    done = worldengine("rollout", "tide_clock")
    assert done.returncode == 2 and b"--out" in done.stderr


def test_check_keys(tiny: Path) -> None:
    done = worldengine("check", tiny, "--fast", "--json")
    (report,) = documents(done)
    assert done.returncode == 0 and report["ok"] is True
    assert report["verdict"] is None and len(report["hash"]) == 64
    assert set(report) >= {"file", "ok", "hash", "diagnostics", "verdict", "counts"}
    assert {item["stage"] for item in report["unfinished"]} >= {"proofs", "verdict", "dead_ends"}
    assert b"proofs not replayed" in worldengine("check", tiny, "--fast").stdout
    counts = {"places", "objects", "actions", "operators", "rules", "milestones"}
    assert counts <= set(report["counts"])


def test_check_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "bad.world"
    path.write_text(TINY.replace("in drawer", "in drawr"))
    done = worldengine("check", path, "--fast", "--json")
    (report,) = documents(done)
    assert done.returncode == 1 and report["ok"] is False and report["hash"] is None
    (first, *_) = report["diagnostics"]
    keys = {"id", "severity", "line", "column", "end_line", "end_column", "message", "hint"}
    assert keys <= set(first)
    assert first["line"] == 1 + path.read_text().split("in drawr")[0].count("\n")
    told = worldengine("check", path, "--fast")
    assert told.returncode == 1 and b"drawr" in told.stderr and b"drawr" not in told.stdout


def test_check_replays_proofs(tiny: Path, tmp_path: Path) -> None:
    done = worldengine("check", tiny, "--json")
    (report,) = documents(done)
    assert report["proofs"] == {"proofs": 1, "variants": 2, "won": 2}
    lame = tmp_path / "lame.world"
    lame.write_text(TINY.replace('"go north", ', ""))
    done = worldengine("check", lame, "--json")
    (report,) = documents(done)
    assert "proof-does-not-win" in {item["id"] for item in report["diagnostics"]}
    assert done.returncode == 0 and worldengine("check", lame, "--strict").returncode == 1


def test_check_takes_folders_and_names(tiny: Path) -> None:
    (tiny.parent / "deep").mkdir()
    (tiny.parent / "deep" / "other.world").write_text(TINY)
    done = worldengine("check", tiny.parent, "--fast", "--json")
    assert [Path(d["file"]).name for d in documents(done)] == ["other.world", "tiny.world"]


def test_play_json_keys(tiny: Path) -> None:
    text = b"take letter\nopen front door\nfrobnicate\ntake latch key\n"
    done = worldengine("play", tiny, "--json", text=text)
    turns = documents(done)
    assert done.returncode == 0
    assert [turn["outcome"] for turn in turns] == ["ok", "logic", "parameter", "place"]
    keys = {"turn", "command", "action", "outcome", "observation", "progress", "score", "status"}
    assert all(keys <= set(turn) for turn in turns)
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4]


def test_play_script_to_the_end(tiny: Path, tmp_path: Path) -> None:
    script = tmp_path / "win.txt"
    proof = TINY[TINY.index("proof ") :].split('"')[1::2]
    script.write_text("\n\n".join([*proof, "look", "look"]))
    done = worldengine("play", tiny, "--script", script)
    assert done.returncode == 0
    assert b"Done." in done.stdout and b"2 commands were left" in done.stderr
    assert b"won" in done.stderr
    last = documents(worldengine("play", tiny, "--script", script, "--json"))[-1]
    assert (last["status"], last["progress"], last["score"]) == ("won", 1.0, 1.0)


def test_play_a_proof_shows_where_it_stops(tiny: Path, tmp_path: Path) -> None:
    done = worldengine("play", tiny, "--proof")
    assert done.returncode == 0
    assert b"ends at command 10 of 10: 'put letter in post box'; it wins" in done.stderr
    assert b"refused first at command 3" in done.stderr
    assert worldengine("play", tiny, "--proof", "2").returncode == 2
    lame = tmp_path / "lame.world"
    lame.write_text(TINY.replace('"go north", ', ""))
    done = worldengine("play", lame, "--proof", "1")
    assert b"stops at command 9 of 9" in done.stderr and b"does not win" in done.stderr


def test_people_are_not_told_how_to_format_a_reply(tiny: Path) -> None:
    done = worldengine("play", tiny, "--plain", text=b"help\nlook\n  QUIT \nlook\n")
    assert b"Thought:" not in done.stdout
    assert done.stdout.count(b"You stand in your flat.") == 1
    assert done.stdout.count(b"Commands:") == 2
    assert b"running after 1 turn," in done.stderr and b"`quit`" in done.stderr
    (turn,) = documents(worldengine("play", tiny, "--json", text=b"quit\n"))
    assert turn["outcome"] == "parameter"


def test_a_world_nearly_named_is_suggested() -> None:
    done = worldengine("check", "tide_clok")
    assert done.returncode == 2 and b"did you mean tide_clock?" in done.stderr


def test_a_file_nearly_named_is_suggested_before_a_shipped_world(tmp_path: Path) -> None:
    """Who names a folder means a file there, never a world that ships."""
    mine = tmp_path / "beekeeper.world"
    mine.write_text(TINY)
    done = worldengine("check", tmp_path / "beekeper.world", "--fast")
    assert done.returncode == 2 and f"did you mean {mine}?".encode() in done.stderr
    mine.unlink()
    done = worldengine("check", tmp_path / "beekeper.world", "--fast")
    assert done.returncode == 2 and b"did you mean" not in done.stderr


def test_rows_are_said_to_count_from_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = worldengine("export", tmp_path, "--to", "messages", "--view", "0")
    said = done.stderr.decode() + capsys.readouterr().err
    assert done.returncode == 2 and "rows count from 1" in said


def test_shipped_worlds_go_by_their_names() -> None:
    done = worldengine("check", "tide_clock", "--fast")
    assert done.stdout.startswith(b"tide_clock: compiles (")
    assert b"/tide_clock" not in done.stdout + done.stderr


def test_a_rollout_without_a_proof_says_so(tiny: Path, tmp_path: Path) -> None:
    tiny.write_text(TINY[: TINY.index("proof ")])
    done = worldengine("rollout", tiny, "--out", tmp_path / "run", "--episodes", "2")
    assert b"tiny has no proof: the explorer knows no way through it" in done.stderr
    done = worldengine("rollout", tiny, "--out", tmp_path / "other", "--player", "random")
    assert b"no proof" not in done.stderr and done.stdout.startswith(b"1 episode in ")


def test_a_rollout_names_the_starts_that_no_proof_wins(tmp_path: Path) -> None:
    """Only those that are to be played, once a world."""
    world = tmp_path / "tiny.world"
    world.write_text(TINY.replace('"go east", "take letter"', '"go east"'))
    told = b"tiny: the explorer knows no way through start 1, which no proof of the world wins"
    done = worldengine("rollout", world, "--episodes", "4", "--out", tmp_path / "all")
    assert done.stderr.count(told) == 1
    there = worldengine("rollout", world, "--variant", "0", "--out", tmp_path / "first")
    assert b"knows no way" not in there.stderr


def test_solve_says_which_start_a_plan_is_for(tiny: Path) -> None:
    done = worldengine("solve", tiny, "--budget", "20s")
    lines = done.stdout.decode().splitlines()
    heads = [line for line in lines if line.startswith("// start ")]
    assert done.returncode == 0
    assert heads == ["// start 0 (letter.in = hall)", "// start 1 (letter.in = study)"]
    assert lines[0] == heads[0] and sum("turns;" in line for line in lines) == 2
    one = worldengine("solve", tiny, "--variant", "1", "--json", "--budget", "20s")
    verdict = json.loads(one.stdout)
    assert [each["index"] for each in verdict["variants"]] == [verdict["plan_variant"]] == [1]
    second = lines[lines.index(heads[1]) + 1 : -1]
    assert verdict["plan_length"] == len(verdict["plan"]) == len(second)
    none = worldengine("solve", tiny, "--variant", "2")
    assert none.returncode == 2 and b"tiny has variants 0 to 1, not 2" in none.stderr


def test_an_empty_export_says_why(tiny: Path, tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "x.jsonl"
    worldengine("rollout", tiny, "--out", run, "--player", "random", "--episodes", "2")
    done = worldengine("export", run, "--to", "messages", "--out", out)
    assert done.returncode == 1 and done.stdout == b""
    assert b"left out: " in done.stderr and b" that " in done.stderr
    assert b"was not written" in done.stderr and not out.exists()


def test_play_variants(tiny: Path) -> None:
    done = worldengine("play", tiny, "--json", "--variant", "1", text=b"take letter\n")
    assert documents(done)[0]["outcome"] == "place"
    done = worldengine("play", tiny, "--variant", "7")
    assert done.returncode == 2 and b"0 to 1" in done.stderr


def test_the_road_from_script_to_training_file(tiny: Path, tmp_path: Path) -> None:
    run, out = tmp_path / "run", tmp_path / "train.jsonl"
    done = worldengine("rollout", tiny, "--episodes", "8", "--out", run, "--json")
    (told,) = documents(done)
    keys = {"episodes", "won", "lost", "truncated", "turns", "refusals", "seconds"}
    assert keys | {"steps_per_second"} <= set(told)
    assert set(told["refusals"]) == {"parameter", "place", "logic"}
    assert told["episodes"] == 8 == told["won"]
    (told,) = documents(worldengine("verify", run, "--json"))
    assert {"trajectories", "accepted", "rejected", "refinements"} <= set(told)
    assert told["accepted"] == 8 and told["rejected"] == []
    done = worldengine("export", run, "--to", "messages", "--out", out, "--json")
    (told,) = documents(done)
    assert {"rows", "trained_turns", "masked_turns", "tokens"} <= set(told)
    assert told["rows"] == 8 == len(out.read_text().splitlines())
    shard = run / "trajectories-00000.jsonl"
    shard.write_text(shard.read_text().replace("letter", "lexter", 1))
    assert worldengine("verify", run).returncode == 1


def test_rollout_refuses_to_overwrite(tiny: Path, tmp_path: Path) -> None:
    arguments = ("rollout", tiny, "--out", tmp_path / "run")
    assert worldengine(*arguments).returncode == 0
    done = worldengine(*arguments)
    assert done.returncode == 2 and b"--resume" in done.stderr
    assert worldengine(*arguments, "--resume").returncode == 0


def test_format_in_place(tiny: Path) -> None:
    messy = tiny.read_text().replace("  exit", "\n\n      exit")
    tiny.write_text(messy)
    assert worldengine("format", tiny, "--check").returncode == 1
    assert tiny.read_text() == messy
    assert worldengine("format", tiny).returncode == 0
    assert worldengine("format", tiny, "--check").returncode == 0


def test_show(tiny: Path) -> None:
    assert b"A tiny flat" in worldengine("show", tiny).stdout
    chart = worldengine("show", tiny, "--map").stdout.decode()
    assert "hall" in chart and "through front door" in chart
    svg = worldengine("show", tiny, "--map", "--svg").stdout
    assert svg.startswith(b"<svg") and svg.rstrip().endswith(b"</svg>")
    assert worldengine("show", tiny, "--machine").stdout
    (told,) = documents(worldengine("show", tiny, "--machine", "--json"))
    assert told["format"] == 1


HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "blank": b" \n\t\n",
    "nul": b"world x \0 {}",
    "binary": bytes(range(256)) * 64,
    "latin1": 'world x "caf\xe9" {}'.encode("latin-1"),
    "utf16": TINY.encode("utf-16"),
    "bom": b"\xef\xbb\xbf" + TINY.encode(),
    "crlf": TINY.replace("\n", "\r\n").encode(),
    "huge": b"x" * 10_000_000,
    "huge emoji": "🧺".encode() * 2_500_000,
    "long line": b'world x "' + b"a" * 900_000 + b'" {}',
    "open braces": b"world x {" * 5000,
    "close braces": b"}" * 5000,
    "parentheses": b"derive d = " + b"(" * 20_000,
    "open string": b'world x "',
    "comment": b"//" * 200_000,
    "right to left": 'world x "\u202eabc\u202c" { goal "\u05d0\u05d1" }'.encode(),
    "combining": ('world x "a' + "\u0301" * 5000 + '"').encode(),
    "surrogates": b'world x "\xed\xa0\x80"',
    "brackets": b'world x "[/] [b [0] {" { goal "[red]" }',
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.parametrize(
    "command", [["check", "--fast"], ["play", "--plain"], ["format", "--check"]]
)
def test_hostile_files(name: str, command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "hostile.world"
    path.write_bytes(HOSTILE[name])
    began = time.perf_counter()
    done = worldengine(command[0], path, *command[1:], text=b"look\n")
    assert time.perf_counter() - began < 6.0
    no_traceback(done)
    if name not in ("bom", "crlf") and command[0] != "format":
        assert done.returncode == 1, done.stdout
        assert done.stderr


@pytest.mark.parametrize("command", ["check", "play", "show", "format", "verify"])
def test_what_is_not_there(command: str, tmp_path: Path) -> None:
    for name in ("nothing.world", str(tmp_path / "nothing"), "", "a\0b", "x" * 5000):
        if "\0" in name:
            continue
        done = worldengine(command, name)
        no_traceback(done)
        assert done.returncode == 2
        assert done.stderr.startswith(b"worldengine: ") and done.stdout == b""


def test_folders_and_unreadable_runs(tmp_path: Path) -> None:
    assert worldengine("check", tmp_path).returncode == 2
    assert worldengine("play", tmp_path).returncode == 2
    assert worldengine("verify", tmp_path).returncode == 2
    (tmp_path / "manifest.json").write_text("{}")
    done = worldengine("verify", tmp_path)
    assert done.returncode == 2 and b"not valid" in done.stderr


def test_wrong_usage_is_two() -> None:
    for arguments in ([], ["chek"], ["check"], ["rollout", "x"], ["export", "r", "--to", "x"]):
        assert worldengine(*arguments).returncode == 2
    done = worldengine("rollout", "x", "--out", "y", "--episodes", "many")
    assert done.returncode == 2 and b"'many' is not a whole number" in done.stderr
    done = worldengine("diagnose", "x")
    assert done.returncode == 2 and b"not there yet" in done.stderr


def test_a_master_without_an_address_is_told(tiny: Path, tmp_path: Path) -> None:
    done = worldengine("rollout", tiny, "--player", "dm:model", "--out", tmp_path / "run")
    assert done.returncode == 2 and b"write openai:MODEL@URL" in done.stderr


TYPED: list[bytes] = [
    b"\0\n",
    b"\xff\xfe\xfa\n",
    b"x" * 1_000_000 + b"\n",
    b"x" * 100_000,
    "🧺 \u202e \u0301\u0301 ﷽\n".encode(),
    b"\n\n\n",
    b"open door then go north. take letter; look\n",
    b"take letter and umbrella\n",
    b"[/] [red] {x} %s $(ls) `id`\n",
    b"\x1b[2J\x1b]0;title\x07\n",
    b"put umbrella in umbrella\n",
    b"../../../etc/passwd\n",
    b"take " + b"letter " * 50 + b"\n",
]


@pytest.mark.parametrize("typed", TYPED, ids=range(len(TYPED)))
def test_hostile_commands(tiny: Path, typed: bytes) -> None:
    for way in ("--plain", "--json"):
        done = worldengine("play", tiny, way, text=typed)
        no_traceback(done)
        assert done.returncode == 0
        assert b"\x1b" not in done.stdout
    assert all(turn["outcome"] != "ok" for turn in documents(done))


def test_hostile_script_files(tiny: Path, tmp_path: Path) -> None:
    script = tmp_path / "commands.txt"
    for data, status in ((b"", 0), (b"\xff", 2), (b"look\n" * 500_000, 2), (b"\n\n", 0)):
        script.write_bytes(data)
        done = worldengine("play", tiny, "--script", script)
        no_traceback(done)
        assert done.returncode == status
    assert worldengine("play", tiny, "--script", tmp_path).returncode == 2


def test_a_reader_who_leaves_ends_it_quietly(tiny: Path) -> None:
    command = [sys.executable, "-m", "worldengine", "show", str(tiny), "--machine"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def wait_for_lines(run: Path, wanted: int, process: subprocess.Popen[bytes]) -> None:
    """Until the run holds so many trajectories: a marker, however slow this machine is."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if sum(path.read_bytes().count(b"\n") for path in run.glob("*.jsonl")) >= wanted:
            return
        time.sleep(0.02)
    pytest.fail("the rollout wrote nothing in time")


@pytest.mark.parametrize("workers", ["1", "2"])
def test_killed_and_resumed_a_run_equals_an_undisturbed_one(
    tiny: Path, tmp_path: Path, workers: str
) -> None:
    whole, run = tmp_path / "whole", tmp_path / "run"
    asked = ["--episodes", "400", "--seed", "9", "--workers", workers]
    assert worldengine("rollout", tiny, *asked[:4], "--out", whole).returncode == 0
    command = [sys.executable, "-m", "worldengine", "rollout", str(tiny), "--out", str(run), *asked]
    with started(command) as process:
        wait_for_lines(run, 5, process)
        process.kill()
        process.communicate(timeout=SECONDS)
    assert process.returncode == -signal.SIGKILL
    kept = (run / "trajectories-00000.jsonl").read_bytes()
    assert 0 < len(kept) < (whole / "trajectories-00000.jsonl").stat().st_size
    (run / "trajectories-00000.jsonl").write_bytes(kept + b'{"format":1,"id":"torn')
    assert worldengine("rollout", tiny, "--out", run, *asked, "--resume").returncode == 0
    for name in ("manifest.json", "trajectories-00000.jsonl"):
        assert (run / name).read_bytes() == (whole / name).read_bytes()


def test_ctrl_c_ends_cleanly_and_the_run_is_usable(tiny: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    command = [sys.executable, "-m", "worldengine", "rollout", str(tiny), "--out", str(run)]
    command += ["--episodes", "100000", "--workers", "2"]
    with started(command) as process:
        wait_for_lines(run, 1, process)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert b"Traceback" not in told and b"--resume" in told
    (result,) = documents(worldengine("verify", run, "--json"))
    assert result["trajectories"] > 0 and result["rejected"] == []


def test_format_never_rewrites_what_lies_below_a_folder(tmp_path: Path) -> None:
    below = tmp_path / "below"
    below.mkdir()
    script = below / "w.world"
    script.write_text('world   w "W" { goal "g" }\n', encoding="utf-8")
    done = worldengine("format", tmp_path)
    assert done.returncode == 2
    assert script.read_text(encoding="utf-8") == 'world   w "W" { goal "g" }\n'


def test_a_script_may_be_a_pipe(tiny: Path) -> None:
    """As `play --script <(…)` of a shell hands one over."""
    reading, writing = os.pipe()
    os.write(writing, b"look\n")
    os.close(writing)
    done = subprocess.run(
        [sys.executable, "-m", "worldengine", "play", str(tiny), "--script", f"/dev/fd/{reading}"],
        capture_output=True,
        pass_fds=(reading,),
        check=False,
    )
    os.close(reading)
    assert done.returncode == 0 and b"> look" in done.stdout
    done = worldengine("play", tiny, "--script", tiny.parent)
    assert done.returncode == 2 and b"is a folder" in done.stderr
