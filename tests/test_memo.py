"""What is remembered of a Machine is right, is worked out once, and is bounded."""

from __future__ import annotations

from tests.worlds import lamp
from worldengine.machine import Machine
from worldengine.memo import by_machine


def test_answers_are_remembered_and_bounded() -> None:
    asked: list[int | None] = []

    @by_machine(10)
    def half(machine: Machine, number: int) -> int | None:
        asked.append(number)
        return None if number < 0 else number // 2

    machine = lamp()
    assert [half(machine, each) for each in (4, 4, -1, -1)] == [2, 2, None, None]
    assert asked == [4, -1]
    for number in range(100):
        assert half(machine, number) == number // 2
        half(machine, 4)  # asked for all the time, so it stays
    assert asked.count(4) == 1 and len(asked) == 101
    half(machine, 0)
    assert asked.count(0) == 2  # forgotten long ago
