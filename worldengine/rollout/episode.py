"""The episode layer: what lies between a Machine's turns and a trajectory.

In: a Machine, where the episode comes from, replies. Out: turn records and, at any time,
the `Trajectory` so far. It counts turns (refused ones too), truncates at the world's
`turns`, keeps what the player has been shown, and never mixes won, lost and truncated.
Refused: a reply after the end (`EpisodeOver`). Verification plays the recorded replies
through this same layer.

Records are made when they are asked for: playing needs none, and a line of a run is put
together from parts that turns played before have left behind. It is the same line, byte for
byte, that the trajectory's own record gives; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from json.encoder import encode_basestring as quoted
from typing import NamedTuple

from worldengine.machine import Machine
from worldengine.machine.schema import State
from worldengine.memo import by_machine
from worldengine.players.reply import Reply, Usage, shortened
from worldengine.players.view import Choice, Shown, View
from worldengine.rollout.honesty import unshown
from worldengine.rollout.phrasing import heading, noun, phrase, plural
from worldengine.rollout.refinements import Watch
from worldengine.rollout.showing import (
    choices_after,
    choices_in,
    first_knowledge,
    known_choices,
    learnt,
)
from worldengine.rollout.trajectory import (
    Counts,
    NotesRecord,
    Provenance,
    RulingRecord,
    Trajectory,
    TurnRecord,
    TurnStatus,
)
from worldengine.rollout.turns import OUTCOMES, STATUSES, Turn, recorded, turn, worlds_part
from worldengine.runtime import EpisodeOver, Knowledge, prompt, runtime_of

MOST_WRITTEN, THEN = 1_000_000, 1_000
"""Characters of an episode's replies, and of each after those: a line stays bounded."""


@by_machine(256)
def prompt_of(machine: Machine, variant: int) -> str:
    """The prompt of an episode; the same for all of a variant. The intro is left to the
    opening, which begins with it: a conversation says it once."""
    return prompt(replace(machine, intro=""), variant, "react")


@by_machine(256)
def _opening(machine: Machine, variant: int) -> str:
    return runtime_of(machine).opening(machine.start(variant))


class Taken(NamedTuple):
    """A turn as it happened; `observation` and `status` are the episode's."""

    reply: Reply
    turn: Turn
    observation: str
    status: TurnStatus


class Episode:
    """One play of one variant, turn by turn."""

    def __init__(self, machine: Machine, provenance: Provenance) -> None:
        self.machine = machine
        self.provenance = provenance
        self._state: State = machine.start(provenance.variant)
        self._watch = Watch(machine)
        self._taken: list[Taken] = []
        self._records: list[TurnRecord] = []
        self._shown: list[Shown] = []
        self.prompt = prompt_of(machine, provenance.variant)
        self.opening = _opening(machine, provenance.variant)
        self._knowledge: Knowledge | None = None
        self._read = self._written = 0
        self.status: TurnStatus = "running"
        self._phrase, self._noun = partial(phrase, machine), partial(noun, machine)
        self._plural, self._heading = partial(plural, machine), partial(heading, machine)
        self._retold = partial(choices_after, machine, self.opening)
        self._unshown = partial(unshown, machine)

    @property
    def over(self) -> bool:
        return self.status != "running"

    @property
    def length(self) -> int:
        """How many turns were taken."""
        return len(self._taken)

    @property
    def turns(self) -> tuple[TurnRecord, ...]:
        for index in range(len(self._records), len(self._taken)):
            self._records.append(self._record(index))
        return tuple(self._records)

    @property
    def progress(self) -> float:
        return runtime_of(self.machine).progress(self._state)

    def view(self, slot: int = 0) -> View:
        """What the player in seat `slot` may look at now."""
        return View(
            self.prompt,
            self.opening,
            self.machine.goal,
            tuple(self._shown),
            self.machine.turns - len(self._taken),
            self.provenance.command_set,
            self._choices,
            self._phrase,
            self._noun,
            self._plural,
            self._heading,
            self._retold,
            self._unshown,
            slot,
        )

    def _choices(self) -> tuple[Choice, ...]:
        """The commands of the episode's command set now, made when asked for."""
        if self.provenance.command_set == "known":
            return known_choices(self.machine, self._known_now())
        return choices_in(self.machine, self._state, self.provenance.command_set)

    def _known_now(self) -> Knowledge:
        """What has been shown by now: read when somebody asks."""
        knowledge = self._knowledge or first_knowledge(self.machine, self.opening)
        for taken in self._taken[self._read :]:
            knowledge = learnt(self.machine, knowledge, taken.turn.transition)
        self._knowledge, self._read = knowledge, len(self._taken)
        return knowledge

    def take(self, reply: Reply) -> TurnRecord:
        """One turn, and its record. EpisodeOver after the end."""
        self.play(reply)
        return self.turns[-1]

    def play(self, reply: Reply) -> None:
        """One turn. EpisodeOver after the end."""
        if self.status != "running":
            raise EpisodeOver(f"the episode has ended: {self.status}")
        if self._written > MOST_WRITTEN and reply.length > THEN:
            reply = shortened(reply, THEN)
        self._written += reply.length
        index = len(self._taken)
        now = turn(self.machine, self._state, reply.command)
        transition = now.transition
        self._watch.see(index, transition)
        self._state = transition.state
        self.status = STATUSES[transition.status]
        observation = transition.observation
        if self.status == "running" and index + 1 >= self.machine.turns:
            self.status = "truncated"
            observation = "\n".join(filter(None, (observation, self.machine.timeout)))
        self._taken.append(Taken(reply, now, observation, self.status))
        self._shown.append(Shown(reply, OUTCOMES[transition.outcome], observation))

    def _record(self, index: int) -> TurnRecord:
        taken = self._taken[index]
        reply = taken.reply
        record = recorded(
            index, reply.thought, reply.text, reply.command, taken.turn.transition,
            taken.observation, taken.status,
        )  # fmt: skip
        noted = notes(reply)
        if noted is None and not reply.mistake:
            return record
        return record.model_copy(update={"notes": noted, "mistake": reply.mistake})

    def notes(self) -> list[NotesRecord]:
        """What the replies left to note."""
        found = (notes(taken.reply) for taken in self._taken)
        return [noted for noted in found if noted is not None]

    def counts(self) -> Counts:
        """What stands in the trajectory's `counts`."""
        outcomes = [taken.turn.transition.outcome for taken in self._taken]
        return Counts(
            turns=len(outcomes),
            accepted=outcomes.count(0),
            parameter=outcomes.count(1),
            place=outcomes.count(2),
            logic=outcomes.count(3),
            refinements=len(self._watch.refinements),
        )

    def trajectory(self) -> Trajectory:
        """The episode so far."""
        return self._trajectory(self.turns)

    def _trajectory(self, turns: tuple[TurnRecord, ...]) -> Trajectory:
        origin = self.provenance
        return Trajectory(
            id=origin.id,
            world=self.machine.name,
            machine_hash=origin.machine_hash,
            shape=self.machine.shape,
            variant=origin.variant,
            seed=origin.seed,
            episode=origin.episode,
            player=origin.player,
            command_set=origin.command_set,
            prompt=self.prompt,
            opening=self.opening,
            turns=turns,
            status=self.status,
            progress=self.progress,
            score=self._taken[-1].turn.transition.score if self._taken else 0.0,
            refinements=self._watch.refinements,
            counts=self.counts(),
        )

    def line(self) -> str:
        """The trajectory as a line of a run; see the module."""
        turns = ",".join(self._line_of(index) for index in range(len(self._taken)))
        head, gap, tail = self._trajectory(()).line().partition(_NO_TURNS)
        assert gap, "no text of a record can hold these signs unescaped"
        return f'{head}"turns":[{turns}]{tail}'

    def _line_of(self, index: int) -> str:
        reply, now, observation, status = self._taken[index]
        if status == "truncated":
            worlds = worlds_part(now.transition, observation, status)
        else:
            worlds = now.json
        own = (
            f'{{"index":{index},"thought":{quoted(reply.thought)},"reply":{quoted(reply.text)},'
            f'"command":{quoted(reply.command)},{worlds}'
        )
        noted = notes(reply)
        if noted is not None:
            own += f',"notes":{noted.model_dump_json()}'
        return f'{own},"mistake":"{reply.mistake}"}}' if reply.mistake else f"{own}}}"


_NO_TURNS = '"turns":[]'


def notes(reply: Reply) -> NotesRecord | None:
    """What a reply leaves to note, None if nothing."""
    used = reply.usage
    if used is None:
        if not (
            reply.repairs or reply.cut or reply.error or reply.ruling or reply.rewrite
            or reply.ids or reply.context
        ):  # fmt: skip
            return None
        used = Usage()
    return NotesRecord(
        repairs=reply.repairs,
        cut=reply.cut,
        error=reply.error,
        prompt_tokens=used.prompt_tokens,
        reply_tokens=used.reply_tokens,
        cached_tokens=used.cached_tokens,
        retries=used.retries,
        cost=used.cost,
        ruling=None if reply.ruling is None else RulingRecord.of(reply.ruling),
        rewrite=reply.rewrite,
        ids=reply.ids,
        context=reply.context,
    )
