"""Why the last command was refused: its class, the requirement that failed, its line.

In: a session, and the texts of the scripts its Machine was written in. Out: a `Why`, and
rows that show it. What the words themselves did wrong has no line; that is said too.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath

from worldengine.machine.schema import Location
from worldengine.resources import folder

from .history import Node
from .rows import Row, row, span
from .session import Session

MEANING = {
    "parameter": "the words did not fit a command",
    "place": "the thing or the player is elsewhere",
    "logic": "the world does not allow it now",
}


@dataclass(frozen=True, slots=True)
class Why:
    """`lines` are the source lines of the requirement that failed, numbered from
    `location.line`; `what` says it in words where it was no requirement."""

    outcome: str
    action: str
    what: str
    template: str
    location: Location | None
    lines: tuple[str, ...]


def why(session: Session, node: Node, texts: dict[str, str]) -> Why | None:
    """Why this turn was refused; None if it was not. `texts` maps a script's name to it."""
    turn = node.transition
    if turn is None or turn.refusal is None:
        return None
    refusal, machine = turn.refusal, session.machine
    location: Location | None = None
    action = machine.schemas[refusal.schema].name if refusal.schema >= 0 else ""
    if refusal.requirement >= 0:
        operator = machine.operators[refusal.operator]
        location = location_of(session, operator.requirements[refusal.requirement].span)
        what = ""
    elif refusal.scope is not None:
        word, subject = refusal.scope
        what = f"{machine.objects[subject].name} is not {word}"
        location = location_of(session, machine.schemas[refusal.schema].span)
    else:
        what = "the words do not fit it" if action else "no action takes these words"
    return Why(
        turn.outcome_name, action, what, refusal.template, location, source_of(location, texts)
    )


def location_of(session: Session, span_index: int) -> Location | None:
    """Where a part of the Machine was written."""
    spans = session.machine.spans
    return spans[span_index] if 0 <= span_index < len(spans) else None


def source_of(location: Location | None, texts: dict[str, str]) -> tuple[str, ...]:
    """The lines of a location, at most four."""
    if location is None:
        return ()
    text = texts.get(location.file)
    if text is None:
        text = _library_text(location.file)
    last = min(location.end_line, location.line + 3)
    return tuple(text.split("\n")[location.line - 1 : last])


def _library_text(name: str) -> str:
    """The text of a file of verbs that ships; nothing for any other name."""
    path = PurePath(name)
    if path.parts[:1] != ("library",) or len(path.parts) != 2:
        return ""
    file = folder("worlds") / "library" / path.name
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def place_words(location: Location) -> str:
    """`bakery.world:218`, however long the way to the file is."""
    return f"{PurePath(location.file).name}:{location.line}"


def rows(found: Why) -> list[Row]:
    """The refusal for a narrow strip or a panel."""
    named = f" · {found.action}" if found.action else ""
    place = f" · {place_words(found.location)}" if found.location else ""
    shown = [
        row(
            (f"✗ {found.outcome}", "bad"),
            (f"  {MEANING[found.outcome]}{named}{place}", "muted"),
            action="source" if found.location else "",
            value=found.location,
            indent=2,
        )
    ]
    if found.what:
        shown.append(row(("  " + found.what, "note"), indent=2))
    elif found.location:
        for number, line in enumerate(found.lines, found.location.line):
            shown.append(row((f"{number:>5} │ ", "mark"), span(line.strip()), indent=8))
    if found.template and found.outcome == "parameter":
        shown.append(row(("  try: ", "muted"), (found.template, "command"), indent=2))
    return shown
