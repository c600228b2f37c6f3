"""The page an author is given, made from a template, the grammar and the verbs' library.

In: nothing. Out: text. Every fenced block of a template is a piece of one world; joined they
are a script that compiles and is won, which a test holds them to. Lists of kinds, verbs,
scopes and words are read from the files that define them. So the page cannot drift.
Refused: a template that asks for a list this module does not make.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from worldengine import resources
from worldengine.compiler.library import BRINGS, VERBS, library_file
from worldengine.syntax import ast
from worldengine.syntax.words import BUILT_IN_KINDS

FENCE: Final = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SLOT: Final = re.compile(r"\{\{(\w+)\}\}")
_QUOTED: Final = re.compile(r'"([a-z]+)"')


def page() -> str:
    """The one page for models."""
    return _filled("reference.txt")


def guide() -> str:
    """The longer guide for people: the page and more, with more of the same world."""
    return _filled("guide.txt")


def example(text: str) -> str:
    """The world that the fenced blocks of a page are pieces of."""
    return "\n".join(match.group(1) for match in FENCE.finditer(text))


@cache
def _filled(name: str) -> str:
    template = resources.read("authoring", name)
    return _SLOT.sub(lambda match: _LISTS[match.group(1)](), template)


def grammar_rule(name: str) -> tuple[str, ...]:
    """The quoted words of one rule or terminal of the grammar, in order."""
    text = resources.read("grammars", "world.lark")
    found = re.search(rf"^\??{name}\b[^:\n]*:(.*(?:\n  \|.*)*)", text, re.MULTILINE)
    if found is None:
        raise KeyError(f"the grammar has no rule called {name}")
    return tuple(_QUOTED.findall(found.group(1)))


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _verbs() -> str:
    rows = [f"- always: {_actions('always')}"]
    for verb in VERBS:
        more = "".join(f"; brings {other} along" for other in sorted(BRINGS.get(verb, ())))
        rows.append(f"- {verb}: {_actions(verb)}{more}")
    return "\n".join(rows)


def _actions(file: str) -> str:
    actions = [item for item in library_file(file).items if isinstance(item, ast.Action)]
    return ", ".join(_action(action) for action in actions)


def _action(action: ast.Action) -> str:
    """`put x in c`, or `put_on (put x on c)` where the form does not begin with the name."""
    form = next(part for part in action.parts if isinstance(part, ast.Form))
    spoken = re.sub(r"\(([^|)]*)\|[^)]*\)", r"\1", form.pattern)
    spoken = re.sub(r"\{(\w+)\}", lambda match: match.group(1).upper(), spoken)
    name = action.name.text
    return spoken if spoken.split()[0] == name else f"{spoken} (`{name}`)"


def _kinds() -> str:
    """Each built-in kind with the attributes that it brings beyond those of a thing."""
    declared = {
        item.name.text: item for item in library_file("kinds").items if isinstance(item, ast.Kind)
    }
    return ", ".join(
        f"`{name}`{_attributes(declared, name)}" for name in BUILT_IN_KINDS if name in declared
    )


def _attributes(declared: dict[str, ast.Kind], name: str) -> str:
    shown: list[str] = []
    kind: ast.Kind | None = declared[name]
    while kind is not None and (kind.name.text != "thing" or name == "thing"):
        shown += [_attribute(each) for each in kind.fields if isinstance(each, ast.Attribute)]
        kind = declared[kind.parents[0].text] if kind.parents else None
    return f" ({', '.join(shown)})" if shown else ""


def _attribute(attribute: ast.Attribute) -> str:
    """A name; with its value where that is not what one expects."""
    name, value = attribute.name.text, attribute.value
    if isinstance(value, ast.Boolean) and (value.value or attribute.type is None):
        return f"{name} = {'true' if value.value else 'false'}"
    return name


_LISTS: Final[dict[str, Callable[[], str]]] = {
    "page": page,
    "verbs": _verbs,
    "kinds": _kinds,
    "scopes": lambda: _listed(grammar_rule("SCOPE")),
    "classes": lambda: _listed(grammar_rule("REFUSAL")),
}
