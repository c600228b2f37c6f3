"""Rows put in order by counting: those of one machine and operator stand together."""

from __future__ import annotations

from worldengine.batch.arrays import Integers
from worldengine.batch.jit import compiled, i64


@compiled
def in_order(machines: Integers, operators: Integers, firsts: Integers, counts: Integers,
             order: Integers) -> int:  # fmt: skip
    """Rows by machine and operator, otherwise as they were. `firsts` (machines + 1,) is where a
    machine's operators begin when all are counted; operators that do not exist stand first.
    `counts` is (operators + machines,). Gives back how many operators occur."""
    for at in range(len(counts)):
        counts[at] = 0
    for row in range(len(machines)):
        machine = i64(machines[row])
        count = firsts[machine + 1] - firsts[machine]
        operator = i64(operators[row])
        place = operator + 1 if 0 <= operator < count else 0
        counts[firsts[machine] + machine + place] += 1
    total, found = 0, 0
    for at in range(len(counts)):
        count = counts[at]
        counts[at] = total
        total += count
        found += count > 0
    for row in range(len(machines)):
        machine = i64(machines[row])
        count = firsts[machine + 1] - firsts[machine]
        operator = i64(operators[row])
        place = firsts[machine] + machine + (operator + 1 if 0 <= operator < count else 0)
        order[counts[place]] = row
        counts[place] += 1
    return i64(found)
