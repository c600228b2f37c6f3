"""What of a world has been exercised, over any number of plays.

In: a Machine, plays (a variant and commands). Out: for each kind of part how many there are
and which were never met, with where they were written. Only what the author wrote counts:
the library's verbs, their forms and their texts are left out.

A *branch* is one way out of a step with tests, in the body of an action or in a rule; the
many ground operators of one action are one program here, told apart by step alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from worldengine.machine import Machine
from worldengine.machine.notation import Notation
from worldengine.machine.schema import Program

from .rows import BLANK, Row, bar, heading, row
from .tracing import TracingRuntime

KINDS = ("actions", "forms", "refusals", "branches", "rules", "texts", "milestones")
Play = tuple[int, tuple[str, ...]]
"""A variant and the commands played from it."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to exercise. `span` is an index of the Machine's spans, or -1."""

    kind: str
    key: tuple[int | str, ...]
    label: str
    span: int


class Coverage:
    """See the module. `covered` grows with `play`."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.parts: dict[tuple[str, tuple[int | str, ...]], Part] = {}
        self.covered: set[tuple[str, tuple[int | str, ...]]] = set()
        self.plays = 0
        self._runtime = TracingRuntime(machine)
        self._owners: dict[int, tuple[str, int, int]] = {}
        for part in (*_static(self._runtime, machine), *self._programs()):
            self.parts.setdefault((part.kind, part.key), part)

    def _programs(self) -> Iterator[Part]:
        """Branches and texts of own actions, rules and blocks; remembers whose they are."""
        machine, notation = self.machine, Notation(self.machine)
        for index, operator in enumerate(machine.operators):
            schema = machine.schemas[operator.schema]
            self._owners[id(operator.program)] = ("operator", index, operator.body)
            if schema.own:
                name = f"action {schema.name}"
                yield from self._branches(
                    notation, operator.program, operator.body, ("a", operator.schema), name,
                    operator.span,
                )  # fmt: skip
                yield from _texts(machine, operator.program, operator.span)
        for index, rule in enumerate(machine.rules):
            self._owners[id(rule.program)] = ("rule", index, 0)
            name = f"{rule.kind} {rule.name}"
            yield from self._branches(notation, rule.program, 0, ("r", index), name, rule.span)
            yield from _texts(machine, rule.program, rule.span)
        for block in machine.blocks:
            yield from _texts(machine, block.program, -1)

    def _branches(
        self,
        notation: Notation,
        program: Program,
        body: int,
        owner: tuple[str, int],
        name: str,
        span: int,
    ) -> Iterator[Part]:
        # What the compiler adds (an ending is reached once, a milestone latches) is no
        # branch of the author's.
        latches = {self.machine.status, *self.machine.milestones}
        for at in range(body, len(program)):
            step = program[at]
            if step.refuse or all(test.left in latches for test in step.tests):
                continue
            tests = " and ".join(notation.test(test) for test in step.tests)
            for held in (True, False):
                label = f"{name}: {tests}: never {'true' if held else 'false'}"
                yield Part("branches", (*owner, at - body, held), label, span)

    # -- playing -----------------------------------------------------------------------

    def play(self, variant: int, commands: Iterable[str]) -> int:
        """Play and note; how many parts were new."""
        before = len(self.covered)
        machine, runtime = self.machine, self._runtime
        state = machine.start(variant)
        runtime.opening(state)
        self.plays += 1
        for turn, command in enumerate(commands):
            if runtime.status(state) != "running" or turn >= machine.turns:
                break
            self._note_form(command)
            transition = runtime.step(state, command)
            self._note_turn(transition.operator, transition.accepted, transition.refusal)
            state = transition.state
        for index in machine.milestones:
            if state[index]:
                self._cover("milestones", (index,))
        self._note_marks()
        return len(self.covered) - before

    def _cover(self, kind: str, key: tuple[int | str, ...]) -> None:
        if (kind, key) in self.parts:
            self.covered.add((kind, key))

    def _note_form(self, command: str) -> None:
        for reading in self._runtime.matcher.readings(command)[:1]:
            self._cover("forms", (reading.schema, reading.form))

    def _note_turn(self, operator: int, accepted: bool, refusal: object) -> None:
        if operator < 0:
            return
        ground = self.machine.operators[operator]
        if accepted:
            self._cover("actions", (ground.schema,))
        position = getattr(refusal, "requirement", -1)
        if position >= 0:
            self._cover("refusals", (ground.schema, ground.requirements[position].span))

    def _note_marks(self) -> None:
        marks = self._runtime.marks
        for program, at, held in marks.steps:
            owner = self._owners.get(program)
            if owner is None:
                continue
            kind, index, body = owner
            if kind == "rule":
                self._cover("branches", ("r", index, at, held))
                step = self.machine.rules[index].program[at]
                if held and (step.assigns or step.text >= 0 or step.call >= 0):
                    self._cover("rules", (index,))
            elif at >= body:
                schema = self.machine.operators[index].schema
                self._cover("branches", ("a", schema, at - body, held))
        for text in marks.texts:
            self._cover("texts", (text,))
        marks.steps.clear()
        marks.texts.clear()

    # -- reading off -------------------------------------------------------------------

    def counts(self) -> dict[str, tuple[int, int]]:
        """For every kind: how many parts were met, and how many there are."""
        return {
            kind: (
                sum(key[0] == kind for key in self.covered),
                sum(key[0] == kind for key in self.parts),
            )
            for kind in KINDS
        }

    def missing(self, kind: str) -> list[Part]:
        """The parts of a kind that were never met, in the Machine's order."""
        return [
            part
            for key, part in self.parts.items()
            if part.kind == kind and key not in self.covered
        ]


def _static(runtime: TracingRuntime, machine: Machine) -> Iterator[Part]:
    for number, schema in enumerate(machine.schemas):
        if schema.own:
            yield Part("actions", (number,), schema.name, schema.span)
            for position, form in enumerate(schema.forms):
                label = runtime.matcher.template(schema, form)
                yield Part("forms", (number, position), label, schema.span)
    for operator in machine.operators:
        if machine.schemas[operator.schema].own:
            name = machine.schemas[operator.schema].name
            for requirement in operator.requirements:
                key = (operator.schema, requirement.span)
                yield Part("refusals", key, f"a requirement of {name}", requirement.span)
    for number, rule in enumerate(machine.rules):
        if rule.kind != "milestone":
            yield Part("rules", (number,), f"{rule.kind} {rule.name}", rule.span)
    titles = {f"milestone.{rule.name}": rule for rule in machine.rules}
    for index in machine.milestones:
        found = titles.get(machine.variables[index].name)
        name = machine.variables[index].name.removeprefix("milestone.")
        yield Part("milestones", (index,), name, found.span if found else -1)


def _texts(machine: Machine, program: Program, span: int) -> Iterator[Part]:
    for step in program:
        if step.text >= 0:
            words = "".join(
                part if isinstance(part, str) else "…" for part in machine.texts[step.text].parts
            )
            if words.strip("… .,"):
                yield Part("texts", (step.text,), words, span)


def rows(coverage: Coverage | None, opened: str) -> list[Row]:
    """A bar for every kind; the missing parts of the one that is open."""
    if coverage is None:
        return [row(("playing everything that was recorded …", "muted"))]
    shown = [
        heading("Coverage", f"over {coverage.plays} plays"),
        row(("a plays on its own to fill the gaps; enter lists what is missing", "muted")),
        BLANK,
    ]
    for kind, (met, all_) in coverage.counts().items():
        part = met / all_ if all_ else 1.0
        sign = "▾" if kind == opened else "▸"
        done = ("✓", "good") if met == all_ else (" ", "")
        shown.append(
            row((f"{sign} ", "mark"), f"{kind:<11}", (bar(part, 12), "accent"),
                f" {met:>4} of {all_:<4} ", done, action="open", value=kind)
        )  # fmt: skip
        if kind == opened:
            shown += _missing(coverage, kind)
    return shown


def _missing(coverage: Coverage, kind: str) -> Iterator[Row]:
    for part in coverage.missing(kind):
        spans = coverage.machine.spans
        location = spans[part.span] if 0 <= part.span < len(spans) else None
        place = f"{location.line:>5} " if location else "      "
        label = part.label if len(part.label) <= 200 else part.label[:199] + "…"
        yield row((place, "muted"), label.replace("\n", " "), action="source", value=location,
                  indent=6)  # fmt: skip
