"""The explorer: names only what was shown, marks its mistakes, says why, and verifies."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.explorer.test_belief import hiding
from worldengine.explorer.companion import Dial, Follower
from worldengine.explorer.slips.erring import WHOLE
from worldengine.machine import Machine
from worldengine.players.catalogue import UnknownPlayer, make
from worldengine.players.shown.wording import balanced
from worldengine.players.thoughts.intention import Intention
from worldengine.players.thoughts.musing import Musing
from worldengine.players.thoughts.spinning import spun
from worldengine.rollout.episode import Episode
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory
from worldengine.rollout.verify import verify
from worldengine.runtime import begin


def played(machine: Machine, dial: Dial, seed: int, mode: str = "full") -> tuple[
    Trajectory, list[Intention]
]:  # fmt: skip
    """One episode with what was meant at each turn."""
    record = PlayerRecord(name="explorer", settings={}, guidance="belief")
    episode = Episode(
        machine,
        Provenance(
            machine_hash=machine.hash, variant=0, seed=seed, episode=0, player=record,
            command_set="known",
        ),
    )  # fmt: skip
    random = Random(seed)
    follower, musing = Follower(machine, 0, dial, random), Musing(random, mode)
    from worldengine.players.reply import write

    meant: list[Intention] = []
    while not episode.over:
        view = episode.view()
        intention = follower.next(view)
        meant.append(intention)
        episode.take(write(musing.about(intention, view), intention.command))
    return episode.trajectory(), meant


def test_without_mistakes_none_is_marked_and_all_is_won() -> None:
    for seed in range(8):
        trajectory, meant = played(hiding(), Dial("all", mistakes=False), seed)
        assert not any(each.mistake for each in meant)
        assert trajectory.status == "won"


def test_mistakes_are_refused_bounded_and_set_right() -> None:
    kinds: set[str] = set()
    for seed in range(30):
        trajectory, meant = played(hiding(), Dial("all"), seed)
        wrong = [at for at, each in enumerate(meant) if each.mistake]
        assert len(wrong) <= WHOLE
        for at in wrong:
            kinds.add(meant[at].why)
            assert meant[at].command != meant[at].meant
            if meant[at].why == "slip":
                assert trajectory.turns[at].outcome == "parameter"
        assert trajectory.status == "won"
    assert "slip" in kinds and kinds & {"early", "away"}


def test_no_thought_or_command_names_what_was_not_shown() -> None:
    machine = hiding()
    for seed in range(20):
        trajectory, meant = played(machine, Dial(), seed)
        shown = begin(machine).seen(trajectory.opening)
        for turn, intention in zip(trajectory.turns, meant, strict=True):
            if not intention.mistake:
                said = shown.seen(f"{turn.thought} {turn.command}")
                new = {machine.objects[index].id for index, _ in said.names - shown.names}
                assert not new, (turn.thought, turn.command)
            shown = shown.seen(turn.observation)


def test_thoughts_are_whole_sentences() -> None:
    for seed in range(12):
        trajectory, _ = played(hiding(), Dial(), seed)
        for turn in trajectory.turns:
            assert turn.thought and turn.thought[0] == turn.thought[0].upper()
            assert balanced(turn.thought), turn.thought
            assert not set("{}|") & set(turn.thought), turn.thought


def test_thought_modes() -> None:
    silent, _ = played(hiding(), Dial(), 3, "none")
    short, _ = played(hiding(), Dial(), 3, "brief")
    full, _ = played(hiding(), Dial(), 3, "full")
    assert not any(turn.thought for turn in silent.turns)
    length = [sum(len(t.thought) for t in one.turns) / len(one.turns) for one in (short, full)]
    assert length[0] < length[1]


def test_brackets_are_chosen_inside_out() -> None:
    found = {spun("(a|b(c|d)) e", Random(seed)) for seed in range(40)}
    assert found == {"a e", "bc e", "bd e"}


def test_wordings_hardly_repeat() -> None:
    said = [turn.thought for seed in range(10) for turn in played(hiding(), Dial(), seed)[0].turns]
    assert len(set(said)) > 0.8 * len(said)


def test_a_run_of_it_verifies_and_is_equal_whatever_the_width(tmp_path: Path) -> None:
    machine = hiding()
    rollout([machine], "explorer", episodes=6, seed=2, out=tmp_path / "one")
    rollout([machine], "explorer", episodes=6, seed=2, out=tmp_path / "two")
    result = verify(tmp_path / "one")
    assert not result.rejected and result.trajectories == 6
    lines = [[row.trajectory for row in Run(tmp_path / name).rows()] for name in ("one", "two")]
    assert lines[0] == lines[1]
    settings = lines[0][0].player.settings  # type: ignore[union-attr]
    assert settings == {
        "rules": "none", "share": 0.5, "daring": 3, "mistakes": True, "thoughts": "full",
    }  # fmt: skip


@pytest.mark.parametrize(
    "name", ["explorer,rules=most", "explorer,share=2", "explorer,daring=-1", "explorer:all"]
)
def test_settings_that_cannot_be_are_refused(name: str) -> None:
    with pytest.raises(UnknownPlayer):
        make(name)
