"""The panels about the present turn: commands, state, map, goals, hints.

In: a desk. Out: rows; the rules for them are in `verbs`, `state_table`, `chart`, `goals`
and `hints`. Here are only the keys.
"""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.worker import get_current_worker

from . import chart, goals, hints, reasons, state_table, verbs
from .desk import Desk
from .history import Node
from .panel import Panel
from .rows import BLANK, Row


class CommandsPanel(Panel):
    TITLE = "Commands"
    HELP = (
        "Every command a player can know by now: the ways to act from the prompt, over the\n"
        "names that have been shown. Enter plays one; one with a number is filled in first.\n"
        "s shows instead what would be accepted now. That is a spoiler: it gives answers away."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Play it"),
        Binding("s", "spoilers", "Known/accepted", id="commands.spoilers"),
    ]
    spoilers = False

    def draw(self, desk: Desk) -> list[Row]:
        assert desk.session is not None
        return verbs.rows(desk.session, self.spoilers)

    def action_spoilers(self) -> None:
        self.spoilers = not self.spoilers
        self.again()


class StatePanel(Panel):
    TITLE = "State"
    HELP = (
        "What the world holds in its state. What the last turn changed stands first, marked\n"
        "with a dot and with its value before. Derived values are worked out from the state."
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", show=False)]

    def draw(self, desk: Desk) -> list[Row]:
        assert desk.session is not None
        return state_table.rows(desk.session)


class MapPanel(Panel):
    TITLE = "Map"
    HELP = (
        "The places, drawn from their exits. You are at the @ in the heavy box; dotted boxes\n"
        "were not visited. A crossed line is a way that a door or a condition may bar.\n"
        "Enter on an exit takes it. s shows the whole map, which is a spoiler."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Go there"),
        Binding("s", "everything", "Visited/whole", id="map.whole"),
    ]
    everything = False

    def draw(self, desk: Desk) -> list[Row]:
        assert desk.session is not None
        room = self.room
        return chart.rows(desk.session, room.width - 2, max(7, room.height - 8), self.everything)

    def action_everything(self) -> None:
        self.everything = not self.everything
        self.again()

    def on_resize(self, event: Resize) -> None:
        super().on_resize(event)
        self.again()


class GoalsPanel(Panel):
    TITLE = "Goals"
    HELP = (
        "The goal, progress (milestones reached of their number and one, 1.00 when won), the\n"
        "turns that are left, and every milestone with the turn it was reached in. Below it:\n"
        "why the last command was refused. Enter there goes to the line of the script."
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "choose", "To the line")]

    def draw(self, desk: Desk) -> list[Row]:
        assert desk.session is not None
        shown = goals.rows(desk.session, self.room.width)
        why = reasons.why(desk.session, desk.session.at, desk.workshop.texts)
        if why is not None:
            shown += [BLANK, *reasons.rows(why)]
        return shown


class HintsPanel(Panel):
    TITLE = "Hints"
    HELP = (
        "How to win from here, one step at a time. A plan is shown only after it was played\n"
        "through from where you are: at once what the world's own proof gives, then, while you\n"
        "play on, what the model checker finds. Only what it says is called proven. space\n"
        "uncovers the next step, enter plays the first."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "more", "One more step", id="hints.more"),
        Binding("enter", "choose", "Play it"),
    ]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.uncovered = 1
        self._advice: hints.Advice | None = None
        self._for: Node | None = None

    def draw(self, desk: Desk) -> list[Row]:
        assert desk.session is not None
        if self._for is not desk.session.at:
            self._for, self._advice, self.uncovered = desk.session.at, None, 1
            self._work_out(desk.session.at, desk)
        return hints.rows(desk.session, self._advice, self.uncovered)

    @work(thread=True, exclusive=True, group="hints")
    def _work_out(self, node: Node, desk: Desk) -> None:
        session = desk.session
        if session is None:
            return
        worker = get_current_worker()
        gone = lambda: worker.is_cancelled  # noqa: E731
        for advice in hints.advise(session.machine, session.variant, node, gone):
            if worker.is_cancelled:
                return
            self.app.call_from_thread(self._advised, node, advice)

    def _advised(self, node: Node, advice: hints.Advice) -> None:
        if node is self._for:
            self._advice = advice
            self.again()

    def action_more(self) -> None:
        self.uncovered += 1
        self.again()
