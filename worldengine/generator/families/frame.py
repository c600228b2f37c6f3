"""What the families share: a sheet that collects a script's lines, and the dials' bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from worldengine.generator.script import Script
from worldengine.generator.settings import Settings, SettingsError
from worldengine.generator.words import quoted

TRIES = 200


@dataclass
class Sheet:
    """A script in the making: `lines` in the order they are written, `plan` as it is known."""

    title: str
    persona: str
    intro: str
    timeout: str
    goals: list[str] = field(default_factory=list)
    uses: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    plan: list[str] = field(default_factory=list)
    mechanics: set[str] = field(default_factory=set)
    places: int = 1
    mistakes: int = 0
    distractors: int = 0
    spare: int = 2
    room: int = 10

    def add(self, *lines: str) -> None:
        self.lines.extend(lines)

    def script(self, name: str, theme: str = "") -> Script:
        """As a `Script`. The world may take `spare` times its plan, and `room` turns more."""
        turns = self.spare * len(self.plan) + self.room
        # Milestones and endings come last, as a reader expects them.
        last = ("milestone ", "lose ", "win ")
        self.lines.sort(
            key=lambda line: last.index(f"{line.split()[0]} ") + 1 if line.startswith(last) else 0
        )
        uses = f"use {', '.join(self.uses)}" if self.uses else ""
        head = f"""world {name} {quoted(self.title)} {{ persona {quoted(self.persona)}
          intro {quoted(self.intro)} goal {quoted(" ".join(self.goals))} turns {turns}
          timeout {quoted(self.timeout)} }} {uses}"""
        proof = f"proof {', '.join(map(quoted, self.plan))}"
        return Script(
            "\n".join([head, *self.lines, proof]),
            theme,
            (tuple(self.plan),),
            tuple(sorted(self.mechanics)),
            self.places,
            self.mistakes,
            self.distractors,
        )


def dial(
    random: Random, value: int | None, most: int, what: str, family: str, least: int = 0
) -> int:
    """The value asked for, or one that the seed draws. SettingsError beyond what there is."""
    if value is None:
        return random.randint(least, most)
    if not least <= value <= most:
        raise SettingsError(f"the family {family} has {least} to {most} {what}, not {value}")
    return value


def task_of(random: Random, settings: Settings, tasks: Sequence[str]) -> str:
    """The task asked for, or one that the seed draws."""
    return settings.task or random.choice(list(tasks))


def fitting(settings: Settings, family: str, make: Callable[[int], Script | None]) -> Script:
    """The first try whose plan is as long as asked for. `make` gets the number of the try and
    may give None."""
    low, high = settings.plan
    found: set[int] = set()
    for attempt in range(TRIES):
        script = make(attempt)
        if script is None:
            continue
        length = len(script.proofs[0])
        if low <= length <= high:
            return script
        found.add(length)
    seen = f"; tried: {min(found)} to {max(found)}" if found else ""
    raise SettingsError(
        f"the family {family} gave no plan of {low} to {high} commands with these dials{seen}"
    )
