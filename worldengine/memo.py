"""Results remembered by a Machine's hash.

In: a pure function whose first argument is a Machine. Out: the same function, which works
each answer out once. A Machine is a large value: comparing one would cost more than most
answers do, while its hash is worked out once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Concatenate, ParamSpec, TypeVar

from worldengine.machine import Machine

Rest = ParamSpec("Rest")
Answer = TypeVar("Answer")


def by_machine(
    limit: int,
) -> Callable[
    [Callable[Concatenate[Machine, Rest], Answer]], Callable[Concatenate[Machine, Rest], Answer]
]:
    """Remembers the last `limit` answers. Arguments must be hashable and positional."""

    def decorate(
        work: Callable[Concatenate[Machine, Rest], Answer],
    ) -> Callable[Concatenate[Machine, Rest], Answer]:
        answers: OrderedDict[tuple[Hashable, ...], Answer] = OrderedDict()

        def remembered(machine: Machine, /, *rest: Rest.args, **named: Rest.kwargs) -> Answer:
            assert not named, "arguments of a remembered function are positional"
            key = (machine.hash, *rest)
            if key in answers:
                answers.move_to_end(key)
                return answers[key]
            answers[key] = work(machine, *rest, **named)
            if len(answers) > limit:
                answers.popitem(last=False)
            return answers[key]

        return remembered

    return decorate
