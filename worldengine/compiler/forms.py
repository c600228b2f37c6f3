"""Forms: `pour [some] water (on|over) {p}` to a template and the pieces of a pattern.

The canonical print leaves optional words out and takes the first alternative. The pattern
is RE2 source over normalised text, cut where parameters stand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from worldengine.compiler.reporter import Reporter
from worldengine.machine.schema import Form
from worldengine.matching.normal import normalise
from worldengine.source import Span

MAX_FORM = 200
"""Characters a form may have."""

TOKEN = re.compile(r"\{([^{}]*)\}|\[([^\[\]]*)\]|\(([^()]*)\)|(\s+)|([^\s{}\[\]()]+)|([{}\[\]()])")


@dataclass(frozen=True, slots=True)
class _Word:
    """What stands between two blanks: its RE2 pieces, its canonical print."""

    pattern: tuple[str | int, ...]
    template: tuple[str | int, ...]
    optional: bool
    literal: int


class FormError(ValueError):
    """The form cannot be read; the message says why, `hint` what to do."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def read_form(
    pattern: str, names: tuple[str, ...], span: Span, report: Reporter, action: str
) -> Form | None:
    """The Form, or None when it was reported."""
    try:
        return _assemble(_words(pattern, names), names)
    except FormError as problem:
        report.error("form-invalid", span, f"in action `{action}`: {problem}", problem.hint)
    return None


def _words(pattern: str, names: tuple[str, ...]) -> list[_Word]:
    if len(pattern) > MAX_FORM:
        raise FormError(f"a form has at most {MAX_FORM} characters")
    words: list[_Word] = []
    pieces: list[tuple[str, str]] = []
    for found in TOKEN.finditer(pattern):
        slot, optional, choice, blank, plain, stray = found.groups()
        if stray is not None:
            raise FormError(
                f"`{stray}` has no partner in the form",
                "[word] is optional, (this|that) is a choice, {p} is a parameter",
            )
        if blank is not None:
            _close(words, pieces)
        elif slot is not None:
            pieces.append(("slot", slot.strip()))
        elif optional is not None:
            pieces.append(("optional", optional))
        elif choice is not None:
            pieces.append(("choice", choice))
        else:
            pieces.append(("plain", plain))
    _close(words, pieces)
    if not words:
        raise FormError("the form is empty", "write what the player types, as in `water {p}`")
    return [_resolved(word, names) for word in words]


def _close(words: list[_Word], pieces: list[tuple[str, str]]) -> None:
    if pieces:
        words.append(_word(pieces))
        pieces.clear()


def _word(pieces: list[tuple[str, str]]) -> _Word:
    pattern: list[str | int] = []
    template: list[str | int] = []
    literal = 0
    alone = len(pieces) == 1
    for kind, value in pieces:
        if kind == "slot":
            pattern.append("\0" + value)
            template.append("\0" + value)
            continue
        if "{" in value or "}" in value:
            raise FormError("a parameter cannot stand inside [ ] or ( )", "write two forms instead")
        options = [normalise(option) for option in value.split("|")]
        if kind != "plain" and not any(options):
            raise FormError("empty brackets in the form")
        if kind == "plain":
            words = normalise(value)
            pattern.append(re.escape(words))
            template.append(words)
            literal += len(words)
            continue
        group = "(?:" + "|".join(_spaced(option) for option in options) + ")"
        if kind == "optional":
            if alone:
                return _Word((group,), (), True, 0)
            pattern.append(group + "?")
            continue
        pattern.append(group)
        template.append(options[0])
        literal += min(len(option) for option in options)
    return _Word(tuple(pattern), tuple(template), False, literal)


def _spaced(option: str) -> str:
    return " ".join(re.escape(word) for word in option.split(" "))


def _resolved(word: _Word, names: tuple[str, ...]) -> _Word:
    """Slots by number instead of by name."""

    def place(piece: str | int) -> str | int:
        if isinstance(piece, int) or not piece.startswith("\0"):
            return piece
        name = piece[1:]
        if name not in names:
            known = (
                ", ".join(f"{{{item}}}" for item in names) or "none: the action has no parameters"
            )
            raise FormError(
                f"`{{{name}}}` is not a parameter of the action", f"known here: {known}"
            )
        return names.index(name)

    return _Word(
        tuple(place(piece) for piece in word.pattern),
        tuple(place(piece) for piece in word.template),
        word.optional,
        word.literal,
    )


def _assemble(words: list[_Word], names: tuple[str, ...]) -> Form:
    if all(word.optional for word in words):
        raise FormError("everything in the form is optional", "leave one word without brackets")
    last = max(number for number, word in enumerate(words) if not word.optional)
    pattern: list[str | int] = []
    template: list[str | int] = []
    for number, word in enumerate(words):
        if word.optional:
            source = word.pattern[0]
            pattern.append(f"(?:{source} )?" if number < last else f"(?: {source})?")
            continue
        pattern.extend(word.pattern)
        if template:
            template.append(" ")
        template.extend(word.template)
        if number < last:
            pattern.append(" ")
    slots = [piece for piece in pattern if isinstance(piece, int)]
    for index, name in enumerate(names):
        if slots.count(index) != 1:
            how = "does not stand" if index not in slots else "stands more than once"
            raise FormError(
                f"the parameter `{name}` {how} in the form",
                "every form names each parameter exactly once",
            )
    for first, second in pairwise(pattern):
        if isinstance(first, int) and isinstance(second, int):
            raise FormError("two parameters touch each other", "put a word or a space between them")
    literal = sum(word.literal for word in words)
    return Form(_merged(template), _merged(pattern), "", literal)


def _merged(pieces: list[str | int]) -> tuple[str | int, ...]:
    """Adjacent strings as one."""
    found: list[str | int] = []
    for piece in pieces:
        if isinstance(piece, str) and found and isinstance(found[-1], str):
            found[-1] += piece
        elif piece != "":
            found.append(piece)
    return tuple(found)


def read_regex(
    pattern: str, parameters: int, canonical: Form | None, span: Span, report: Reporter, action: str
) -> Form | None:
    """An author's own regular expression: RE2 must take it, one group a parameter."""
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 20
    try:
        groups = re2.compile(pattern, options).groups
    except re2.error as problem:
        first = problem.args[0] if problem.args else problem
        reason = first.decode("utf-8", "replace") if isinstance(first, bytes) else str(first)
        report.error(
            "regex-invalid",
            span,
            f"in action `{action}`: this regular expression cannot be run: {reason}",
            "patterns run in linear time (RE2): no look-around, no back-references, "
            "small repetition counts",
        )
        return None
    if groups != parameters:
        report.error(
            "regex-groups",
            span,
            f"in action `{action}`: the regular expression has {groups} groups, "
            f"the action {parameters} parameters",
            "group i is parameter i; write (?:…) for a group that captures nothing",
        )
        return None
    if canonical is None:
        report.error(
            "regex-needs-form",
            span,
            f"action `{action}` has a regular expression but no form",
            "add a form: it is how the command is printed",
        )
        return None
    return Form(canonical.template, (), pattern, 0)
