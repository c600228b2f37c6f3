"""Variants of one corpus: only what is under test differs, row by row."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.worlds import lamp
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.machine import Machine
from worldengine.resources import shipped_worlds
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory, TurnRecord
from worldengine.rollout.verify import fault
from worldengine.tuning.conversation import Conversation
from worldengine.tuning.export import export
from worldengine.tuning.retelling import without_refusals, without_thoughts
from worldengine.tuning.sources import Options, machines_of
from worldengine.tuning.variants import NAMES, MachineOf, Variant, VariantError, matched, variant

ALL = tuple(Variant(name) if name != "flip" else Variant(name, 0.2) for name in NAMES)


def worlds() -> list[Machine]:
    found = [lamp()]
    for path in shipped_worlds()[::13]:
        compiled = compile_source(read(path).source).machine
        assert compiled is not None
        found.append(compiled)
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("variants") / "run"
    rollout(worlds(), "explorer", episodes=6, seed=2, out=folder)
    return Run(folder)


@pytest.fixture(scope="module")
def played(run: Run) -> list[Trajectory]:
    return [row.trajectory for row in run.rows() if row.trajectory is not None]


@pytest.fixture(scope="module")
def machines(run: Run) -> MachineOf:
    return machines_of([run])


def arms(run: Run, machines: MachineOf, played: list[Trajectory]) -> list[dict[str, Conversation]]:
    found = []
    for row in matched(played, ALL, machines, seed=3):
        assert all(each is not None for each in row)
        found.append({v.name: c for v, c in zip(ALL, row, strict=True) if c is not None})
    return found


def test_rows_come_from_the_same_episode(
    run: Run, machines: MachineOf, played: list[Trajectory]
) -> None:
    found = arms(run, machines, played)
    assert len(found) >= 0.8 * len(played)
    ids = [trajectory.id for trajectory in played]
    order = [ids.index(row["full"].trajectory.id) for row in found]
    assert order == sorted(order)
    for row in found:
        assert len({each.trajectory.id for each in row.values()}) == 1
        assert all(each.exchanges[-1].train for each in row.values())


def test_labels_differ_only_where_they_should(
    run: Run, machines: MachineOf, played: list[Trajectory]
) -> None:
    for row in arms(run, machines, played):
        trajectory = row["full"].trajectory
        turns = trajectory.turns
        mended = {pair.recovered for pair in trajectory.refinements}
        for each in row["full"].exchanges:
            assert each.train is right(turns[each.turn])
            assert each.reply == turns[each.turn].reply
        for each in row["keep-errors"].exchanges:
            assert each.train is (each.mistake != "guess")
        assert len(row["keep-errors"].exchanges) == len(turns)
        for each in row["mask-refinement"].exchanges:
            accepted = right(turns[each.turn])
            assert each.train is (accepted and each.turn not in mended)
        for name in ("keep-errors", "mask-refinement", "flip", "full"):
            for each in row[name].exchanges:
                assert (each.reply, each.shown) == (
                    turns[each.turn].reply,
                    turns[each.turn - 1].observation if each.turn else trajectory.opening,
                )
        for each in row["no-thoughts"].exchanges:
            assert each.reply == f"Action: {turns[each.turn].command}"


def right(turn: TurnRecord) -> bool:
    """Whether a turn is learnt by default."""
    return turn.outcome == "ok" and turn.mistake != "guess"


def test_refused_turns_are_gone_and_all_else_holds(
    run: Run, machines: MachineOf, played: list[Trajectory]
) -> None:
    """The shortened trajectory is a true one: it is played again claim by claim."""
    for trajectory in played:
        machine = machines(trajectory.machine_hash)
        short = without_refusals(machine, trajectory, seed=3)
        assert fault(machine, run.manifest, short) == ""
        kept = [turn for turn in trajectory.turns if turn.outcome == "ok"]
        assert [t.command for t in short.turns] == [t.command for t in kept]
        assert [t.observation for t in short.turns] == [t.observation for t in kept]
        assert short.status == trajectory.status and short.refinements == ()
        first = next(t.index for t in trajectory.turns if t.outcome != "ok")
        for new, old in zip(short.turns, kept, strict=True):
            assert new.reply == old.reply or old.index > first
        assert without_refusals(machine, trajectory, seed=3) == short
        assert fault(machine, run.manifest, without_thoughts(machine, trajectory)) == ""


def test_no_thought_speaks_of_what_was_taken_out(
    run: Run, machines: MachineOf, played: list[Trajectory]
) -> None:
    """No sentence that only a refused turn showed is in a thought of the shortened play."""
    quoted = 0
    for trajectory in played:
        machine = machines(trajectory.machine_hash)
        short = without_refusals(machine, trajectory, seed=3)
        left = " ".join([short.prompt, short.opening, *(t.observation for t in short.turns)])
        thoughts = " ".join(turn.thought for turn in short.turns)
        for turn in trajectory.turns:
            if turn.outcome == "ok":
                continue
            for sentence in re.split(r"(?<=[.!?])\s+", turn.observation):
                if len(sentence) > 15 and sentence not in left:
                    quoted += sentence in " ".join(t.thought for t in trajectory.turns)
                    assert sentence not in thoughts
        for word in ("Refused", "refused"):
            assert word in left or word not in thoughts
    assert quoted > 3  # thoughts of the full play do speak of refusals


def test_flips_are_seeded_nested_and_of_the_share_asked(
    run: Run, machines: MachineOf, played: list[Trajectory]
) -> None:
    flipped: dict[tuple[float, int], set[tuple[str, int]]] = {}
    total = 0
    for share, seed in ((0.1, 0), (0.3, 0), (0.3, 1)):
        marks = set()
        total = 0
        for (row,) in matched(played, [Variant("flip", share)], machines, seed=seed):
            assert row is not None
            turns = row.trajectory.turns
            total += len(turns)
            for turn in turns:
                trained = any(e.turn == turn.index and e.train for e in row.exchanges)
                if trained is not right(turn):
                    marks.add((row.trajectory.id, turn.index))
        flipped[share, seed] = marks
    assert flipped[0.1, 0] < flipped[0.3, 0] != flipped[0.3, 1]
    for (share, _), marks in flipped.items():
        assert abs(len(marks) / total - share) < 4 * (share * (1 - share) / total) ** 0.5
    some = list(matched(played[::-2], [Variant("flip", 0.3)], machines, seed=0))
    whole = {
        row.trajectory.id: row
        for (row,) in matched(played, [Variant("flip", 0.3)], machines, seed=0)
        if row is not None
    }
    for (row,) in some:
        assert row is not None and row == whole[row.trajectory.id]


def test_success_only_leaves_out_what_was_not_won(tmp_path: Path) -> None:
    rollout([lamp()], "random", episodes=40, seed=3, out=tmp_path / "run")
    run = Run(tmp_path / "run")
    machines = machines_of([run])
    played = [row.trajectory for row in run.rows() if row.trajectory is not None]
    left: Counter[str] = Counter()
    rows = list(
        matched(played, [Variant("full"), Variant("success-only")], machines, left_out=left)
    )
    assert len(rows) + sum(left.values()) == len(played)
    for full, won in rows:
        assert full is not None
        assert (won is not None) is (full.trajectory.status == "won")
    alone = list(matched(played, [Variant("success-only")], machines))
    assert len(alone) == sum(won is not None for _, won in rows)


def test_files_of_several_variants_are_matched(run: Run, tmp_path: Path) -> None:
    summary = export(run.folder, Options(variants=ALL, include="verified"), tmp_path / "arms")
    files = {path.stem: path for path in (tmp_path / "arms").iterdir()}
    assert set(files) == {str(each).replace(":", "-") for each in ALL}
    ids = {name: [json.loads(line)["id"] for line in path.open()] for name, path in files.items()}
    assert len(set(map(tuple, ids.values()))) == 1
    assert summary.rows == sum(map(len, ids.values()))


def test_a_row_that_one_variant_cannot_have_is_in_none(run: Run, tmp_path: Path) -> None:
    """All labels flipped leave refused turns alone, and a play without any has none left."""
    both = (Variant("full"), Variant("flip", 1.0))
    rollout([lamp()], "random", episodes=30, seed=3, out=tmp_path / "run")
    other = Run(tmp_path / "run")
    played = [row.trajectory for row in other.rows() if row.trajectory is not None]
    clean = [t for t in played if all(turn.outcome == "ok" for turn in t.turns)]
    left: Counter[str] = Counter()
    rows = list(matched(played, both, machines_of([other]), left_out=left))
    assert len(rows) == len(played) - sum(left.values()) and sum(left.values()) >= len(clean)
    for row in rows:
        assert all(each is not None and each.trained_turns for each in row)


def test_variants_are_read_from_words() -> None:
    assert (
        variant("flip:0.25") == Variant("flip", 0.25) and str(variant("flip:0.25")) == "flip:0.25"
    )
    assert variant("full") == Variant("full")
    for text in ("flip", "flip:2", "flip:x", "flip:nan", "full:0.1", "none", ""):
        with pytest.raises(VariantError):
            variant(text)
