"""Construct worlds: a tiny script for each clause of the language, with a play at its end.

The play stands in comments, one mark a line:

```
//> take key        a command; what follows is about its answer
//= ok              its class: ok, parameter, place or logic
//| You take it.    a line of the observation; several in a row are the whole of it
//~ words           stand in the observation        //^ words   do not
//! won             running, won or lost after it    //% 0.5     progress after it
//+ take key        is offered as applicable now     //- take key  is not
//@ 1               begin again, in this variant     //# 4       how many variants there are
//* The hall        stands in the opening
```
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from worldengine.compiler import compile_source
from worldengine.diagnostics import render_terminal
from worldengine.machine.schema import Machine, State
from worldengine.runtime import Runtime, Transition
from worldengine.source import Source

FOLDER = Path(__file__).resolve().parents[1] / "corpus" / "constructs"
PATHS = sorted(FOLDER.glob("*.world"))
MARKS = frozenset(">=|~^!%+-@#*")


@dataclass(frozen=True, slots=True)
class Mark:
    """One line of the play: its sign, its words and its place in the file."""

    sign: str
    words: str
    line: int


def marks(text: str) -> list[Mark]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("//") and line[2:3] in MARKS and line[2:3]:
            found.append(Mark(line[2], line[4:], number))
    return found


@cache
def machine_of(path: Path) -> Machine:
    result = compile_source(Source(path.name, path.read_text(encoding="utf-8")))
    assert result.machine is not None, "\n" + render_terminal(result.diagnostics)
    return result.machine


class Play:
    """Runs a play and says where it does not go as written; keeps every state it met."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.machine = machine_of(path)
        self.runtime = Runtime(self.machine)
        self.state: State = self.machine.start(0)
        self.last: Transition | None = None
        self.visited: list[State] = [self.state]
        self._expected: list[str] = []

    def run(self) -> None:
        for mark in marks(self.path.read_text(encoding="utf-8")):
            if mark.sign != "|":
                self._settle()
            self._one(mark)
        self._settle()

    def _one(self, mark: Mark) -> None:
        where = f"{self.path.name}:{mark.line}: {mark.words!r}"
        if mark.sign == ">":
            self.last = self.runtime.step(self.state, mark.words)
            if not self.last.accepted:
                assert self.last.state == self.state, f"{where}: refused, yet something changed"
            self.state = self.last.state
            self.visited.append(self.state)
        elif mark.sign == "@":
            self.state = self.machine.start(int(mark.words))
            self.visited.append(self.state)
        elif mark.sign == "#":
            assert len(self.machine.variants) == int(mark.words), where
        elif mark.sign == "*":
            assert mark.words in self.runtime.opening(self.state), where
        elif mark.sign == "%":
            assert self.runtime.progress(self.state) == float(mark.words), where
        elif mark.sign in "+-":
            offered = mark.words in self.runtime.applicable_texts(self.state)
            assert offered == (mark.sign == "+"), where
        elif mark.sign == "|":
            self._expected.append(mark.words)
        else:
            self._answer(mark, where)

    def _answer(self, mark: Mark, where: str) -> None:
        last = self.last
        assert last is not None, where
        if mark.sign == "=":
            assert last.outcome_name == mark.words, f"{where}: {last.outcome_name} {last}"
        elif mark.sign == "!":
            assert last.status == mark.words, f"{where}: {last.status}"
        else:
            inside = mark.words in last.observation
            assert inside == (mark.sign == "~"), f"{where}: {last.observation!r}"

    def _settle(self) -> None:
        """The lines of `//|` are the whole observation."""
        if not self._expected:
            return
        wanted, self._expected = "\n".join(self._expected), []
        assert self.last is not None
        assert self.last.observation == wanted, (
            f"{self.path.name}: {self.last.action!r} said {self.last.observation!r}, not {wanted!r}"
        )
