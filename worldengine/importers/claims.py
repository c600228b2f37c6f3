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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from worldengine.importers.exchange import DMTurn, PlayerTurn, turn_of
from worldengine.importers.trajectories import best_start
from worldengine.importers.values import Value
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

MAX_DEPTH = 6
MAX_TURNS = 2000
SHOWN = 100
"""Trajectories whose faults are told one by one."""
NO_ANSWER = "the action before has no answer"


class NoClaims(ValueError):
    """There is no trajectory in the file that could be checked."""


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


def check(values: Iterable[Value], machine: Machine, source: str) -> Claims:
    """Every trajectory among the values of a file, which messages call `source`. NoClaims where
    there is none."""
    claims = Claims()
    for each in values:
        if each.problem:
            claims.add(Claimed(str(each.line), each.problem, 0))
            continue
        for name, value in _inside(each.value, str(each.line), 0):
            claims.add(
                _of_run(name, value, machine)
                if isinstance(value, dict)
                else _of_turns(name, value, machine)
            )
    if not claims.trajectories:
        raise NoClaims(
            f"{source} holds no trajectory to check: neither turns by Player and DM, nor "
            "lines of a run (`worldengine import trajectories` takes other shapes)"
        )
    return claims


def _inside(value: Any, name: str, depth: int) -> Iterator[tuple[str, dict[str, Any] | list[Any]]]:
    """Trajectories with a name: the record of a run, or a list of turns."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, dict):
        named = str(value.get("id", name))[:80]
        if "machine_hash" in value and "turns" in value:
            yield named, value
        else:
            for item in value.values():
                if isinstance(item, list | dict):
                    yield from _inside(item, named, depth + 1)
    elif isinstance(value, list):
        if any(isinstance(item, dict) and item.get("role") in ("Player", "DM") for item in value):
            yield name, value
        else:
            for number, item in enumerate(value, start=1):
                yield from _inside(item, f"{name}.{number}", depth + 1)


# -- checking ----------------------------------------------------------------------------


def _of_run(name: str, value: dict[str, Any], machine: Machine) -> Claimed:
    try:
        trajectory = Trajectory.model_validate_json(json.dumps(value))
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


def _of_turns(name: str, said: list[Any], machine: Machine) -> Claimed:
    """A list of turns by Player and DM, played in the start that most of it fits."""
    turns: list[PlayerTurn | DMTurn] = []
    reason = ""
    for number, item in enumerate(said):
        if number == MAX_TURNS:
            reason = f"turn {number + 1}: no more than {MAX_TURNS} turns are read"
            break
        try:
            turns.append(turn_of(item))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the turn"
            reason = f"keys: turn {number + 1}: {where}: {first['msg']}"
            break
    return _held(name, turns, reason, machine)


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
                fault = NO_ANSWER
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
        elif number:
            fault = "an answer, and nothing was done that it could answer"
        fault = fault or _order(turns, number) or _finished(each, episode)
        if fault and sound == len(turns):
            sound = number
            reason = f"turn {number + 1}: {fault}"
    if pending is not None and sound == len(turns) and not reason:
        sound, reason = len(turns) - 1, f"turn {len(turns)}: this action has no answer"
    won = episode.status == "won"
    pairs = len(episode.trajectory().refinements)
    return Claimed(name, reason, sound, errors, pairs, won, labels, same, actions)


def _order(turns: list[PlayerTurn | DMTurn], number: int) -> str:
    """What is wrong with the number that a turn says it has: those after each other rise, or
    the two of an exchange have one."""
    said, before = turns[number].turn, turns[number - 1].turn if number else None
    if said is None or before is None or before <= said <= before + 1:
        return ""
    return f"it says that it is turn {said}, and the one before that it is turn {before}"


def _finished(turn: PlayerTurn | DMTurn, episode: Episode) -> str:
    """What is wrong with how the answer says that things stand. Running out of turns is an end
    that only this program knows."""
    if isinstance(turn, PlayerTurn) or turn.finished is None or episode.status == "truncated":
        return ""
    if turn.finished == episode.over:
        return ""
    said = "finished" if turn.finished else "not finished"
    return f"said to be {said}, and the world is {episode.status}"


def _compared(said: Outcome, true: Outcome) -> str:
    if said == true:
        return "right"
    if said == "ok":
        return "missed"
    return "false_alarm" if true == "ok" else "other_class"
