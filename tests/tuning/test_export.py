"""Exports: what a row holds in each format, what is left out and why, files whole or not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.worlds import lamp
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.verify import verify
from worldengine.tuning.export import ExportError, export
from worldengine.tuning.masks import MaskError, mask
from worldengine.tuning.output import OutputError
from worldengine.tuning.sources import Options


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "run"
    rollout([lamp()], "explorer", episodes=6, seed=4, out=folder)
    return folder


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for shard in Run(folder).shards() for line in shard.open()]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.open(encoding="utf-8")]


def written(run: Path, out: Path, to: str, **options: Any) -> list[dict[str, Any]]:
    export(run, Options(to=to, **options), out)
    return rows(out)


def test_messages_mask_what_was_refused(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "train.jsonl"
    summary = export(run, "messages", out)
    rows = [json.loads(line) for line in out.open()]
    assert summary.rows == len(rows) == verify(run).accepted
    trained = masked = 0
    by_id = {record["id"]: record for record in lines(run)}
    for row in rows:
        record = by_id[row["id"]]
        assert [m["role"] for m in row["messages"][:3]] == ["system", "user", "assistant"]
        replies = [m for m in row["messages"] if m["role"] == "assistant"]
        for message in row["messages"]:
            assert message["train"] is message["loss"] is message["trainable"]
            assert message["role"] == "assistant" or message["train"] is False
        assert row["messages"][-1]["train"] is True
        assert row["ending"] == record["turns"][-1]["observation"]
        for message, turn in zip(replies, record["turns"], strict=True):
            assert message["content"] == turn["reply"]
            guessed = turn.get("mistake") == "guess"
            assert message["train"] is (turn["outcome"] == "ok" and not guessed)
        trained += sum(m["train"] for m in replies)
        masked += sum(not m["train"] for m in replies)
        roles = [m["role"] for m in row["messages"][1:]]
        assert roles == ["user", "assistant"] * (len(roles) // 2)
    assert (summary.trained_turns, summary.masked_turns) == (trained, masked)
    assert masked >= 2 * len(rows)
    assert set(summary.told()) >= {"rows", "trained_turns", "masked_turns", "tokens"}


def test_the_intro_is_said_once(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "train.jsonl"
    export(run, "messages", out)
    intro = lamp().intro
    for line in out.open():
        system, opening = json.loads(line)["messages"][:2]
        assert intro and intro not in system["content"] and intro in opening["content"]


def test_a_conversation_ends_with_a_trained_reply(tmp_path: Path) -> None:
    """Also where the episode ran out with a refusal: some trainers warn, some drop the row."""
    folder = tmp_path / "run"
    rollout([lamp()], "random", episodes=30, seed=3, out=folder)
    summary = export(folder, "messages", tmp_path / "train.jsonl", "verified")
    rows = [json.loads(line) for line in (tmp_path / "train.jsonl").open()]
    assert rows and all(row["messages"][-1]["train"] for row in rows)
    masked = sum(
        not m["train"] for row in rows for m in row["messages"] if m["role"] == "assistant"
    )
    assert summary.masked_turns == masked


def test_what_is_left_out_is_counted_by_reason(tmp_path: Path) -> None:
    rollout([lamp()], "random", episodes=20, seed=3, out=tmp_path / "run")
    summary = export(tmp_path / "run", "messages", tmp_path / "train.jsonl")
    left = list(summary.left_out())
    assert sum(number for number, _ in left) + summary.rows == 20
    assert {why for _, why in left} <= {"ran out of turns", "hold fewer than two refinements"}


def test_only_what_verifies_is_exported(run: Path, tmp_path: Path) -> None:
    record = lines(run)[0]
    folder = tampered(run, tmp_path / "a", record | {"opening": "Another opening."})
    summary = export(folder, "messages", tmp_path / "out.jsonl", "verified")
    assert summary.rows == 0 and len(summary.verification.rejected) == 1


def tampered(run: Path, to: Path, row: dict[str, Any]) -> Path:
    (to / "machines").mkdir(parents=True)
    for name in ["manifest.json", f"machines/{lamp().hash}.json"]:
        (to / name).write_bytes((run / name).read_bytes())
    (to / "trajectories-00000.jsonl").write_text(json.dumps(row) + "\n")
    return to


def test_nothing_to_write_leaves_the_file_that_was_there(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("precious\n")
    folder = tampered(run, tmp_path / "a", lines(run)[0] | {"opening": "Another."})
    assert export(folder, "messages", out).rows == 0
    assert out.read_text() == "precious\n" and not (tmp_path / "out.jsonl.part").exists()


def test_a_failure_half_way_leaves_the_file_that_was_there(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from worldengine.tuning import output

    out = tmp_path / "out.jsonl"
    out.write_text("precious\n")
    written: list[object] = []

    def full(self: object, row: object) -> None:
        written.append(row)
        if len(written) == 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(output._Lines, "write", full)
    with pytest.raises(OSError, match="No space"):
        export(run, "messages", out)
    assert out.read_text() == "precious\n" and not (tmp_path / "out.jsonl.part").exists()


def test_a_corrupt_line_costs_that_line_only(run: Path, tmp_path: Path) -> None:
    folder = tampered(run, tmp_path / "a", lines(run)[0])
    shard = folder / "trajectories-00000.jsonl"
    shard.write_bytes(b"garbage\n" + shard.read_bytes() + b'{"torn')
    summary = export(folder, "messages", tmp_path / "out.jsonl")
    assert summary.rows == 1 and len(summary.verification.rejected) == 2
    (told,) = [why for _, why in summary.left_out()]
    assert "trajectories-00000.jsonl:1" in told


def test_names_that_cannot_be_written(run: Path, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="no format"):
        export(run, "csv", tmp_path / "out.jsonl")
    with pytest.raises(OutputError, match="folder"):
        export(run, "messages", tmp_path)
    with pytest.raises(OutputError, match="inside the run"):
        export(run, "messages", run / "manifest.jsonl")
    with pytest.raises(OutputError, match="should end in"):
        export(run, "messages", tmp_path / "out.csv")
    with pytest.raises(ExportError, match="tokenizer"):
        export(run, "tokens", tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_sharegpt_has_the_columns_of_the_published_data(run: Path, tmp_path: Path) -> None:
    found = written(run, tmp_path / "x.jsonl", "sharegpt")
    for row, plain in zip(found, written(run, tmp_path / "y.jsonl", "messages"), strict=True):
        assert set(row) == {"id", "conversations"} and type(row["id"]) is str
        for turn, message in zip(row["conversations"], plain["messages"], strict=True):
            assert set(turn) == {"from", "loss", "value"} and type(turn["loss"]) is bool
            speakers = {"system": "system", "user": "human", "assistant": "gpt"}
            assert turn["from"] == speakers[message["role"]]
            assert (turn["value"], turn["loss"]) == (message["content"], message["loss"])


def test_openai_weighs_replies_and_holds_nothing_else(run: Path, tmp_path: Path) -> None:
    for row in written(run, tmp_path / "x.jsonl", "openai"):
        assert set(row) == {"messages"}
        weights = []
        for message in row["messages"]:
            if message["role"] == "assistant":
                assert set(message) == {"role", "content", "weight"}
                weights.append(message["weight"])
            else:
                assert set(message) == {"role", "content"}
        assert set(weights) == {0, 1} and all(type(w) is int for w in weights)


def test_llamafactory_weighs_every_message(run: Path, tmp_path: Path) -> None:
    for row in written(run, tmp_path / "x.jsonl", "llamafactory"):
        for message in row["messages"]:
            assert set(message) == {"role", "content", "loss_weight"}
            assert type(message["loss_weight"]) is float
            ((part,),) = [message["content"]]
            assert set(part) == {"type", "value"} and part["type"] == "text"
        assert {m["loss_weight"] for m in row["messages"] if m["role"] == "assistant"} == {0.0, 1.0}


def test_prefix_rows_ask_for_each_trained_reply(run: Path, tmp_path: Path) -> None:
    plain = {row["id"]: row for row in written(run, tmp_path / "y.jsonl", "messages")}
    summary = export(run, "prefix", tmp_path / "x.jsonl")
    found = rows(tmp_path / "x.jsonl")
    assert summary.rows == len(found) == summary.trained_turns
    for row in found:
        whole = plain[row["id"]]["messages"]
        at = len(row["prompt"])
        assert row["prompt"] == [{"role": m["role"], "content": m["content"]} for m in whole[:at]]
        assert row["completion"][0]["content"] == whole[at]["content"] and whole[at]["train"]


@pytest.mark.parametrize("pairs", ["after", "before"])
def test_pairs_are_what_the_machine_says(run: Path, tmp_path: Path, pairs: Any) -> None:
    """The prompt's own replies lead to a state where one is accepted and one refused."""
    machine = lamp()
    found = written(run, tmp_path / "x.jsonl", "dpo", pairs=pairs)
    assert len(found) >= 5
    for row in found:
        state = machine.start(row["variant"])
        for message in row["prompt"]:
            if message["role"] == "assistant":
                state = machine.step(state, command(message)).state
        assert row["prompt"][-1]["role"] == "user"
        assert machine.step(state, command(row["chosen"][0])).accepted
        refused = machine.step(state, command(row["rejected"][0]))
        assert not refused.accepted
        assert pairs == "after" or refused.outcome_name == row["kind"]
        if pairs == "before":
            assert "Thought" not in row["chosen"][0]["content"] + row["rejected"][0]["content"]


def command(message: dict[str, str]) -> str:
    return message["content"].rpartition("Action: ")[2]


def test_rl_rows_are_starts_each_once(run: Path, tmp_path: Path) -> None:
    summary = export(run, "rl", tmp_path / "x.jsonl")
    found = rows(tmp_path / "x.jsonl")
    starts = {(row["machine_hash"], row["variant"]) for row in lines(run)}
    assert {(row["machine_hash"], row["variant"]) for row in found} == starts
    assert len(found) == len(starts) == summary.rows and summary.trained_turns == 0
    assert all(len(row["prompt"]) == 2 and type(row["seed"]) is int for row in found)


@pytest.mark.parametrize("text", ["", "none,place", "place,none", "place,,logic", "plaice"])
def test_what_is_no_mask(text: str) -> None:
    with pytest.raises(MaskError):
        mask(text)


def test_masks_go_by_kind(run: Path, tmp_path: Path) -> None:
    for text, kinds in (("place,logic", {"place", "logic"}), ("none", set()), ("refused", None)):
        export(run, Options(mask=mask(text)), tmp_path / "x.jsonl")
        turns = {row["id"]: row["turns"] for row in lines(run)}
        seen = set()
        for row in rows(tmp_path / "x.jsonl"):
            replies = [m for m in row["messages"] if m["role"] == "assistant"]
            for message, turn in zip(replies, turns[row["id"]], strict=False):
                wrong = {"parameter", "place", "logic"} if kinds is None else kinds
                guess = turn.get("mistake") == "guess"
                assert message["train"] is (turn["outcome"] not in wrong and not guess)
                seen.add(turn["outcome"])
        assert {"ok", "parameter"} <= seen


def test_other_files_hold_the_same_rows(run: Path, tmp_path: Path) -> None:
    plain = written(run, tmp_path / "x.jsonl", "messages")
    zstandard = pytest.importorskip("zstandard")
    export(run, "messages", tmp_path / "x.jsonl.zst")
    with (tmp_path / "x.jsonl.zst").open("rb") as file:
        data = zstandard.ZstdDecompressor().stream_reader(file).read()
    assert data == (tmp_path / "x.jsonl").read_bytes()
    parquet = pytest.importorskip("pyarrow.parquet")
    export(run, "messages", tmp_path / "x.parquet")
    assert parquet.read_table(tmp_path / "x.parquet").to_pylist() == plain


def test_equal_requests_give_equal_bytes(run: Path, tmp_path: Path) -> None:
    for to in ("messages", "dpo", "rl", "prefix"):
        export(run, to, tmp_path / "a.jsonl")
        export(run, to, tmp_path / "b.jsonl")
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
