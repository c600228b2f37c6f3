"""The plan of a draft: its tasks, needs first, with the steps between.

In: a draft. Out: commands. The walker knows the whole map and which gates are open; it counts
turns and what is carried, so that a part can wait for a moment or bound a load.
"""

from __future__ import annotations

from collections import deque

from worldengine.generator.draft import CannotFit, Draft, Exit, Item, Place, Task

MOST = 400


class Walker:
    """One winning play in the making. Every command in `commands` will be accepted."""

    def __init__(self, draft: Draft, variant: int = 0) -> None:
        for task in draft.tasks:
            task.done = False
        self.variant = variant
        self.at: Place = draft.places[0]
        self.commands: list[str] = []
        self.held: set[str] = set()
        self.most_held = 0
        self.marks: dict[str, int] = {}
        for goal in draft.goals:
            self.do(goal)

    def say(self, command: str) -> None:
        self.commands.append(command)
        if len(self.commands) > MOST:
            raise CannotFit("the plan runs away")

    @property
    def turn(self) -> int:
        """Accepted commands so far."""
        return len(self.commands)

    def mark(self, name: str) -> None:
        """Remembers the turn at which something happened first."""
        self.marks.setdefault(name, self.turn)

    def take(self, item: Item) -> None:
        self.say(f"take {item.name}")
        self.hold(item)

    def hold(self, item: Item) -> None:
        self.held.add(item.id)
        self.most_held = max(self.most_held, len(self.held))

    def release(self, item: Item) -> None:
        self.held.discard(item.id)

    def do(self, task: Task) -> None:
        if task.done:
            return
        task.done = True
        for need in task.needs:
            self.do(need)
        if task.place is not None:
            self.go(task.place)
        task.act(self)

    def go(self, target: Place) -> None:
        """Opens what bars the way, which may lead anywhere, then walks."""
        while True:
            path = self._path(target)
            barred = [e for e in path if e.gate and e.gate.task and not e.gate.task.done]
            if not barred:
                break
            gate = barred[0].gate
            assert gate is not None and gate.task is not None
            self.do(gate.task)
        for way in path:
            if way.gate and way.gate.pass_:
                way.gate.pass_(self, way.direction)
            self.say(way.direction)
            self.at = way.target

    def _path(self, target: Place) -> list[Exit]:
        """The shortest way on the whole map, closed gates counted dear."""
        before: dict[int, tuple[Place, Exit] | None] = {id(self.at): None}
        todo = deque([self.at])
        while todo:
            here = todo.popleft()
            if here is target:
                break
            for way in here.exits:
                if id(way.target) not in before:
                    before[id(way.target)] = (here, way)
                    todo.append(way.target)
        path: list[Exit] = []
        here = target
        while (step := before[id(here)]) is not None:
            path.append(step[1])
            here = step[0]
        return path[::-1]
