"""What all screens have in common: the styles of tones, and focus that redraws little.

In: nothing. Out: two bases, for a screen and for one that stands over another.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.reactive import Reactive
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from .drawing import TONE_CLASSES

Result = TypeVar("Result")


class QuickScreen(Screen[Result]):
    """A screen that is not drawn again as a whole because another widget has the focus: the
    two widgets that are concerned draw themselves."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*TONE_CLASSES}
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)


class QuickModal(ModalScreen[Result]):
    """The same for a screen over another one."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {*TONE_CLASSES}
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
