"""What derived variables need: for laying them out and for letting them go stale.

In: a Machine. Out: lists of indices of derived variables. Members of one recursive group are
worked out together, so each of them needs all of them.
"""

from __future__ import annotations

from worldengine.machine.reads import reads
from worldengine.machine.schema import Machine


def stale_by(machine: Machine) -> dict[int, frozenset[int]]:
    """For each variable and the number slot, the derived variables that its change makes
    stale, through any number of others."""
    count = len(machine.variables)
    direct = [reads(derived.program, machine) for derived in machine.derived]
    below = closure_of(uses_of(machine))
    found: dict[int, set[int]] = {}
    for index, needed in enumerate(below):
        for other in needed:
            for slot in direct[other]:
                if slot < count or slot == machine.number_slot:
                    found.setdefault(slot, set()).add(index)
    return {slot: frozenset(indices) for slot, indices in found.items()}


def uses_of(machine: Machine) -> list[list[int]]:
    """The derived variables that each derived variable needs. A member of a recursive group
    needs all of the group: they are worked out together."""
    base = machine.derived_base
    members: dict[int, list[int]] = {}
    for index, derived in enumerate(machine.derived):
        members.setdefault(derived.group, []).append(index)
    found: list[list[int]] = []
    for derived in machine.derived:
        used = [slot - base for slot in reads(derived.program, machine) if slot >= base]
        found.append(used + (members[derived.group] if derived.group >= 0 else []))
    return found


def closure_of(uses: list[list[int]]) -> list[list[int]]:
    """For each derived variable all that it needs, what is needed first standing first, and
    itself last. Members of one recursive group may stand in any order among themselves."""
    found: list[list[int]] = []
    for root in range(len(uses)):
        done: dict[int, None] = {}
        entered = {root}
        stack = [(root, 0)]
        while stack:
            node, position = stack.pop()
            if position == len(uses[node]):
                done[node] = None
                continue
            stack.append((node, position + 1))
            following = uses[node][position]
            if following not in entered:
                entered.add(following)
                stack.append((following, 0))
        found.append(list(done))
    return found


def settled(machine: Machine, closures: list[list[int]]) -> list[list[int]]:
    """Closures in which everything a recursive group needs from outside stands before the
    first of its members, since the members are worked out together."""
    found: list[list[int]] = []
    for closure in closures:
        groups = [machine.derived[index].group for index in closure]
        ordered: list[int] = []
        placed: set[int] = set()
        for index, group in zip(closure, groups, strict=True):
            if group >= 0 and group in placed:
                continue
            ordered.append(index)
            placed.add(group)
        found.append(ordered if len(placed - {-1}) == 0 else _by_need(machine, closure))
    return found


def _by_need(machine: Machine, closure: list[int]) -> list[int]:
    """A closure in topological order with groups as single nodes."""
    base = machine.derived_base
    inside = set(closure)
    unit = {i: ("g", g) if (g := machine.derived[i].group) >= 0 else ("d", i) for i in closure}
    needs: dict[tuple[str, int], dict[tuple[str, int], None]] = {}
    for index in closure:
        wanted = needs.setdefault(unit[index], {})
        for slot in reads(machine.derived[index].program, machine):
            other = slot - base
            if other in inside and unit[other] != unit[index]:
                wanted[unit[other]] = None
    done: dict[tuple[str, int], None] = {}
    stack = [(node, False) for node in reversed(list(needs))]
    while stack:
        node, ready = stack.pop()
        if node in done:
            continue
        if ready:
            done[node] = None
            continue
        stack.append((node, True))
        stack.extend((other, False) for other in needs[node] if other not in done)
    first = {unit[index]: index for index in reversed(closure)}
    return [first[node] for node in done]
