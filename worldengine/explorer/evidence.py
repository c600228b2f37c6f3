"""What decided between one thing and another: the words that ruled other starts out.

In: moments of a play, one after the other. Out: for a step that the other starts' paths have
another one for, the sentence that none of them would have told. Only starts that the belief
held possible are looked at, and only words that were read are given back.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from worldengine.explorer.believing.belief import Belief
from worldengine.explorer.believing.hypotheses import Hypotheses
from worldengine.explorer.deciding.mind import FOLLOWED, WORLDS, Moment
from worldengine.explorer.deciding.standing import Decision
from worldengine.explorer.imagining.replaying import Action, Way
from worldengine.explorer.knowing.insight import insight_of
from worldengine.machine import Machine
from worldengine.memo import by_machine
from worldengine.players.shown.figures import SPELT, numbers
from worldengine.players.shown.trail import LETTING_GO, TAKING
from worldengine.players.shown.wording import balanced, echoes, sentences
from worldengine.players.thoughts.recall import LISTS
from worldengine.runtime import runtime_of

STARTS = 16
"""Starts ruled out by one answer that are looked at, at most."""
HANDLING = TAKING | LETTING_GO | {"open", "close", "wear"}
COMMON = frozenset({"the", "a", "an", "of", "to", "in", "on", "with", "as", "st", "from", "for"})
FRESH = 3
"""Turns for which a sentence decides though it names nothing of what it is decided about."""
LONGEST = 160
"""Longer sentences are not repeated."""
Apart = dict[int, tuple[str, ...]]
"""The sentences that were read and that a start would not have told."""


@dataclass(frozen=True, slots=True)
class Clue:
    """`told`: what was read that starts ruled out would not have told, what most of them would
    not first; `command` brought it, at `turn`; `others`: what was meant to be done in them."""

    turn: int
    command: str
    told: tuple[str, ...]
    others: tuple[Way, ...]


class Clues:
    """The clues of one episode, in the order in which they were read."""

    def __init__(self, machine: Machine) -> None:
        self._schemas, self._idle = _kinds(machine)
        self._found: list[Clue] = []

    def read(
        self, before: Moment, gone: tuple[int, ...], decision: Decision, command: str, turn: int
    ) -> None:
        """What an answer to a command has ruled out: `gone` are starts that it has, see
        `ruled_out`. Turns are counted from 1."""
        paths = decision.outlook.paths
        apart = _apart(before.truth, command, gone)
        counted: dict[str, int] = {}
        for told in apart.values():
            for each in told:
                counted[each] = counted.get(each, 0) + 1
        ranked = sorted(counted, key=lambda each: (each.startswith(LISTS), -counted[each]))
        if ranked:
            others = tuple(paths[start] for start in apart)
            self._found.append(Clue(turn, command, tuple(ranked), others))

    def deciding(self, decision: Decision, turn: int) -> str:
        """The sentence that decided for a step after so many turns, "" if none did. Of several
        the one that is most about what the step is about, the latest of those; one that names
        nothing of it only while it is fresh; for a number one with that number.
        What only looks or leads somewhere needs no such reason; what is taken or left does where
        the sentence names it."""
        if not self._found or decision.why not in FOLLOWED or decision.action[0] in self._idle:
            return ""
        verb, *rest = SPELT.findall(decision.command.lower())
        own, about = frozenset(decision.plan), set(rest) - COMMON
        best, chosen = (1 if verb in HANDLING else 0), ""
        figures = numbers(decision.command)
        for clue in self._found:
            if not any(self._instead(decision.action, own, way) for way in clue.others):
                continue
            asked = about & set(SPELT.findall(clue.command.lower()))
            for each in reversed(clue.told):
                score = len(about & set(SPELT.findall(each.lower()))) + len(asked)
                if figures and not figures & numbers(each):
                    continue
                if score >= best and (score or turn - clue.turn < FRESH):
                    best, chosen = score, each
        return chosen

    def _instead(self, action: Action, own: frozenset[Action], way: Way) -> bool:
        """Whether a way has something else of the kind of an action, in its stead."""
        kind = self._schemas[action[0]]
        return action not in way and any(
            self._schemas[each[0]] == kind and each not in own for each in way
        )


def ruled_out(before: Belief, now: Belief, decision: Decision) -> tuple[int, ...]:
    """Starts that are not possible any more, of those that have paths; the first of them."""
    left = {start for start, _ in now.starts}
    paths = decision.outlook.paths
    gone = [start for start, _ in before.starts if start not in left and start in paths]
    return tuple(gone[:STARTS])


@by_machine(WORLDS)
def _kinds(machine: Machine) -> tuple[tuple[int, ...], frozenset[int]]:
    """The schema of every operator; operators that only look or lead somewhere."""
    insight = insight_of(machine)
    schemas = tuple(operator.schema for operator in machine.operators)
    return schemas, frozenset(insight.moves | insight.quiet)


@by_machine(WORLDS)
def _known(machine: Machine) -> dict[tuple[Hypotheses, str, tuple[int, ...]], Apart]:
    del machine
    return {}


def _apart(truth: Hypotheses, command: str, gone: tuple[int, ...]) -> Apart:
    """For starts that an answer has ruled out, what they would not have told."""
    known = _known(truth.machine)
    found = known.get((truth, command, gone))
    if found is None:
        runtime = runtime_of(truth.machine)
        read = _worth(runtime.step(truth.state, command).observation, command)
        found = {}
        for start in gone:
            for row in np.flatnonzero(truth.changed == -1 - start)[:1].tolist():
                other = runtime.step(tuple(truth.rows[row].tolist()), command).observation
                told = tuple(each for each in read if each not in sentences(other))
                if told:
                    found[start] = told
        known[truth, command, gone] = found
    return found


def _worth(observation: str, command: str) -> tuple[str, ...]:
    """The sentences of an answer that can be repeated and say more than what was done."""
    return tuple(
        each
        for each in sentences(observation)
        if " " in each
        and len(each) <= LONGEST
        and balanced(each)
        and each.rstrip("\"'”’)").endswith((".", "!", "?"))
        and not each.startswith("Exits")
        and not echoes(each, command)
    )
