"""A row for a person: what is learnt in green, what is masked dim, each reply with its kind.

In: runs, export options, the number of a row. Out: text. Without colour, what is learnt
stands between ⟦ and ⟧. A token row is shown from its ids and labels, as a trainer sees it, so
a mask that were wrong would be seen to be; control characters are shown, not sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from worldengine.rollout.storage import Run
from worldengine.tuning.export import ExportError, rows_of
from worldengine.tuning.sources import Exported, Options
from worldengine.tuning.tokenizer import ChatTokenizer
from worldengine.tuning.tokens import IGNORED

GREEN, DIM, RED, PLAIN = "\x1b[32m", "\x1b[2m", "\x1b[31m", "\x1b[0m"
KEPT = "\n\u200d"


def view(runs: Sequence[Path], options: Options, number: int, colour: bool = False) -> str:
    """Row `number`, counted from 1, of what would be exported; the first variant's."""
    opened = [Run(folder) for folder in runs]
    summary = Exported(tokens=None if options.tokens is None else 0)
    left = number
    for _, made in rows_of(opened, options, summary):
        if left <= len(made[0]):
            return shown(made[0][left - 1].row, options, colour)
        left -= len(made[0])
    raise ExportError(f"there is no row {number}; the export has {number - left}")


def shown(row: dict[str, Any], options: Options, colour: bool) -> str:
    """One row as text: its fields, then what is said in it."""
    paint = Paint(colour)
    if "input_ids" in row:
        assert options.tokens is not None
        body = _of_tokens(row, options.tokens.tokenizer, paint)
    else:
        body = _of_messages(row, paint)
    hidden = {"messages", "conversations", "prompt", "completion", "chosen", "rejected"}
    hidden |= {"input_ids", "labels", "spans", "ending"}
    fields = {name: value for name, value in row.items() if name not in hidden}
    head = json.dumps(fields, ensure_ascii=False)
    return f"{_harmless(head)}\n\n{body}"


class Paint:
    """Colours, or brackets where there are none."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def learnt(self, text: str) -> str:
        return f"{GREEN}{text}{PLAIN}" if self._colour else f"⟦{text}⟧"

    def masked(self, text: str) -> str:
        return f"{RED}{text}{PLAIN}" if self._colour else text

    def context(self, text: str) -> str:
        return f"{DIM}{text}{PLAIN}" if self._colour else text


def _of_tokens(row: dict[str, Any], tokenizer: ChatTokenizer, paint: Paint) -> str:
    """The ids in stretches: context, replies, masked replies."""
    replies = {at: span for span in row["spans"] for at in range(span["start"], span["end"])}
    labels = row["labels"]

    def group(at: int) -> tuple[int, bool]:
        span = replies.get(at)
        return (-1 if span is None else span["turn"], labels[at] != IGNORED)

    parts = []
    for (turn, learnt), places in groupby(range(len(labels)), key=group):
        ids = [row["input_ids"][at] for at in places]
        text = _harmless(tokenizer.decode(ids))
        if learnt:
            parts.append(paint.learnt(text))
        else:
            parts.append(paint.context(text) if turn < 0 else paint.masked(text))
    trained = sum(label != IGNORED for label in labels)
    kinds = [f"turn {s['turn'] + 1}: {s['kind']}" for s in row["spans"] if s["kind"]]
    foot = f"{len(labels)} tokens, {trained} trained; {', '.join(kinds) or 'no error'}"
    return "".join(parts) + f"\n\n{foot}"


def _of_messages(row: dict[str, Any], paint: Paint) -> str:
    parts: list[str] = []
    for name in ("messages", "conversations", "prompt", "completion", "chosen", "rejected"):
        if name not in row:
            continue
        if name in ("completion", "chosen", "rejected"):
            parts.append(f"-- {name} --")
        parts += _messages(row[name], paint, name in ("completion", "chosen"))
    return "\n".join(parts)


def _messages(messages: Iterable[dict[str, Any]], paint: Paint, learnt: bool) -> Iterable[str]:
    for each in messages:
        role = each.get("role") or each.get("from") or ""
        content = each.get("content", each.get("value", ""))
        if isinstance(content, list):
            content = "".join(part["value"] for part in content)
        text = _harmless(str(content))
        flag = next((each[key] for key in ("loss", "weight", "loss_weight") if key in each), learnt)
        if role in ("assistant", "gpt"):
            text = paint.learnt(text) if flag else paint.masked(text)
        else:
            text = paint.context(text)
        yield f"{role}:\n{text}\n"


def _harmless(text: str) -> str:
    """Text without the characters that a terminal would obey."""
    return "".join(c if c.isprintable() or c in KEPT else "\ufffd" for c in text)
