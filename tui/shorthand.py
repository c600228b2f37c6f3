"""What people type, expanded into plain commands.

In: a line as typed, and the session it was typed in. Out: commands for the Machine, a move
in the history, a question, or a notice. A world's own forms always win: only what the
Machine cannot read at all is looked at here, so no shorthand can hide an action.

```
x lamp · l · i · z      examine lamp · look · inventory · wait
g · again               the last command once more
it · them · him · her   the thing that was spoken of last
n; take key             one command after another
undo 3 · redo · restart moves in the history
2                       an answer to "Which do you mean?"
help · ? · quit         told what to press; no turn is spent
```
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from worldengine.matching.normal import normalise

if TYPE_CHECKING:
    from .session import Session

WHOLE: Final = {"l": "look", "i": "inventory", "inv": "inventory", "z": "wait"}
FIRST: Final = {"x": "examine", "l": "examine", "look at": "examine", "ex": "examine"}
PRONOUNS: Final = frozenset({"it", "them", "him", "her", "that"})
AGAIN: Final = frozenset({"g", "again", "repeat"})
ASKING: Final = frozenset({"help", "commands", "quit", "exit", "q", "bye"})
_MOVE: Final = re.compile(r"(undo|redo|restart)(?:\s+([0-9]{1,4}))?")
MOST_CHOICES: Final = 12


@dataclass(frozen=True, slots=True)
class Commands:
    """Plain commands for the Machine, in order."""

    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """One command after another, as typed; each is read when its turn comes (see `step`)."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """undo, redo or restart."""

    kind: str
    turns: int = 1


@dataclass(frozen=True, slots=True)
class Notice:
    """Words for the person; nothing is played."""

    words: str


@dataclass(frozen=True, slots=True)
class Question:
    """Several things answer to what was typed. `choices` are whole commands."""

    typed: str
    choices: tuple[str, ...]

    @property
    def words(self) -> str:
        listed = "  ".join(f"{number} {text}" for number, text in enumerate(self.choices, 1))
        return f"Which do you mean? Type a number: {listed}"


Meaning = Commands | Chain | Move | Notice | Question


def read(session: Session, text: str) -> Meaning:
    """What a line means; see the module."""
    line = normalise(text)
    if not line:
        return Notice("Nothing was typed.")
    if session.question is not None and line.isdecimal():
        return _answered(session.question, int(line[:6]))
    if _understood(session, text):
        return _asked_if_unclear(session, text)
    if line.strip("?!. ") in ASKING or line == "?":
        return Notice(
            "Say what you want to do, as in look, go north or take lamp; what can be said is"
            " listed under Commands. F1 tells about the keys, ctrl+q leaves."
        )
    if move := _MOVE.fullmatch(line):
        return Move(move[1], int(move[2] or 1))
    if ";" in text and len(parts := [part for part in text.split(";") if part.strip()]) > 1:
        return Chain(tuple(part.strip() for part in parts))
    return _expanded(session, text, line)


def _expanded(session: Session, text: str, line: str) -> Commands | Question | Notice:
    """One command, its shorthand written out; the text itself where there is none."""
    if line in AGAIN:
        last = session.at.command
        return Commands((last,)) if last else Notice("There is nothing to do again yet.")
    line = WHOLE.get(line, line)
    for short, full in FIRST.items():
        if line.startswith(short + " ") and not _understood(session, line):
            line = full + line[len(short) :]
            break
    if words := PRONOUNS & set(line.split()):
        spoken = spoken_of(session)
        if spoken is None:
            return Notice(f"It is not clear what {min(words)!r} stands for here.")
        line = " ".join(spoken if word in PRONOUNS else word for word in line.split())
    if _understood(session, line):
        return _asked_if_unclear(session, line)
    # The Machine explains best what it was given: the person's own words.
    return Commands((text,))


def step(session: Session, text: str) -> Commands | Question | Notice:
    """What one command of a chain means where the session stands now: `it` is what the
    command before it was about."""
    if _understood(session, text):
        return _asked_if_unclear(session, text)
    return _expanded(session, text, normalise(text))


def _answered(question: Question, number: int) -> Meaning:
    if 1 <= number <= len(question.choices):
        return Commands((question.choices[number - 1],))
    return Notice(f"There is no number {number} in the list.")


def _understood(session: Session, text: str) -> bool:
    return bool(session.runtime.matcher.readings(text))


def spoken_of(session: Session) -> str | None:
    """The name of the thing that the last understood command was about."""
    machine = session.machine
    at = session.at
    while at.parent is not None:
        turn = at.transition
        if turn is not None and turn.operator >= 0:
            operator = machine.operators[turn.operator]
            parameters = machine.schemas[operator.schema].parameters
            for parameter, value in zip(parameters, operator.arguments, strict=True):
                if parameter.type == "object" and value >= 0:
                    subject = machine.objects[value]
                    if subject.role not in ("exit", "place"):
                        return subject.name
        at = at.parent
    return None


def _asked_if_unclear(session: Session, text: str) -> Commands | Question:
    choices = choices_of(session, text)
    return Question(text, choices) if len(choices) > 1 else Commands((text,))


def choices_of(session: Session, text: str) -> tuple[str, ...]:
    """The commands that a text may mean now where the Machine would call it unclear: the
    first form that fits in scope, with everybody in scope who bears the typed names."""
    matcher, machine = session.runtime.matcher, session.machine
    turn = session.runtime.evaluation(session.at.state)
    for reading in matcher.readings(text):
        if not reading.in_range:
            continue
        kept: list[tuple[int, ...]] = []
        for index, parameter in enumerate(machine.schemas[reading.schema].parameters):
            values = reading.choices[index]
            if parameter.type == "object":
                values = tuple(v for v in values if turn.in_scope(parameter.scope, v))
            if len(values) > 1:
                names = matcher.forms.vocabulary(reading.schema, index)
                values = names.preferred(reading.texts[index], values)
            kept.append(values)
        found = [matcher.operators.get((reading.schema, values)) for values in product(*kept)]
        meant = [operator for operator in found if operator is not None]
        if len(meant) == 1:
            return ()
        if meant:
            texts = (matcher.canonical(operator, reading.number) for operator in meant)
            return tuple(dict.fromkeys(texts))[:MOST_CHOICES]
    return ()
