"""The trail of an episode: what was shown in it, kept so that looking back costs little.

In: views of one episode, each with a turn more than the last. Out: where the player was shown
to be, what it took along, which turns mention a name. A trail grows by what a view has more
than the one before; where a view shows other turns than those it has seen it begins anew. So
it never says anything that does not follow from the view it is asked with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from worldengine.players.shown.figures import numbers
from worldengine.players.shown.wording import mentions

if TYPE_CHECKING:
    from worldengine.players.view import Phrase, Shown, View

Answer = TypeVar("Answer")

TAKING = frozenset({"take", "get", "pick", "grab"})
LETTING_GO = frozenset({"drop", "put", "give", "place", "throw", "insert", "file", "load", "hand"})


class Trail:
    """See the module. Turns are counted from 0, the opening is turn -1."""

    __slots__ = (
        "_goal", "_low", "_opening", "_places", "_remembered", "_taken", "_turns", "numbers",
        "phrases",
    )  # fmt: skip

    def __init__(self) -> None:
        self._begin("", "")

    def _begin(self, opening: str, goal: str) -> None:
        self._opening, self._goal = opening, goal
        self._turns: Sequence[Shown] = ()
        self._places: list[str] = []
        self._taken: dict[str, bool] = {}
        self._remembered: dict[str, tuple[int, list[Any]]] = {}
        self._low: list[str] = []
        self.phrases: list[Phrase] = []
        self.numbers: set[int] = {*numbers(goal), *numbers(opening)}

    def of(self, view: View) -> Trail:
        """This trail, up to the last turn of a view."""
        turns, known = view.turns, len(self._turns)
        if turns is self._turns and known:
            return self
        same = view.opening == self._opening and view.goal == self._goal
        if not (same and self._places and turns[:known] == self._turns):
            self._begin(view.opening, view.goal)
            self._places.append(view.heading(view.opening))
            known = 0
        for shown in turns[known:]:
            self._add(shown, view)
        self._turns = turns
        return self

    def _add(self, shown: Shown, view: View) -> None:
        phrase = view.phrase(shown.reply.command)
        self.phrases.append(phrase)
        self._low.append(shown.observation.lower())
        if shown.outcome != "parameter":  # such an answer repeats what was said
            self.numbers |= numbers(shown.observation)
        if shown.refused:
            self._places.append(self._places[-1])
            return
        here = view.heading(shown.observation)
        self._places.append(here or self._places[-1])
        if not phrase.things:
            return
        verb = phrase.do.partition(" ")[0]
        if verb in TAKING or verb in LETTING_GO:
            said = shown.reply.command.lower()
            for thing in phrase.things:
                if thing.lower() in said:
                    self._taken[thing] = verb in TAKING and not here  # one also takes a tram

    def place(self, turn: int) -> str:
        """Where the player was shown to be at the end of a turn, "" if no heading says so."""
        return self._places[turn + 1]

    def places(self) -> tuple[str, str]:
        """The same at the end of the last turn and of the one before; there is a turn."""
        return self._places[-1], self._places[-2]

    def took(self, thing: str) -> bool:
        """Whether the player took a thing and has not let go of it since."""
        return self._taken.get(thing, False)

    def mentioning(self, thing: str, since: int) -> Iterator[int]:
        """The turns that mention a thing, from one on."""
        turns, low = self._turns, thing.lower()
        if since < 0 and mentions(self._opening, thing):
            yield -1
        for at in range(max(since, 0), len(turns)):
            if low in self._low[at] and mentions(turns[at].observation, thing):
                yield at

    def remembered(
        self, thing: str, view: View, memory_of: Callable[[View, int, str], Answer | None]
    ) -> Sequence[Answer]:
        """What is made of the turns that mention a thing, oldest first; each is asked once."""
        since, found = self._remembered.get(thing, (-1, []))
        if since < len(self._turns):
            for turn in self.mentioning(thing, since):
                memory = memory_of(view, turn, thing)
                if memory is not None:
                    found.append(memory)
            self._remembered[thing] = len(self._turns), found
        return found

    def first_shown(self, words: str) -> int:
        """The turn that first showed these words, -1 for the opening or the goal, their number
        if none did."""
        if mentions(self._opening, words) or mentions(self._goal, words):
            return -1
        low, turns = words.lower(), self._turns
        for at, text in enumerate(self._low):
            if low in text and mentions(turns[at].observation, words):
                return at
        return len(turns)
