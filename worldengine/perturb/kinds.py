"""The kinds of perturbation: each a tree in, and a tree with another surface out.

None touches an identifier, a condition or a statement that changes anything; `distractors`
alone adds things, and therefore claims nothing about the Machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from worldengine.compiler.library import VERBS
from worldengine.perturb import tables
from worldengine.perturb.commands import fixed_head, fixed_joint, joints, library, order, verbs
from worldengine.perturb.inverse import inverse
from worldengine.perturb.objects import closed_up, distractors, numbering, rename
from worldengine.perturb.rewriting import Change, Kind, Words, in_form, in_texts, rewrite
from worldengine.syntax import ast


def observations(document: ast.Document, draw: Random) -> Change:
    """Another style for what is told after a command, accepted or refused."""
    before, after = draw.choice(tables.STYLES)

    def styled(text: ast.Text) -> ast.Text:
        if not text.parts:
            return text
        parts = (ast.Literal(before), *text.parts, ast.Literal(after))
        return replace(text, parts=merged(parts))

    def visit(node: Any) -> Any:
        if isinstance(node, ast.Say | ast.Require) and node.text is not None:
            return replace(node, text=styled(node.text))
        return node

    return rewrite(document, visit), {"before": before, "after": after}


def merged(parts: tuple[ast.Part, ...]) -> tuple[ast.Part, ...]:
    found: list[ast.Part] = []
    for part in parts:
        if isinstance(part, ast.Literal) and not part.value:
            continue
        if isinstance(part, ast.Literal) and found and isinstance(found[-1], ast.Literal):
            found[-1] = replace(found[-1], value=found[-1].value + part.value)
        else:
            found.append(part)
    return tuple(found)


def translated(table: Mapping[str, str]) -> Kind:
    """A surface from a table: words and phrases in names, forms and texts."""

    def apply(document: ast.Document, draw: Random) -> Change:
        return translate(document, Words(table)), dict(table)

    return apply


def translate(document: ast.Document, words: Words) -> ast.Document:
    def visit(node: Any) -> Any:
        if isinstance(node, ast.Object):
            aka = tuple(words(name) for name in node.aka)
            return replace(node, display=words(node.display), aka=aka)
        if isinstance(node, ast.EnumValue) and node.display is not None:
            return replace(node, display=words(node.display))
        if isinstance(node, ast.Form):
            return replace(node, pattern=in_form(node.pattern, words))
        return node

    return in_texts(rewrite(document, visit), words)


KINDS: dict[str, Kind] = {
    "rename": rename,
    "numbering": numbering,
    "verbs": verbs,
    "joints": joints,
    "order": order,
    "inverse": inverse,
    "observations": observations,
    "distractors": distractors,
    "with-using": fixed_joint("with", "using"),
    "go-move": fixed_head("go", "move"),
    "no-space": closed_up,
}
PRESETS: dict[str, tuple[str, ...]] = {
    "agentrefine": ("library", "joints", "verbs", "order", "numbering"),
    "agentrefine-1": ("library", "with-using"),
    "agentrefine-2": ("library", "go-move"),
    "agentrefine-3": ("library", "order"),
    "agentrefine-4": ("library", "no-space"),
    "surface": ("library", "rename", "numbering", "verbs", "joints", "order", "observations"),
}
"""`agentrefine-1` to `-4`: the four ways in which its robustness study rewrote the candidate
actions (its appendix K), each alone, for every form of the same shape; `agentrefine`: all
four in one, with words drawn from tables."""
CLAIMS_NOTHING = frozenset({"distractors"})


def named(name: str) -> list[tuple[str, Kind]]:
    """The steps of a kind or preset, each under the name of its kind. KeyError if unknown."""
    if name in PRESETS:
        return [step for part in PRESETS[name] for step in named(part)]
    if name == "library":
        return [("library", library(verb)) for verb in VERBS]
    return [(name, KINDS[name])]
