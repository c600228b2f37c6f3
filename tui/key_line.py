"""The bottom line: the keys that do something now, and what they do.

In: the bindings of whatever has the focus. Out: one line, made anew when they change; what
does not fit is left out from the right, never cut in the middle. A click presses the key.
"""

from __future__ import annotations

from rich.cells import cell_len
from textual.events import Click, Resize
from textual.screen import Screen

from .lines import Lines
from .rows import Row, Span

FIRST = "help"
"""The action that always stands first."""


class KeyLine(Lines, can_focus=False):
    """See the module."""

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._places: list[tuple[int, str]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)
        self.call_after_refresh(self._changed, self.screen)

    def on_resize(self, event: Resize) -> None:
        super().on_resize(event)
        self._changed(self.screen)

    def keys(self) -> list[tuple[str, str, str]]:
        """Key, how it is shown, what it does; one entry an action."""
        found: dict[str, tuple[str, str, str]] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if binding.show and active.enabled and binding.action not in found:
                shown = self.app.get_key_display(binding)
                shown = shown.upper() if binding.key[0] == "f" and len(binding.key) > 1 else shown
                found[binding.action] = (binding.key, shown, binding.description)
        first = [entry for action, entry in found.items() if action == FIRST]
        return first + [entry for action, entry in found.items() if action != FIRST]

    def _changed(self, screen: Screen[object]) -> None:
        if not self.is_attached or screen is not self.screen:
            return
        spans: list[Span] = []
        self._places, at = [], 1
        for key, shown, words in self.keys():
            width = cell_len(shown) + cell_len(words) + 3
            if at + width > self.size.width + 2:
                break
            spans += [(shown, "accent"), (f" {words}  ", "")]
            at += width
            self._places.append((at, key))
        row = Row(tuple(spans), fixed=True)
        if [row] != self.rows:
            self.set_rows([row])

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        for end, key in self._places:
            if offset is not None and offset.x < end:
                self.app.simulate_key(key)
                return
