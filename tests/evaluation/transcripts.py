"""Transcripts written by hand, whose figures can be counted with a pencil."""

from __future__ import annotations

from worldengine.rollout.contradictions import count
from worldengine.rollout.trajectory import (
    NotesRecord,
    Outcome,
    PlayerRecord,
    Refinement,
    Trajectory,
    TurnRecord,
    TurnStatus,
)

Line = tuple[str, Outcome, str, float]
"""A command, what came of it, what was answered, the progress after it."""


def transcript(
    lines: list[Line],
    status: TurnStatus,
    refinements: tuple[tuple[int, int], ...] = (),
    *,
    world: int = 0,
    variant: int = 0,
    episode: int = 0,
    thoughts: tuple[str, ...] = (),
    tokens: int = 0,
) -> Trajectory:
    turns = tuple(
        TurnRecord(
            index=at,
            thought=thoughts[at] if at < len(thoughts) else "",
            reply=f"Action: {command}",
            command=command,
            action=command,
            outcome=outcome,
            observation=answer,
            progress=progress,
            score=1.0 if at + 1 == len(lines) and status == "won" else 0.0,
            status=status if at + 1 == len(lines) else "running",
            refusal=None,
            train=outcome == "ok",
            notes=NotesRecord(prompt_tokens=10 * tokens, reply_tokens=tokens) if tokens else None,
        )
        for at, (command, outcome, answer, progress) in enumerate(lines)
    )
    pairs = tuple(Refinement(refused=a, recovered=b) for a, b in refinements)
    return Trajectory(
        id=f"{world:08d}{variant:08d}{episode:08d}",
        world=f"world {world}",
        machine_hash=f"{world:064d}",
        shape="0" * 64,
        variant=variant,
        seed=0,
        episode=episode,
        player=PlayerRecord(name="by hand"),
        command_set="known",
        prompt="",
        opening="",
        turns=turns,
        status=status,
        progress=turns[-1].progress if turns else 0.0,
        score=1.0 if status == "won" else 0.0,
        refinements=pairs,
        counts=count(turns, len(pairs)),
    )


WON = transcript(
    [
        ("open box", "logic", "It is locked.", 0.0),
        ("take kye", "parameter", "There is no kye here.", 0.0),
        ("take key", "ok", "Taken.", 1 / 3),
        ("unlock box with key", "ok", "It opens.", 2 / 3),
        ("take ring", "ok", "Taken.", 1.0),
    ],
    "won",
    ((0, 3), (1, 2)),
    thoughts=("I open it.", "I need a key.", "Now I take it.", "It fits.", "There it is."),
    tokens=5,
)
"""5 turns, 3 accepted, 1 logic and 1 parameter refusal, both set right after 3 and 1 turns."""

SLIPPED_BACK = transcript(
    [
        ("take key", "ok", "Taken.", 0.5),
        ("drop key", "ok", "Dropped.", 0.25),
        ("take lamp", "place", "You see no lamp here.", 0.25),
    ],
    "lost",
)
"""Progress had been 0.5, whatever was lost again later."""

GOING_ROUND = transcript(
    [
        ("look", "ok", "Hall.", 0.0),
        ("go north", "ok", "Attic.", 0.0),
        ("go south", "ok", "Hall.", 0.0),
        ("go north", "ok", "Attic.", 0.0),
        ("go south", "ok", "Hall.", 0.0),
        ("go north", "ok", "Attic.", 0.0),
        ("go south", "ok", "Hall.", 0.0),
    ],
    "truncated",
)
"""Ends in a block of two turns said three times; four turns had been said before."""

AT_THE_LAST_TURN = transcript([("take ring", "ok", "Taken.", 0.75)] * 2, "truncated")
"""All but won, and not won."""
