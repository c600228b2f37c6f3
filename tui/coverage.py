"""What of a world has been exercised, over any number of plays.

In: a Machine with the compiler's notes on where its steps were written, plays (a variant and
commands). Out: for each kind of part how many there are and which were never met, with where
they were written. Only what the author wrote counts: the library's verbs, their forms and their
texts are left out.

A *branch* is one way out of an `if`, a case, a `where` or an `{if}` in a text: taken, or passed
by. The many ground operators of one action are told apart by where their steps were written, so
it is one branch for all of them. What is fixed for an operator when it is compiled (`x == lamp`
where x is the lamp) is no branch there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from worldengine.compiler.notes import INNER, PASSED, TAKEN, Note, Notes
from worldengine.machine import Machine
from worldengine.machine.schema import Location, Program
from worldengine.source import Span

from .rows import BLANK, Row, bar, heading, row
from .tracing import TracingRuntime

KINDS = ("actions", "forms", "refusals", "branches", "rules", "texts", "milestones")
NEVER = {TAKEN: "never holds", PASSED: "always holds"}
SNIPPET = 60
"""Characters of a condition that are shown."""
Play = tuple[int, tuple[str, ...]]
"""A variant and the commands played from it."""
Key = tuple[str, tuple[int | str, ...]]


@dataclass(frozen=True, slots=True)
class Part:
    """One thing to exercise, and where it was written."""

    kind: str
    key: tuple[int | str, ...]
    label: str
    location: Location | None


class Coverage:
    """See the module. `covered` grows with `play`."""

    def __init__(self, machine: Machine, notes: Notes) -> None:
        self.machine = machine
        self.parts: dict[Key, Part] = {}
        self.covered: set[Key] = set()
        self.plays = 0
        self._runtime = TracingRuntime(machine)
        self._programs: dict[int, tuple[Program, tuple[Note, ...], int]] = {}
        for part in _static(self._runtime, machine):
            self.parts.setdefault((part.kind, part.key), part)
        operators = ((each.program, -1) for each in machine.operators)
        rules = ((each.program, number) for number, each in enumerate(machine.rules))
        blocks = ((each.program, -1) for each in machine.blocks)
        for programs, noted in ((operators, notes.operators), (rules, notes.rules),
                                (blocks, notes.blocks)):  # fmt: skip
            for (program, rule), steps in zip(programs, noted, strict=True):
                self._programs[id(program)] = (program, steps, rule)
                self._add(program, steps)

    def _add(self, program: Program, notes: tuple[Note, ...]) -> None:
        for step, note in zip(program, notes, strict=True):
            for decision in note.decisions:
                if decision is not None and _own(decision.span):
                    for outcome in (TAKEN, PASSED):
                        label = f"`{_snippet(decision.span)}` {NEVER[outcome]}"
                        self._put("branches", _branch(decision.span, outcome), label, decision.span)
            if step.text >= 0 and note.said is not None and _own(note.said):
                words = self._words(step.text)
                if words.strip("… .,"):
                    self._put("texts", _text(note.said, step.text), words, note.said)

    def _put(self, kind: str, key: tuple[int | str, ...], label: str, span: Span) -> None:
        if (kind, key) not in self.parts:
            self.parts[kind, key] = Part(kind, key, label, _location(span))

    def _words(self, text: int) -> str:
        parts = self.machine.texts[text].parts
        return "".join(part if isinstance(part, str) else "…" for part in parts)

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
        for identity, at, held in marks:
            found = self._programs.get(identity)
            if found is None:
                continue
            program, notes, rule = found
            step, note = program[at], notes[at]
            for number, decision in enumerate(note.decisions[: held + 1]):
                if decision is not None:
                    outcome = decision.held if number < held else decision.failed
                    if outcome != INNER:
                        self._cover("branches", _branch(decision.span, outcome))
            if held < len(step.tests):
                continue
            if rule >= 0 and (step.assigns or step.text >= 0 or step.call >= 0):
                self._cover("rules", (rule,))
            if step.text >= 0 and note.said is not None:
                self._cover("texts", _text(note.said, step.text))
        marks.clear()

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
        """The parts of a kind that were never met, in the order of the script."""
        found = [
            part
            for key, part in self.parts.items()
            if part.kind == kind and key not in self.covered
        ]
        return sorted(found, key=_line)


def _line(part: Part) -> tuple[int, int]:
    where = part.location
    return (where.line, where.column) if where is not None else (0, 0)


def _own(span: Span) -> bool:
    return not span.source.name.startswith("library/")


def _branch(span: Span, outcome: int) -> tuple[int | str, ...]:
    return (span.start, span.end, outcome)


def _text(span: Span, text: int) -> tuple[int | str, ...]:
    return (span.source.name, span.start, span.end, text)


def _snippet(span: Span) -> str:
    words = " ".join(span.text.split())
    return words if len(words) <= SNIPPET else words[: SNIPPET - 1] + "…"


def _location(span: Span) -> Location:
    source = span.source
    return Location(source.name, *source.position(span.start), *source.position(span.end))


def _static(runtime: TracingRuntime, machine: Machine) -> Iterator[Part]:
    where = dict(enumerate(machine.spans)).get
    for number, schema in enumerate(machine.schemas):
        if schema.own:
            yield Part("actions", (number,), schema.name, where(schema.span))
            for position, form in enumerate(schema.forms):
                label = runtime.matcher.template(schema, form)
                yield Part("forms", (number, position), label, where(schema.span))
    for operator in machine.operators:
        name = machine.schemas[operator.schema].name
        for requirement in operator.requirements:
            location = where(requirement.span)
            if location is not None and not location.file.startswith("library/"):
                key = (operator.schema, requirement.span)
                yield Part("refusals", key, f"a requirement of {name}", location)
    for number, rule in enumerate(machine.rules):
        if rule.kind != "milestone":
            yield Part("rules", (number,), f"{rule.kind} {rule.name}", where(rule.span))
    titles = {f"milestone.{rule.name}": rule for rule in machine.rules}
    for index in machine.milestones:
        found = titles.get(machine.variables[index].name)
        name = machine.variables[index].name.removeprefix("milestone.")
        yield Part("milestones", (index,), name, where(found.span) if found else None)


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
        location = part.location
        place = f"{location.line:>5} " if location else "      "
        label = part.label if len(part.label) <= 200 else part.label[:199] + "…"
        yield row((place, "muted"), label.replace("\n", " "), action="source", value=location,
                  indent=6)  # fmt: skip
