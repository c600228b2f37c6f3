"""What an author types as a budget."""

from __future__ import annotations

import pytest

from worldengine.cli import main
from worldengine.modelcheck.budget import Budget, budget_of


def test_amounts_by_their_units() -> None:
    assert budget_of("2s, 3k 1MiB") == Budget(3000, 2.0, 1 << 20)
    assert budget_of("500ms").seconds == 0.5


@pytest.mark.parametrize("text", ["0s", "0", "0.0001k", "0.1B", "5s,0M", "-5s", "", "9 lives"])
def test_what_leaves_nothing_is_no_budget(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match=r"budget|unit"):
        budget_of(text)
    for command in ("check", "solve", "judge"):
        assert main([command, "tide_clock", f"--budget={text}"]) == 2
        assert capsys.readouterr().err.count("\n") == 1
