"""What a reader expects of a world, held against what it does.

In: a JSON file of expectations, written by a person or a model from the world's prose alone;
a Machine. Out: what did not come as expected, each with the words it was expected by.
Refused with `ExpectationsError`: files that are no expectations.

    {"expectations": [
      {"because": "The lamp is dark.", "given": {"player.in": "cellar"}, "command": "light lamp",
       "expect": {"outcome": "place", "says": "no lamp"}}]}

`variant` and `after` (commands played first) say from where, `given` sets values. `expect`
holds any of `outcome` (ok, refused, parameter, place, logic), `status` (running, won, lost),
`says` and `omits` (words that the answer has, or has not), `values` (afterwards).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from worldengine.judging.situations import SituationError, Value, situation, value_at
from worldengine.machine.schema import Machine
from worldengine.runtime.types import Transition

MOST_BYTES = 1 << 22


class ExpectationsError(ValueError):
    """This file holds no expectations; the message is for people."""


class Expected(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    outcome: Literal["ok", "refused", "parameter", "place", "logic"] | None = None
    status: Literal["running", "won", "lost"] | None = None
    says: tuple[str, ...] = ()
    omits: tuple[str, ...] = ()
    values: dict[str, Value] = Field(default_factory=dict)

    @field_validator("says", "omits", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Expectation(BaseModel):
    """`because` quotes the prose that promises it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    because: str = ""
    variant: int = 0
    after: tuple[str, ...] = ()
    given: dict[str, Value] = Field(default_factory=dict)
    command: str
    expect: Expected


class Expectations(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    world: str = ""
    author: str = ""
    expectations: tuple[Expectation, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """An expectation that was not met. `number` counts from 1."""

    number: int
    expectation: Expectation
    told: str


def read(path: Path) -> Expectations:
    """The expectations in a file."""
    data = path.read_bytes()
    if len(data) > MOST_BYTES:
        raise ExpectationsError(f"{path} has more than {MOST_BYTES:,} bytes")
    return parse(data.decode("utf-8", "replace"), str(path))


def parse(text: str, name: str) -> Expectations:
    try:
        return Expectations.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the top"
        raise ExpectationsError(f"{name}: {where}: {first['msg']}") from None


def broken(machine: Machine, expectations: Expectations) -> list[Broken]:
    """See the module."""
    found = []
    for number, each in enumerate(expectations.expectations, start=1):
        told = _told(machine, each)
        if told:
            found.append(Broken(number, each, told))
    return found


def _told(machine: Machine, expectation: Expectation) -> str:
    """What came instead, "" where it came as expected."""
    try:
        state = situation(machine, expectation.variant, expectation.after, expectation.given)
        turn = machine.step(state, expectation.command)
        return "; ".join(_differences(machine, expectation.expect, turn))
    except SituationError as problem:
        return f"it cannot be set up: {problem}"
    except RuntimeError:  # the world was over before the command
        return "it cannot be set up: the game is over there"


def _differences(machine: Machine, expected: Expected, turn: Transition) -> list[str]:
    found: list[str] = []
    outcome = turn.outcome_name
    accepted = outcome == "ok"
    wanted = expected.outcome
    if wanted == "refused" and accepted:
        found.append("it was accepted")
    elif wanted not in (None, "refused", outcome):
        how = "accepted" if accepted else f"refused as {outcome}"
        found.append(f"it was {how}, not {wanted}: {_short(turn.observation)}")
    if expected.status not in (None, turn.status):
        found.append(f"the game is {turn.status}, not {expected.status}")
    said = _plain(turn.observation)
    found += [f"it does not say {w!r} but {_short(turn.observation)}" for w in expected.says
              if _plain(w) not in said]  # fmt: skip
    found += [f"it says {w!r}" for w in expected.omits if _plain(w) in said]
    for name, value in expected.values.items():
        there = value_at(machine, turn.state, name)
        if there != value and {there, value} != {"none", "nowhere"}:
            found.append(f"{name} is {there}, not {value}")
    return found


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _short(text: str) -> str:
    said = " ".join(text.split())
    return repr(said if len(said) <= 120 else said[:119] + "…")
