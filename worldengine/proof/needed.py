"""What a winning play comes to without the commands that it does not need.

In: a Machine, a variant, a play that wins it. Out: one that wins with fewer commands, none of
them refused. Commands are left out one at a time with all that is refused then (action
elimination: Nakhost and Müller, "Action elimination and plan neighborhood graph search", 2010),
and two at a time, as there and back again. No more is claimed: a shorter play may go another way.
"""

from __future__ import annotations

from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.runtime import runtime_of

STEPS = 20_000
"""Commands played for pairs, a second or two."""

Play = tuple[str, ...]


def needed_of(machine: Machine, variant: int, play: Play) -> Play:
    """The play with no command, and no two, that the rest wins without. ValueError if it does
    not win. Of very long plays not all pairs are tried."""
    trial = _Trial(machine, variant)
    if trial.played(play) is None:
        raise ValueError(f"this play does not win start {variant} of {machine.name}")
    kept = trial.without_one(play)
    while (shorter := trial.without_two(kept)) is not None:
        kept = trial.without_one(shorter)
    return kept


class _Trial:
    def __init__(self, machine: Machine, variant: int) -> None:
        self.runtime = runtime_of(machine)
        self.start = machine.start(variant)
        self.steps = STEPS

    def without_one(self, play: Play) -> Play:
        kept = self.played(play) or play
        index = 0
        while index < len(kept):
            shorter = self.played(kept[:index] + kept[index + 1 :])
            if shorter is not None:
                kept = shorter
            else:
                index += 1
        return kept

    def without_two(self, play: Play) -> Play | None:
        """The play less two commands; None if it needs all, or what may be spent is spent."""
        states = self._states(self.start, play)
        for first in range(len(play)):
            # What the play comes to without its first command left out, up to a refusal.
            lacking = self._states(states[first], play[first + 1 :])
            for second, state in enumerate(lacking[: len(play) - first - 1], start=first + 1):
                if self.steps <= 0:
                    return None
                after = self._states(state, play[second + 1 :])
                if self.runtime.status(after[-1]) == "won":
                    end = second + len(after)
                    return play[:first] + play[first + 1 : second] + play[second + 1 : end]
        return None

    def played(self, play: Play) -> Play | None:
        """What is accepted of a play, up to the win; None if it does not win."""
        state, kept = self.start, []
        for command in play:
            turn = self.runtime.step(state, command)
            if not turn.accepted:
                continue
            kept.append(command)
            state = turn.state
            if turn.status != "running":
                return tuple(kept) if turn.status == "won" else None
        return None

    def _states(self, state: State, play: Play) -> list[State]:
        """The states on the way through a play, to its end or its first refusal."""
        found = [state]
        for command in play:
            if self.runtime.status(found[-1]) != "running":
                break
            turn = self.runtime.step(found[-1], command)
            self.steps -= 1
            if not turn.accepted:
                break
            found.append(turn.state)
        return found
