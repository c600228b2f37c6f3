"""A run in the words of another world that does the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldengine.cli import main
from worldengine.compiler import compile_source
from worldengine.inputs import find, read
from worldengine.perturb import carry, perturb
from worldengine.rollout.carrying import carry_run
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run, RunError
from worldengine.rollout.verify import verify


def test_a_run_is_carried_over_and_verifies(tmp_path: Path) -> None:
    source = read(find(["tide_clock"])[0]).source
    before = compile_source(source).machine
    assert before is not None
    after = perturb(source, ["rename", "verbs"], 3).machine
    rollout([before], "explorer", episodes=8, out=tmp_path / "run")
    done = carry_run(Run(tmp_path / "run"), before, after, carry, tmp_path / "carried")
    assert done.trajectories == 8 and done.same + done.other == 8 and done.same >= 5
    result = verify(tmp_path / "carried")
    assert (result.trajectories, result.rejected) == (8, [])
    pairs = zip(Run(tmp_path / "run").rows(), Run(tmp_path / "carried").rows(), strict=True)
    for old, new in pairs:
        assert old.trajectory is not None and new.trajectory is not None
        assert old.trajectory.variant == new.trajectory.variant
        assert old.trajectory.opening != new.trajectory.opening
    with pytest.raises(RunError, match="is there already"):
        carry_run(Run(tmp_path / "run"), before, after, carry, tmp_path / "carried")
    with pytest.raises(RunError, match="nothing that was played"):
        carry_run(Run(tmp_path / "carried"), before, after, carry, tmp_path / "no")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run, new = str(tmp_path / "run"), str(tmp_path / "new.world")
    assert (
        main(["rollout", "tide_clock", "--player", "expert", "--episodes", "4", "--out", run]) == 0
    )
    asked = ["perturb", "tide_clock", "--kind", "verbs", "-o", new, "--carry", run]
    assert main(asked) == 2
    assert "--carry-to" in capsys.readouterr().err
    assert main([*asked, "--carry-to", str(tmp_path / "run2")]) == 0
    assert "4 fare as before" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "run2")]) == 0
