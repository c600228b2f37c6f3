"""Rows of a story. In: a session, a turn. Out: what a transcript shows for it."""

from __future__ import annotations

from .goals import ENDINGS
from .history import Node
from .rows import BLANK, Row, row, rows_of
from .session import Session


def opening_rows(session: Session) -> list[Row]:
    """Title, persona, goal, and what is read first."""
    machine = session.machine
    shown = [row((session.title, "title"))]
    if machine.persona:
        shown.append(row((machine.persona, "muted")))
    if machine.goal:
        shown += [BLANK, row(("Goal  ", "accent"), machine.goal, indent=6)]
    shown.append(BLANK)
    return [*shown, *rows_of(session.history.root.text)]


def turn_rows(node: Node, milestones: list[str]) -> list[Row]:
    """One turn: what was typed, how it was taken, what was read."""
    turn = node.transition
    head: list[tuple[str, str]] = [("› ", "mark"), (node.typed, "command")]
    if turn is not None and node.command != node.typed:
        head.append((f"  = {node.command}", "muted"))
    if turn is not None and turn.refusal is not None:
        head.append((f"  ✗ {turn.outcome_name}", "bad"))
    shown = [BLANK, row(*head, action="node", value=node, indent=4)]
    refused = turn is not None and turn.refusal is not None
    shown += rows_of(node.text, "muted" if refused else "")
    shown += [row(("● milestone  ", "good"), (title, "good"), indent=4) for title in milestones]
    if node.over:
        words, tone = ENDINGS[node.status]
        many = "s" if node.depth != 1 else ""
        shown += [BLANK, row((f"── {words} after {node.depth} turn{many} ──", tone))]
    return shown
