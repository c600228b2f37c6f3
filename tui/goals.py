"""Milestones, progress and turns. In: a session. Out: rows."""

from __future__ import annotations

from .history import Node
from .rows import BLANK, Row, bar, heading, row
from .session import Session

ENDINGS = {
    "won": ("✓ won", "good"),
    "lost": ("✗ lost", "bad"),
    "truncated": ("✗ out of turns", "warn"),
    "running": ("… running", "muted"),
}


def reached(session: Session) -> dict[str, int]:
    """The turn at which each milestone was reached on the way here."""
    variables = session.machine.variables
    return {variables[index].name: turn for index, turn in session.at.reached}


def rows(session: Session, width: int) -> list[Row]:
    """The goal, a bar, every milestone with the turn it was reached in."""
    machine, at = session.machine, session.at
    turns = reached(session)
    titles = {f"milestone.{rule.name}": rule.title or rule.name for rule in machine.rules}
    shown: list[Row] = []
    if machine.goal:
        shown += [heading("Goal"), row(machine.goal), BLANK]
    words, tone = ENDINGS[at.status]
    shown += [
        heading("Progress", f"{len(turns)} of {len(machine.milestones)} milestones"),
        row((bar(at.progress, max(8, min(30, width - 14))), "accent"), f" {at.progress:.2f}  "),
        row((words, tone), (f"   turn {at.depth} of {machine.turns}", "muted")),
        BLANK,
        heading("Milestones"),
    ]
    for index in machine.milestones:
        name = machine.variables[index].name
        title = titles.get(name, name.removeprefix("milestone."))
        if name in turns:
            spans = (("✓ ", "good"), (title, ""), (f"  turn {turns[name]}", "muted"))
        else:
            spans = (("○ ", "muted"), (title, "muted"), ("", ""))
        shown.append(row(*spans, indent=2))
    if not machine.milestones:
        shown.append(row(("this world has none", "muted")))
    return shown


def reached_by(session: Session, node: Node) -> list[str]:
    """Titles of the milestones that this very turn reached."""
    if node.parent is None or node.reached is node.parent.reached:
        return []
    machine = session.machine
    titles = {f"milestone.{rule.name}": rule.title or rule.name for rule in machine.rules}
    fresh = node.reached[len(node.parent.reached) :]
    names = [machine.variables[index].name for index, _ in fresh]
    return [titles.get(name, name) for name in names]
