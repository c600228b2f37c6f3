"""What a player remembers stays true: what was mended is over."""

from __future__ import annotations

from worldengine import resources
from worldengine.compiler import compile
from worldengine.players.reply import write
from worldengine.players.thoughts.recall import memories, settled
from worldengine.players.view import View
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import PlayerRecord, Provenance


def played(*commands: str) -> View:
    """The tide clock after these commands."""
    path = resources.shipped_world("tide_clock")
    assert path is not None
    machine = compile(path.read_text(encoding="utf-8"))
    episode = Episode(
        machine,
        Provenance(
            machine_hash=machine.hash,
            variant=0,
            seed=1,
            episode=0,
            player=PlayerRecord(name="test", guidance="", settings={}),
            command_set="known",
        ),
    )
    for command in commands:
        episode.play(write("", command))
    return episode.view()


def test_a_refusal_that_was_mended_is_no_reason() -> None:
    failed = played("take key")
    assert failed.turns[0].refused and not settled(failed, 0, "iron key")
    assert settled(played("take key", "open tin"), 0, "iron key")
    assert settled(played("take key", "open tin", "take key"), 0, "iron key")
    kinds = [memory.kind for memory in memories(played("take key", "open tin"), ("iron key",))]
    assert "refusal" not in kinds
