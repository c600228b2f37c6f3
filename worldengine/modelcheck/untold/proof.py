"""Starts that nothing tells apart before it is too late: the proof that they need a guess.

In: a Machine, some of its starts. Out: whether it is proven that no way of playing wins from all
of them. Nothing is concluded where it is not.

**Beliefs in sets.** A `_Belief` stands for all beliefs of some starts: the rows of every variable
(see `abreast`), those in which the starts differ fixed by its name. Every command is given to
all of them at once. What comes out is parted by what was read and by endings, where starts count
as told apart unless they surely read the same, and each part goes into the belief of its name.

**Argument.** Every belief that play can reach lies in one of these, by induction over turns. A
belief can be hoped for if some command may leave only parts that can be hoped for: none in which
a start is lost or can never be won (not even in the relaxed world), single starts otherwise
always. Being told apart never hurts, and it is granted wherever it is not excluded. So a policy
that wins from all starts in t turns gives hope to the belief they begin in, by induction over t:
its first command leaves parts that are won in fewer. Where there is no hope there is no policy.
The turn limit is left out, which only adds to hope, and so is which texts mean a command: as long
as what is in scope is the same in all starts, a text means the same in all; a belief where that
is not sure has all hope.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from worldengine.machine.reads import writes
from worldengine.machine.schema import WON, Machine
from worldengine.modelcheck.budget import Clock
from worldengine.modelcheck.programs.values import TooWide, whole
from worldengine.modelcheck.relaxation.abstract import reach_from
from worldengine.modelcheck.relaxation.reached import Reach
from worldengine.modelcheck.untold.rows import Rows, alike
from worldengine.modelcheck.untold.turns import Support, Turns, World

BELIEFS = 400
"""Beliefs that are looked at before giving up."""
GROWTHS = 8
"""How often a variable may grow in a belief before it is taken to be anything it can ever be."""

Name = tuple[Support, tuple[tuple[int, Rows], ...]]
"""Starts, and the variables in which they differ with their rows."""


@dataclass(slots=True)
class _Belief:
    """`arcs` are what commands may leave: the beliefs of several starts that must all be won."""

    name: Name
    rows: dict[int, Rows]
    derived: dict[int, Rows] = field(default_factory=dict)
    growths: dict[int, int] = field(default_factory=dict)
    arcs: set[tuple[Name, ...]] = field(default_factory=set)
    hope: bool = False


def needs_guess(reach: Reach, support: Support, left: Clock) -> bool:
    """Whether it is proven that no policy wins from all the starts; `reach` holds what can occur
    from any start. False also where time runs out or too many values would have to be kept."""
    work = _Work(reach, left)
    deeds = _deeds(reach.machine)
    for doomed, apart in ((False, ()), (True, ()), (True, deeds)):
        try:
            if not work.hopes(support, doomed, apart):
                return True
        except (TooWide, _Stopped):
            pass
    return False


class _Stopped(Exception):
    """Time has run out, or there are too many beliefs."""


class _Work:
    def __init__(self, reach: Reach, left: Clock) -> None:
        self.machine, self.reach, self.clock = reach.machine, reach, left
        self.world = World(reach)
        self._dooms: dict[tuple[frozenset[int], ...], bool] = {}

    def hopes(self, support: Support, doomed: bool, apart: tuple[int, ...] = ()) -> bool:
        """Whether the starts can be hoped for. With `doomed` single starts that can never be won
        are looked for. Beliefs are named by the variables that are kept `apart` as well."""
        self.asks_doomed = doomed
        self.apart = apart
        self.beliefs: dict[Name, _Belief] = {}
        starts = [self.machine.start(variant) for variant in support]
        rows = {
            slot: frozenset({tuple(start[slot] for start in starts)})
            for slot in range(len(self.machine.variables))
        }
        if self.machine.turn >= 0:  # it grows by itself
            values = whole(self.machine, self.machine.turn)
            rows[self.machine.turn] = frozenset((value,) * len(support) for value in values)
        self.waiting: dict[Name, None] = {}
        root = self._enter(support, rows)
        while self.waiting:
            name = next(iter(self.waiting))
            del self.waiting[name]
            if not self.beliefs[name].hope:
                self._grow(self.beliefs[name])
            if self._hope()[root]:
                return True
        return False

    def _enter(self, support: Support, rows: dict[int, Rows]) -> Name:
        """The belief that such rows go into, which waits to be looked at if it has grown."""
        named = [slot for slot in rows if slot in self.apart or not alike(rows[slot])]
        name = support, tuple((slot, rows[slot]) for slot in sorted(named))
        belief = self.beliefs.get(name)
        if belief is None:
            if len(self.beliefs) >= BELIEFS:
                raise _Stopped
            self.beliefs[name] = _Belief(name, dict(rows))
            self.waiting[name] = None
            return name
        for slot, values in rows.items():
            if values <= belief.rows[slot]:
                continue
            times = belief.growths[slot] = belief.growths.get(slot, 0) + 1
            if times > GROWTHS and slot in self.reach.values:
                values = frozenset((value,) * len(support) for value in self.reach.values[slot])
            belief.rows[slot] |= values
            for read in (slot, slot + len(self.machine.variables)):  # now, and as it was before
                for user in self.world.users.get(read, ()):
                    belief.derived.pop(user, None)
            self.waiting[name] = None
        return name

    def _hope(self) -> dict[Name, bool]:
        hopes = {name: belief.hope for name, belief in self.beliefs.items()}
        changed = True
        while changed:
            changed = False
            for name, belief in self.beliefs.items():
                if not hopes[name] and any(all(hopes[n] for n in arc) for arc in belief.arcs):
                    hopes[name] = changed = True
        return hopes

    def _grow(self, belief: _Belief) -> None:
        """Every command in a belief."""
        turns = Turns(
            self.world, belief.name[0], belief.rows, belief.derived, self.apart, self._doomed
        )
        if not turns.one_scope():
            belief.hope = True
            return
        for operator in range(len(self.machine.operators)):
            if self.clock.left <= 0:
                raise _Stopped
            for parts in turns.outcomes(operator):
                if not parts:  # what it leaves besides is not asked any more
                    belief.hope = True
                    return
                belief.arcs.add(tuple(self._enter(*part) for part in parts))

    def _doomed(self, values: tuple[frozenset[int], ...]) -> bool:
        """Whether no win follows from any state of such values."""
        if not self.asks_doomed:
            return False
        found = self._dooms.get(values)
        if found is None:
            sets = {slot: set(each) for slot, each in enumerate(values)}
            reached = reach_from(self.machine, sets, self.world.units)
            found = self._dooms[values] = WON not in reached.values[self.machine.status]
        return found


def _deeds(machine: Machine) -> tuple[int, ...]:
    """The variables that the world's own actions and rules store into, but for those that only
    say how far a play is."""
    programs = [each.program for each in machine.operators if machine.schemas[each.schema].own]
    programs += [rule.program for rule in machine.rules if rule.kind == "rule"]
    here = machine.objects[machine.player].location if machine.player >= 0 else -1
    left_out = {machine.status, machine.turn, here}
    found = {slot for program in programs for slot in writes(program, machine)}
    return tuple(
        slot
        for slot in sorted(found - left_out)
        if slot < len(machine.variables) and machine.variables[slot].role != "milestone"
    )
