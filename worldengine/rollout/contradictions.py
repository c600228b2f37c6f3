"""What a trajectory says that cannot be so, whatever its world is.

In: a trajectory from a file. Out: the first thing in it that contradicts the rest, "" if
nothing does: whoever reads on may take counts and refinements for those of its turns. What is
said of the world is checked by playing it again (`worldengine.rollout.verify`).
"""

from __future__ import annotations

from math import isfinite

from worldengine.rollout.trajectory import (
    MOST,
    Counts,
    NotesRecord,
    RulingRecord,
    Trajectory,
    TurnRecord,
)


def count(turns: tuple[TurnRecord, ...], refinements: int) -> Counts:
    """What stands in `counts`, from the turns themselves."""
    outcomes = [turn.outcome for turn in turns]
    return Counts(
        turns=len(turns),
        accepted=outcomes.count("ok"),
        parameter=outcomes.count("parameter"),
        place=outcomes.count("place"),
        logic=outcomes.count("logic"),
        refinements=refinements,
    )


def contradiction(trajectory: Trajectory) -> str:
    """See the module."""
    turns = trajectory.turns
    for at, turn in enumerate(turns):
        if turn.index != at:
            return f"turns.{at}.index: it must be {at}"
        told = _odd(turn)
        if told:
            return f"turns.{at}.{told}"
    if not (isfinite(trajectory.progress) and isfinite(trajectory.score)):
        return "progress and score must be numbers"
    if trajectory.counts != count(turns, len(trajectory.refinements)):
        return "counts: they are not those of its turns and refinements"
    mended: set[int] = set()
    for at, pair in enumerate(trajectory.refinements):
        there = pair.refused < pair.recovered < len(turns) and pair.refused not in mended
        if (
            not there
            or turns[pair.refused].outcome == "ok"
            or turns[pair.recovered].outcome != "ok"
        ):
            return f"refinements.{at}: it is not a refused turn and a later accepted one"
        mended.add(pair.refused)
    return ""


def _odd(turn: TurnRecord) -> str:
    """The number in a turn that is none, "" if all are."""
    if not (isfinite(turn.progress) and isfinite(turn.score)):
        return "progress: it must be a number, as score must"
    if turn.notes is None:
        return ""
    own = turn.notes
    notes: tuple[NotesRecord | RulingRecord, ...] = (own, own.ruling) if own.ruling else (own,)
    for note in notes:
        if not (0 <= note.prompt_tokens <= MOST and 0 <= note.reply_tokens <= MOST):
            return f"notes: tokens are counted from 0 to {MOST}"
        if not isfinite(note.cost):
            return "notes.cost: it must be a number"
    if not all(0 <= each <= MOST for each in (own.cut, own.cached_tokens, own.retries)):
        return f"notes: cut, cached_tokens and retries are counted from 0 to {MOST}"
    return ""
