"""Everything an author has on the desk: the script, the play, the recorded plays.

In: the path of a script, things that were loaded. Out: a session that survives edits of the
script, a skein kept in a file. The app draws a desk and asks it for what keys mean; nothing
here knows of a terminal.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from worldengine.cli.printing import counted
from worldengine.machine import Machine
from worldengine.proof import winning_plan
from worldengine.resources import folder

from . import saves, skein
from .coverage import Coverage, Play
from .history import Node, commands
from .session import Session
from .workshop import Loaded, Workshop


def plays_file(script: Path) -> Path:
    """Where the recorded plays of a script are kept: beside it. A world that ships with the
    package is read-only ground; its plays are kept in the folder one works in."""
    name = f"{script.stem}.plays.json"
    shipped = script.resolve().parent == folder("worlds").resolve()
    return Path(name) if shipped else script.with_name(name)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A play that was played again on another Machine: which one, up to where, what came of it
    (None: it could not be, and `problem` says why)."""

    session: Session
    at: Node
    turns: int
    restored: saves.Restored | None
    problem: str

    def of(self, session: Session | None) -> bool:
        """Whether this is all of the play as it is now."""
        return (
            session is self.session
            and session.at is self.at
            and len(session.history.nodes) == self.turns
        )


class Desk:
    """See the module. `session` is None as long as no version of the script has compiled."""

    def __init__(self, script: Path, variant: int = 0, plays: Path | None = None) -> None:
        self.workshop = Workshop(script)
        self.session: Session | None = None
        self.variant = variant
        self.plays_file = plays or plays_file(script)
        self.skein: skein.Skein | None = None
        self.coverage: Coverage | None = None
        self.dead: set[Node] = set()
        """Turns from which the checker has proven that nothing wins."""

    # -- the script --------------------------------------------------------------------

    def replayed(self, loaded: Loaded) -> Replayed | None:
        """The play, played again on what was loaded; None if there is nothing to play again.
        A long play takes a while: made for a thread."""
        session, machine = self.session, loaded.machine
        if session is None or machine is None or not self.workshop.differs(machine):
            return None
        at, turns = session.at, len(session.history.nodes)
        saved = saves.save(session, "")
        try:
            if saved.world != machine.name:
                saved = saved.model_copy(update={"world": machine.name})
            return Replayed(session, at, turns, saves.restore(machine, saved), "")
        except saves.SaveError as error:
            return Replayed(session, at, turns, None, str(error))

    def take(self, loaded: Loaded, replayed: Replayed | None = None) -> str:
        """Hand over a script that was loaded, and what came of playing on it to where one was
        (worked out now where that was not done before). The words for the person tell what
        became of the play; "" if there is nothing to tell."""
        again = replayed or self.replayed(loaded)
        first = self.session is None
        changed = self.workshop.take(loaded)
        if self.workshop.problem:
            return self.workshop.problem
        if self.workshop.broken:
            errors, _ = self.workshop.counts()
            kept = "" if first else "; the last good version keeps playing"
            return f"The script does not compile: {errors} error{'s'[: errors > 1]}{kept}."
        machine = self.workshop.machine
        if machine is None or not changed:
            return "" if first else "Saved; the world is the same."
        if self.session is None or again is None:
            return self._begin(machine)
        return self._again(machine, again)

    def _begin(self, machine: Machine) -> str:
        asked, last = self.variant, len(machine.variants) - 1
        self.variant = asked if 0 <= asked <= last else 0
        self.session = Session(machine, self.variant)
        return "" if asked == self.variant else f"There is no start {asked}: there are 0..{last}."

    def _again(self, machine: Machine, again: Replayed) -> str:
        self._forget_runs()
        restored = again.restored
        if restored is None:
            self._begin(machine)
            return f"Begun anew: {again.problem}"
        self.session, self.variant = restored.session, restored.session.variant
        if restored.difference is not None:
            return f"Replayed. {restored.difference.words}"
        turns = counted(self.session.at.depth, "turn")
        return f"Replayed {turns}; nothing on the way here differs."

    def _forget_runs(self) -> None:
        """What was found out about the world before it changed."""
        self.coverage = None
        self.dead.clear()
        if self.skein is not None:
            self.skein.forget()

    # -- the play ----------------------------------------------------------------------

    def restart(self, variant: int) -> None:
        """A new history from a start."""
        assert self.workshop.machine is not None
        self.variant = variant
        self.session = Session(self.workshop.machine, variant)

    def go_to(self, variant: int, way: tuple[str, ...]) -> None:
        """Play these commands from a start, as far as they can be played."""
        if self.session is None or self.session.variant != variant:
            self.restart(variant)
        assert self.session is not None
        self.session.jump(self.session.history.root)
        for command in way:
            if self.session.at.over:
                return
            self.session.play(command)

    def save(self, file: Path) -> None:
        assert self.session is not None
        saves.write(file, saves.save(self.session, self.workshop.good_text))

    def open(self, file: Path) -> str:
        """Restore a saved play; what differs from how it was saved."""
        assert self.workshop.machine is not None
        restored = saves.restore(self.workshop.machine, saves.load(file), self.workshop.good_text)
        self.session, self.variant = restored.session, restored.session.variant
        if restored.difference is not None:
            return restored.difference.words
        other = " The script has changed since, the play has not." if restored.other_script else ""
        return f"Restored {counted(restored.session.at.depth, 'turn')}.{other}"

    def record(self, folder_: Path) -> Path:
        """Write the play up to here as a test file."""
        assert self.session is not None
        return saves.record(self.session, folder_, self.session.machine.name)

    # -- recorded plays ----------------------------------------------------------------

    def recorded(self) -> skein.Skein:
        """The skein, read when it is first asked for."""
        if self.skein is None:
            assert self.workshop.machine is not None
            self.skein = skein.read(self.plays_file, self.workshop.machine.name)
        return self.skein

    def store(self) -> str:
        """Write the recorded plays to their file; why that did not work, or ""."""
        try:
            skein.write(self.plays_file, self.recorded())
        except OSError as error:
            return f"{self.plays_file} cannot be written: {error.strerror or error}"
        return ""

    def keep(self) -> str:
        """Weave the play up to here into the skein; words about it."""
        assert self.session is not None
        knot = self.recorded().add(self.session.variant, self.session.commands)
        if knot is None:
            return "There is nothing to keep yet."
        turns = counted(self.session.at.depth, "turn")
        return self.store() or f"Kept: {turns}, in {self.plays_file.name}."

    def keep_proofs(self) -> int:
        """Weave the world's own winning plays in, one for each start; how many there are.
        `store` is still to be called."""
        assert self.workshop.machine is not None
        machine, kept = self.workshop.machine, 0
        for variant in range(len(machine.variants)):
            plan = winning_plan(machine, variant)
            if plan:
                self.recorded().add(variant, plan)
                kept += 1
        return kept

    def all_plays(self) -> list[Play]:
        """Every play there is: recorded ones, the world's proofs, and this very session's."""
        machine = self.workshop.machine
        assert machine is not None
        found = [(knot.variant, skein.commands(knot)) for knot in self.recorded().leaves()]
        found += [(0, proof) for proof in machine.proofs]
        if self.session is not None:
            leaves: list[Node] = list(self.session.history.leaves())
            found += [(self.session.variant, commands(leaf)) for leaf in leaves]
        return list(dict.fromkeys(found))
