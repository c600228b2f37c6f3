"""Every world that ships opens in the app, and its proof wins there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.parlour import playing, settle, shown
from worldengine.compiler import compile_source
from worldengine.inputs import read
from worldengine.proof import winning_plan
from worldengine.resources import shipped_worlds

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize("path", shipped_worlds(), ids=lambda path: path.stem)
async def test_it_opens_and_its_proof_wins(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    machine = compile_source(read(copy).source).machine
    assert machine is not None
    plan = winning_plan(machine, 0)
    async with playing(copy, (120, 40)) as (app, pilot):
        for command in plan or ("look", "inventory"):
            app.play.play(command)
        await settle(app, pilot)
        session = app.play.desk.session
        assert session is not None and session.machine.hash == machine.hash
        assert session.commands == (plan or ("look", "inventory"))
        if plan:
            assert session.at.status == "won" and "✓ won" in shown(app, "#bar")
        for key in ("f3", "f4", "f5"):
            await pilot.press(key)
        await settle(app, pilot)
