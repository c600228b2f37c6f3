"""`worldengine reference`: the page that an author, a model or a person, is given."""

from __future__ import annotations

import argparse

from worldengine.authoring.reference import guide, page
from worldengine.cli.printing import document, out


def run(arguments: argparse.Namespace) -> int:
    """The page, or with --long the guide; with --json under the key `page`."""
    text = guide() if arguments.long else page()
    if arguments.json:
        document({"page": text, "words": len(text.split())})
    else:
        out(text.rstrip("\n"))
    return 0
