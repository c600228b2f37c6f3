"""What was worked out of a world before: states, the turns taken from them, what texts show.

In: a Machine. Out: its `Chart`, with a `Standing` for every state, which knows the turns taken
from it, and a `Known` for all that was shown, which knows what a further text adds. Both are
graphs whose edges are commands and texts: to play on from where somebody was before costs a
look-up by the command alone. What a command does in a state never changes, so nobody can tell
whether it was looked up.

All of it is bounded: when too many turns are remembered, everything is forgotten at once. An
episode under way keeps what it stands on, and goes on from there.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from worldengine.machine import Machine
from worldengine.machine.schema import RUNNING, State
from worldengine.rollout.showing import Known, at_first
from worldengine.rollout.turns import Turn
from worldengine.runtime import Refusal, Transition, let_go, runtime_of
from worldengine.runtime.interpreter import Evaluation
from worldengine.runtime.runtime import Runtime

MOST_TURNS = 25_000
"""Turns that are remembered, of all worlds together."""
MOST_WORLDS = 8
MOST_UNREAD = 5_000
"""Commands that are remembered with why nobody understands them, of one world."""
LONGEST = 200
"""Longer commands are worked out each time."""


class Standing:
    """A state of a world."""

    __slots__ = ("_chart", "_held", "_turns", "state")

    def __init__(self, chart: Chart, state: State) -> None:
        self.state = state
        self._chart = chart
        self._turns: dict[str, tuple[Turn, Standing]] = {}
        self._held: dict[object, bool] = {}

    def take(self, command: str) -> tuple[Turn, Standing]:
        """What a command does here, and where one stands then. EpisodeOver after the end."""
        found = self._turns.get(command)
        if found is not None:
            return found
        turn = Turn(self._chart.step(self.state, command))
        state = turn.transition.state
        after = self if state is self.state else self._chart.standing(state)
        if len(command) <= LONGEST:
            self._chart.remember()
            self._turns[command] = turn, after
        return turn, after

    def holds(self, refusal: Refusal) -> bool:
        """Whether what failed in a refusal holds here."""
        asked = refusal.operator, refusal.requirement, refusal.number, refusal.scope
        found = self._held.get(asked)
        if found is None:
            found = self._held[asked] = self._chart.runtime.holds(self.state, refusal)
        return found

    def forget(self) -> None:
        """A standing that somebody still has begins anew."""
        self._turns.clear()
        self._held.clear()


class _Listening(Evaluation):
    """An evaluation that keeps which scopes were asked for, and what was said."""

    __slots__ = ("asked",)
    asked: dict[tuple[str, int], bool]

    def in_scope(self, word: str, object_index: int) -> bool:
        found = super().in_scope(word, object_index)
        self.asked[word, object_index] = found
        return found


class _Listener(Runtime):
    """A Machine's runtime whose last evaluation can be asked what it was asked."""

    def __init__(self, runtime: Runtime) -> None:
        vars(self).update(vars(runtime))
        self.last: _Listening

    def evaluation(self, state: State) -> Evaluation:
        self.last = _Listening(self.tables, state)
        self.last.asked = {}
        return self.last


Unread = tuple[tuple[tuple[tuple[str, int], bool], ...], Transition]
"""Which scopes were asked for, with the answers, and the refusal that follows from them."""


class Chart:
    """See the module; the memory of one Machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.runtime = runtime_of(machine)
        self._listener = _Listener(self.runtime)
        self._standings: dict[State, Standing] = {}
        self._at_first = at_first(machine)
        self._openings: dict[int, str] = {}
        self._unread: dict[str, list[Unread]] = {}
        self.paths: dict[int, Any] = {}
        """Ways through the world, by variant, for those who lay them."""

    def start(self, variant: int) -> Standing:
        """Where the episodes of a variant begin."""
        return self.standing(self.machine.start(variant))

    def standing(self, state: State) -> Standing:
        found = self._standings.get(state)
        if found is None:
            found = self._standings[state] = Standing(self, state)
        return found

    def opening(self, variant: int) -> str:
        """What a player of a variant reads first."""
        found = self._openings.get(variant)
        if found is None:
            found = self.runtime.opening(self.machine.start(variant))
            self._openings[variant] = found
        return found

    def known(self, variant: int) -> Known:
        """What a player of a variant was shown before the first turn."""
        return self._at_first.after(self.opening(variant))

    def step(self, state: State, command: str) -> Transition:
        """As the runtime's. Why a command is not understood follows from the command and from
        what is in scope alone, so that is not worked out again in the next state."""
        unread = self._unread.get(command)
        if unread is not None and state[self.machine.status] == RUNNING:
            here = Evaluation(self.runtime.tables, state)
            for asked, transition in unread:
                if all(here.in_scope(*scope) is answer for scope, answer in asked):
                    return self._same(transition, state)
        transition = self._listener.step(state, command)
        if transition.operator < 0 and len(command) <= LONGEST:
            if len(self._unread) >= MOST_UNREAD:
                self._unread.clear()
            asked = tuple(self._listener.last.asked.items())
            self._unread.setdefault(command, []).append((asked, transition))
        return transition

    def _same(self, found: Transition, state: State) -> Transition:
        return Transition(
            state, found.outcome, found.observation, found.action, found.operator, found.number,
            found.refusal, found.status, self.runtime.progress(state), found.score,
        )  # fmt: skip

    def remember(self) -> None:
        """One turn more is remembered."""
        _charts.remember()

    def forget(self) -> None:
        for standing in self._standings.values():
            standing.forget()  # they lead to one another: nothing else would ever free them
        self._at_first.forget()
        self._standings.clear()
        self._openings.clear()
        self._unread.clear()
        self.paths.clear()


class _Charts:
    """Those of all worlds that were played in lately."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Chart] = OrderedDict()
        self._turns = 0

    def of(self, machine: Machine) -> Chart:
        found = self._kept.get(machine.hash)
        if found is None:
            found = self._kept[machine.hash] = Chart(machine)
            if len(self._kept) > MOST_WORLDS:
                left = self._kept.popitem(last=False)[1]
                left.forget()
                let_go(left.machine)
        else:
            self._kept.move_to_end(machine.hash)
        return found

    def remember(self) -> None:
        self._turns += 1
        if self._turns > MOST_TURNS:
            for chart in self._kept.values():
                chart.forget()
            self._turns = 0


_charts = _Charts()


def chart_of(machine: Machine) -> Chart:
    """The chart of a world. Equal worlds have one."""
    return _charts.of(machine)
