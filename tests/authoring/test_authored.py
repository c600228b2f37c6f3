"""First drafts by authors who saw the reference page and nothing else.

`tests/corpus/authored/rounds.tsv` has a line a draft: what came of it when it was written, under
the page of that time. What compiled and was won then still is: a mended language must not take
back what authors could write. What did not is kept beside it with what its author was told.
`NN.2.world` is a draft mended once. `played.tsv` has a line a world that a fresh player tried
blind, with the contradictions that it marked.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from worldengine.authoring.asking import Wanted
from worldengine.authoring.examining import examine

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "authored"


def rows() -> list[list[str]]:
    """round, author, file, compiled, winnable, plan, starts, reason."""
    lines = (FOLDER / "rounds.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def test_every_draft_has_its_line() -> None:
    listed = [row[2] for row in rows()]
    there = sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.world"))
    assert sorted(listed) == there and len(set(listed)) == len(listed)
    assert all(row[3] in ("yes", "no") and row[4] in ("yes", "no") for row in rows())


def test_every_world_that_was_kept_was_played() -> None:
    lines = (FOLDER / "played.tsv").read_text("utf-8").splitlines()[1:]
    played = [line.split("\t") for line in lines]
    kept = {row[2] for row in rows()}
    assert all(len(row) == 6 and (FOLDER / row[0]).is_file() for row in played)
    assert all((int(row[3]) > 0) == bool(row[5]) for row in played)
    last = {name for name in kept if name.replace(".world", ".2.world") not in kept}
    assert last <= {row[0] for row in played}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[2])
def test_what_an_author_could_write_still_stands(row: list[str]) -> None:
    _, _, name, compiled, winnable, *_ = row
    text = (FOLDER / name).read_text("utf-8")
    found = examine(text, Path(name).stem, Wanted((1, 500)), 5.0)
    assert found.compiled or compiled == "no", found.told
    assert found.winnable or winnable == "no", found.told
