"""The standard library of verbs: `.world` files that ship with the package.

In: the names a script `use`s. Out: their syntax trees, parsed once a process.
"""

from __future__ import annotations

from functools import cache

from worldengine import resources
from worldengine.compiler.reporter import Reporter
from worldengine.diagnostics import Diagnostic
from worldengine.source import Source
from worldengine.syntax import ast, parse

VERBS = ("travel", "take", "open", "unlock", "wear", "read", "talk", "give", "push", "switch")
"""What `use` may name; order of files is order of forms."""
BRINGS = {"push": frozenset({"switch"})}
"""Verbs that come along: who may turn a thing expects to turn a device on."""
ALWAYS = frozenset({"look", "examine", "inventory", "wait"})
SYNONYMS = {
    "put": "take", "drop": "take", "go": "travel", "lock": "unlock", "close": "open",
    "ask": "talk", "show": "give", "pull": "push", "turn": "push", "remove": "wear",
    "take_off": "wear", "get": "take", "enter": "travel", "leave": "travel",
}  # fmt: skip


class LibraryBroken(Exception):
    """A library file does not parse: our mistake, never an author's."""

    def __init__(self, name: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(f"library/{name}.world: {diagnostics}")


@cache
def library_file(name: str) -> ast.Document:
    path = resources.folder("worlds") / "library" / f"{name}.world"
    source = Source(f"library/{name}.world", path.read_text("utf-8"))
    document, diagnostics = parse(source, library=True)
    if document is None:
        raise LibraryBroken(name, diagnostics)
    return document


def used_library(own: ast.Document, reporter: Reporter) -> list[ast.Document]:
    """The kinds, the verbs of every world, then those the script uses, in library order."""
    wanted: set[str] = set()
    for item in own.items:
        if not isinstance(item, ast.Use):
            continue
        for name in item.names:
            verb = SYNONYMS.get(name.text, name.text)
            if verb in VERBS:
                wanted.add(verb)
                wanted |= BRINGS.get(verb, frozenset())
            elif verb not in ALWAYS:
                reporter.unknown(
                    "use-unknown", name.span, "verb to use", name.text, [*VERBS, *ALWAYS]
                )
    files = ["kinds", "always", *(verb for verb in VERBS if verb in wanted)]
    return [library_file(name) for name in files]


def verb_file(action: str) -> str | None:
    """Which `use` brings an action, if any."""
    for verb in VERBS:
        for item in library_file(verb).items:
            if isinstance(item, ast.Action) and item.name.text == action:
                return verb
    return None
