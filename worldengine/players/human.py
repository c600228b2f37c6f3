"""The human player: somebody at a terminal, line by line.

In: what a view shows, written to standard error; a line of standard input for each turn.
Out: that line as the command, or `Thought: …` first where one wants to leave a thought.
`quit` or the end of the input stops the run, which keeps the episodes that were finished.
"""

from __future__ import annotations

import sys

from worldengine.players.options import Option
from worldengine.players.protocol import Each, Player, PlayerError, Settings, Start
from worldengine.players.reply import Reply, write
from worldengine.players.view import View

OPTIONS: tuple[Option, ...] = ()
LINE_LIMIT = 4096


class Human:
    """See the module."""

    name = "human"
    guidance = ""

    def __init__(self) -> None:
        self.settings: Settings = {}

    def begin(self, start: Start) -> None:
        _show(f"\n{'=' * 60}\n{start.view.prompt}")

    def act(self, view: View) -> Reply:
        _show(f"\n{view.last}\n")
        thought = ""
        while True:
            line = _line(f"[{view.turns_left} turns left] > ")
            if line.lower().startswith("thought:"):
                thought = line.partition(":")[2]
            elif line.lower() == "help":
                _show("\n".join(choice.text for choice in view.choices()))
            elif line == "quit":
                raise PlayerError("stopped by the player; go on with --resume")
            elif line:
                return write(thought, line)


def _show(text: str) -> None:
    """Text of a world or of somebody else's: no control sequence of it reaches a terminal."""
    safe = "".join(c if c == "\n" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    print(safe, file=sys.stderr, flush=True)


def _line(prompt: str) -> str:
    print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline(LINE_LIMIT)
    if not line:
        raise PlayerError("the input has ended; go on with --resume")
    return line.strip()


def make(argument: str, settings: Settings) -> Player:
    """What `human` names."""
    del argument, settings
    return Each(Human)
