"""Statistics: numbers checked against counting by other means; diversity; likeness of worlds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import worldengine
from tests.worlds import TINY, lamp
from worldengine.curation.diversity import Sample, diversity, template
from worldengine.curation.similarity import SimilarityError, similarity
from worldengine.curation.statistics import Statistics, World
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("statistics") / "run"
    rollout([lamp(), worldengine.compile(TINY)], "explorer", episodes=10, seed=4, out=folder)
    return Run(folder)


def gathered(run: Run, sample: int = 5000, backwards: bool = False) -> Statistics:
    found = Statistics(sample)
    rows = [row.trajectory for row in run.rows()]
    for trajectory in reversed(rows) if backwards else rows:
        assert trajectory is not None
        found.add(trajectory)
    return found


def test_numbers_are_those_of_the_files(run: Run) -> None:
    raw = [json.loads(line) for shard in run.shards() for line in shard.open()]
    told: dict[str, Any] = gathered(run).told()
    lengths = sorted(len(row["turns"]) for row in raw)
    assert told["trajectories"] == len(raw) == 20
    assert told["turns"]["mean"] == round(sum(lengths) / 20, 3)
    assert told["turns"]["quantiles"]["0"] == lengths[0]
    assert told["turns"]["quantiles"]["1"] == lengths[-1]
    turns = [turn for row in raw for turn in row["turns"]]
    for kind in ("parameter", "place", "logic"):
        assert told["errors"][kind]["turns"] == sum(t["outcome"] == kind for t in turns)
    refused = sum(t["outcome"] != "ok" for t in turns)
    assert told["refused_share"] == round(refused / len(turns), 4)
    gaps = [p["recovered"] - p["refused"] for row in raw for p in row["refinements"]]
    assert told["turns_to_recovery"]["mean"] == round(sum(gaps) / len(gaps), 3)
    for world in told["worlds"]:
        rows = [row for row in raw if row["machine_hash"] == world["machine_hash"]]
        assert world["trajectories"] == len(rows) and world["won"] == len(rows)
        assert world["distinct_plays"] == len(
            {tuple(t["command"] for t in row["turns"]) for row in rows}
        )
    json.dumps(told)


def test_order_changes_no_measure_of_diversity(run: Run) -> None:
    one, two = gathered(run, 50), gathered(run, 50, backwards=True)
    assert one.thoughts() == two.thoughts() and one.actions() == two.actions()
    assert one.thoughts().measured == 50 < one.thoughts().of


def sampled(*texts: str, commands: tuple[str, ...] = ()) -> Sample:
    sample = Sample(100)
    for at, text in enumerate(texts):
        sample.offer(str(at), text, commands[at] if commands else "")
    return sample


def test_diversity_by_hand() -> None:
    found = diversity(sampled("a b c", "a b d"))
    assert found.distinct == (4 / 6, 3 / 4, 1.0) and found.words == 3.0
    same = diversity(sampled(*["the very same words again"] * 50))
    assert same.repeated == 1.0 and same.templates == 1 and same.compression > 10
    assert same.most[0][1] == 50
    assert diversity(Sample(5)).measured == 0
    one = template('I take the lamp. "It is lit at 7."', "take lamp")
    assert one == template('I open the door. "Nothing."', "open door") == "I _ the _ . “ … ”"


def test_worlds_alike_are_found_alike() -> None:
    texts = {
        "kitchen": "pan stove pot spoon soup " * 9,
        "galley": "pan stove pot ladle soup " * 9,
        "moon": "crater dust rover antenna " * 9,
        "void": "",
    }
    worlds = [World(name, name, text=text) for name, text in texts.items()]
    found = similarity(worlds)
    told: Any = found.told()
    nearest = {each["world"]: each for each in told["nearest"]}
    assert nearest["kitchen"]["nearest"] == "galley" and nearest["kitchen"]["cosine"] > 0.3
    assert abs(found.matrix[0, 2]) < 0.1
    assert np.allclose(found.matrix, found.matrix.T) and sorted(found.order) == [0, 1, 2, 3]
    at = found.order.index(0)
    assert 1 in (found.order[at - 1] if at else -1, *found.order[at + 1 : at + 2])
    assert similarity(worlds[:1]).told()["nearest"] == []


def test_a_sentence_model_of_this_machine_may_compare_them(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.models.tiny import save

    worlds = [World(str(n), str(n), text=text) for n, text in enumerate(("one two", "three", ""))]
    found = similarity(worlds, save(tmp_path / "model"))
    assert found.method == "mean-pooled model"
    assert np.allclose(np.diag(found.matrix), 1.0, atol=1e-4)
    with pytest.raises(SimilarityError, match="no folder"):
        similarity(worlds, tmp_path / "nothing")
    with pytest.raises(SimilarityError, match="no sentence model"):
        similarity(worlds, tmp_path)


def test_plots_are_drawn(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from worldengine.curation.plots import plots

    found = gathered(run)
    next(iter(found.worlds.values())).name = "$a_{b$ \x1b[31m <b> ﷽"
    alike = similarity(list(found.worlds.values()))
    files = plots(found, alike, tmp_path / "pictures")
    assert [path.stem for path in files] == ["lengths", "errors", "yields", "templates", "worlds"]
    for path in files:
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG") and len(data) > 5000
    assert plots(found, alike, tmp_path / "again")[4].read_bytes() == files[4].read_bytes()
