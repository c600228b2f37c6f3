"""The page about players: its own player plays, its commands are known, its list is whole."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.worlds import lamp
from worldengine.players.catalogue import UnknownPlayer, described, make, names, options
from worldengine.players.options import settings
from worldengine.players.protocol import PlayerError
from worldengine.players.spec import Spec, SpecError, parse
from worldengine.rollout.runner import rollout
from worldengine.rollout.verify import verify

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "players.md").read_text(encoding="utf-8")


def test_the_players_own_example_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    summary = rollout([lamp()], "python:mine:Curious", episodes=5, out=tmp_path / "run")
    assert summary.episodes == 5 and summary.turns > 5
    assert 2 * summary.refusals["parameter"] < summary.turns, "it names what it was shown"
    assert verify(tmp_path / "run").rejected == []
    sys.modules.pop("mine")


FALLIBLE = """
from worldengine.players.reply import write

class Fallible:
    def begin(self, start):
        self.turns = 0

    def act(self, view):
        self.turns += 1
        return {}[self.turns] if self.turns > 2 else write("", "look")
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_what_goes_wrong_in_a_player_of_ones_own_is_told(
    workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fallible.py").write_text(FALLIBLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    words = r"failed in act \(fallible.py, line 10\): KeyError: 3; what was played is kept"
    with pytest.raises(PlayerError, match=words):
        rollout([lamp()], "python:fallible:Fallible", episodes=3, workers=workers, out="run")
    sys.modules.pop("fallible")


def test_every_player_is_on_the_page_and_in_the_list() -> None:
    listed = "\n".join(described())
    for name in names():
        assert name in listed
        for option in options(name):
            assert f"{option.name}=" in listed


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random", Spec("random")),
        ("hf:a,b/c,dtype=float32,batch=4", Spec("hf", "a,b/c", {"dtype": "float32", "batch": "4"})),
        ("openai:m@http://h:1/v1?a=b", Spec("openai", "m@http://h:1/v1?a=b")),
        (
            "best_of:3:hf:x,top_p=0.5",
            Spec("best_of", times=3, inner=Spec("hf", "x", {"top_p": "0.5"})),
        ),
    ],
)
def test_players_as_text(text: str, spec: Spec) -> None:
    assert parse(text) == spec


@pytest.mark.parametrize("text", ["", ":", "best_of:0:random", "best_of:x:random", "a,b=1,b=2"])
def test_texts_that_name_no_player(text: str) -> None:
    with pytest.raises((SpecError, UnknownPlayer)):
        make(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hf:x,temprature=1", "did you mean 'temperature'"),
        ("hf:x,max_tokens=many", "it is a whole number"),
        ("hf:x,max_tokens=0", "lies between 1 and"),
        ("hf:x,dtype=int8", "one of auto, float32"),
        ("hf:x,system=maybe", "yes or no"),
        ("openai:m@http://h,temperature=nan", "lies between"),
        ("best_of:2:reflexion:2:random", "plays once"),
        ("randm", "did you mean 'random'"),
        ("python:os:system", "os:system gives no player when it is called without an argument"),
        ("python:builtins:int", "gives int, which has no `act`: no player"),
        ("python:math:sqrt,setting=x", "with 'x': TypeError"),
    ],
)
def test_mistakes_are_told(text: str, words: str) -> None:
    with pytest.raises(UnknownPlayer, match=re.escape(words)):
        make(text)


def test_settings_hold_every_option() -> None:
    found = settings("hf", options("hf"), {"batch": "2", "context": "none"})
    assert found["batch"] == 2 and found["context"] is None and found["system"] is True
    assert list(found) == [option.name for option in options("hf")]
