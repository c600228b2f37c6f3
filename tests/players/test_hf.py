"""A transformers model plays: batches, kept caches, constraints, conversations too long."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.models import tiny
from tests.worlds import lamp
from worldengine.players.catalogue import UnknownPlayer, make
from worldengine.players.models.conversation import messages
from worldengine.players.protocol import PlayerError, Start
from worldengine.players.reply import strict
from worldengine.rollout.batching import play_many
from worldengine.rollout.episode import Episode
from worldengine.rollout.runner import rollout
from worldengine.rollout.seeds import generator
from worldengine.rollout.storage import Run
from worldengine.rollout.trajectory import PlayerRecord, Provenance, Trajectory
from worldengine.rollout.verify import verify

pytest.importorskip("transformers", reason="transformers is an extra")
pytest.importorskip("llguidance", reason="llguidance is an extra")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    import torch

    torch.set_num_threads(1)
    yield tiny.save(tmp_path_factory.mktemp("tiny"))


def provenance(episode: int) -> Provenance:
    return Provenance(
        machine_hash=lamp().hash, variant=0, seed=0, episode=episode,
        player=PlayerRecord(name="hf:tiny"), command_set="known",
    )  # fmt: skip


def played(folder: Path, options: str, episodes: int = 3, turns: int = 4) -> list[Trajectory]:
    from dataclasses import replace

    player: Any = make(f"hf:{folder},device=cpu,dtype=float32,{options}")
    machine = replace(lamp(), turns=turns)
    jobs = [(machine, provenance(number)) for number in range(episodes)]
    return list(play_many(player, jobs))


def test_greedy_replies_are_what_the_library_generates(folder: Path) -> None:
    import transformers

    (trajectory,) = played(folder, "max_tokens=12,ids=no", episodes=1, turns=3)
    words = transformers.AutoTokenizer.from_pretrained(folder)
    network = transformers.AutoModelForCausalLM.from_pretrained(folder).float()
    from worldengine.players.reply import read

    episode = Episode(lamp(), provenance(0))
    for turn in trajectory.turns:
        ids = words.apply_chat_template(
            messages(episode.view()), add_generation_prompt=True, return_tensors="pt",
            return_dict=True,
        )  # fmt: skip
        out = network.generate(**ids, max_new_tokens=12, do_sample=False)
        said = words.decode(out[0, ids["input_ids"].shape[1] :], skip_special_tokens=True)
        assert turn.reply == said
        episode.take(read(said))


@pytest.mark.parametrize("options", ["max_tokens=10", "max_tokens=10,temperature=1.0,top_p=0.9"])
def test_who_shares_the_batch_and_what_is_kept_change_nothing(folder: Path, options: str) -> None:
    plain = played(folder, f"{options},batch=1,keep=no")
    shared = played(folder, f"{options},batch=3")
    for one, other in zip(plain, shared, strict=True):
        assert [t.reply for t in one.turns] == [t.reply for t in other.turns]
    different = 3 if "temperature" in options else 1
    assert len({tuple(turn.reply for turn in one.turns) for one in plain}) == different
    notes = [turn.notes for turn in shared[0].turns]
    assert all(note is not None and note.cached_tokens > 0 for note in notes[1:])
    assert all(turn.notes and turn.notes.cached_tokens == 0 for turn in plain[0].turns)


def test_replies_can_be_held_to_the_form_and_to_the_commands(folder: Path) -> None:
    for trajectory in played(folder, "max_tokens=60,temperature=1.0,constrain=react", 2, 3):
        assert any(strict(turn.reply) is not None for turn in trajectory.turns)
        assert all(turn.reply.startswith(("Thought:", "Action:")) for turn in trajectory.turns)
    held = played(folder, "max_tokens=400,temperature=1.0,constrain=commands", 2, 4)
    for trajectory in held:
        whole = [turn for turn in trajectory.turns if turn.command]
        assert all(turn.outcome != "parameter" for turn in whole)


def test_a_conversation_that_is_too_long_loses_its_oldest_turns(folder: Path) -> None:
    player: Any = make(f"hf:{folder},device=cpu,max_tokens=16,context=1400")
    episode = Episode(lamp(), provenance(0))
    player.reset([Start(episode.view(), generator(0, "", 0))])
    sizes = []
    while not episode.over and len(episode.turns) < 20:
        (reply,) = player.act([episode.view()])
        assert not reply.error
        sizes.append(reply.usage.prompt_tokens)
        episode.take(reply)
    assert max(sizes) <= 1400 - 16 and any(b < a for a, b in pairwise(sizes))


def test_what_never_fits_is_an_error_of_that_turn(folder: Path) -> None:
    (trajectory,) = played(folder, "context=64", 1, 2)
    assert all(turn.notes and "outgrew 64 tokens" in turn.notes.error for turn in trajectory.turns)


def test_a_run_records_the_model_and_no_path(folder: Path, tmp_path: Path) -> None:
    player = f"best_of:2:hf:{folder},device=cpu,max_tokens=5"
    rollout([lamp()], player, episodes=2, out=tmp_path / "run")
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["player"]["name"] == f"best_of:2:hf:{folder.name}"
    assert len(manifest["player"]["settings"]["model"]) == 16
    assert str(folder.parent) not in (tmp_path / "run" / "manifest.json").read_text()
    assert verify(tmp_path / "run").rejected == []
    (row, *_) = Run(tmp_path / "run").rows()
    assert row.trajectory is not None and len(row.trajectory.attempts) == 2


def test_a_model_writes_its_own_lesson(folder: Path, tmp_path: Path) -> None:
    player = f"reflexion:2:hf:{folder},device=cpu,max_tokens=6,temperature=1.0"
    rollout([lamp()], player, episodes=1, out=tmp_path / "run")
    (row,) = Run(tmp_path / "run").rows()
    assert row.trajectory is not None
    first, second = row.trajectory.attempts
    assert first.lesson and "was refused" not in first.lesson and not second.lesson


def test_what_is_no_model_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="no folder of that name"):
        make(f"hf:{tmp_path / 'gone'}")
    with pytest.raises(PlayerError, match="cannot be loaded"):
        make(f"hf:{tmp_path}")
    with pytest.raises(UnknownPlayer, match="temperature=11"):
        make(f"hf:{folder},temperature=11")
    bare = tmp_path / "bare"
    words = tiny.tokenizer()
    words.chat_template = None
    words.save_pretrained(bare)
    tiny.network(len(words)).save_pretrained(bare)
    with pytest.raises(UnknownPlayer, match="no chat template"):
        make(f"hf:{bare},device=cpu")


def test_a_template_that_raises_is_told(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "chat_template.jinja").write_text("{{ 1/0 }}")
    with pytest.raises(PlayerError, match="cannot render a conversation: ZeroDivisionError"):
        played(broken, "max_tokens=4", episodes=1)
