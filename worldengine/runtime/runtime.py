"""A Machine that can be played: text or actions in, transitions out.

In: states (tuples of ints) and commands. Out: frozen `Transition`s and tuples. A state is
complete and is never changed, so keeping one is a snapshot and starting from one twice is a
fork. Refused: what is no state or no text at all (TypeError), a state of another length
(ValueError), a command to a state that has been won or lost (EpisodeOver). Everything that a
player may type is answered, never raised.

One `Runtime` may serve any number of threads: what it remembers between calls is derived
from the Machine alone and is only ever replaced by equal values.
"""

from __future__ import annotations

from worldengine.machine.schema import (
    ACCEPTED,
    RUNNING,
    STATUS_NAMES,
    WON,
    Machine,
    Requirement,
    State,
)
from worldengine.matching.commands import Matcher, Misunderstood, Understood
from worldengine.matching.names import article_for
from worldengine.matching.offers import Action
from worldengine.runtime.commandsets import CommandSets
from worldengine.runtime.interpreter import Evaluation
from worldengine.runtime.observation import DONE, Printer
from worldengine.runtime.tables import Tables, tables_of
from worldengine.runtime.types import EpisodeOver, Refusal, Transition


class Runtime:
    """See the module. The Machine must have been validated."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.matcher = Matcher(machine)
        self.tables: Tables = tables_of(machine)
        self._printer = Printer(machine)
        self._programs = [(rule.program, len(rule.program)) for rule in machine.rules]
        self._commands = CommandSets(self.tables, self.matcher)

    # -- turns -------------------------------------------------------------------------

    def step(self, state: State, command: str) -> Transition:
        """One turn from text; see `worldengine.runtime.interpreter` for the semantics."""
        if not isinstance(command, str):
            raise TypeError(f"a command is text (a str), not {_kind(command)}")
        turn = self._begin(state)
        answer = self.matcher.answer(command, turn.in_scope)
        if isinstance(answer, Understood):
            return self._perform(state, turn, answer.operator, answer.number)
        return self._misunderstood(state, answer)

    def act(self, state: State, operator: int, number: int = 0) -> Transition:
        """One turn from a ground action. Its scopes and its number's range are checked as
        they are for text. IndexError if there is no such operator."""
        if not 0 <= operator < len(self.machine.operators):
            raise IndexError(f"there is no operator {operator}")
        turn = self._begin(state)
        position = self.tables.number_parameters[self.machine.operators[operator].schema]
        for word, index in self.tables.operator_scopes[operator]:
            if not turn.in_scope(word, index):
                answer = self.matcher.out_of_scope(operator, (word, index))
                return self._misunderstood(state, answer, operator, number)
        if position >= 0:
            parameter = self._parameter(operator, position)
            if not parameter[0] <= number <= parameter[1]:
                answer = self.matcher.out_of_range(operator)
                return self._misunderstood(state, answer, operator, number)
        return self._perform(state, turn, operator, number if position >= 0 else 0)

    def opening(self, state: State) -> str:
        """What a player reads first: the intro, a blank line, then what is to be seen."""
        parts = [self.machine.intro]
        if self.machine.opening >= 0:
            turn = self.evaluation(state)
            block = self.machine.blocks[self.machine.opening].program
            turn.run(block, 0, len(block))
            parts.append(self._printer.print(turn.said))
        return "\n\n".join(filter(None, parts))

    def _begin(self, state: State) -> Evaluation:
        turn = self.evaluation(state)
        status = state[self.machine.status]
        if status != RUNNING:
            raise EpisodeOver(f"{self.machine.name} has already been {STATUS_NAMES[status]}")
        return turn

    def evaluation(self, state: State) -> Evaluation:
        """A slot vector of this state, for those who ask about it without a turn."""
        if not isinstance(state, (tuple, list)):
            raise TypeError(f"a state is the tuple that start or a turn gave, not {_kind(state)}")
        if len(state) != self.tables.variables:
            raise ValueError(
                f"a state of {self.machine.name} has {self.tables.variables} values,"
                f" not {len(state)}"
            )
        return Evaluation(self.tables, state)

    def _perform(self, state: State, turn: Evaluation, operator: int, number: int) -> Transition:
        """Steps 4 to 8 of a turn whose action is understood and in scope."""
        ground = self.machine.operators[operator]
        turn.set_number(number)
        refused = turn.run(ground.program, 0, ground.body)
        action = self.matcher.canonical(operator, number)
        if refused >= 0:
            step = ground.program[refused]
            refusal = Refusal(
                refusal=step.refuse,
                schema=ground.schema,
                operator=operator,
                requirement=_requirement_at(ground.requirements, refused),
                number=number,
                template=self._template(ground.schema),
            )
            return self._transition(
                state,
                step.refuse,
                self._printer.print(turn.said),
                action,
                operator,
                number,
                refusal,
            )
        turn.said.clear()
        if self.machine.turn >= 0:
            turn.advance(self.machine.turn)
        turn.run(ground.program, ground.body, len(ground.program))
        for program, length in self._programs:
            turn.run(program, 0, length)
        observation = self._printer.print(turn.said) or DONE
        return self._transition(turn.state, ACCEPTED, observation, action, operator, number, None)

    def _misunderstood(
        self, state: State, answer: Misunderstood, operator: int = -1, number: int = 0
    ) -> Transition:
        refusal = Refusal(
            refusal=answer.refusal,
            schema=answer.schema,
            operator=operator,
            number=number,
            scope=answer.scope,
            template=answer.template,
        )
        action = self.matcher.canonical(operator, number) if operator >= 0 else ""
        return self._transition(
            state, answer.refusal, answer.words, action, operator, number, refusal
        )

    def _transition(
        self,
        state: State,
        outcome: int,
        observation: str,
        action: str,
        operator: int,
        number: int,
        refusal: Refusal | None,
    ) -> Transition:
        status = state[self.machine.status]
        return Transition(
            state=state,
            outcome=outcome,
            observation=observation,
            action=action,
            operator=operator,
            number=number,
            refusal=refusal,
            status=STATUS_NAMES[status],
            progress=self.progress(state),
            score=1.0 if status == WON else 0.0,
        )

    def progress(self, state: State) -> float:
        """Latched milestones / (their number + 1); 1 when won."""
        if state[self.machine.status] == WON:
            return 1.0
        latched = sum(state[index] != 0 for index in self.machine.milestones)
        return latched / (len(self.machine.milestones) + 1)

    def status(self, state: State) -> str:
        """running, won or lost."""
        return STATUS_NAMES[state[self.machine.status]]

    def _template(self, schema: int) -> str:
        action = self.machine.schemas[schema]
        return self.matcher.template(action, action.forms[0])

    def _parameter(self, operator: int, position: int) -> tuple[int, int]:
        schema = self.machine.schemas[self.machine.operators[operator].schema]
        return schema.parameters[position].low, schema.parameters[position].high

    # -- command sets ------------------------------------------------------------------

    def scoped(self, state: State) -> tuple[Action, ...]:
        """The operators whose arguments are in scope, with their numbers' ranges.
        None once the state has been won or lost."""
        return self._commands.actions(self.evaluation(state), required=False)

    def applicable(self, state: State) -> tuple[Action, ...]:
        """The operators that would be accepted, with exactly the numbers that would be."""
        return self._commands.actions(self.evaluation(state), required=True)

    def scoped_texts(self, state: State) -> tuple[str, ...]:
        """Canonical commands for `scoped`, as `applicable_texts` prints them."""
        return self._commands.texts(self.evaluation(state), self.scoped(state))

    def applicable_texts(self, state: State) -> tuple[str, ...]:
        """Canonical commands for `applicable`: typed, each means its action in this state.
        Numbers are printed as ranges: `dial 1..9`."""
        return self._commands.texts(self.evaluation(state), self.applicable(state))

    # -- looking back ------------------------------------------------------------------

    def holds(self, state: State, refusal: Refusal) -> bool:
        """Whether what failed in a refusal holds in this state. What failed in the words
        themselves holds in no state."""
        turn = self.evaluation(state)
        if refusal.requirement >= 0:
            ground = self.machine.operators[refusal.operator]
            entries = [requirement.entry for requirement in ground.requirements]
            ends = [*entries[1:], ground.body]
            turn.set_number(refusal.number)
            position = refusal.requirement
            return turn.run(ground.program, entries[position], ends[position]) < 0
        return refusal.scope is not None and turn.in_scope(*refusal.scope)


def _kind(value: object) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{article_for(name)} {name}"


def _requirement_at(requirements: tuple[Requirement, ...], step: int) -> int:
    """The requirement to which a step of the requirement part belongs."""
    return sum(requirement.entry <= step for requirement in requirements) - 1
