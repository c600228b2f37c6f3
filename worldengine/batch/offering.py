"""Lists of commands for what a kernel says is offered, each made once.

In: offers as `slots.alone` writes them, and which slots hold. Out: the commands that mean them, as
`Runtime.applicable_texts` prints them. How some commands are worded hangs on what else is in
scope; the slots that tell are learnt as they are asked for, and the kernel is then asked for them
together with the offers. Offers and those slots make a key, which was most often met before.
"""

from __future__ import annotations

from typing import cast

from worldengine.batch.slots.alone import ASKED, NO_NUMBER, OFFER
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.deciding import Decisions, Holds
from worldengine.batch.texts.commands import Commands
from worldengine.machine.schema import Machine
from worldengine.matching.offers import Action, Offers

LISTS = 65_536
"""Lists remembered before all are forgotten."""


class Lists:
    """See the module. `asked` are the slots to ask for with an offer, in the order of their bits;
    more are added to it, up to ASKED."""

    def __init__(self, machine: Machine, commands: Commands) -> None:
        offers, scope = Offers(commands.matcher(0)), commands.in_scope
        self._names = [offers.certain(each) for each in range(len(machine.operators))]
        self._meant: Decisions[Action, tuple[str, ...]] = Decisions(
            lambda action, holds: offers.texts([action], scope(0, holds))
        )
        self._known: dict[tuple[bytes, int], tuple[str, ...]] = {}
        self.asked: dict[int, int] = {}

    def of(self, offered: Integers, held: int, holds: Holds) -> tuple[str, ...]:
        """The commands for offers, where `held` tells as bits which of `asked` hold, and `holds`
        tells of any slot."""
        key = offered.tobytes(), held
        found = self._known.get(key)
        return found if found is not None else self._made(offered.tolist(), key, holds)

    def _made(
        self, offered: list[int], key: tuple[bytes, int], holds: Holds
    ) -> tuple[str, ...]:  # fmt: skip
        """A list that was not met; kept if its key tells all that it hangs on."""
        held, asked, new = key[1], self.asked, dict[int, None]()

        def told(slot: int) -> bool:
            bit = asked.get(slot)
            if bit is not None:
                return held >> bit & 1 != 0
            new[slot] = None
            return holds(slot)

        found = self._commands(offered, told)
        if not new:
            if len(self._known) >= LISTS:
                self._known.clear()
            self._known[key] = found
        elif len(asked) < ASKED:
            for slot in list(new)[: ASKED - len(asked)]:
                asked[slot] = len(asked)
            self._known.clear()  # keys tell more from now on
        return found

    def _commands(self, offered: list[int], holds: Holds) -> tuple[str, ...]:
        operators = offered[::OFFER]
        names = [self._names[operator] for operator in operators]
        if None not in names:
            return cast("tuple[str, ...]", tuple(names))
        found = list[str]()
        for at, name in enumerate(names):
            if name is not None:
                found.append(name)
            elif at == 0 or operators[at] != operators[at - 1]:
                end = OFFER * (at + operators.count(operators[at]))
                lows, highs = (
                    offered[OFFER * at + 1 : end : OFFER],
                    offered[OFFER * at + 2 : end : OFFER],
                )
                numbers = None if lows[0] == NO_NUMBER else tuple(zip(lows, highs, strict=True))
                found += self._meant.of((operators[at], numbers), holds)
        return tuple(dict.fromkeys(found))
