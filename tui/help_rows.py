"""What F1 shows: about what has the focus, then every key that works there."""

from __future__ import annotations

from collections.abc import Iterable

from .rows import BLANK, Row, heading, row

TYPING = (
    "Type a command and press enter. tab fills in what stands on the line below, tab again the\n"
    "next; up and down walk through what you typed. Short forms: x lamp (examine), l, i, z,\n"
    "g (again), it (the last thing), n; take key (two commands), undo 3, redo, restart.\n\n"
    "When several things answer to a name you are asked; type the number of the one you mean."
)
STORY = (
    "The story so far. Up and down walk over its turns; enter goes back to one. What you type\n"
    "then begins a branch; redo leads along what was played last. Nothing played is ever lost."
)
MODES = (
    ("F2 … F9", "the panels; the same key again, or escape, leads back to typing"),
    ("ctrl+p", "every command by name"),
    ("ctrl+z  ctrl+y", "undo and redo, without end"),
    ("ctrl+n", "another start of the world, or the same from its beginning"),
    ("ctrl+t", "keep this play among the recorded ones (the skein)"),
    ("ctrl+s  ctrl+o", "save the whole history to a file, open one"),
    ("ctrl+r", "write this play as a test: .win, .lose or .fail"),
    ("ctrl+q", "quit"),
)


def rows(title: str, help_text: str, keys: Iterable[tuple[str, str]]) -> list[Row]:
    """The help of one widget. `keys` are the keys that work in it now."""
    told = [row(each.replace("\n", " ")) for each in help_text.split("\n\n")]
    shown = [heading(title), *told, BLANK, heading("Keys here")]
    shown += [row((f"  {key:<16} ", "command"), words, indent=19) for key, words in keys]
    shown += [BLANK, heading("Keys everywhere")]
    shown += [row((f"  {key:<16} ", "command"), words, indent=19) for key, words in MODES]
    shown += [
        BLANK,
        heading("Signs"),
        row("  › what you typed   ✗ refused, with its class   ● milestone, or changed"),
        row("  parameter: the words fit no command", indent=4),
        row("  place: the thing or the player is elsewhere", indent=4),
        row("  logic: the world does not allow it now", indent=4),
    ]
    return shown
