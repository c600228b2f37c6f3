"""What a generated world should be like, and what it turned out to be.

In: what a person asks for. Out: frozen values. Refused with `SettingsError`, in a sentence:
dials that no world can satisfy. A dial that is None is drawn by the seed.
"""

from __future__ import annotations

from dataclasses import dataclass

LONGEST = 60
SHORTEST = 3
MOST_PLACES = 24
MOST_MISTAKES = 5
MOST_DISTRACTORS = 30


class SettingsError(ValueError):
    """A dial stands where no world is; the message is for people."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The dials. `plan` are the ends of the range, both included, in which the length of the
    known plan lies, in accepted commands; `places` counts places, `mistakes` the ways to lose
    or to spoil the game, `distractors` the things and persons that no plan needs."""

    family: str = "mixed"
    plan: tuple[int, int] = (5, LONGEST)
    places: int | None = None
    mistakes: int | None = None
    distractors: int | None = None
    theme: str | None = None
    task: str | None = None

    def __post_init__(self) -> None:
        low, high = self.plan
        if not SHORTEST <= low <= high <= LONGEST:
            raise SettingsError(
                f"a plan of {low} to {high} commands cannot be asked for: "
                f"name a range within {SHORTEST}..{LONGEST}"
            )
        for name, value, least, most in (
            ("places", self.places, 2, MOST_PLACES),
            ("mistakes", self.mistakes, 0, MOST_MISTAKES),
            ("distractors", self.distractors, 0, MOST_DISTRACTORS),
        ):
            if value is not None and not least <= value <= most:
                raise SettingsError(f"{value} {name} are not on offer: name {least} to {most}")


@dataclass(frozen=True, slots=True)
class Generated:
    """A world. `text` is its canonical script, `proof` one play that wins start 0; `mechanics`
    names what the plan goes through, sorted."""

    text: str
    name: str
    family: str
    theme: str
    seed: int
    proof: tuple[str, ...]
    mechanics: tuple[str, ...]
    places: int
    mistakes: int
    distractors: int

    @property
    def plan_length(self) -> int:
        return len(self.proof)
