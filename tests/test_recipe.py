"""The commands of docs/recipe.md, in order, in one empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.readme import fences, run_fences

RECIPE = Path(__file__).parents[1] / "docs" / "recipe.md"


@pytest.mark.slow
def test_the_recipe_runs(tmp_path: Path) -> None:
    blocks = fences(RECIPE.read_text(encoding="utf-8"))
    shown = "".join(block.text for block in blocks if block.language == "console")
    steps = ("write", "check", "rollout", "verify", "curate", "export", "evaluate", "report")
    at = [shown.index(f"$ worldengine {step} ") for step in steps]
    assert at == sorted(at)
    run_fences(blocks, tmp_path)
    for name in ("train.jsonl", "held.jsonl", "evaluation/report.json", "report.html"):
        assert (tmp_path / name).stat().st_size > 0
