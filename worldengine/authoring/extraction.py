"""The script inside what a model answered.

In: the answer, however long or odd, and whether it ran out of tokens. Out: the script, or
the reason why there is none, by a name of `REASONS`; and notes, by a name of `NOTES`, on
what stood around it. Nothing here judges whether the script is right: that is the
compiler's. All of it is linear in the length of the answer.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import Final

from worldengine.source import Source
from worldengine.syntax import parse
from worldengine.syntax.words import ITEM_WORDS

LONGEST: Final = 1 << 18
"""Characters of an answer that are looked at; a script of a world has some ten thousand."""
REASONS: Final = {
    "failed": "the model gave no answer",
    "empty": "the answer was empty",
    "too_long": f"the answer had more than {LONGEST:,} characters",
    "repetition": "the answer said the same thing over and over",
    "refusal": "the model declined to write",
    "wrong_language": "the answer was in another language than that of .world files",
    "no_script": "there was no script in the answer",
    "half_script": "the script broke off before its end",
}
"""Why an answer holds no script. Each is also told to the model, in these words."""
NOTES: Final = {
    "thinking": "thoughts in tags were taken off",
    "prose": "text around the script was left out",
    "fence": "a code fence was taken off",
    "joined": "a script in several fences was put together",
    "several_scripts": "there were several scripts; the last whole one was taken",
    "closed": "the tokens ran out under a grammar; the shortest ending was added",
}

_HEADER: Final = re.compile(r"^[ \t]*world[ \t]+[A-Za-z_]\w*[ \t]*(?:\"|\{)", re.MULTILINE)
_FENCE: Final = re.compile(r"^[ \t]*(?:```|~~~)[^\n]*$", re.MULTILINE)
_THINKING: Final = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL)
_ITEM: Final = re.compile(rf"^[ \t]*(?:{'|'.join(ITEM_WORDS)}|[a-z_]\w*[ \t]+\w+[^\n]*\")")
_DECLINING: Final = re.compile(
    r"\b(?:I(?:'|’)?m (?:sorry|afraid|unable|not able)|I (?:cannot|can(?:'|’)t|won(?:'|’)t|must "
    r"decline|am (?:unable|not able))|as an AI|against my)\b",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(
    r"^[ \t]*(?:def |class |import |from \w+ import |function |const |let |#include|<\?xml|"
    r"<!DOCTYPE|\(define |package |public class |[\"']?\w+[\"']?\s*:\s*[\[{\"]|[\[{]\s*$|"
    r"[A-Z][\w ]* is a (?:room|thing|person|container)\b)",
    re.MULTILINE,
)
_LOOKED_AT: Final = 4096
_REPEATS: Final = 0.04
"""Text that deflates below this share of its length says little but the same."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """Exactly one of `script` and `reason` is there."""

    script: str | None
    reason: str = ""
    notes: tuple[str, ...] = ()


def extract(text: str, cut: bool = False) -> Extracted:
    """See the module. `cut`: the answer ran out of tokens."""
    if not text.strip():
        return Extracted(None, "empty")
    if _repeats(text[:LONGEST]):
        return Extracted(None, "repetition")
    if len(text) > LONGEST:
        return Extracted(None, "too_long")
    notes: list[str] = []
    body = _THINKING.sub("", text)
    if body != text:
        notes.append("thinking")
    if not _HEADER.search(body):
        return Extracted(None, _why_none(body, cut), tuple(notes))
    script = _script(body, notes)
    if cut or _broken_off(script):
        return Extracted(None, "half_script", tuple(notes))
    return Extracted(script, "", tuple(notes))


def _repeats(text: str) -> bool:
    """Whether a long answer, or the long end of one, is the same again and again."""
    if len(text) < _LOOKED_AT:
        return False
    for part in (text, text[-_LOOKED_AT:]):
        data = part.encode("utf-8", "replace")
        if len(zlib.compress(data, 6)) < _REPEATS * len(data):
            return True
    return False


def _why_none(body: str, cut: bool) -> str:
    if not body.strip():
        return "half_script" if cut else "empty"
    if _OTHER.search(body):
        return "wrong_language"
    if _DECLINING.search(body):
        return "refusal"
    return "no_script"


def _script(body: str, notes: list[str]) -> str:
    """The script, taken out of fences and prose."""
    blocks = _blocks(body)
    if blocks:
        notes.append("fence")
        if _outside(body).strip():
            notes.append("prose")
        headed = [block for block in blocks if _HEADER.search(block)]
        if len(headed) == 1 and len(blocks) > 1:
            joined = "\n".join(blocks)
            if _parses(joined):
                notes.append("joined")
                return joined
        if headed:
            return _last(headed, notes)
    return _last(_headed_parts(body, notes), notes)


def _last(scripts: list[str], notes: list[str]) -> str:
    """The last script that is whole, else the last."""
    if len(scripts) > 1 and len({each.strip() for each in scripts}) > 1:
        notes.append("several_scripts")
    whole = [each for each in scripts if not _broken_off(each) and _parses(each)]
    return (whole or scripts)[-1]


def _blocks(body: str) -> list[str]:
    """What stands in fences; the last one may lack its end."""
    marks = list(_FENCE.finditer(body))
    found = []
    for at in range(0, len(marks), 2):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(body)
        found.append(body[marks[at].end() : end].strip("\n") + "\n")
    return [block for block in found if block.strip()]


def _outside(body: str) -> str:
    marks = list(_FENCE.finditer(body))
    kept, at = [], 0
    for index in range(0, len(marks), 2):
        kept.append(body[at : marks[index].start()])
        at = marks[index + 1].end() if index + 1 < len(marks) else len(body)
    return "".join([*kept, body[at:]])


def _headed_parts(body: str, notes: list[str]) -> list[str]:
    """From each header to the next, without prose before or after."""
    heads = [match.start() for match in _HEADER.finditer(body)]
    if body[: heads[0]].strip() and not _only_comments(body[: heads[0]]):
        notes.append("prose")
    parts = []
    for at, start in enumerate(heads):
        part = body[start : heads[at + 1] if at + 1 < len(heads) else len(body)]
        shorter = _without_talk(part)
        if shorter != part.rstrip() and "prose" not in notes:
            notes.append("prose")
        parts.append(shorter + "\n")
    return parts


def _only_comments(text: str) -> bool:
    return all(not line.strip() or line.lstrip().startswith("//") for line in text.split("\n"))


def _without_talk(part: str) -> str:
    """Lines at the end that stand outside of every brace and are no items are talk."""
    if _parses(part):
        return part.rstrip()
    lines = part.rstrip().split("\n")
    end = len(lines)
    while end > 1:
        line = lines[end - 1].strip()
        if not line or not (_ITEM.match(line) or line[-1] in '}"' or line.startswith("//")):
            end -= 1
            continue
        break
    shorter = "\n".join(lines[:end])
    return shorter if end == len(lines) or not _broken_off(shorter) else "\n".join(lines)


def _broken_off(script: str) -> bool:
    """Whether braces or a string are still open at the end."""
    depth, at, size = 0, 0, len(script)
    while at < size:
        sign = script[at]
        if sign == '"':
            at += 1
            while at < size and script[at] not in '"\n':
                at += 2 if script[at] == "\\" else 1
            if at >= size:
                return True
        elif sign == "/" and script.startswith("//", at):
            at = script.find("\n", at)
            if at < 0:
                break
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
        at += 1
    return depth > 0


def _parses(script: str) -> bool:
    document, _ = parse(Source("answer", script))
    return document is not None
