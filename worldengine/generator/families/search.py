"""Breadth-first search over a puzzle's own small model: the shortest plan, for a proof."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from random import Random

State = tuple[Hashable, ...]
MOST = 200_000
COLOURS = ("red", "blue", "green", "yellow", "white", "black", "orange", "purple")


def shortest(
    start: State,
    moves: Callable[[State], Iterable[tuple[str, State]]],
    won: Callable[[State], bool],
) -> list[str] | None:
    """The commands of a shortest play, or None: there is none within `MOST` states."""
    before: dict[State, tuple[State, str] | None] = {start: None}
    todo = deque([start])
    while todo:
        state = todo.popleft()
        if won(state):
            return _told(before, state)
        if len(before) > MOST:
            return None
        for command, after in moves(state):
            if after not in before:
                before[after] = (state, command)
                todo.append(after)
    return None


def farthest(
    start: State, moves: Callable[[State], Iterable[tuple[str, State]]], depth: int
) -> dict[int, list[State]]:
    """States by their distance from `start`, up to `depth`."""
    layers = {0: [start]}
    seen = {start}
    for distance in range(1, depth + 1):
        layer = []
        for state in layers[distance - 1]:
            for _, after in moves(state):
                if after not in seen:
                    seen.add(after)
                    layer.append(after)
        if not layer or len(seen) > MOST:
            break
        layers[distance] = layer
    return layers


def _told(before: dict[State, tuple[State, str] | None], state: State) -> list[str]:
    commands: list[str] = []
    while (step := before[state]) is not None:
        state = step[0]
        commands.append(step[1])
    return commands[::-1]


def goal_near(random: Random, layers: dict[int, list[State]], target: int) -> State:
    """A state about `target` moves away."""
    distance = min(layers, key=lambda d: (abs(d - target), d))
    return random.choice(layers[distance])
