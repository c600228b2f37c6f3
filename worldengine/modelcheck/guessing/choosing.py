"""From the values of beliefs to a policy in words.

In: a `Game` whose root is surely won, `Tails`. Out: a policy, or None where some command of
it cannot be typed so that it means the same in every state of its belief.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.machine.schema import State
from worldengine.modelcheck.guessing.beliefs import Arc, Game, partition
from worldengine.modelcheck.guessing.policy import Branch, Policy, joined
from worldengine.modelcheck.guessing.tails import Tails
from worldengine.runtime import runtime_of

REPAIRS = 200
"""Commands that cannot be typed which are taken back before giving up."""


def policy_of(game: Game, tails: Tails, turns: int) -> Policy | None:
    """The policy that needs the fewest turns. Commands that cannot be said are taken out of
    the game, which is why it may turn out that there is none."""
    for _ in range(REPAIRS):
        values, choices = game.values(False), game.choices()
        if values[0] > turns:
            return None
        work = _Reader(game, tails, choices, turns)
        policy = work.policy(0, turns)
        if policy is not None:
            return policy
        if work.unsayable is None:
            return None
        game.arcs.remove(work.unsayable)
    return None


class _Reader:
    def __init__(self, game: Game, tails: Tails, choices: list[Arc | None], turns: int) -> None:
        self.game, self.tails, self.choices, self.turns = game, tails, choices, turns
        self.unsayable: Arc | None = None
        self._runtime = runtime_of(game.sights.machine)

    def policy(self, node: int, left: int) -> Policy | None:
        """How to go on from a belief."""
        arc = self.choices[node]
        if arc is None or left <= 0:
            return None
        support = self.game.supports[node]
        states = [tuple(row.tolist()) for row in self.game.states[node]]
        command = self._said(arc, support, states)
        if command is None:
            self.unsayable = arc
            return None
        turns = [self._runtime.step(state, command) for state in states]
        signs: dict[tuple[str, str], int] = {}
        groups = [signs.setdefault((t.observation, t.status), len(signs)) for t in turns]
        branches: list[Branch] = []
        parts = iter(arc.parts)
        for places in partition(groups):
            who = tuple(support[place] for place in places)
            after = self._after(turns[places[0]].status, who, turns[places[0]].state, parts, left)
            if after is None:
                return None
            branches.append(Branch(turns[places[0]].observation, after))
        if len(branches) == 1:
            return joined((command,), branches[0].policy)
        return Policy(support, (command,), tuple(branches))

    def _after(
        self, status: str, who: tuple[int, ...], state: State, parts: Iterator[int], left: int
    ) -> Policy | None:
        if status == "won":
            return Policy(who, ())
        if len(who) > 1:
            return self.policy(next(parts), left - 1)
        commands = self.tails.win(who[0], state, left - 1)
        return None if commands is None else Policy(who, commands)

    def _said(self, arc: Arc, support: tuple[int, ...], states: list[State]) -> str | None:
        """A text that does in every state what the arc does."""
        typed = self.game.typed
        if arc.action < 0:
            return typed.texts[-1 - arc.action]
        seen = self.game.sights.see(self.game.sights.rows(states))
        wanted = [tuple(row.tolist()) for row in seen.after[:, arc.action]]
        words = [self.game.sights.words[int(n)] for n in seen.texts[:, arc.action]]
        for text in typed.spelled(arc.action):
            turns = [self._runtime.step(state, text) for state in states]
            if [turn.state for turn in turns] == wanted and _alike(
                [turn.observation for turn in turns], words
            ):
                return text
        return None


def _alike(one: list[str], other: list[str]) -> bool:
    """Whether the words tell the states apart in the same way."""
    return list(partition(_numbered(one))) == list(partition(_numbered(other)))


def _numbered(words: list[str]) -> list[int]:
    numbers: dict[str, int] = {}
    return [numbers.setdefault(word, len(numbers)) for word in words]
