"""What F1 shows: about what has the focus, then every key that works there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

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
    (("panel.commands", "panel.script"), " … ",
     "the panels; the same key again, or escape, leads back to typing"),
    (("command_palette",), "", "every command by name"),
    (("undo", "redo"), "  ", "undo and redo, without end"),
    (("start",), "", "another start of the world, or the same from its beginning"),
    (("keep",), "", "keep this play among the recorded ones (the skein)"),
    (("save", "open"), "  ", "save the whole history to a file, open one"),
    (("record",), "", "write this play as a test: .win, .lose or .fail"),
    (("quit",), "", "quit"),
)  # fmt: skip


def rows(
    title: str,
    help_text: str,
    keys: Iterable[tuple[str, str]],
    everywhere: Mapping[str, str],
    own: str,
) -> list[Row]:
    """The help of one widget. `keys` are the keys that work in it now, `everywhere` those of
    the screen by their name; `own` is where a person may choose others."""
    paragraphs = [row(each.replace("\n", " ")) for each in help_text.split("\n\n")]
    shown = [heading(title), *paragraphs, BLANK, heading("Keys here")]
    shown += [row((f"  {key:<16} ", "command"), words, indent=19) for key, words in keys]
    shown += [BLANK, heading("Keys everywhere")] if everywhere else []
    for names, between, words in MODES:
        at = between.join(everywhere[name] for name in names if name in everywhere)
        if at:
            name = "/".join(name for name in names if name != "command_palette")
            note = f"  [{name}]" if name else ""
            shown.append(row((f"  {at:<16} ", "command"), words, (note, "muted"), indent=19))
    told = f'Keys of your own: {own}, a line each, as in undo = "ctrl+g". Names in brackets.'
    shown += [BLANK, row((told, "muted"))]
    shown += [
        BLANK,
        heading("Signs"),
        row("  › what you typed   ✗ refused, with its class   ● milestone, or changed"),
        row("  parameter: the words fit no command", indent=4),
        row("  place: the thing or the player is elsewhere", indent=4),
        row("  logic: the world does not allow it now", indent=4),
    ]
    return shown
