"""The state as a table: what it holds, and what this turn changed.

In: a session. Out: entries with the value before and after, and rows. It is an author's
view: everything in it is a spoiler for a player.
"""

from __future__ import annotations

from dataclasses import dataclass

from worldengine.machine.notation import Notation
from worldengine.machine.schema import STATUS_NAMES, Variable

from .rows import BLANK, Row, heading, row
from .session import Session

GROUPS = {
    "location": "Where things are",
    "attribute": "Attributes",
    "fact": "Facts",
    "turn": "Clock and once-rules",
    "once": "Clock and once-rules",
    "milestone": "Milestones and ending",
    "status": "Milestones and ending",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One variable, in the words of its kind. `before` is its value a turn ago."""

    name: str
    group: str
    before: str
    now: str

    @property
    def changed(self) -> bool:
        return self.before != self.now


def entries(session: Session) -> list[Entry]:
    """Every variable of the state, in the Machine's order."""
    notation = Notation(session.machine)
    now = session.at.state
    before = session.at.parent.state if session.at.parent is not None else now
    return [
        Entry(
            variable.name,
            GROUPS.get(variable.role, "Attributes"),
            _value(notation, variable, before[index]),
            _value(notation, variable, now[index]),
        )
        for index, variable in enumerate(session.machine.variables)
    ]


def _value(notation: Notation, variable: Variable, value: int) -> str:
    """A value in the words of its kind; the ending by its name."""
    if variable.role == "status":
        return STATUS_NAMES[value]
    return notation.value(variable.kind, value)


def derived(session: Session) -> list[tuple[str, str]]:
    """The author's own derived values without parameters, worked out now."""
    machine = session.machine
    notation, turn = Notation(machine), session.runtime.evaluation(session.at.state)
    return [
        (item.name, notation.value(item.kind, turn.read(machine.derived_base + index)))
        for index, item in enumerate(machine.derived)
        if "(" not in item.name and item.span >= 0
    ]


def rows(session: Session) -> list[Row]:
    """What changed first, then everything by kind."""
    found = entries(session)
    changed = [entry for entry in found if entry.changed]
    count = f"{len(changed)} of {len(found)}" if changed else "nothing"
    shown = [heading("Changed this turn", count)]
    wide = min(max((len(entry.name) for entry in found), default=0), 24)
    for entry in changed:
        shown.append(
            row(
                ("● ", "mark"),
                (f"{entry.name:<{wide}}  ", "strong"),
                (f"{entry.before} ", "muted"),
                ("→ ", "mark"),
                (entry.now, "accent"),
                indent=4,
            )
        )
    for group in dict.fromkeys(GROUPS.values()):
        members = [entry for entry in found if entry.group == group]
        if members:
            shown += [BLANK, heading(group)]
            shown += [_plain(entry, wide) for entry in members]
    if computed := derived(session):
        shown += [BLANK, heading("Derived")]
        shown += [row((f"  {name:<{wide}}  ", "muted"), value) for name, value in computed]
    return shown


def _plain(entry: Entry, wide: int) -> Row:
    mark = "● " if entry.changed else "  "
    tone = "accent" if entry.changed else ""
    return row((mark, "mark"), (f"{entry.name:<{wide}}  ", "muted"), (entry.now, tone), indent=4)
