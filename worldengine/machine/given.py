"""What callers from Python hand in where Machines are wanted: taken, or refused in one sentence."""

from __future__ import annotations

from collections.abc import Iterable

from worldengine.machine.schema import Machine


def machine_given(value: object, taker: str) -> Machine:
    """One Machine. TypeError, which says how one is made, if it is none."""
    if isinstance(value, Machine):
        return value
    if isinstance(value, str):
        how = f"worldengine.load({value!r:.60}) gives the Machine of a world by its name or path"
        raise TypeError(f"{taker} takes a Machine, not a text: {how}")
    raise TypeError(
        f"{taker} takes a Machine, not {type(value).__name__}: worldengine.compile makes one of a"
        " script's text, worldengine.load of its name or path"
    )


def machines_given(values: Iterable[object], taker: str) -> tuple[Machine, ...]:
    """Some Machines. TypeError where one of them is none, or it is one and no list."""
    if isinstance(values, Machine):
        raise TypeError(f"{taker} takes a list of Machines, not one: write [machine]")
    if isinstance(values, str) or not isinstance(values, Iterable):
        machine_given(values, f"{taker} takes a list of Machines; each place of it")
    return tuple(machine_given(each, taker) for each in values)
