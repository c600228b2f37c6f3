"""Trajectories from elsewhere, checked against a world: what they claim, turn by turn.

In: a file and a Machine. Taken: AgentRefine's turns by Player and DM, whose DM says of each
action whether it was a `parameter_error`, `place_error` or `logic_error`; and lines of runs.
Out: for each trajectory the first fault and how many turns stand before it.

AgentRefine's Algorithm 1 (arXiv 2501.01702) checks the format, the keys of every turn, and
that an action no pattern matches was flagged; what stands before the first fault is its
verified trajectory. Here an action is held against the world itself, so that it also shows
an error that was flagged as another kind, one that was missed, and a false alarm. Its count
of turns with an error is given beside the pairs of refused and set right that this project
counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from worldengine.importers.trajectories import best_start
from worldengine.machine import Machine
from worldengine.players.reply import write
from worldengine.rollout.episode import Episode
from worldengine.rollout.trajectory import (
    REFINEMENTS_WANTED,
    Outcome,
    PlayerRecord,
    Provenance,
    Trajectory,
    TurnRecord,
)
from worldengine.rollout.verify import claims_fault
from worldengine.source import Source

MAX_DEPTH = 6
MAX_TURNS = 2000
SHOWN = 100
"""Trajectories whose faults are told one by one."""


class NoClaims(ValueError):
    """There is no trajectory in the file that could be checked."""


class _Turn(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True, strict=True)

    turn: int | None = None
    thought: str = Field(alias="Thought")


class PlayerTurn(_Turn):
    role: Literal["Player"]
    action: str = Field(alias="Action")


class DMTurn(_Turn):
    role: Literal["DM"]
    observation: str = Field(alias="Observation")
    parameter_error: bool
    place_error: bool
    logic_error: bool
    finished: bool | None = None

    @property
    def outcome(self) -> Outcome:
        """The first flag that is set, as Algorithm 1's error is any of them."""
        if self.parameter_error:
            return "parameter"
        return "place" if self.place_error else "logic" if self.logic_error else "ok"


@dataclass(frozen=True, slots=True)
class Claimed:
    """One trajectory's check. `turns` is how many of the file's turns stand before the first
    fault; `reason` is "" where there is none."""

    id: str
    reason: str
    turns: int
    errors: int = 0
    refinements: int = 0
    won: bool = False
    labels: Mapping[str, int] = field(default_factory=dict)
    same_observations: int = 0
    actions: int = 0


@dataclass(slots=True)
class Claims:
    """All of a file. `labels` counts how what was said of an action compares with the world:
    right, missed (an error not flagged), false_alarm, other_class."""

    trajectories: int = 0
    accepted: int = 0
    refinements: int = 0
    error_turns: int = 0
    plainly_accepted: int = 0
    same_observations: int = 0
    actions: int = 0
    labels: dict[str, int] = field(
        default_factory=lambda: {"right": 0, "missed": 0, "false_alarm": 0, "other_class": 0}
    )
    rejected: list[Claimed] = field(default_factory=list)

    def add(self, one: Claimed) -> None:
        self.trajectories += 1
        self.refinements += one.refinements
        self.error_turns += one.errors
        self.same_observations += one.same_observations
        self.actions += one.actions
        for name, number in one.labels.items():
            self.labels[name] += number
        if one.reason:
            self.rejected.append(one)
            return
        self.plainly_accepted += one.won and one.errors >= REFINEMENTS_WANTED
        self.accepted += one.won and one.refinements >= REFINEMENTS_WANTED

    def told(self) -> dict[str, object]:
        """With the keys of `verify`, and those of what was claimed."""
        return {
            "trajectories": self.trajectories,
            "accepted": self.accepted,
            "rejected": [
                {"id": each.id, "reason": each.reason, "turns": each.turns}
                for each in self.rejected
            ],
            "refinements": self.refinements,
            "agentrefine": {"error_turns": self.error_turns, "accepted": self.plainly_accepted},
            "labels": self.labels,
            "observations": {"equal": self.same_observations, "of": self.actions},
        }


def check(source: Source, machine: Machine) -> Claims:
    """Every trajectory of a file. NoClaims where there is none."""
    claims = Claims()
    for name, value in _found(source.text):
        claims.add(
            _of_run(name, value, machine) if "turns" in value else _of_turns(name, value, machine)
        )
    if not claims.trajectories:
        raise NoClaims(
            f"{source.name} holds no trajectory to check: neither turns by Player and DM, nor "
            "lines of a run (`worldengine import trajectories` takes other shapes)"
        )
    return claims


# -- reading -----------------------------------------------------------------------------


def _found(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Trajectories with a name: {"turns": record of a run} or {"said": list of turns}."""
    for number, value in enumerate(_values(text), start=1):
        yield from _inside(value, str(number), 0)


def _values(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text)
        return
    except (ValueError, RecursionError):
        pass
    for line in text.splitlines():
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                yield {"said": None}


def _inside(value: Any, name: str, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        named = str(value.get("id", name))[:80]
        if "machine_hash" in value and "turns" in value:
            yield named, {"turns": value}
        elif value == {"said": None}:
            yield named, value
        else:
            for item in value.values():
                if isinstance(item, list | dict):
                    yield from _inside(item, named, depth + 1)
    elif isinstance(value, list):
        if any(isinstance(item, dict) and item.get("role") in ("Player", "DM") for item in value):
            yield name, {"said": value}
        else:
            for number, item in enumerate(value, start=1):
                yield from _inside(item, f"{name}.{number}", depth + 1)


# -- checking ----------------------------------------------------------------------------


def _of_run(name: str, value: dict[str, Any], machine: Machine) -> Claimed:
    try:
        trajectory = Trajectory.model_validate_json(json.dumps(value["turns"]))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "it"
        return Claimed(name, f"not a trajectory: {where}: {first['msg']}", 0)
    if trajectory.machine_hash != machine.hash:
        told = (
            f"it was played in another world ({trajectory.world}, {trajectory.machine_hash[:12]})"
        )
        return Claimed(name, told, 0)
    reason = claims_fault(machine, trajectory)
    turns = _turn_of(reason, len(trajectory.turns))
    counts = trajectory.counts
    errors = counts.parameter + counts.place + counts.logic
    won = trajectory.status == "won"
    return Claimed(name, reason, turns, errors, len(trajectory.refinements), won)


def _turn_of(reason: str, all_: int) -> int:
    parts = reason.split(" ")[0].split(".")
    if not reason:
        return all_
    return int(parts[1]) if len(parts) > 1 and parts[0] == "turns" and parts[1].isdecimal() else 0


def _of_turns(name: str, value: dict[str, Any], machine: Machine) -> Claimed:
    """A list of turns by Player and DM, played in the start that most of it fits."""
    said = value["said"]
    if said is None:
        return Claimed(name, "format: this is no JSON", 0)
    turns: list[PlayerTurn | DMTurn] = []
    reason = ""
    for number, item in enumerate(said[:MAX_TURNS]):
        try:
            turns.append(_turn(item))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the turn"
            reason = f"keys: turn {number + 1}: {where}: {first['msg']}"
            break
    return _held(name, turns, reason, machine)


def _turn(item: Any) -> PlayerTurn | DMTurn:
    is_player = isinstance(item, dict) and item.get("role") == "Player"
    return PlayerTurn.model_validate(item) if is_player else DMTurn.model_validate(item)


def _held(name: str, turns: list[PlayerTurn | DMTurn], reason: str, machine: Machine) -> Claimed:
    replies = [write(t.thought, t.action) for t in turns if isinstance(t, PlayerTurn)]
    start = best_start(machine, replies)
    player = PlayerRecord(name="elsewhere")
    origin = Provenance(
        machine_hash=machine.hash, variant=start, seed=0, episode=0, player=player,
        command_set="known",
    )  # fmt: skip
    episode = Episode(machine, origin)
    labels = {"right": 0, "missed": 0, "false_alarm": 0, "other_class": 0}
    errors = same = actions = 0
    sound = len(turns)
    pending: TurnRecord | None = None
    for number, each in enumerate(turns):
        fault = ""
        if isinstance(each, PlayerTurn):
            if pending is not None:
                fault = "the action before has no answer"
            elif episode.over:
                fault = f"the world had ended: {episode.status}"
            else:
                pending = episode.take(write(each.thought, each.action))
        elif pending is not None:
            actions += 1
            errors += each.outcome != "ok"
            same += " ".join(each.observation.split()) == " ".join(pending.observation.split())
            how = _compared(each.outcome, pending.outcome)
            labels[how] += 1
            if how != "right":
                words = how.replace("_", " ")
                fault = f"{words}: '{pending.command}' is {pending.outcome}, said {each.outcome}"
            pending = None
        if fault and sound == len(turns):
            sound = number
            reason = f"turn {number + 1}: {fault}"
    won = episode.status == "won"
    pairs = len(episode.trajectory().refinements)
    return Claimed(name, reason, sound, errors, pairs, won, labels, same, actions)


def _compared(said: Outcome, true: Outcome) -> str:
    if said == true:
        return "right"
    if said == "ok":
        return "missed"
    return "false_alarm" if true == "ok" else "other_class"
