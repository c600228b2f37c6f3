"""From the name of a world to its Machine.

In: the path of a script, or the name of a world that ships. Out: its Machine. Refused: a name that
stands for no script or for several (InputError), a script with mistakes (CompileError); both are
ValueErrors whose message is for people.
"""

from __future__ import annotations

import os

from worldengine.compiler import CompileError, compile
from worldengine.inputs import InputError, find, read
from worldengine.machine import Machine


def load(world: str | os.PathLike[str]) -> Machine:
    """The Machine of a script, by its path or by the name of a shipped world.

        machine = worldengine.load("tide_clock")
        machine = worldengine.load("worlds/lamp.world")

    See the module for what is refused."""
    if not isinstance(world, str | os.PathLike):
        raise TypeError(f"a world is loaded by its path or name, not by {type(world).__name__}")
    name = os.fspath(world)
    (path, *others) = find([name])
    if others:
        raise InputError(f"{name!r} names {1 + len(others)} worlds; name one")
    script = read(path)
    if script.problem is not None:
        raise CompileError((script.problem,))
    return compile(script.source.text, script.source.name)
