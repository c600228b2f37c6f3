"""Skeletons with holes, as the importers write them, made ready for a model to fill.

In: a script. Out: a draft whose first question is to fill its holes. Refused: a script
without holes.
"""

from __future__ import annotations

from worldengine.authoring.drafts import Draft, Settings
from worldengine.compiler import compile_source
from worldengine.diagnostics import render_terminal
from worldengine.source import Source


class NothingToFill(ValueError):
    """The script has no holes; the message is for people."""


def skeleton(name: str, text: str, settings: Settings) -> Draft:
    """See the module."""
    found = compile_source(Source(f"{name}.world", text)).diagnostics
    holes = [item for item in found if item.id == "hole"]
    if not holes:
        raise NothingToFill("there is no `// HOLE` in it, so nothing to complete")
    said = "The compiler lists what is missing:\n\n" + render_terminal(holes).rstrip()
    return Draft(name, "", settings, (text, said))
