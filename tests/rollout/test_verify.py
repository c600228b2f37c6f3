"""Verification: true records hold; a change of any field of any kind is caught."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.worlds import lamp
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run, RunError
from worldengine.rollout.verify import verify


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify") / "run"
    rollout([lamp()], "explorer", episodes=6, seed=4, out=folder)
    return folder


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for shard in Run(folder).shards() for line in shard.open()]


def copied(run: Path, to: Path, rows: list[dict[str, Any]]) -> Path:
    (to / "machines").mkdir(parents=True)
    for name in ["manifest.json", f"machines/{lamp().hash}.json"]:
        (to / name).write_bytes((run / name).read_bytes())
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (to / "trajectories-00000.jsonl").write_text(text)
    return to


def test_what_was_played_holds(run: Path) -> None:
    result = verify(run)
    assert result.rejected == []
    assert result.trajectories == 6
    assert result.accepted + sum(result.set_aside.values()) == 6
    assert result.accepted >= 5
    assert set(result.told()) >= {"trajectories", "accepted", "rejected", "refinements"}


def other(value: Any) -> list[Any]:
    """Values of the same kind that are not `value`."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if isinstance(value, float):
        return [value + 0.25]
    if value is None:
        return [0, "x", {"word": "here", "object": 1}]
    swaps = {
        "ok": "logic", "logic": "place", "place": "parameter", "parameter": "ok",
        "won": "lost", "running": "won", "known": "scoped", "explorer": "random",
    }  # fmt: skip
    if isinstance(value, str):
        return [swaps.get(value, value + "x"), value[:-1] if len(value) > 1 else "yy"]
    if isinstance(value, list):
        return [value[:-1], [*value, *value[-1:]]] if value else [[{"refused": 0, "recovered": 1}]]
    assert isinstance(value, dict)
    return [None]


def mutations(node: Any, trail: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every place in a record with every other value for it."""
    for value in other(node) if trail else []:
        yield trail, value
    items: Any = ()
    if isinstance(node, dict):
        items = node.items()
    elif isinstance(node, list):
        items = enumerate(node)
    for key, child in items:
        yield from mutations(child, (*trail, key))


def changed(record: dict[str, Any], trail: tuple[Any, ...], value: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(record))
    node: Any = copy
    for key in trail[:-1]:
        node = node[key]
    node[trail[-1]] = value
    return copy


def test_every_tampered_field_is_caught(run: Path, tmp_path: Path) -> None:
    record = lines(run)[0]
    assert {turn["outcome"] for turn in record["turns"]} > {"ok"}
    cases = list(mutations(record))
    tampered = [changed(record, trail, value) for trail, value in cases]
    for number, row in enumerate(tampered):
        folder = copied(run, tmp_path / str(number), [row])
        result = verify(folder)
        assert len(result.rejected) == 1, f"{cases[number]} was not noticed"
        assert result.rejected[0].reason
    assert len(cases) > 200


def test_added_and_removed_fields_are_caught(run: Path, tmp_path: Path) -> None:
    record = lines(run)[0]
    rows = [record | {"extra": 1}]
    rows += [{k: v for k, v in record.items() if k != name} for name in record if name != "format"]
    for number, row in enumerate(rows):
        assert len(verify(copied(run, tmp_path / str(number), [row])).rejected) == 1


def test_a_turn_in_another_order_is_caught(run: Path, tmp_path: Path) -> None:
    record = lines(run)[0]
    turns = record["turns"]
    swapped = record | {"turns": [turns[1], turns[0], *turns[2:]]}
    assert len(verify(copied(run, tmp_path / "a", [swapped])).rejected) == 1


def test_one_trajectory_counts_once(run: Path, tmp_path: Path) -> None:
    record = lines(run)[0]
    result = verify(copied(run, tmp_path / "a", [record, record]))
    assert result.trajectories == 2
    assert [item.reason for item in result.rejected] == [
        "the same trajectory stands in the run already"
    ]


def test_a_bad_line_hides_no_other(run: Path, tmp_path: Path) -> None:
    folder = copied(run, tmp_path / "a", lines(run))
    shard = folder / "trajectories-00000.jsonl"
    shard.write_bytes(b"garbage\n" + shard.read_bytes() + b'{"torn')
    result = verify(folder)
    assert result.trajectories == 8 and len(result.rejected) == 2
    assert result.rejected[0].id == "trajectories-00000.jsonl:1"


def test_a_world_cannot_be_called_something_else(run: Path, tmp_path: Path) -> None:
    """The hash binds the name: a manifest that says another is not believed."""
    folder = copied(run, tmp_path / "a", lines(run))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["worlds"][0]["name"] = "another"
    (folder / "manifest.json").write_text(json.dumps(manifest))
    result = verify(folder)
    assert result.accepted == 0 and len(result.rejected) == result.trajectories
    assert 'calls a world "another" that is' in result.rejected[0].reason
    (folder / "trajectories-00000.jsonl").write_text("")
    with pytest.raises(RunError, match="calls a world"):
        verify(folder)


def test_what_others_would_read_otherwise_is_caught(run: Path, tmp_path: Path) -> None:
    """A key that stands twice, of which readers take the first or the last; and values that are
    equal to Python and are not the same to others."""
    record = lines(run)[0]
    whole = json.dumps(record)
    twice = whole.replace('"train": true', '"train": false, "train": true', 1)
    assert json.loads(twice) == record
    player = {**record["player"], "settings": {**record["player"]["settings"], "mistakes": 1}}
    first = {**record["turns"][0], "progress": -0.0}
    for number, (text, words) in enumerate([
        (twice, "train stands twice"),
        (json.dumps(record | {"player": player}), "not written alike"),
        (json.dumps(record | {"turns": [first, *record["turns"][1:]]}), "not written alike"),
    ]):  # fmt: skip
        folder = copied(run, tmp_path / str(number), [record])
        (folder / "trajectories-00000.jsonl").write_text(text + "\n")
        (rejected,) = verify(folder).rejected
        assert words in rejected.reason
    folder = copied(run, tmp_path / "as it is", [record])
    (folder / "trajectories-00000.jsonl").write_text(json.dumps(record, indent=None) + "\n")
    assert not verify(folder).rejected
