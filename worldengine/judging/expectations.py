"""What a reader expects of a world, held against what it does.

In: JSON files of expectations, written by persons or models from the world's prose alone;
a Machine. Out: what did not come as expected, each with the words it was expected by.
Refused with `ExpectationsError`: files that are no expectations.

    {"expectations": [
      {"because": "The lamp is dark.", "given": {"player.in": "cellar"}, "command": "light lamp",
       "expect": {"outcome": "place", "says": "no lamp"}},
      {"because": "Light it first.", "before": 7, "given": {"lamp.lit": false},
       "expect": "refused"}]}

`variant` and `after` (commands played first) say from where, `given` sets values. `before: 7`
is the world's own winning play (its first, or `play`) up to its seventh command, that one not
yet given, and those numbered in `without` left out; there `command` may be left out and is the
seventh. `expect` holds any of `outcome` (ok, refused, parameter, place, logic), `status`
(running, won, lost, not_won), `says` and `omits` (words that the answer has, or has not),
`values` (afterwards) and `changes` (more, less, same, other than before); or is an outcome or a
status alone. `then` goes on from there: a list of `command` and `expect`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from worldengine.judging.situations import (
    SituationError,
    Value,
    changed,
    number_at,
    situation,
    value_at,
)
from worldengine.machine.schema import Machine, State
from worldengine.runtime.types import Transition

MOST_BYTES = 1 << 22
Outcome = Literal["ok", "refused", "parameter", "place", "logic"]
Status = Literal["running", "won", "lost", "not_won"]
Change = Literal["more", "less", "same", "other"]
Ways: TypeAlias = dict[tuple[int, int, tuple[int, ...], int], State]
"""States on winning plays: by play, variant, commands left out, commands gone."""


class ExpectationsError(ValueError):
    """This file holds no expectations; the message is for people."""


class Expected(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    outcome: Outcome | None = None
    status: Status | None = None
    says: tuple[str, ...] = ()
    omits: tuple[str, ...] = ()
    values: dict[str, Value] = Field(default_factory=dict)
    changes: dict[str, Change] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _one_word(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return {"outcome" if value in get_args(Outcome) else "status": value}

    @field_validator("says", "omits", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class Further(BaseModel):
    """One more command, and what must come of it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str
    expect: Expected = Field(default_factory=Expected)


class Expectation(BaseModel):
    """`because` quotes the prose that promises it; `about` is the question of the sheet that it
    answers, `readers` who wrote it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str = ""
    readers: tuple[str, ...] = ()
    because: str = ""
    variant: int = 0
    play: int = 1
    before: int = Field(default=0, ge=0)
    without: tuple[int, ...] = ()
    after: tuple[str, ...] = ()
    given: dict[str, Value] = Field(default_factory=dict)
    command: str = ""
    expect: Expected
    then: tuple[Further, ...] = ()

    @field_validator("given", mode="before")
    @classmethod
    def _null_is_none(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        return {key: "none" if held is None else held for key, held in value.items()}

    @model_validator(mode="after")
    def _has_a_command(self) -> Expectation:
        if not self.command and not self.before:
            raise ValueError("it needs a `command`, or `before` for one of the winning play")
        return self


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


def parse(text: str, name: str) -> Expectations:
    """Strictly: a file that people keep. What a reader answered is read by `reader.written`."""
    try:
        return Expectations.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the top"
        raise ExpectationsError(f"{name}: {where}: {first['msg']}") from None


def broken(machine: Machine, expectations: Expectations) -> list[Broken]:
    """See the module."""
    found = []
    ways: Ways = {}
    for number, each in enumerate(expectations.expectations, start=1):
        told = unmet(machine, each, ways)
        if told:
            found.append(Broken(number, each, told))
    return found


def unmet(machine: Machine, expectation: Expectation, ways: Ways) -> str:
    """What came instead, "" where it came as expected. `ways` is filled with ways gone."""
    try:
        state, command = _from_where(machine, expectation, ways)
        further = (Further(command=command, expect=expectation.expect), *expectation.then)
        for number, each in enumerate(further, start=1):
            turn = machine.step(state, each.command)
            told = "; ".join(_differences(machine, each.expect, state, turn))
            if told:
                return f"command {number}, {each.command}: {told}" if number > 1 else told
            state = turn.state
        return ""
    except SituationError as problem:
        return f"it cannot be set up: {problem}"
    except RuntimeError:  # the world was over before the command
        return "it cannot be set up: the game is over there"


def _from_where(machine: Machine, expectation: Expectation, ways: Ways) -> tuple[State, str]:
    """The state before the command, and the command."""
    if not expectation.before:
        state = situation(machine, expectation.variant, expectation.after, expectation.given)
        return state, expectation.command
    if not 1 <= expectation.play <= len(machine.proofs):
        raise SituationError(f"there is no winning play {expectation.play}")
    proof = machine.proofs[expectation.play - 1]
    if expectation.before > len(proof):
        raise SituationError(f"winning play {expectation.play} has {len(proof)} commands")
    state = _before(machine, expectation, ways)
    for command in expectation.after:
        state = machine.step(state, command).state
    command = expectation.command or proof[expectation.before - 1]
    return changed(machine, state, expectation.given), command


def _before(machine: Machine, expectation: Expectation, ways: Ways) -> State:
    """The winning play up to a command. Other entries have been on most of that way: it is kept
    in `ways`. A play with commands left out passes over what is refused then."""
    proof = machine.proofs[expectation.play - 1]
    without = tuple(sorted(n for n in set(expectation.without) if n < expectation.before))
    whole = (expectation.play, expectation.variant, without)
    last = expectation.before - 1
    known = next((n for n in range(last, 0, -1) if (*whole, n) in ways), 0)
    state = ways[(*whole, known)] if known else situation(machine, expectation.variant, (), {})
    for number in range(known + 1, last + 1):
        if number not in without:
            turn = machine.step(state, proof[number - 1])
            if not turn.accepted and not without:
                raise SituationError(
                    f"command {number} of the way there is refused: {proof[number - 1]}: "
                    f"{turn.observation}"
                )
            state = turn.state
        ways[(*whole, number)] = state
    return state


def _differences(
    machine: Machine, expected: Expected, before: State, turn: Transition
) -> list[str]:
    found: list[str] = []
    outcome = turn.outcome_name
    accepted = outcome == "ok"
    wanted = expected.outcome
    if wanted == "refused" and accepted:
        found.append("it was accepted")
    elif wanted not in (None, "refused", outcome):
        how = "accepted" if accepted else f"refused as {outcome}"
        found.append(f"it was {how}, not {wanted}: {_short(turn.observation)}")
    if not _ends_so(expected.status, turn.status):
        wanted_end = (expected.status or "").replace("_", " ")
        found.append(f"the game is {turn.status}, not {wanted_end}".replace("not not", "but not"))
    said = _plain(turn.observation)
    found += [f"it does not say {w!r} but {_short(turn.observation)}" for w in expected.says
              if _plain(w) not in said]  # fmt: skip
    found += [f"it says {w!r}" for w in expected.omits if _plain(w) in said]
    for name, value in expected.values.items():
        there = value_at(machine, turn.state, name)
        if there != value and {there, value} != {"none", "nowhere"}:
            found.append(f"{name} is {there}, not {value}")
    for name, change in expected.changes.items():
        old, new = number_at(machine, before, name), number_at(machine, turn.state, name)
        came = "same" if old == new else "more" if new > old else "less"
        if came != change and (change != "other" or came == "same"):
            found.append(f"{name} is {_how(came)}, not {_how(change)}")
    return found


def _how(change: str) -> str:
    return {"same": "the same as before", "other": "another than before"}.get(
        change, f"{change} than before"
    )


def _ends_so(wanted: str | None, status: str) -> bool:
    return wanted in (None, status) or (wanted == "not_won" and status != "won")


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _short(text: str) -> str:
    said = " ".join(text.split())
    return repr(said if len(said) <= 120 else said[:119] + "…")


def dumped(expectations: Expectations) -> str:
    """As a file, defaults left out, an entry a line."""
    head = {"world": expectations.world, "author": expectations.author}
    rows: list[dict[str, Any]] = [
        each.model_dump(mode="json", exclude_defaults=True) for each in expectations.expectations
    ]
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    start = ", ".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}"
                      for k, v in head.items() if v)  # fmt: skip
    return f'{{{start + ", " if start else ""}"expectations": [\n{lines}\n]}}\n'
