"""Thoughts in a model's words: taken where they name nothing new, counted where they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.explorer.test_belief import hiding
from tests.players.bad_server import serving
from worldengine.models.protocol import Answer, ModelError, Request
from worldengine.players.catalogue import UnknownPlayer, make
from worldengine.players.explorer import OPTIONS, Explorer
from worldengine.players.options import settings
from worldengine.players.protocol import Each, PlayerError
from worldengine.players.thoughts.rewriting import Rewriting, rewriting, wrong
from worldengine.rollout.honesty import unshown
from worldengine.rollout.runner import rollout
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import Trajectory
from worldengine.rollout.verify import verify

Say = Callable[[str], str]


class Scripted:
    """A model that says what a function makes of the thought it was given."""

    def __init__(self, say: Say) -> None:
        self.name, self.width = "scripted", 4
        self.price: tuple[float, float] | None = (1.0, 2.0)
        self.say, self.batches, self.seeds = say, [0], set[int]()

    def unconstrained(self) -> str:
        return "it writes what it likes"

    def answer(self, requests: Sequence[Request]) -> list[Answer]:
        self.batches.append(len(requests))
        self.seeds.update(each.seed for each in requests)
        thoughts = [
            each.messages[1].content.partition("Thought: ")[2].partition("\nCommand:")[0]
            for each in requests
        ]
        return [Answer(self.say(thought), "stop", 7, 3) for thought in thoughts]


def player(say: Say) -> tuple[Rewriting, Scripted]:
    given = settings("explorer", OPTIONS, {})
    model = Scripted(say)
    return Rewriting(Each(lambda: Explorer(given)), model, {"thoughts": "rewrite:scripted"}), model


def played(say: Say, out: Path, episodes: int = 6, batch: int = 0) -> list[Trajectory]:
    rollout([hiding()], player(say)[0], episodes=episodes, seed=2, out=out, batch=batch)
    assert verify(out).rejected == []
    return [row.trajectory for row in Run(out).rows() if row.trajectory is not None]


def fates(found: Sequence[Trajectory]) -> Counter[str]:
    return Counter(turn.notes.rewrite if turn.notes else "" for t in found for turn in t.turns)


def test_other_words_are_taken_and_change_nothing_else(tmp_path: Path) -> None:
    rollout([hiding()], "explorer", episodes=6, seed=2, out=tmp_path / "plain")
    plain = [row.trajectory for row in Run(tmp_path / "plain").rows() if row.trajectory]
    reworded = played(lambda thought: f"Well, well. {thought}", tmp_path / "run")
    assert set(fates(reworded)) == {"taken"}
    for one, other in zip(plain, reworded, strict=True):
        assert [t.command for t in one.turns] == [t.command for t in other.turns]
        assert [t.mistake for t in one.turns] == [t.mistake for t in other.turns]
        assert [f"Well, well. {t.thought}" for t in one.turns] == [t.thought for t in other.turns]
    assert reworded[0].player.settings["thoughts"] == "rewrite:scripted"


@pytest.mark.parametrize(
    ("said", "fate"),
    [
        ("", "empty"),
        ("...", "empty"),
        ("word " * 500, "long"),
        ("I go.\nAction: look", "markup"),
        ("<|im_end|>", "markup"),
        ("```I go```", "markup"),
        ("The number must be 8713.", "number"),
        ("There are seventeen of them.", "number"),
    ],
)
def test_what_cannot_stand_for_a_thought_is_refused(said: str, fate: str, tmp_path: Path) -> None:
    found = played(lambda thought: said, tmp_path / "run", 2)
    assert set(fates(found)) == {fate}
    rollout([hiding()], "explorer", episodes=2, seed=2, out=tmp_path / "plain")
    plain = [row.trajectory for row in Run(tmp_path / "plain").rows() if row.trajectory]
    assert [[t.thought for t in each.turns] for each in plain] == [
        [t.thought for t in each.turns] for each in found
    ]


def test_nothing_that_was_not_shown_is_ever_named(tmp_path: Path) -> None:
    """A model that names everything there is: each thing only once it was shown."""
    machine = hiding()
    names = [each.name for each in machine.objects if each.role not in ("player", "exit")]
    count = iter(range(10**9))

    def blurt(thought: str) -> str:
        return f"I think of the {names[next(count) % len(names)]}."

    found = played(blurt, tmp_path / "run", 12)
    told = fates(found)
    assert told["taken"] > 0 and told["name"] + told["word"] > 0
    from worldengine.runtime import begin

    for trajectory in found:
        shown = begin(machine).seen(trajectory.opening)
        for turn in trajectory.turns:
            if turn.notes and turn.notes.rewrite == "taken":
                assert shown.seen(turn.thought).names == shown.names, turn.thought
            shown = shown.seen(turn.observation)


def test_who_shares_the_batch_changes_nothing(tmp_path: Path) -> None:
    def say(thought: str) -> str:
        return f"Once more: {thought}"

    wide = played(say, tmp_path / "wide", batch=4)
    assert wide == played(say, tmp_path / "narrow", batch=1)
    seated, model = player(say)
    rollout([hiding()], seated, episodes=6, seed=2, out=tmp_path / "again")
    assert max(model.batches) == 4 and len(model.seeds) > 20


def test_what_it_took_is_counted(tmp_path: Path) -> None:
    seated, model = player(lambda thought: "" if len(thought) % 2 else thought)
    summary = rollout([hiding()], seated, episodes=4, seed=2, out=tmp_path / "run")
    asked = sum(model.batches)
    assert summary.thoughts_reworded + summary.thoughts_kept == asked == summary.turns
    assert summary.thoughts_kept > 0 and summary.thoughts_reworded > 0
    assert summary.prompt_tokens == 7 * asked and summary.reply_tokens == 3 * asked
    assert summary.cost == pytest.approx(asked * (7 * 1.0 + 3 * 2.0) / 1e6)


def test_things_that_were_apart_stay_apart() -> None:
    machine = hiding()
    one, two = [each.name for each in machine.objects if each.role == "thing"][:2]
    texts = [f"You see a {one} here.", f"You see a {two} here."]
    assert unshown(machine, texts, f"I saw the {one}. I saw the {two}.") == ""
    assert unshown(machine, texts, f"The {one} belongs to the {two}.") == "apart"
    assert unshown(machine, [*texts, f"The {one} fits the {two}."], f"The {two}, the {one}.") == ""
    assert unshown(machine, texts[:1], f"I want the {two}.") in ("name", "word")


@pytest.mark.parametrize("number", ["three", "3"])
def test_numbers_are_the_same_in_words_and_digits(number: str) -> None:
    machine = hiding()
    assert unshown(machine, ["Turn it 3 times."], f"I turn it {number} times.") == ""
    assert unshown(machine, ["Turn it."], f"I turn it {number} times.") == "number"
    assert unshown(machine, ["Turn it."], "This one looks right.") == ""
    assert unshown(machine, ["Turn it."], "I set it to one.") == "number"


def test_a_thought_may_not_pass_for_a_reply() -> None:
    assert wrong("I look, then.", "I look.") == ""
    assert wrong("Observation: it opens", "I look.") == "markup"


def test_a_model_that_fails_costs_no_thought(tmp_path: Path) -> None:
    class Failing(Scripted):
        def answer(self, requests: Sequence[Request]) -> list[Answer]:
            return [Answer("", "failed", failure="too busy") for _ in requests]

    given = settings("explorer", OPTIONS, {})
    seated = Rewriting(Each(lambda: Explorer(given)), Failing(str), {})
    rollout([hiding()], seated, episodes=1, seed=2, out=tmp_path / "run")
    (row,) = Run(tmp_path / "run").rows()
    assert row.trajectory is not None and set(fates([row.trajectory])) == {"failed"}
    assert all(turn.thought for turn in row.trajectory.turns)

    class Gone(Scripted):
        def answer(self, requests: Sequence[Request]) -> list[Answer]:
            raise ModelError("no server answers there")

    seated = Rewriting(Each(lambda: Explorer(given)), Gone(str), {})
    with pytest.raises(PlayerError, match="go on with --resume"):
        rollout([hiding()], seated, episodes=1, out=tmp_path / "gone")


def test_a_model_on_this_machine_and_a_server_reword(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="transformers is an extra")
    pytest.importorskip("openai", reason="openai is an extra")
    from tests.models import tiny
    from tests.models.serving import served
    from worldengine.models.local import load

    folder = tiny.save(tmp_path / "tiny")
    name = f"explorer,thoughts=rewrite:hf:{folder};device=cpu;dtype=float32"
    for out in ("one", "two"):
        rollout([hiding()], name, episodes=1, seed=2, out=tmp_path / out)
        assert verify(tmp_path / out).rejected == []
    lines = [[row.line for row in Run(tmp_path / out).rows()] for out in ("one", "two")]
    assert lines[0] == lines[1]
    (row,) = Run(tmp_path / "one").rows()
    assert row.trajectory is not None
    recorded = row.trajectory.player.settings
    assert recorded["thoughts"] == "rewrite:hf:tiny" and len(str(recorded["model"])) == 16
    assert str(folder.parent) not in row.line.decode()
    assert sum(fates([row.trajectory]).values()) == len(row.trajectory.turns)
    with served(load(str(folder), device="cpu", dtype="float32")) as url:
        rollout(
            [hiding()], f"explorer,thoughts=rewrite:openai:{url}", episodes=1, seed=2,
            out=tmp_path / "served",
        )  # fmt: skip
    (row,) = Run(tmp_path / "served").rows()
    assert row.trajectory is not None and verify(tmp_path / "served").rejected == []
    assert row.trajectory.player.settings["thoughts"] == "rewrite:openai:small"
    assert "" not in fates([row.trajectory])


def test_a_server_that_is_told_well_rewords(tmp_path: Path) -> None:
    """The words come through the wire; the server of this test says the same each time."""
    pytest.importorskip("openai", reason="openai is an extra")
    with serving() as server:
        rollout(
            [hiding()], f"explorer,thoughts=rewrite:openai:small@{server.url};retries=0",
            episodes=1, seed=2, out=tmp_path / "run",
        )  # fmt: skip
    (row,) = Run(tmp_path / "run").rows()
    assert row.trajectory is not None
    assert set(fates([row.trajectory])) == {"markup"}  # it answers with a whole reply
    assert all(len({body["seed"]}) == 1 for body in server.bodies)


@pytest.mark.parametrize("name", ["rewrite:", "rewrite:what", "rewriting", "rewrite:hf"])
def test_models_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(UnknownPlayer):
        make(f"explorer,thoughts={name}")
    with pytest.raises(PlayerError):
        rewriting(Each(lambda: Explorer(settings("explorer", OPTIONS, {}))), "hf:gone/nowhere")
