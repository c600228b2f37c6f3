"""The episode layer: what lies between a Machine's turns and a trajectory.

In: a Machine, where the episode comes from, replies. Out: turn records and, at any time,
the `Trajectory` so far. It counts turns (refused ones too), truncates at the world's
`turns`, keeps what the player has been shown, and never mixes won, lost and truncated.
Refused: a reply after the end (`EpisodeOver`). Verification plays the recorded replies
through this same layer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from worldengine.machine import Machine
from worldengine.machine.schema import CLASS_NAMES, State
from worldengine.memo import by_machine
from worldengine.players.reply import Reply, Usage
from worldengine.players.view import Choice, Shown, View
from worldengine.rollout.phrasing import noun, phrase
from worldengine.rollout.refinements import Watch
from worldengine.rollout.trajectory import (
    NotesRecord,
    Outcome,
    Provenance,
    RefusalRecord,
    ScopeRecord,
    Trajectory,
    TurnRecord,
    TurnStatus,
    count,
)
from worldengine.runtime import (
    EpisodeOver,
    Knowledge,
    Refusal,
    Transition,
    begin,
    known,
    prompt,
    runtime_of,
)

_RANGE = re.compile(r"(?<!\S)(-?[0-9]+)\.\.(-?[0-9]+)(?!\S)")
_OUTCOMES: tuple[Outcome, ...] = ("ok", "parameter", "place", "logic")
_CLASSES: dict[int, Literal["parameter", "place", "logic"]] = {
    1: "parameter", 2: "place", 3: "logic",
}  # fmt: skip
_STATUSES: dict[str, TurnStatus] = {"running": "running", "won": "won", "lost": "lost"}
assert _OUTCOMES == CLASS_NAMES


@by_machine(256)
def prompt_of(machine: Machine, variant: int) -> str:
    """The prompt of an episode; the same for all of a variant. The intro is left to the
    opening, which begins with it: a conversation says it once."""
    return prompt(replace(machine, intro=""), variant, "react")


@by_machine(256)
def _known_at_first(machine: Machine) -> Knowledge:
    return begin(machine)


@by_machine(20_000)
def _seen(machine: Machine, knowledge: Knowledge, text: str) -> Knowledge:
    """Rooms are described again and again; what a text shows is worked out once."""
    del machine
    return knowledge.seen(text)


def learnt(machine: Machine, knowledge: Knowledge, transition: Transition) -> Knowledge:
    """What has been shown after a turn. A command that was not understood is answered in
    the player's own words; an echo shows nothing."""
    if transition.operator < 0:
        return knowledge
    return _seen(machine, knowledge, transition.observation)


def first_knowledge(machine: Machine, opening: str) -> Knowledge:
    """What has been shown before the first turn."""
    return _seen(machine, _known_at_first(machine), opening)


class Episode:
    """One play of one variant, turn by turn."""

    def __init__(self, machine: Machine, provenance: Provenance) -> None:
        self.machine = machine
        self.provenance = provenance
        self._runtime = runtime_of(machine)
        self._state: State = machine.start(provenance.variant)
        self._watch = Watch(machine)
        self._turns: list[TurnRecord] = []
        self._shown: list[Shown] = []
        self.prompt = prompt_of(machine, provenance.variant)
        self.opening = self._runtime.opening(self._state)
        self._knowledge = first_knowledge(machine, self.opening)
        self.status: TurnStatus = "running"

    @property
    def over(self) -> bool:
        return self.status != "running"

    @property
    def turns(self) -> tuple[TurnRecord, ...]:
        return tuple(self._turns)

    @property
    def progress(self) -> float:
        return self._runtime.progress(self._state)

    def view(self, slot: int = 0) -> View:
        """What the player in seat `slot` may look at now."""
        return View(
            prompt=self.prompt,
            opening=self.opening,
            goal=self.machine.goal,
            turns=tuple(self._shown),
            turns_left=self.machine.turns - len(self._turns),
            command_set=self.provenance.command_set,
            choices=self._choices(),
            phrase=partial(phrase, self.machine),
            noun=partial(noun, self.machine),
            slot=slot,
        )

    def _choices(self) -> Callable[[], tuple[Choice, ...]]:
        """The commands of the episode's command set now, made when asked for."""
        machine, knowledge = self.machine, self._knowledge
        runtime, state = self._runtime, self._state

        def choices() -> tuple[Choice, ...]:
            if self.provenance.command_set == "known":
                texts = known(machine, knowledge)
            elif self.provenance.command_set == "scoped":
                texts = runtime.scoped_texts(state)
            else:
                texts = runtime.applicable_texts(state)
            return tuple(map(choice, texts))

        return choices

    def take(self, reply: Reply) -> TurnRecord:
        """One turn. EpisodeOver after the end."""
        if self.over:
            raise EpisodeOver(f"the episode has ended: {self.status}")
        index = len(self._turns)
        transition = self._runtime.step(self._state, reply.command)
        self._watch.see(index, transition)
        self._state = transition.state
        self._knowledge = learnt(self.machine, self._knowledge, transition)
        self.status = _STATUSES[transition.status]
        observation = transition.observation
        if not self.over and index + 1 >= self.machine.turns:
            self.status = "truncated"
            observation = "\n".join(filter(None, (observation, self.machine.timeout)))
        turn = TurnRecord(
            index=index,
            thought=reply.thought,
            reply=reply.text,
            command=reply.command,
            action=transition.action,
            outcome=_OUTCOMES[transition.outcome],
            observation=observation,
            progress=transition.progress,
            score=transition.score,
            status=self.status,
            refusal=None if transition.refusal is None else _refusal(transition.refusal),
            train=transition.accepted,
            notes=notes(reply),
        )
        self._turns.append(turn)
        self._shown.append(Shown(reply, turn.outcome, observation))
        return turn

    def trajectory(self) -> Trajectory:
        """The episode so far."""
        origin = self.provenance
        turns, refinements = self.turns, self._watch.refinements
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
            score=turns[-1].score if turns else 0.0,
            refinements=refinements,
            counts=count(turns, len(refinements)),
        )


def notes(reply: Reply) -> NotesRecord | None:
    """What a reply leaves to note, None if nothing."""
    used = reply.usage
    if used is None:
        if not (reply.repairs or reply.cut or reply.error):
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
    )


def choice(text: str) -> Choice:
    """A command as the runtime lists it; `dial 1..9` has a gap for a number."""
    action = text.partition(" ")[0]
    match = _RANGE.search(text)
    if match is None:
        return Choice(text, action)
    gap = f"{text[: match.start()]}{{}}{text[match.end() :]}"
    return Choice(gap, action, int(match[1]), int(match[2]))


def _refusal(refusal: Refusal) -> RefusalRecord:
    word = refusal.scope
    return RefusalRecord(
        refusal=_CLASSES[refusal.refusal],
        action_schema=refusal.schema,
        operator=refusal.operator,
        requirement=refusal.requirement,
        number=refusal.number,
        scope=None if word is None else ScopeRecord(word=word[0], object=word[1]),
        template=refusal.template,
    )
