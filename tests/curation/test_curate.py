"""Curation: filters, duplicates, balance, splits without leaks, selections that export reads."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import worldengine
from tests.worlds import TINY, lamp
from worldengine.curation.balance import Entry, balanced, filled
from worldengine.curation.curate import Request, curate, save
from worldengine.curation.duplicates import NearDuplicates
from worldengine.curation.filters import FilterError, limits, unfit
from worldengine.curation.selection import SelectionError, read
from worldengine.curation.splits import SplitError, groups, leaks, shares, split, structure
from worldengine.machine import Machine
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.tuning.export import export
from worldengine.tuning.sources import Options


def tiny(name: str = "tiny", **words: str) -> Machine:
    text = TINY.replace("world tiny", f"world {name}", 1)
    for old, new in words.items():
        text = text.replace(old, new)
    return worldengine.compile(text)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("curation") / "run"
    others = [tiny(), tiny("flat", umbrella="parasol")]
    rollout([lamp(), *others], "explorer", episodes=12, seed=4, out=folder)
    return folder


# -- filters -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ({"turns": (10, 12)}, lambda t: 10 <= len(t["turns"]) <= 12),
        ({"pairs": (3, 3)}, lambda t: len(t["refinements"]) == 3),
        ({"kinds": ("logic",)}, lambda t: any(x["outcome"] == "logic" for x in t["turns"])),
        ({"without": ("place",)}, lambda t: all(x["outcome"] != "place" for x in t["turns"])),
        ({"characters": 2500}, lambda t: len(t["prompt"] + t["opening"]) + sum(
            len(x["reply"] + x["observation"]) for x in t["turns"]) <= 2500),
    ],
)  # fmt: skip
def test_filters_keep_what_they_say(run: Path, asked: Any, holds: Any) -> None:
    result = curate([run], Request(limits=limits(include="won", **asked), near=0))
    raw = [json.loads(line) for shard in Run(run).shards() for line in shard.open()]
    wanted = {t["id"] for t in raw if t["status"] == "won" and holds(t)}
    pairs = asked.get("pairs")
    assert {each.id for each in result.kept} == wanted
    assert wanted and (len(wanted) < len(raw) or pairs is None)
    assert len(result.kept) + sum(result.left_out.values()) == result.trajectories


def test_lost_episodes_are_kept_when_asked(tmp_path: Path) -> None:
    rollout([lamp()], "random", episodes=20, seed=3, out=tmp_path / "run")
    most = curate([tmp_path / "run"], Request(limits=limits(include="verified"), near=0))
    won = curate([tmp_path / "run"], Request(limits=limits(include="won"), near=0))
    assert len(most.kept) == 20 > len(won.kept)
    for row in Run(tmp_path / "run").rows():
        assert row.trajectory is not None
        why = unfit(row.trajectory, limits(include="won"))
        assert bool(why) is (row.trajectory.status != "won")


def test_filters_that_cannot_be_are_refused() -> None:
    for asked in ({"kinds": ("typo",)}, {"turns": (5, 2)}, {"progress": 1.5}):
        with pytest.raises(FilterError):
            limits(**asked)


# -- duplicates --------------------------------------------------------------------------


def jaccard(one: str, two: str) -> float:
    def runs(text: str) -> set[tuple[str, ...]]:
        words = text.lower().split()
        return set(zip(words, words[1:], words[2:], strict=False))

    return len(runs(one) & runs(two)) / len(runs(one) | runs(two))


def test_near_duplicates_are_those_of_a_full_comparison() -> None:
    """Judged by Jaccard itself, away from the threshold by four standard errors."""
    chance = random.Random(7)
    vocabulary = [f"word{number}" for number in range(400)]
    texts = [" ".join(chance.choices(vocabulary, k=300)) for _ in range(12)]
    for text in list(texts):
        for changes in (1, 1, 2, 2, 12, 30, 60):
            words = text.split()
            for at in chance.sample(range(len(words)), changes):
                words[at] = chance.choice(vocabulary)
            texts.append(" ".join(words))
    chance.shuffle(texts)
    near, kept = NearDuplicates(0.8), list[str]()
    judged: Counter[bool] = Counter()
    for text in texts:
        best = max((jaccard(text, other) for other in kept), default=0.0)
        found = near.add(text)
        if found >= 0:
            assert jaccard(text, kept[found]) > 0.66
        if abs(best - 0.8) > 0.14:
            assert (found >= 0) is (best > 0.8)
            judged[found >= 0] += 1
        if found < 0:
            kept.append(text)
    assert judged[True] >= 10 and judged[False] >= 20 and len(near) == len(kept)


def test_near_duplicates_grow_past_their_tables() -> None:
    near = NearDuplicates(0.9)
    texts = [" ".join(f"{number}x{at}" for at in range(8)) for number in range(4000)]
    assert all(near.add(text) == -1 for text in texts)
    assert [near.like(text) for text in texts[::97]] == list(range(0, 4000, 97))
    assert near.like("something else altogether than that") == -1 and len(near) == 4000


def test_short_and_empty_texts_are_compared_too() -> None:
    near = NearDuplicates()
    assert [near.add(text) for text in ("", "a", "a", "", "a b", "A  B")] == [-1, -1, 1, 0, -1, 2]


def test_repetitions_are_left_out_once_each(run: Path) -> None:
    """The same run twice adds nothing; what is done alike but said otherwise is near by deed."""
    once = curate([run], Request())
    twice = curate([run, run], Request())
    assert [each.id for each in twice.kept] == [each.id for each in once.kept]
    assert twice.left_out["repeat another word by word"] >= len(once.kept)
    alike = curate([run], Request(near=0.55, near_by="done"))
    assert len(alike.kept) < len(once.kept)


# -- balance -----------------------------------------------------------------------------


def entry(number: int, world: str, kinds: tuple[str, ...] = (), **more: Any) -> Entry:
    fields: dict[str, Any] = {
        "id": f"{number:024x}", "world": world, "machine_hash": f"hash {world}",
        "shape": f"shape {world}", "variant": 0, "kinds": kinds, "turns": 9, "pairs": 2,
        "start": f"start {world}".encode(),
    }  # fmt: skip
    return Entry(**(fields | more))


def test_vessels_are_filled_evenly() -> None:
    assert filled({"a": 1, "b": 9, "c": 9}, 9) == {"a": 1, "b": 4, "c": 4}
    assert filled({"a": 1, "b": 9}, 99) == {"a": 1, "b": 9}
    assert filled({"a": 5, "b": 5}, 0) == {"a": 0, "b": 0}
    assert sum(filled(dict.fromkeys("abcdefg", 5), 12).values()) == 12


def test_balance_is_over_worlds_then_kinds() -> None:
    many = [entry(n, "big", ("parameter",)) for n in range(80)]
    many += [entry(n, "big", ("parameter", "logic")) for n in range(80, 90)]
    many += [entry(n, "small", ("place",)) for n in range(90, 100)]
    taken = balanced(many, total=30)
    worlds = Counter(each.world for each in taken)
    assert worlds == {"big": 20, "small": 10}
    assert sum("logic" in each.kinds for each in taken) == 10
    assert [each.id for each in taken] == sorted(each.id for each in taken)
    shuffled = random.Random(1).sample(many, len(many))
    assert {each.id for each in balanced(shuffled, total=30)} == {each.id for each in taken}
    other = {each.id for each in balanced(many, total=30, seed=1)}
    assert other != {each.id for each in taken}
    assert Counter(each.world for each in balanced(many, per_world=4)) == {"big": 4, "small": 4}


# -- splits ------------------------------------------------------------------------------


def test_shares_are_read() -> None:
    assert shares("8:1:1") == {"train": 0.8, "validation": 0.1, "test": 0.1}
    assert shares("train=3,held=1") == {"train": 0.75, "held": 0.25}
    assert shares("1:0:1") == {"train": 0.5, "test": 0.5}
    for text in ("", "a:b", "1:1:1:1", "0:0", "train=1,train=2", "x=-1", "train=inf", "nan:1"):
        with pytest.raises(SplitError):
            shares(text)


def test_no_world_is_parted_and_shares_are_met() -> None:
    chance = random.Random(5)
    entries = [entry(n, f"world {chance.randrange(60)}") for n in range(3000)]
    found = split(entries, shares("8:1:1"), {}, seed=2)
    counts = Counter(found[each.machine_hash] for each in entries)
    assert abs(counts["train"] / 3000 - 0.8) < 0.03 and set(counts) == set(shares("8:1:1"))
    assert leaks(entries, lambda each: found[each.machine_hash], {}) == []
    assert split(entries[::-1], shares("8:1:1"), {}, seed=2) == found
    assert split(entries, shares("8:1:1"), {}, seed=3) != found


def test_every_split_gets_a_world_or_none_is_made() -> None:
    entries = [entry(n, "big") for n in range(90)] + [entry(90, "b"), entry(91, "c")]
    assert set(split(entries, shares("8:1:1"), {}).values()) == {"train", "validation", "test"}
    with pytest.raises(SplitError, match="2 different worlds and 3 splits"):
        split(entries[:91], shares("8:1:1"), {})


def test_equal_worlds_stay_together() -> None:
    """Equal up to names, up to order, or with the same first screen; also by way of another."""
    a, b, c, d = (entry(n, f"w{n}") for n in range(4))
    b = replace(b, shape=a.shape)
    c = replace(c, start=b.start)
    assert groups([a, b, c, d], {}) == [
        (a.machine_hash, b.machine_hash, c.machine_hash),
        (d.machine_hash,),
    ]
    same = {a.machine_hash: "s", d.machine_hash: "s"}
    assert len(groups([a, b, c, d], same)) == 1


def test_a_leak_is_found_whatever_made_it() -> None:
    a, b, c = (entry(n, f"w{n}") for n in range(3))
    halves = {a.id: "train", b.id: "test", c.id: "test"}
    assert leaks([a, b, c], lambda each: halves[each.id], {}) == []
    for other, word in (
        (replace(b, machine_hash=a.machine_hash), "world"),
        (replace(b, shape=a.shape), "shape"),
        (replace(b, start=a.start), "start"),
    ):
        (leak,) = leaks([a, other, c], lambda each: halves[each.id], {})
        assert leak.endswith(f"the same {word}") and "w0 in train" in leak
    structures = {a.machine_hash: "s", b.machine_hash: "s"}
    (leak,) = leaks([a, b, c], lambda each: halves[each.id], structures)
    assert leak.endswith("structure")


def test_perturbed_worlds_have_the_structure_of_their_own() -> None:
    """Names that are only printed do not count; what happens does."""
    plain = tiny()
    renamed = worldengine.compile(
        TINY.replace('"umbrella"', '"parasol"').replace('"hall"', '"lobby"')
    )
    other = worldengine.compile(TINY.replace("locked = true", "locked = false", 1))
    assert plain.hash != renamed.hash and plain.shape == renamed.shape
    assert structure(plain) == structure(renamed) != structure(other)


def test_a_split_run_exports_by_split(run: Path, tmp_path: Path) -> None:
    request = Request(shares=shares("1:1"), near=0)
    result = curate([run], request)
    assert result.leaks == []
    # "flat" is "tiny" in other words, so there are two worlds and they stay together
    worlds = {each.world: result.split_of(each) for each in result.kept}
    assert worlds["tiny"] == worlds["flat"] != worlds["lamp"]
    save(tmp_path / "picked.jsonl", request, result)
    chosen = read(tmp_path / "picked.jsonl")
    ids: dict[str, set[str]] = {}
    for name in ("train", "validation"):
        out = tmp_path / f"{name}.jsonl"
        export(run, Options(selection=chosen, split=name), out)
        ids[name] = {json.loads(line)["id"] for line in out.open()}
        assert ids[name] == {e.id for e in result.kept if result.split_of(e) == name}
    assert ids["train"] and ids["validation"] and not ids["train"] & ids["validation"]
    with pytest.raises(SelectionError, match="no split 'test'"):
        export(run, Options(selection=chosen, split="test"), tmp_path / "x.jsonl")
    save(tmp_path / "again.jsonl", request, curate([run], request))
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "picked.jsonl").read_bytes()


def test_what_was_selected_and_is_in_no_run_is_named(tmp_path: Path) -> None:
    """A run that was left out of an export passes no longer for one that gave no row."""
    run, other, out = tmp_path / "run", tmp_path / "other", tmp_path / "x.jsonl"
    rollout([tiny()], "expert", episodes=2, seed=5, out=run)
    rollout([lamp()], "expert", episodes=1, seed=5, out=other)
    request = Request(limits=limits(include="verified"), near=0)
    both = curate([run, other], request)
    save(tmp_path / "picked.jsonl", request, both)
    chosen = read(tmp_path / "picked.jsonl")
    options = Options(selection=chosen, include="verified")
    with pytest.raises(SelectionError, match=r"picks 1 trajectory .* runs given: 1 of lamp"):
        export(run, options, out)
    assert not out.exists()
    export([run, other], options, out)
    assert out.exists()


def test_what_is_no_selection_is_said(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("")
    with pytest.raises(SelectionError, match="empty"):
        read(path)
    path.write_text('{"messages": []}\n')
    with pytest.raises(SelectionError, match=r"x\.jsonl:1"):
        read(path)
    path.write_text('{"format":"selection-1","request":{}}\n{"id": 3}\n')
    with pytest.raises(SelectionError, match=r"x\.jsonl:2"):
        read(path)


def test_a_corrupt_line_costs_that_line_only(run: Path, tmp_path: Path) -> None:
    to = tmp_path / "run"
    (to / "machines").mkdir(parents=True)
    for path in (run / "machines").iterdir():
        (to / "machines" / path.name).write_bytes(path.read_bytes())
    (to / "manifest.json").write_bytes((run / "manifest.json").read_bytes())
    (shard,) = Run(run).shards()
    (to / shard.name).write_bytes(b"garbage\n" + shard.read_bytes())
    result = curate([to], Request(near=0))
    assert result.rejected == 1 and f"{shard.name}:1" in result.first_rejected
    assert len(result.kept) == len(curate([run], Request(near=0)).kept)
