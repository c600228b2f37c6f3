"""Transcripts of other people's agents: read in every usual shape, played, verified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.corpus import CORPUS, needs_corpus
from worldengine.cli import main
from worldengine.compiler import compile as compile_text
from worldengine.importers.trajectories import episode, import_trajectories
from worldengine.importers.transcripts import NoTranscript, read
from worldengine.players.reply import read as read_reply
from worldengine.resources import shipped_worlds
from worldengine.rollout.episode import Episode
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import PlayerRecord, Provenance
from worldengine.rollout.verify import verify
from worldengine.source import Source

CANAL = Path(__file__).parent / "canal" / "canal.world"
TURNS = [("Up they go.", "turn over"), ("", "sail anna harbour lock"), ("Look.", "look")]


def chat(role: str, content: str, agent: str, other: str) -> list[dict[str, str]]:
    found = [{role: other, content: "Your task is to sail."}]
    for thought, command in TURNS:
        said = f"Thought: {thought}\nAction: {command}" if thought else f"Action: {command}"
        found += [{role: agent, content: said}, {role: other, content: "Observation: Done."}]
    return found


REACT = "Sail!\n" + "".join(
    (f"> think: {thought}\nOK.\n" if thought else "") + f"> {command}\nDone.\n"
    for thought, command in TURNS
)
LINES = "Task: sail.\n" + "".join(
    (f"Thought: {thought}\n" if thought else "") + f"ACTION: {command}\nOBSERVATION: Done.\n\n"
    for thought, command in TURNS
)
SHAPES = {
    "messages": {"messages": chat("role", "content", "assistant", "user")},
    "sharegpt": [{"id": "x", "conversations": chat("from", "value", "gpt", "human")}],
    "react": {"react_put_0": REACT},
    "lines": {"examples": LINES},
    "strings": {
        "put": ["Sail!"]
        + [
            part
            for thought, command in TURNS
            for part in (f"THOUGHT: {thought}\n ACTION: {command}\n", "Done.\n")
        ]
    },
    "pairs": {"turns": [{"action": f"think: {t}" if t and not c else c, "observation": "."}
                        for thought, command in TURNS
                        for t, c in ([(thought, "")] if thought else []) + [("", command)]]},
    "agentrefine": [
        turn
        for index, (thought, command) in enumerate(TURNS)
        for turn in (
            {"turn": 2 * index, "role": "Player", "Thought": thought, "Action": command},
            {"turn": 2 * index + 1, "role": "DM", "Thought": "Hm.", "Observation": "Done.",
             "parameter_error": False},
        )
    ],
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_says_the_same(shape: str) -> None:
    found = read(Source("t.json", json.dumps(SHAPES[shape])))
    assert len(found) == 1
    machine = compile_text(CANAL.read_text(encoding="utf-8"))
    turns = episode(machine, found[0], 0).turns
    assert [(turn.thought, turn.command) for turn in turns] == TURNS


def test_one_a_line() -> None:
    line = json.dumps(SHAPES["messages"])
    assert len(read(Source("t.jsonl", f"{line}\n\n{line}\n"))) == 2


@pytest.mark.parametrize("text", ["", "[]", "prose only", '{"a": 1}', "[" * 5000])
def test_nothing_to_read(text: str) -> None:
    with pytest.raises(NoTranscript):
        read(Source("t.json", text))


def test_a_run_that_verifies(tmp_path: Path) -> None:
    machine = compile_text(CANAL.read_text(encoding="utf-8"))
    found = read(Source("t.json", json.dumps(list(SHAPES.values()))))
    taken = import_trajectories(found, machine, tmp_path / "run")
    wanted = {"trajectories": 7, "won": 0, "turns": 21, "accepted": 21}
    assert taken.told() == wanted | {"unread": 0, "after_end": 0}
    rows = list(Run(tmp_path / "run").rows())
    assert len(rows) == 7 and all(row.trajectory is not None for row in rows)
    told = verify(tmp_path / "run")
    assert (told.trajectories, told.rejected) == (7, [])


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "t.json"
    file.write_text(json.dumps(SHAPES["react"]))
    wanted = ["import", "trajectories", str(file), "--world", str(CANAL)]
    assert main(wanted) == 2
    assert main([*wanted, "--out", str(tmp_path / "run"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accepted"] == 3


def test_a_record_of_ours_comes_back_as_it_was_said(tmp_path: Path) -> None:
    """Every turn, every class of refusal, every letter of a reply, and the start."""
    (path,) = (path for path in shipped_worlds() if path.stem == "tide_clock")
    machine = compile_text(path.read_text(encoding="utf-8"))
    said = ["Thought: Hm.\nAction: talk at ines", "Action: take", "", "open the tower door",
            "Action: ring bell", "Thought: On.\nAction: take lamp"]  # fmt: skip
    origin = Provenance(
        machine_hash=machine.hash,
        variant=len(machine.variants) - 1,
        seed=3,
        episode=5,
        player=PlayerRecord(name="me"),
        command_set="known",
    )
    played = Episode(machine, origin)
    for text in said:
        played.play(read_reply(text))
    found = read(Source("t.jsonl", played.line() + "\n"))
    taken = import_trajectories(found, machine, tmp_path / "run")
    assert (taken.turns, taken.unread, taken.after_end) == (len(said), 0, 0)
    (row,) = Run(tmp_path / "run").rows()
    assert row.trajectory is not None
    assert row.trajectory.turns == played.turns
    assert row.trajectory.variant == origin.variant
    assert {turn.outcome for turn in played.turns} == {"ok", "parameter", "place", "logic"}


def test_what_is_left_out_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    talk = [*chat("role", "content", "assistant", "user"), {"role": "assistant", "content": ""}]
    file = tmp_path / "t.json"
    file.write_text(json.dumps({"messages": talk}))
    assert main(["import", "trajectories", str(file), "--world", str(CANAL), "--json",
                 "--out", str(tmp_path / "run")]) == 0  # fmt: skip
    told = capsys.readouterr()
    assert json.loads(told.out)["unread"] == 1
    assert "1 message with neither a thought nor a command" in told.err


def test_a_torn_line_is_named() -> None:
    line = json.dumps(SHAPES["messages"])
    with pytest.raises(NoTranscript, match=r"line 3 of t\.jsonl is not JSON"):
        read(Source("t.jsonl", f"{line}\n\n{line[:50]}\n"))


def test_all_of_a_large_file_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Once no more than a mebibyte was read."""
    line = json.dumps({"note": "x" * 100_000, "talk": SHAPES["messages"]})
    file = tmp_path / "t.jsonl"
    file.write_text("\ufeff" + f"{line}\n" * 15)
    assert main(["import", "trajectories", str(file), "--world", str(CANAL), "--json",
                 "--out", str(tmp_path / "run")]) == 0  # fmt: skip
    assert json.loads(capsys.readouterr().out)["trajectories"] == 15
    file.write_bytes(b"\n\n> look\xff")
    assert main(["import", "trajectories", str(file), "--world", str(CANAL),
                 "--out", str(tmp_path / "other")]) == 2  # fmt: skip
    assert "line 3 of" in capsys.readouterr().err


@needs_corpus
@pytest.mark.parametrize(
    "path", sorted((CORPUS / "trajectories").rglob("*.json*")), ids=lambda path: path.name
)
def test_real_transcripts(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    if path.name == "reflexion_failures_alfworld.json":  # reflections, no turns
        with pytest.raises(NoTranscript):
            read(source)
        return
    found = read(source)
    assert all(any(command for _, command in item.turns) for item in found)
