"""Where commands are typed: history on the arrows, completion on tab.

In: keys. Out: `Typed` messages. What tab would fill in stands on the line below, so nothing
moves while one types.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input

from .lines import Lines
from .rows import Row, Span, row

Completer = Callable[[str], Sequence[str]]


class Suggestions(Lines, can_focus=False):
    """One line: what tab fills in, best first; the one that is filled in now in brackets."""

    def offer(self, texts: Sequence[str], chosen: int) -> None:
        self.set_rows([offered(texts, chosen)])


def offered(texts: Sequence[str], chosen: int) -> Row:
    spans: list[Span] = []
    for index, text in enumerate(texts):
        if index == chosen:
            spans.append((f"[{text}]", "strong"))
        else:
            spans.append((text, "command" if index == 0 and chosen < 0 else "muted"))
        spans.append(("  ", ""))
    if not spans:
        return row("")
    return Row(row(("tab ", "mark"), *spans).spans, fixed=True)


class CommandLine(Input):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Play", show=False),
        Binding("tab", "complete(1)", "Complete"),
        Binding("shift+tab", "complete(-1)", "Complete back", show=False),
        Binding("up", "recall(-1)", "Earlier", show=False),
        Binding("down", "recall(1)", "Later", show=False),
    ]

    # As in the base class, but a letter more is no reason to lay the whole screen out anew.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False)

    class Typed(Message):
        """A line was entered."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Offered(Message):
        """What tab would fill in has changed."""

        def __init__(self, texts: tuple[str, ...], chosen: int) -> None:
            super().__init__()
            self.texts, self.chosen = texts, chosen

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            placeholder="What do you do?  (F1 help, ctrl+p everything)",
            select_on_focus=False,
            id=id,
        )
        self.completer: Completer = lambda text: ()
        self.past: list[str] = []
        self._at: int | None = None
        self._kept = ""
        self._offers: tuple[str, ...] = ()
        self._chosen = -1
        self._filled = ""

    # -- entering --------------------------------------------------------------------------

    async def action_submit(self) -> None:
        text = self.value
        if text.strip() and (not self.past or self.past[-1] != text):
            self.past.append(text)
        self._at = None
        self.value = ""
        self.post_message(self.Typed(text))

    # -- history ---------------------------------------------------------------------------

    def action_recall(self, step: int) -> None:
        """Older lines on up; past the newest, what was being typed comes back."""
        if not self.past:
            return
        if self._at is None:
            if step > 0:
                return
            self._kept, self._at = self.value, len(self.past)
        at = max(0, self._at + step)
        if at >= len(self.past):
            self._at, text = None, self._kept
        else:
            self._at, text = at, self.past[at]
        self.value = text
        self.cursor_position = len(text)

    # -- completion ------------------------------------------------------------------------

    def watch_value(self, value: str) -> None:
        if value == self._filled and self._chosen >= 0:
            return
        self._offers = tuple(self.completer(value)) if value.strip() else ()
        self._chosen = -1
        self.post_message(self.Offered(self._offers, -1))

    def action_complete(self, step: int) -> None:
        """Fill in the next offer; with none, go to the next widget as tab does elsewhere."""
        if not self._offers:
            if step > 0:
                self.screen.focus_next()
            else:
                self.screen.focus_previous()
            return
        if self._chosen < 0:
            self._chosen = 0 if step > 0 else len(self._offers) - 1
        else:
            self._chosen = (self._chosen + step) % len(self._offers)
        self._filled = fill_of(self._offers[self._chosen])
        self.value = self._filled
        self.cursor_position = len(self._filled)
        self.post_message(self.Offered(self._offers, self._chosen))

    def fill(self, text: str) -> None:
        """Put a text there to be gone on with."""
        self.value = text
        self.cursor_position = len(text)
        self.focus()


def fill_of(offer: str) -> str:
    """What an offer fills in: all of it, or what stands before a number to be chosen."""
    from .verbs import before_range

    return before_range(offer)
