"""`export`, `curate`, `stats`: the words they print, what they refuse, what they leave alone."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.test_cli import documents, worldengine
from tests.worlds import TINY


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for name in ("tiny", "other"):
        text = TINY.replace("world tiny", f"world {name}")
        if name == "other":
            text = text.replace("locked = true", "locked = false").replace("flat", "loft")
            text = text.replace('"unlock front door with latch key", ', "")
        (folder / f"{name}.world").write_text(text)
    done = worldengine(
        "rollout", folder / "tiny.world", folder / "other.world",
        "--episodes", "8", "--out", folder / "run",
    )  # fmt: skip
    assert done.returncode == 0
    return folder / "run"


def test_formats_are_counted_alike(run: Path, tmp_path: Path) -> None:
    told = {}
    for to in ("messages", "sharegpt", "openai", "llamafactory", "prefix", "dpo", "rl"):
        out = tmp_path / f"{to}.jsonl"
        (told[to],) = documents(worldengine("export", run, "--to", to, "--out", out, "--json"))
        assert told[to]["rows"] == len(out.read_text().splitlines()) > 0
        assert told[to]["tokens"] is None and told[to]["out"] == str(out)
    keys = ("rows", "trained_turns", "masked_turns")
    same = {tuple(told[to][key] for key in keys) for to in ("messages", "sharegpt", "openai")}
    assert len(same) == 1
    assert told["prefix"]["rows"] == told["messages"]["trained_turns"]


def test_starts_to_play_from_have_no_turns_to_count(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "starts.jsonl"
    done = worldengine("export", run, "--to", "rl", "--out", out)
    assert done.returncode == 0
    assert re.fullmatch(r"[0-9]+ rows? in .*starts\.jsonl\n", done.stdout.decode())


def test_several_variants_make_a_folder(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "arms"
    done = worldengine(
        "export", run, "--to", "messages", "--variant", "full", "--variant", "flip:0.2",
        "--out", out, "--json",
    )  # fmt: skip
    (told,) = documents(done)
    assert sorted(path.name for path in out.iterdir()) == ["flip-0.2.jsonl", "full.jsonl"]
    assert told["files"] == [str(out / "full.jsonl"), str(out / "flip-0.2.jsonl")]
    done = worldengine(
        "export", run, "--to", "messages", "--variant", "full", "--variant", "full", "--out", out
    )
    assert done.returncode == 2 and b"twice" in done.stderr


def test_a_row_is_shown(run: Path) -> None:
    done = worldengine("export", run, "--to", "messages", "--view", "2")
    text = done.stdout.decode()
    assert done.returncode == 0 and "⟦" in text and "\x1b" not in text
    assert text.count("⟦") == json.loads(text.partition("\n")[0])["trained_turns"]
    done = worldengine("export", run, "--to", "messages", "--view", "99")
    assert done.returncode == 2 and b"no row 99" in done.stderr
    assert worldengine("export", run, "--to", "messages", "--view", "0").returncode == 2


def test_a_token_row_is_shown_from_its_ids(run: Path, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from tests.tuning.families import LLAMA, saved

    words = saved(LLAMA, tmp_path / "words")
    done = worldengine("export", run, "--to", "tokens", "--tokenizer", words, "--view", "1")
    text = done.stdout.decode()
    head = json.loads(text.partition("\n")[0])
    assert text.count("⟦") == text.count("<|eot_id|>⟧") == head["trained_turns"]
    assert text.rstrip().split("\n")[-1].startswith(f"{head['tokens']} tokens, ")
    whole, out = tmp_path / "whole.jsonl", tmp_path / "x.jsonl"
    to_tokens = ("export", run, "--to", "tokens", "--tokenizer", words, "--json", "--out")
    assert worldengine(*to_tokens, whole).returncode == 0
    lengths = [len(json.loads(row)["input_ids"]) for row in whole.read_text().splitlines()]
    most = str(max(lengths) - 1)
    done = worldengine(*to_tokens, out, "--max-tokens", most, "--too-long", "drop")
    (told,) = documents(done)
    assert told["rows_too_long"] == lengths.count(max(lengths)) and told["tokens"] > 0
    assert b"longer than --max-tokens" in done.stderr
    done = worldengine(
        "export", run, "--to", "tokens", "--tokenizer", words, "--out", out, "--max-tokens", "50"
    )
    assert done.returncode == 2 and b"--too-long" in done.stderr
    assert len(out.read_text().splitlines()) == told["rows"]  # the file from before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--to", "csv", "--out", "x.jsonl"], "there are: messages"),
        (["--to", "messages"], "--out"),
        (["--to", "tokens", "--out", "x.jsonl"], "--tokenizer"),
        (["--to", "tokens", "--tokenizer", "a/b", "--out", "x.jsonl"], "no folder"),
        (["--to", "messages", "--max-tokens", "9", "--out", "x.jsonl"], "--tokenizer"),
        (["--to", "messages", "--mask", "typo", "--out", "x.jsonl"], "no kind of error 'typo'"),
        (["--to", "messages", "--variant", "typo", "--out", "x.jsonl"], "no variant 'typo'"),
        (["--to", "dpo", "--variant", "keep-errors", "--out", "x.jsonl"], "have no variants"),
        (["--to", "messages", "--split", "train", "--out", "x.jsonl"], "--selection"),
        (["--to", "messages", "--selection", "nowhere", "--out", "x.jsonl"], "nowhere"),
        (["--to", "messages", "--out", "x.csv"], "should end in"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], complaint: str
) -> None:
    pytest.importorskip("transformers")
    monkeypatch.chdir(tmp_path)
    done = worldengine("export", run, *arguments)
    assert done.returncode == 2 and complaint in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1 and list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for arguments in (
        ("export", run, "--to", "messages", "--out", tmp_path / "file" / "x.jsonl"),
        ("curate", run, "--out", tmp_path / "file" / "x.jsonl"),
    ):
        done = worldengine(*arguments)
        assert done.returncode == 2 and done.stderr.count(b"\n") == 1 and b"file" in done.stderr
    assert (tmp_path / "file").read_text() == "in the way"


def test_an_empty_run_has_nothing_to_give(run: Path, tmp_path: Path) -> None:
    empty = tmp_path / "run"
    shutil.copytree(run, empty, ignore=shutil.ignore_patterns("trajectories-*"))
    for command in (("export", empty, "--to", "messages"), ("curate", empty)):
        done = worldengine(*command, "--out", tmp_path / "x.jsonl")
        assert done.returncode == 1 and b"was not written" in done.stderr
    done = worldengine("stats", empty)
    assert done.returncode == 1 and b"no trajectory" in done.stderr
    assert not (tmp_path / "x.jsonl").exists()


def test_a_corrupt_line_is_told_by_all_three(run: Path, tmp_path: Path) -> None:
    hurt = tmp_path / "run"
    shutil.copytree(run, hurt)
    (shard,) = hurt.glob("trajectories-*")
    shard.write_bytes(b"\x00garbage\n" + shard.read_bytes())
    where = f"{shard.name}:1".encode()
    out = tmp_path / "x.jsonl"
    for command in (
        ("export", hurt, "--to", "messages", "--out", out),
        ("curate", hurt, "--out", tmp_path / "y.jsonl"),
        ("stats", hurt),
    ):
        done = worldengine(*command)
        assert done.returncode == 1 and where in done.stderr
    assert len(out.read_text().splitlines()) >= 10  # all the others are there


def test_curate_picks_and_export_follows(run: Path, tmp_path: Path) -> None:
    picked = tmp_path / "picked.jsonl"
    done = worldengine(
        "curate", run, "--split", "1:1", "--per-world", "4", "--out", picked, "--json"
    )
    (told,) = documents(done)
    assert done.returncode == 0 and told["leaks"] == [] and told["kept"] == 8
    assert {name: each["worlds"] for name, each in told["splits"].items()} == {
        "train": 1, "validation": 1,
    }  # fmt: skip
    for name in ("train", "validation"):
        done = worldengine(
            "export", run, "--to", "messages", "--selection", picked, "--split", name,
            "--out", tmp_path / "x.jsonl", "--json",
        )  # fmt: skip
        (each,) = documents(done)
        assert each["rows"] == told["splits"][name]["trajectories"]
    (told,) = documents(worldengine("stats", run, "--selection", picked, "--json"))
    assert told["trajectories"] == 8
    done = worldengine("curate", run, "--split", "8:1:1", "--out", picked)
    assert done.returncode == 2 and b"a world is never parted" in done.stderr


def test_stats_prints_tables(run: Path, tmp_path: Path) -> None:
    done = worldengine("stats", run)
    text = done.stdout.decode()
    assert done.returncode == 0 and "refused as" in text and "distinct-1" in text
    (told,) = documents(worldengine("stats", run, "--json"))
    assert told["trajectories"] == 16 and len(told["similarity"]["nearest"]) == 2
    pytest.importorskip("matplotlib")
    done = worldengine("stats", run, "--plots", tmp_path / "pictures")
    assert sorted(path.name for path in (tmp_path / "pictures").iterdir()) == [
        "errors.png", "lengths.png", "templates.png", "worlds.png", "yields.png",
    ]  # fmt: skip


def test_stats_of_a_run_without_thoughts_say_none(tmp_path: Path) -> None:
    done = worldengine(
        "rollout", "tide_clock", "--player", "random", "--episodes", "2", "--out", tmp_path / "run"
    )
    assert done.returncode == 0
    text = worldengine("stats", tmp_path / "run").stdout.decode()
    (row,) = re.findall(r"^thoughts .*$", text, re.M)
    assert row.split() == ["thoughts", "none"]


@pytest.mark.parametrize(
    ("library", "extra", "arguments"),
    [
        ("pyarrow", "tables", ["export", "--to", "messages", "--out", "x.parquet"]),
        ("zstandard", "tables", ["export", "--to", "messages", "--out", "x.jsonl.zst"]),
        ("matplotlib", "report", ["stats", "--plots", "pictures"]),
        ("transformers", "llm", ["export", "--to", "tokens", "--tokenizer", ".", "--out", "x"]),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    run: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str,
    extra: str,
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, library, None)
    done = worldengine(arguments[0], run, *arguments[1:])
    assert done.returncode == 3 and f"worldengine-machine[{extra}]".encode() in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_not_played_line_by_line(run: Path) -> None:
    done = worldengine("play", run, "--plain")
    assert done.returncode == 2 and b"is the folder of a run" in done.stderr
    assert b"worldengine report" in done.stderr
