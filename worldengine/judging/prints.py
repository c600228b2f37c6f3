"""A text of a script as its reader sees it, and all texts that the world may say, by occasion.

In: a tree. Out: lines. Where what is said depends on the state, the alternatives stand in
⟨one / another⟩ and the condition does not; an insertion is …. Refusals are left out, of actions,
hooks and exits: they go with the requirement that they tell, and a reader of a world whose
author forgot one would not see it either.
"""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.compiler.order import walk
from worldengine.syntax import ast

BY_STATE = "⟨"


def printed(text: ast.Text) -> str:
    """See the module."""
    return " ".join(_parts(text.parts).split())


def _parts(parts: tuple[ast.Part, ...]) -> str:
    return "".join(_part(part) for part in parts)


def _part(part: ast.Part) -> str:
    if isinstance(part, ast.Literal):
        return part.value
    if not isinstance(part, ast.TextIf):
        return "…"
    branches = [_parts(part.then)]
    rest = part.otherwise
    while len(rest) == 1 and isinstance(rest[0], ast.TextIf):  # else if
        branches.append(_parts(rest[0].then))
        rest = rest[0].otherwise
    return f"{BY_STATE}{' / '.join([*branches, _parts(rest)])}⟩"


def descriptions(document: ast.Document) -> Iterator[tuple[str, str]]:
    """What is told of a thing when it is looked at or read, by its name in the script. Several
    texts of one thing are alternatives."""
    for item in document.items:
        if isinstance(item, ast.Object | ast.Player):
            name = item.name.text if isinstance(item, ast.Object) else "player"
            for what in ("describe", "read"):
                told = [f for f in item.fields if isinstance(f, ast.Describe) and f.what == what]
                words = [printed(f.text) for f in told]
                if not words:
                    continue
                chosen = len(words) > 1 or told[0].when is not None
                said = f"{BY_STATE}{' / '.join(words)}⟩" if chosen else words[0]
                yield name if what == "describe" else f"{name}, read", said
            for exit_ in item.fields:
                if isinstance(exit_, ast.Exit):
                    through = f" through {exit_.door.text}" if exit_.door else ""
                    yield name, f"a way {exit_.direction.text} to {exit_.target.text}{through}"


def answers(document: ast.Document) -> Iterator[tuple[str, list[str]]]:
    """What an own action says where it is accepted, by its name; what is said on top of an
    action; what happens by itself; the endings."""
    for item in document.items:
        if isinstance(item, ast.Action):
            yield item.name.text, _said(item)
        elif isinstance(item, ast.Hook):
            yield f"{item.when} {item.action.text}", _said(item)
        elif isinstance(item, ast.Rule):
            yield "by itself", _said(item)
        elif isinstance(item, ast.Derive) and isinstance(item.body, ast.Text):
            yield "words inside other texts", [printed(item.body)]
        elif isinstance(item, ast.Ending) and item.text is not None:
            yield "the end, won" if item.which == "win" else "the end, lost", [printed(item.text)]


def _said(item: ast.Node) -> list[str]:
    return [printed(node.text) for node in walk(item) if isinstance(node, ast.Say)]
