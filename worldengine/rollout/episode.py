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
from worldengine.memo import by_machine
from worldengine.players.reply import Reply, Usage, shortened
from worldengine.players.shown.trail import Trail
from worldengine.players.view import Shown, View
from worldengine.rollout.charts import chart_of
from worldengine.rollout.honesty import unshown
from worldengine.rollout.phrasing import words_of
from worldengine.rollout.refinements import Watch
from worldengine.rollout.showing import Offer
from worldengine.rollout.trajectory import (
    FORMAT,
    Counts,
    NotesRecord,
    PlayerRecord,
    PlayerText,
    Provenance,
    Refinement,
    RulingRecord,
    Trajectory,
    TurnRecord,
    TurnStatus,
)
from worldengine.rollout.turns import OUTCOMES, STATUSES, Turn, number, recorded, worlds_part
from worldengine.runtime import EpisodeOver, prompt, runtime_of

MOST_WRITTEN, THEN = 1_000_000, 1_000
"""Characters of an episode's replies, and of each after those: a line stays bounded."""


@by_machine(256)
def prompt_of(machine: Machine, variant: int) -> str:
    """The prompt of an episode; the same for all of a variant. The intro is left to the
    opening, which begins with it: a conversation says it once."""
    return prompt(replace(machine, intro=""), variant, "react")


class Tally(NamedTuple):
    """The counts of an episode; see `Counts`."""

    turns: int
    accepted: int
    parameter: int
    place: int
    logic: int
    refinements: int


class Episode:
    """One play of one variant, turn by turn."""

    def __init__(self, machine: Machine, provenance: Provenance) -> None:
        chart = chart_of(machine)
        self.machine = machine
        self.provenance = provenance
        self._here = chart.start(provenance.variant)
        self._turns: list[Turn] = []
        known = chart.known(provenance.variant)
        self._offer = Offer(machine, provenance.command_set, known, self._turns)
        self._watch = Watch(machine)
        self._shown: tuple[Shown, ...] = ()
        self._records: list[TurnRecord] = []
        self.prompt = prompt_of(machine, provenance.variant)
        self.opening = chart.opening(provenance.variant)
        self._written = 0
        self.noteworthy = False
        self.status: TurnStatus = "running"
        self._view: View | None = None

    @property
    def over(self) -> bool:
        return self.status != "running"

    @property
    def length(self) -> int:
        """How many turns were taken."""
        return len(self._turns)

    @property
    def turns(self) -> tuple[TurnRecord, ...]:
        for index in range(len(self._records), len(self._turns)):
            self._records.append(self._record(index))
        return tuple(self._records)

    @property
    def progress(self) -> float:
        return runtime_of(self.machine).progress(self._here.state)

    def view(self, slot: int = 0) -> View:
        """What the player in seat `slot` may look at now."""
        self._offer.now = self._here.state
        if self._view is None:
            self._view = self._first_view()
        left = self.machine.turns - len(self._turns)
        return self._view.later(self._shown, left, slot)

    def _first_view(self) -> View:
        machine, words, offer = self.machine, words_of(self.machine), self._offer
        return View(
            self.prompt, self.opening, machine.goal, (), machine.turns,
            self.provenance.command_set, offer.choices, words.phrase, words.noun, words.plural,
            words.heading, offer.at_first.retold, partial(unshown, machine), trail=Trail(),
        )  # fmt: skip

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
        index = len(self._turns)
        now, self._here = self._here.take(reply.command)
        transition = now.transition
        self._watch.see(index, transition, self._here)
        self.status = STATUSES[transition.status]
        observation = transition.observation
        if self.status == "running" and index + 1 >= self.machine.turns:
            self.status = "truncated"
            observation = "\n".join(filter(None, (observation, self.machine.timeout)))
        self._turns.append(now)
        self._shown += (_shown(Shown, (reply, OUTCOMES[transition.outcome], observation)),)
        self.noteworthy = self.noteworthy or reply.noteworthy

    def _status(self, index: int) -> TurnStatus:
        """How things stood after a turn: only the last one can end an episode."""
        return self.status if index + 1 == len(self._turns) else "running"

    def _record(self, index: int) -> TurnRecord:
        shown = self._shown[index]
        reply = shown.reply
        record = recorded(
            index, reply.thought, reply.text, reply.command, self._turns[index].transition,
            shown.observation, self._status(index),
        )  # fmt: skip
        noted = notes(reply)
        if noted is None and not reply.mistake:
            return record
        return record.model_copy(update={"notes": noted, "mistake": reply.mistake})

    def notes(self) -> list[NotesRecord]:
        """What the replies left to note."""
        if not self.noteworthy:
            return []
        found = (notes(shown.reply) for shown in self._shown)
        return [noted for noted in found if noted is not None]

    def counts(self) -> Tally:
        """What stands in the trajectory's `counts`."""
        outcomes = [turn.transition.outcome for turn in self._turns]
        accepted, parameter, place, logic = map(outcomes.count, range(len(OUTCOMES)))
        pairs = len(self._watch.pairs)
        return Tally(len(outcomes), accepted, parameter, place, logic, pairs)

    def trajectory(self) -> Trajectory:
        """The episode so far."""
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
            turns=self.turns,
            status=self.status,
            progress=self.progress,
            score=self._score,
            refinements=tuple(
                Refinement(refused=refused, recovered=recovered)
                for refused, recovered in self._watch.pairs
            ),
            counts=Counts(**self.counts()._asdict()),
        )

    @property
    def _score(self) -> float:
        return self._turns[-1].transition.score if self._turns else 0.0

    def line(self) -> str:
        """The trajectory as a line of a run; see the module."""
        pairs = ",".join(
            f'{{"refused":{refused},"recovered":{recovered}}}'
            for refused, recovered in self._watch.pairs
        )
        counts = self.counts()
        return (
            f"{heading(self.machine, self.provenance, self.prompt, self.opening)},"
            f'"turns":[{",".join(map(self._line_of, range(len(self._turns))))}],'
            f'"status":"{self.status}","progress":{number(self.progress)},'
            f'"score":{number(self._score)},"refinements":[{pairs}],'
            f'"counts":{{"turns":{counts.turns},"accepted":{counts.accepted},'
            f'"parameter":{counts.parameter},"place":{counts.place},"logic":{counts.logic},'
            f'"refinements":{counts.refinements}}}}}'
        )

    def _line_of(self, index: int) -> str:
        shown, now = self._shown[index], self._turns[index]
        reply = shown.reply
        if self._status(index) == "truncated":
            worlds = worlds_part(now.transition, shown.observation, "truncated")
        else:
            worlds = now.json
        own = (
            f'{{"index":{index},"thought":{quoted(reply.thought)},"reply":{quoted(reply.text)},'
            f'"command":{quoted(reply.command)},{worlds}'
        )
        noted = notes(reply) if self.noteworthy else None
        if noted is not None:
            own += f',"notes":{noted.model_dump_json()}'
        return f'{own},"mistake":"{reply.mistake}"}}' if reply.mistake else f"{own}}}"


_shown = tuple.__new__  # a turn each: a named tuple's own way takes twice as long
_player = PlayerText(PlayerRecord.line)


def heading(machine: Machine, origin: Provenance, prompt: str, opening: str) -> str:
    """A trajectory's line up to its turns."""
    return (
        f'{{"format":{FORMAT},"id":"{origin.id}","world":{quoted(machine.name)},'
        f'"machine_hash":"{machine.hash}","shape":"{machine.shape}","variant":{origin.variant},'
        f'"seed":{origin.seed},"episode":{origin.episode},"player":{_player.of(origin.player)},'
        f'"command_set":"{origin.command_set}","prompt":{quoted(prompt)},'
        f'"opening":{quoted(opening)}'
    )


def notes(reply: Reply) -> NotesRecord | None:
    """What a reply leaves to note, None if nothing."""
    if not reply.noteworthy:
        return None
    used = reply.usage or Usage()
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
