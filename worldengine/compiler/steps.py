"""Draft steps with labels, and how they become a program.

`finish` settles the labels, joins steps that can be one and drops what cannot be reached.
The result means the same, in fewer steps. Where each step was written, and which of its tests
decide a branch of the author's, is noted beside the program and is no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from worldengine.compiler.notes import INNER, PASSED, TAKEN, Decision, Note
from worldengine.machine.schema import Argument, Assign, Program, Step, Test
from worldengine.source import Span


class Label:
    """A place in the program that jumps go to. `kept` ones may not be joined away."""

    __slots__ = ("at", "kept")

    def __init__(self, kept: bool = False) -> None:
        self.at = -1
        self.kept = kept


@dataclass(slots=True)
class _Draft:
    tests: list[Test] = field(default_factory=list)
    assigns: list[Assign] = field(default_factory=list)
    text: int = -1
    arguments: tuple[Argument, ...] = ()
    call: int = -1
    refuse: int = 0
    then: Label | None = None
    other: Label | None = None
    span: Span | None = None
    branch: int = -1

    @property
    def acts(self) -> bool:
        return bool(self.assigns) or self.text >= 0 or self.call >= 0 or self.refuse > 0

    @property
    def only_assigns(self) -> bool:
        return self.text < 0 and self.call < 0 and self.refuse == 0


class Drafts:
    """A program under construction: steps in order, jumps to labels."""

    def __init__(self) -> None:
        self.drafts: list[_Draft] = []
        self.labels: list[Label] = []
        self.at: Span | None = None
        self.branches: list[tuple[Span, Label, Label]] = []
        self.notes: tuple[Note, ...] = ()
        self._branch = -1

    # -- where it was written -------------------------------------------------------------

    @contextmanager
    def writing(self, span: Span | None) -> Iterator[None]:
        """Steps that are added inside were written at `span`."""
        before, self.at = self.at, span
        yield
        self.at = before

    @contextmanager
    def choosing(self, yes: Label, no: Label, span: Span | None) -> Iterator[None]:
        """Tests that are added inside decide between two labels, as written at `span`."""
        before = self._branch
        if span is not None:
            self._branch = len(self.branches)
            self.branches.append((span, yes, no))
        yield
        self._branch = before

    # -- labels and steps -----------------------------------------------------------------

    def label(self, kept: bool = False) -> Label:
        found = Label(kept)
        self.labels.append(found)
        return found

    def place(self, label: Label) -> None:
        label.at = len(self.drafts)

    def here(self, kept: bool = False) -> Label:
        found = self.label(kept)
        self.place(found)
        return found

    def jump(self, label: Label) -> None:
        self.drafts.append(_Draft(then=label, other=label))

    def assign(self, assign: Assign) -> None:
        self.drafts.append(_Draft(assigns=[assign]))

    def test(self, test: Test, yes: Label, no: Label) -> None:
        self.drafts.append(_Draft(tests=[test], then=yes, other=no, branch=self._branch))

    def say(self, text: int, arguments: tuple[Argument, ...]) -> None:
        self.drafts.append(_Draft(text=text, arguments=arguments, span=self.at))

    def call(self, block: int) -> None:
        self.drafts.append(_Draft(call=block))

    def refuse(self, refusal: int) -> None:
        self.drafts.append(_Draft(refuse=refusal))

    # -- the finished program ---------------------------------------------------------------

    def finish(self) -> tuple[Program, dict[Label, int]]:
        """The program, and where each kept label ended up."""
        count = len(self.drafts)
        for label in self.labels:
            if label.at < 0:
                label.at = count
        edges = [self._targets(index) for index in range(count)]
        edges = [(self._thread(edges, a), self._thread(edges, b)) for a, b in edges]
        kept = {label.at for label in self.labels if label.kept}
        groups = self._joined(edges, kept)
        self.notes = tuple(self._note(group, edges) for group in groups)
        return self._emit(groups, edges)

    def _note(self, group: list[int], edges: list[tuple[int, int]]) -> Note:
        """Where a step says something, and what each of its tests decides."""
        decisions = []
        for place, index in enumerate(group):
            draft = self.drafts[index]
            if draft.tests:
                held = group[place + 1] if place + 1 < len(group) else edges[index][0]
                decisions.append(self._decision(draft, edges, held, edges[index][1]))
        return Note(tuple(decisions), self.drafts[group[-1]].span)

    def _decision(
        self, draft: _Draft, edges: list[tuple[int, int]], held: int, failed: int
    ) -> Decision | None:
        if draft.branch < 0:
            return None
        span, yes, no = self.branches[draft.branch]
        ends = {self._thread(edges, no.at): PASSED, self._thread(edges, yes.at): TAKEN}
        return Decision(span, ends.get(held, INNER), ends.get(failed, INNER))

    def _targets(self, index: int) -> tuple[int, int]:
        draft = self.drafts[index]
        then = draft.then.at if draft.then is not None else index + 1
        other = draft.other.at if draft.other is not None else index + 1
        return then, other if draft.tests else then

    def _thread(self, edges: list[tuple[int, int]], target: int) -> int:
        """Where a jump to `target` really leads: past steps that do nothing but jump."""
        while target < len(edges):
            draft = self.drafts[target]
            if draft.tests or draft.acts:
                break
            target = edges[target][0]
        return target

    def _joined(self, edges: list[tuple[int, int]], kept: set[int]) -> list[list[int]]:
        """Reachable drafts, in order, grouped into steps that can be one."""
        count = len(self.drafts)
        reachable = [False] * (count + 1)
        for start in (0, *kept):
            if start <= count:
                reachable[start] = True
        incoming: dict[int, int] = {}
        order = []
        for index in range(count):
            if not reachable[index]:
                continue
            draft = self.drafts[index]
            if not draft.tests and not draft.acts and index not in kept:
                reachable[edges[index][0]] = True
                if index == 0:
                    incoming[edges[index][0]] = 2
                continue
            order.append(index)
            for target in set(edges[index]):
                reachable[target] = True
                incoming[target] = incoming.get(target, 0) + 1
        groups: list[list[int]] = []
        for index in order:
            if groups and index not in kept and self._joins(groups[-1], index, edges, incoming):
                groups[-1].append(index)
            else:
                groups.append([index])
        return groups

    def _joins(
        self,
        group: list[int],
        index: int,
        edges: list[tuple[int, int]],
        incoming: dict[int, int],
    ) -> bool:
        """Whether draft `index` may become part of the step before it."""
        last = self.drafts[group[-1]]
        draft = self.drafts[index]
        if edges[group[-1]][0] != index or incoming.get(index, 0) != 1:
            return False
        first = self.drafts[group[0]]
        acts = any(self.drafts[item].acts for item in group)
        if draft.tests:
            # test after test: both must hold, and both fail to the same place
            return not acts and bool(first.tests) and edges[group[0]][1] == edges[index][1] != index
        if first.tests and edges[group[0]][1] == index:
            return False
        return last.only_assigns if acts else True

    def _emit(
        self, groups: list[list[int]], edges: list[tuple[int, int]]
    ) -> tuple[Program, dict[Label, int]]:
        number = {group[0]: place for place, group in enumerate(groups)}
        end = len(groups)
        starts = sorted(number)

        def place(target: int) -> int:
            found = number.get(target)
            if found is not None:
                return found
            # a target that was dropped lies at the next step that was kept
            later = [start for start in starts if start >= target]
            return number[later[0]] if later else end

        steps = []
        for group in groups:
            drafts = [self.drafts[item] for item in group]
            final = drafts[-1]
            tests = tuple(test for draft in drafts for test in draft.tests)
            then = place(edges[group[-1]][0])
            other = place(edges[group[0]][1]) if tests else then
            steps.append(
                Step(
                    tests,
                    tuple(assign for draft in drafts for assign in draft.assigns),
                    final.text,
                    final.arguments,
                    final.call,
                    final.refuse,
                    then,
                    other,
                )
            )
        where = {label: place(label.at) for label in self.labels if label.kept}
        return tuple(steps), where
