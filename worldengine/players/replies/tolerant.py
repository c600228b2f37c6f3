"""Replies as models really write them: fences, prose, several actions, JSON, no labels.

In: a reply that is not in the strict form. Out: the thought and the one command that can be
found in it, and what was repaired to get there, by name and in the order of REPAIRS. Where
several commands were written the first counts: the others were written before anything had
been shown for it. One pass over the lines and a few searches forward, no pattern matching:
the time is linear in the length.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from worldengine.players.replies.wrapping import LABELS, said_in_json, unwrapped

REPAIRS = {
    "tokens": "control tokens of a chat format were taken off",
    "thinking": "a thinking tag was read as the thought",
    "fence": "a code fence was taken off",
    "json": "an object in JSON was read",
    "labels": "a label was written in another way, or missing before a thought",
    "lines": "a thought or command went over several lines",
    "inline": "the label of the command stood inside a line",
    "no_label": "a line without a label was taken for the command",
    "wrapped": "quotation marks, brackets or the like around the command were taken off",
    "several": "there were several commands; the first was taken",
    "invented": "an observation was made up and left out",
    "blank": "empty lines stood where none belong",
    "prose": "text beside the thought and the command was left out",
    "empty": "no command was found",
}
"""What a repair means, by its name."""

TAGS = ("think", "thinking", "thought", "reasoning", "scratchpad")
TOKENS = ("<|im_end|>", "<|eot_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>", "</s>",
          "<eos>", "<end_of_turn>", "<|return|>")  # fmt: skip
DECORATION = "*#_`~>- \t"
LABEL_LENGTH = 24
SENTENCE_WORDS = 8
"""A line without a label of more words, or one that ends as a sentence of some words, is no
command."""


class Found(NamedTuple):
    thought: str
    command: str
    repairs: tuple[str, ...]


class Label(NamedTuple):
    """A line that begins with a label: which, what follows it, whether in the strict way."""

    kind: str
    rest: str
    exact: bool


def read(text: str) -> Found:
    """See the module."""
    repairs: set[str] = set()
    body = _without_tokens(text, repairs)
    thinking, body = _without_thinking(body, repairs)
    lines = _without_fences(body, repairs)
    found = _json(lines, repairs) if _opens_json(lines) else None
    if found is None:
        found = _labelled(lines, repairs) or _inline(lines, repairs)
    if found is None:
        found = _json(lines, repairs) or _bare(lines, repairs)
    thought, said = found
    command, taken_off = unwrapped(said)
    repairs.update(taken_off)
    thought = "\n".join(filter(None, (thinking.strip(), thought.strip())))
    if not command:
        repairs.add("empty")
    return Found(thought, command, ordered(repairs))


def ordered(repairs: Iterable[str]) -> tuple[str, ...]:
    """By the order of REPAIRS, each once."""
    found = frozenset(repairs)
    return tuple(name for name in REPAIRS if name in found)


# -- what stands around ------------------------------------------------------------------


def _without_tokens(text: str, repairs: set[str]) -> str:
    """A control token that ends a turn, and all after it: no model meant that for us."""
    ends = [at for at in map(text.find, TOKENS) if at >= 0]
    if not ends:
        return text
    repairs.add("tokens")
    return text[: min(ends)]


def _without_thinking(body: str, repairs: set[str]) -> tuple[str, str]:
    """What stands in thinking tags, and the rest. A tag that is never closed holds all that
    follows; one that was never opened (a template may open it) holds all before."""
    thoughts: list[str] = []
    for tag in TAGS:
        opening, closing = f"<{tag}>", f"</{tag}>"
        if closing not in body and opening not in body:
            continue
        repairs.add("thinking")
        rest: list[str] = []
        at = 0
        while (start := body.find(opening, at)) >= 0:
            end = body.find(closing, start)
            rest.append(body[at:start])
            thoughts.append(body[start + len(opening) : end if end >= 0 else len(body)])
            at = end + len(closing) if end >= 0 else len(body)
        tail = body[at:]
        if closing in tail:
            before, _, tail = tail.rpartition(closing)
            thoughts.append(before)
        body = _joined((*rest, tail))
    return "\n".join(filter(None, (thought.strip() for thought in thoughts))), body


def _joined(parts: Iterable[str]) -> str:
    """What stood on both sides of something, never as one word."""
    found: list[str] = []
    for part in filter(None, parts):
        if found and not found[-1][-1].isspace() and not part[0].isspace():
            found.append(" ")
        found.append(part)
    return "".join(found)


def _without_fences(body: str, repairs: set[str]) -> list[str]:
    lines = body.split("\n")
    kept = [line for line in lines if not line.lstrip().startswith(("```", "~~~"))]
    if len(kept) < len(lines):
        repairs.add("fence")
    return kept


# -- labels ------------------------------------------------------------------------------


def label(line: str) -> Label | None:
    """The label at the beginning of a line, however decorated."""
    head = line[: LABEL_LENGTH * 2]
    bare = head.lstrip(DECORATION)
    name, colon, _ = bare[:LABEL_LENGTH].partition(":")
    if not colon:
        return None
    word = name.strip(DECORATION).rstrip("0123456789 ").lower()
    kind = LABELS.get(word)
    if kind is None:
        return None
    at = len(head) - len(bare) + len(name) + 1
    exact = line.startswith(("Thought:", "Action:", "Observation:"))
    return Label(kind, line[at:].lstrip("*_ \t") if not exact else line[at:].strip(), exact)


def _labelled(lines: list[str], repairs: set[str]) -> tuple[str, str] | None:
    """Thought and command of a reply in which a line begins with the label of a command."""
    labels = [label(line) for line in lines]
    at = next((i for i, each in enumerate(labels) if each and each.kind == "action"), -1)
    if at < 0:
        return None
    action = labels[at]
    assert action is not None
    command, after = action.rest.strip(), at + 1
    if not command.strip(DECORATION):
        after = next((i for i in range(after, len(lines)) if lines[i].strip()), len(lines))
        if after < len(lines) and labels[after] is None:
            repairs.add("lines")
            command, after = lines[after].strip(), after + 1
    thought = _thought(lines[:at], labels[:at], repairs)
    if any(each and not each.exact for each in labels[: at + 1]):
        repairs.add("labels")
    rest = [each for each in labels[after:] if each is not None]
    if any(each.kind == "action" for each in rest):
        repairs.add("several")
    if any(each.kind == "observation" for each in rest):
        repairs.add("invented")
    if not rest and any(line.strip() for line in lines[after:]):
        repairs.add("prose")
    return thought, command


def _thought(lines: list[str], labels: list[Label | None], repairs: set[str]) -> str:
    """What stands before the command: all of it, without its labels."""
    said: list[str] = []
    labelled = False
    for line, each in zip(lines, labels, strict=True):
        if each is not None and each.kind == "observation":
            repairs.add("invented")
            break
        text = line.strip() if each is None else each.rest.strip()
        labelled = labelled or each is not None
        if text:
            said.append(text)
    if len(said) > 1:
        repairs.add("lines")
    if said and not labelled:
        repairs.add("labels")
    return "\n".join(said)


def _inline(lines: list[str], repairs: set[str]) -> tuple[str, str] | None:
    """`… Action: go north` in the middle of a line."""
    for at, line in enumerate(lines):
        before, found, after = line.partition("Action:")
        if found:
            repairs.add("inline")
            command, again, _ = after.partition("Action:")
            if again:
                repairs.add("several")
            head = [*lines[:at], before]
            return _thought(head, [label(each) for each in head], repairs), command.strip(" \t*_")
    return None


def _bare(lines: list[str], repairs: set[str]) -> tuple[str, str]:
    """No label at all: the last line, if it may be a command."""
    said = [line.strip() for line in lines if line.strip()]
    labels = [label(line) for line in said]
    last = said[-1].lstrip(DECORATION) if said else ""
    words = last.split()
    sentence = len(words) > SENTENCE_WORDS or (last.endswith((".", "?", "!")) and len(words) > 4)
    if not words or sentence or labels[-1] is not None:
        return _thought(said, labels, repairs), ""
    repairs.add("no_label")
    return _thought(said[:-1], labels[:-1], repairs), last


# -- JSON ----------------------------------------------------------------------------------


def _opens_json(lines: list[str]) -> bool:
    first = next((line.lstrip() for line in lines if line.strip()), "")
    return first.startswith("{")


def _json(lines: list[str], repairs: set[str]) -> tuple[str, str] | None:
    """The first object in JSON, if it names a command. It is tried at one place only."""
    body = "\n".join(lines)
    at = body.find("{")
    fields, end = said_in_json(body, at) if at >= 0 else (None, at)
    if fields is None:
        return None
    thought, command = fields
    repairs.add("json")
    before = [line.strip() for line in body[:at].split("\n") if line.strip()]
    if not thought and before:
        thought = _thought(before, [label(line) for line in before], repairs)
    if body[end:].strip():
        repairs.add("prose")
    return thought, command
