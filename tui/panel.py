"""What all panels have in common: a title, a help text, a desk to draw from."""

from __future__ import annotations

from typing import ClassVar

from textual.message import Message

from .desk import Desk
from .lines import Lines
from .rows import Row, row
from .skein import SkeinError


class Panel(Lines):
    """In: a desk. Out: rows, made by `draw` whenever the desk has changed and the panel is
    in sight. HELP is what F1 shows for it, a line each."""

    TITLE: ClassVar[str] = ""
    HELP: ClassVar[str] = ""

    class Told(Message):
        """Words for the person about what a key did."""

        def __init__(self, words: str, good: bool = True) -> None:
            super().__init__()
            self.words, self.good = words, good

    desk: Desk | None = None
    _drawn: object = None

    def draw(self, desk: Desk) -> list[Row]:
        """The rows to show. There is a session whenever this is called."""
        raise NotImplementedError

    def fingerprint(self, desk: Desk) -> object:
        """What the rows depend on, where that is quickly told: as long as it is the same they
        are not made again. None: they are always made."""
        return None

    def show(self, desk: Desk) -> None:
        """Draw from this desk and keep it for the panel's own keys."""
        self.desk = desk
        if desk.session is None and not self.without_session:
            self._drawn = None
            self.set_rows([row(("nothing is playing: the script does not compile", "muted"))])
            return
        try:
            mark = self.fingerprint(desk)
            if mark is None or mark != self._drawn:
                self.set_rows(self.draw(desk))
                self._drawn = mark
        except SkeinError as error:
            self._drawn = None
            self.set_rows([row(("✗ ", "bad"), str(error))])

    def store(self) -> None:
        """Write the recorded plays; say so if that fails."""
        if self.desk is not None and (problem := self.desk.store()):
            self.tell(problem, good=False)

    @property
    def without_session(self) -> bool:
        """Whether it has something to show while nothing can be played."""
        return False

    def again(self) -> None:
        """Draw once more from the same desk."""
        if self.desk is not None:
            self.show(self.desk)

    def tell(self, words: str, good: bool = True) -> None:
        self.post_message(self.Told(words, good))
