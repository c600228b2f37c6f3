"""Experiments that cannot be meant are told what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from worldengine.experiment.config import load, of
from worldengine.tuning.errors import TuningError

ROOT = Path(__file__).resolve().parents[2]
GOOD: dict[str, Any] = {
    "out": "out",
    "corpus": {"episodes": 2, "family": {"train": 2, "test": 1}},
    "arms": [{"name": "full"}, {"name": "flipped", "rows": "flip:0.2"}],
    "model": {"scratch": {}},
    "length": {"updates": 2},
    "test": {"splits": ["starts", "worlds"]},
}
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "arm": ({"arms": [{"name": "a", "rows": "best"}]}, "there is no variant 'best'"),
    "share": ({"arms": [{"name": "a", "rows": "flip:2"}]}, "which share of the labels"),
    "twice": ({"arms": [{"name": "a"}, {"name": "a"}]}, "two arms have the same name"),
    "name": ({"arms": [{"name": "../up"}]}, "arms.0.name"),
    "seeds": ({"seeds": [1, 1]}, "a seed is named twice"),
    "length": ({"length": {"epochs": 1}}, "given in updates"),
    "worlds": ({"corpus": {"episodes": 2}}, "either worlds or a"),
    "unseen": ({"corpus": {"episodes": 2, "family": {"train": 2}}}, "needs corpus.unseen"),
    "family": (
        {"test": {"splits": ["family"]}, "corpus": GOOD["corpus"]},
        r"needs a \[corpus.elsewhere\] table",
    ),
    "elsewhere": (
        {"corpus": GOOD["corpus"] | {"elsewhere": {"family": "chain"}}},
        "comes with the count",
    ),
    "won already": (
        {"arms": [{"name": "a", "rows": "success-only"}]},
        "the arm a: all rows are of won episodes already",
    ),
    "told": ({"arms": [{"name": "a", "rows": "uninformative"}]}, "set thoughts = false"),
    "thoughtless": (
        {"arms": [{"name": "a", "rows": "no-thoughts"}], "thoughts": False},
        "no-thoughts is the full arm",
    ),
    "slip": ({"corpus": {"episode": 2}}, "`corpus.episodes` is missing"),
}


def test_a_good_one_is_read() -> None:
    assert of(GOOD, "x.toml").arms[1].rows == "flip:0.2"


@pytest.mark.parametrize("name", BAD)
def test_what_is_wrong_is_named(name: str) -> None:
    change, told = BAD[name]
    with pytest.raises(TuningError, match=told):
        of(GOOD | change, "x.toml")


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.toml")), ids=lambda p: p.name)
def test_configurations_that_ship_are_good(path: Path) -> None:
    if "[corpus]" in path.read_text(encoding="utf-8"):
        load(path)
    else:
        from worldengine.tuning.config import load as load_training

        load_training(path)
