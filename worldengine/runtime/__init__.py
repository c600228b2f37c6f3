"""Playing a Machine: turns, command sets, what a player has been shown, prompts."""

from worldengine.runtime.cache import let_go, runtime_of
from worldengine.runtime.knowledge import Knowledge, Lexicon, begin, known, lexicon, named
from worldengine.runtime.prompt import prompt
from worldengine.runtime.runtime import Runtime
from worldengine.runtime.snapshot import SnapshotError, restore, snapshot
from worldengine.runtime.types import EpisodeOver, Refusal, Transition

__all__ = [
    "EpisodeOver",
    "Knowledge",
    "Lexicon",
    "Refusal",
    "Runtime",
    "SnapshotError",
    "Transition",
    "begin",
    "known",
    "let_go",
    "lexicon",
    "named",
    "prompt",
    "restore",
    "runtime_of",
    "snapshot",
]
