"""Verification: every trajectory of a run is played again and every claim in it checked.

In: a run. Out: how many trajectories hold, which do not and why. A trajectory is rebuilt
from what only the player could have said (its replies) and from the Machine: prompt,
opening, observations, outcomes, refusals, progress, endings, refinements, training flags,
counts and id all follow, and the first that differs is the reason for rejection. Where the
episode comes from (player, seed, variant, command set) must be what the manifest plans.

Nothing that a run names is imported or executed. A rejected trajectory makes no claim worth
keeping; one that holds is *accepted* if it was won with enough refinements, and is set
aside otherwise.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from worldengine.machine import Machine
from worldengine.players.reply import Reply, Usage, read
from worldengine.rollout.done import Done
from worldengine.rollout.episode import Episode
from worldengine.rollout.plan import planned
from worldengine.rollout.seeds import NoStarts
from worldengine.rollout.storage import Manifest, Row, Run, RunError
from worldengine.rollout.trajectory import (
    Provenance,
    Record,
    Trajectory,
    TurnRecord,
    provenance_of,
)
from worldengine.rollout.verification import Verification

KEPT_MACHINES = 64


def verify(folder: Path, progress: Callable[[int, int], None] | None = None) -> Verification:
    """The whole run. `progress` is told how many are done, of how many that were asked for."""
    result = Verification()
    run = Run(folder)
    manifest = run.manifest
    asked = manifest.episodes * len(manifest.worlds)
    for row, reason in verified(run):
        result.add(row, reason)
        if progress is not None:
            progress(result.trajectories, max(asked, result.trajectories))
        if row.trajectory is not None:
            result.worlds.add(row.trajectory.machine_hash)
    played = result.worlds
    for world in manifest.worlds:  # those nobody played in are claimed, too
        if world.machine_hash not in played:
            run.machine(world.machine_hash)
    result.missing = max(0, asked - result.trajectories)
    return result


def verified(run: Run) -> Iterator[tuple[Row, str]]:
    """Every row with the reason why it is rejected, "" where all its claims hold."""
    worlds = {world.machine_hash for world in run.manifest.worlds}
    machines = _Machines(run)
    seen = Done(run.manifest)
    for row in run.rows():
        trajectory = row.trajectory
        if trajectory is None:
            yield row, row.problem
            continue
        if trajectory.machine_hash not in worlds:
            yield row, "its world is not one of the run's"
            continue
        machine = machines.get(trajectory.machine_hash)
        if isinstance(machine, str):
            yield row, machine
            continue
        reason = fault(machine, run.manifest, trajectory, row.line)
        if not reason and not seen.add(trajectory.machine_hash, trajectory.episode):
            reason = "the same trajectory stands in the run already"
        yield row, reason


class _Machines:
    """A run's Machines, or why one cannot be had: as many as are worth remembering."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._kept: OrderedDict[str, Machine | str] = OrderedDict()

    def get(self, machine_hash: str) -> Machine | str:
        if machine_hash not in self._kept:
            try:
                self._kept[machine_hash] = self._run.machine(machine_hash)
            except RunError as error:
                self._kept[machine_hash] = str(error)
            if len(self._kept) > KEPT_MACHINES:
                self._kept.popitem(last=False)
        self._kept.move_to_end(machine_hash)
        return self._kept[machine_hash]


def fault(machine: Machine, manifest: Manifest, trajectory: Trajectory, line: bytes = b"") -> str:
    """The first claim that does not hold, "" if all do. `line` is the trajectory as it stands
    in its file, if it comes from one: where playing it again gives that very line, all holds."""
    if not 0 <= trajectory.episode < manifest.episodes:
        return "episode: the run has no such episode"
    if manifest.imported:
        told = _imported(manifest, trajectory)
        return (
            f"{told} is not what the run's manifest says"
            if told
            else claims_fault(machine, trajectory, line)
        )
    try:
        plan = planned(machine, manifest, trajectory.episode)
    except NoStarts as error:
        return str(error)
    told = _difference(plan, provenance_of(trajectory), "")
    if told:
        return f"{told} is not what the run's manifest plans"
    return _claims_fault(machine, plan, trajectory, line)


def _imported(manifest: Manifest, trajectory: Trajectory) -> str:
    """For plays from elsewhere: all that the manifest has a say in."""
    pairs = {
        "player.name": (manifest.player.name, trajectory.player.name),
        "command_set": (manifest.command_set, trajectory.command_set),
        "seed": (manifest.seed, trajectory.seed),
    }
    return next((name for name, (said, claimed) in pairs.items() if said != claimed), "")


def claims_fault(machine: Machine, trajectory: Trajectory, line: bytes = b"") -> str:
    """The same for a trajectory that belongs to no run here: what it says of the world."""
    return _claims_fault(machine, provenance_of(trajectory), trajectory, line)


def _claims_fault(machine: Machine, plan: Provenance, trajectory: Trajectory, line: bytes) -> str:
    if not 0 <= trajectory.variant < len(machine.variants):
        return "variant: the world has no such start"
    if len(trajectory.turns) > machine.turns:
        return "turns: more than the world allows"
    told = _best(trajectory) or _mistakes(trajectory)
    if told:
        return told
    again = played_again(machine, plan, trajectory)
    if line and not trajectory.attempts and again.line().encode() == line:
        return ""
    true = again.trajectory().model_copy(update={"attempts": trajectory.attempts})
    told = _difference(true, trajectory, "")
    if told:
        return f"{told} is not what playing it again gives{_error(true, trajectory, told)}"
    own = trajectory.line()
    if true.line() != own:  # true is 1 to Python, and 0.0 is -0.0
        return "the record is equal to what playing it again gives, and is not written alike"
    return _twice(line) if line and line != own.encode() else ""


def _twice(line: bytes) -> str:
    """Of a line that is not written as we write it: whether an object in it says something twice,
    so that others may read in it what was not checked here."""

    def once(pairs: list[tuple[str, object]]) -> None:
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                twice.append(name)
            seen.add(name)

    twice: list[str] = []
    json.loads(line, object_pairs_hook=once)
    return f"{twice[0]} stands twice in one object" if twice else ""


def _best(trajectory: Trajectory) -> str:
    """What is wrong with the record of several attempts: the best of them must be this one."""
    if not trajectory.attempts:
        return ""
    worth = [(each.status == "won", each.progress, -each.turns) for each in trajectory.attempts]
    mine = trajectory.status == "won", trajectory.progress, -len(trajectory.turns)
    return "" if mine == max(worth) and len(worth) > 1 else "attempts: this is not the best of them"


def _mistakes(trajectory: Trajectory) -> str:
    """The first mistake that is not what it is called: only the player can know that it was
    made on purpose, but what was done there is on record."""
    before = None
    for turn in trajectory.turns:
        where = f"turns.{turn.index}.mistake is"
        if turn.mistake == "slip" and turn.outcome != "parameter":
            return f"{where} a slip, and the command was understood"
        if turn.mistake == "repeat" and (
            before is None or before.outcome == "ok" or before.command != turn.command
        ):
            return f"{where} a repetition, and the turn before was no refusal of this command"
        before = turn
    return ""


def _error(true: Trajectory, claimed: Trajectory, told: str) -> str:
    """For a turn that is refused and was not said to be, or the other way round: which."""
    parts = told.split(".")
    if len(parts) != 3 or parts[0] != "turns" or parts[2] != "outcome":
        return ""
    is_, said = (each.turns[int(parts[1])].outcome for each in (true, claimed))
    if "ok" in (is_, said):
        what = "a missed error" if said == "ok" else "a false alarm"
    else:
        what = "another class of error"
    return f" ({what}: said to be {said}, is {is_})"


def played_again(machine: Machine, provenance: Provenance, trajectory: Trajectory) -> Episode:
    """The episode that the recorded replies lead to. Replies after the end are left out, so
    that a record with turns too many differs."""
    episode = Episode(machine, provenance)
    for turn in trajectory.turns:
        if episode.over:
            break
        episode.play(_said(turn))
    return episode


def _said(turn: TurnRecord) -> Reply:
    """A recorded reply, read again; what only the player could know of it is taken over."""
    reply, notes = read(turn.reply), turn.notes
    if turn.mistake:
        reply = replace(reply, mistake=turn.mistake)
    if notes is None:
        return reply
    usage = Usage(
        prompt_tokens=notes.prompt_tokens,
        reply_tokens=notes.reply_tokens,
        cached_tokens=notes.cached_tokens,
        retries=notes.retries,
        cost=notes.cost,
    )
    ruling = None if notes.ruling is None else notes.ruling.ruling()
    return replace(
        reply,
        cut=notes.cut,
        error=notes.error,
        usage=usage,
        ruling=ruling,
        rewrite=notes.rewrite,
        ids=notes.ids,
        context=notes.context,
    )


def _difference(true: object, claimed: object, where: str) -> str:
    """The first field in which two records differ, as in `turns.3.observation`."""
    if true == claimed and type(true) is type(claimed):
        return ""
    if isinstance(true, Record) and isinstance(claimed, Record) and type(true) is type(claimed):
        for name in type(true).model_fields:
            found = _difference(getattr(true, name), getattr(claimed, name), f"{where}.{name}")
            if found:
                return found
    if isinstance(true, tuple) and isinstance(claimed, tuple) and len(true) == len(claimed):
        for index, (one, other) in enumerate(zip(true, claimed, strict=True)):
            found = _difference(one, other, f"{where}.{index}")
            if found:
                return found
    return where.removeprefix(".") or "the record"
