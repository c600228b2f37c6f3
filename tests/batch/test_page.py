"""What docs/batch.md shows is what happens."""

from __future__ import annotations

from pathlib import Path

from tests.readme import fences, run_fences

PAGE = Path(__file__).resolve().parents[2] / "docs" / "batch.md"


def test_the_page_runs(tmp_path: Path) -> None:
    blocks = fences(PAGE.read_text(encoding="utf-8"))
    assert sum(block.language == "python" for block in blocks) >= 4
    run_fences(blocks, tmp_path)
