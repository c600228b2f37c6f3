"""Results remembered by a Machine's hash.

In: a pure function whose first argument is a Machine. Out: the same function, which works
each answer out once. A Machine is a large value: comparing one would cost more than most
answers do, while its hash is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Concatenate, ParamSpec, TypeVar

from worldengine.machine import Machine

Rest = ParamSpec("Rest")
Answer = TypeVar("Answer")


_NOTHING: Any = object()


def by_machine(
    limit: int,
) -> Callable[
    [Callable[Concatenate[Machine, Rest], Answer]], Callable[Concatenate[Machine, Rest], Answer]
]:
    """Remembers `limit` answers at most, those that were asked for last among them. Arguments
    must be hashable and positional."""
    half = max(limit // 2, 1)

    def decorate(
        work: Callable[Concatenate[Machine, Rest], Answer],
    ) -> Callable[Concatenate[Machine, Rest], Answer]:
        # Two generations cost less than an order of last use: a full one becomes the old one.
        new: dict[tuple[Hashable, ...], Answer] = {}
        old: dict[tuple[Hashable, ...], Answer] = {}

        def remembered(machine: Machine, /, *rest: Rest.args, **named: Rest.kwargs) -> Answer:
            nonlocal new, old
            assert not named, "arguments of a remembered function are positional"
            key = (machine.hash, *rest)
            found: Answer = new.get(key, _NOTHING)
            if found is not _NOTHING:
                return found
            found = old.get(key, _NOTHING)
            if found is _NOTHING:
                found = work(machine, *rest, **named)
            if len(new) >= half:
                old, new = new, {}
            new[key] = found
            return found

        return remembered

    return decorate
