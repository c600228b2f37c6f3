"""Worlds named on the command line, as evaluation takes them.

In: names, wordings. Out: worlds with their families; complaints are printed, and scripts with
errors end the command (`BrokenWorlds`).
"""

from __future__ import annotations

from collections.abc import Sequence

from worldengine.cli.printing import complaints
from worldengine.compiler import compile_source
from worldengine.evaluation.difficulty import family
from worldengine.evaluation.playing import World
from worldengine.inputs import find, read


class BrokenWorlds(ValueError):
    """Some scripts do not compile; what is wrong has been printed."""


def under_test(names: Sequence[str], wordings: Sequence[str] = (), seed: int = 0) -> list[World]:
    """Every world once as it is, and once in the words of each wording."""
    found: list[World] = []
    broken = 0
    for path in find(names):
        script = read(path)
        if script.problem is not None:
            complaints([script.problem])
            broken += 1
            continue
        compilation = compile_source(script.source)
        if compilation.machine is None:
            complaints(item for item in compilation.diagnostics if item.severity == "error")
            broken += 1
            continue
        text = script.source.text
        plain = World(compilation.machine, family(path), script=text)
        found.append(plain)
        for words in wordings:
            from worldengine.perturb import perturb

            other = perturb(script.source, [words], seed)
            found.append(World(other.machine, plain.family, words, plain.machine.hash, other.text))
    if broken:
        raise BrokenWorlds(f"{broken} of the scripts do not compile; nothing was played")
    return found
