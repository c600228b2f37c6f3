"""What was said in a turn as one number.

The id of a text is a hash of the Machine, of the kind of text, and of every text
said with the values of its arguments: never of the order in which texts were met. Here the
kernel names texts and reports each once; `texts` remembers what they stand for.
"""

from __future__ import annotations

from worldengine.batch.compiling.jit import i64, inlined, inner
from worldengine.batch.tables.arrays import Integers
from worldengine.batch.tables.layout import H_IDENTITY

_SPREAD = -7046029254386353131  # 0x9E3779B97F4A7C15 as a signed number
NEWS_HEAD = 4
"""In news: machine, kind, low and high half of the id; then length and what was said."""


@inlined
def mixed(value: int, more: int) -> int:
    """A hash with one more number in it."""
    value = (value ^ more) * _SPREAD
    return value ^ ((value >> 32) & 0xFFFFFFFF)


@inner
def text_id(h: Integers, kind: int, said: Integers) -> int:
    """The id of what stands in `said[1:said[0]]`; never 0."""
    value = mixed(i64(h[H_IDENTITY]), kind + 1)
    for at in range(1, said[0]):
        value = mixed(value, i64(said[at]))
    return i64(1) if value == 0 else value


@inner
def short_id(h: Integers, kind: int, text: int, first: int, second: int) -> int:
    """As `text_id`, of one of the texts that no Machine has (`turns.emit`)."""
    value = mixed(mixed(i64(h[H_IDENTITY]), kind + 1), text)
    value = mixed(mixed(mixed(value, i64(2)), first), second)
    return i64(1) if value == 0 else value


@inner
def is_met(met: Integers, value: int) -> bool:
    """Whether a text was reported before."""
    mask = len(met) - 1
    place = value & mask
    while met[place] != 0:
        if met[place] == value:
            return True
        place = (place + 1) & mask
    return False


@inner
def note(met: Integers, news: Integers, machine: int, kind: int, said: Integers,
         value: int) -> bool:  # fmt: skip
    """Report a text that was not met before. False if there is no room to: nothing was done.
    `news[0]` is how much of it is used, `news[1]` how many ids were met."""
    mask = len(met) - 1
    place = value & mask
    while met[place] != 0:
        if met[place] == value:
            return True
        place = (place + 1) & mask
    used, length = 2 + news[0], said[0] - 1
    if used + NEWS_HEAD + 1 + length > len(news) or 2 * news[1] > len(met):
        return False
    met[place] = value
    news[used], news[used + 1] = machine, kind
    news[used + 2], news[used + 3] = value & 0xFFFFFFFF, (value >> 32) & 0xFFFFFFFF
    news[used + 4] = length
    for at in range(length):
        news[used + 5 + at] = said[1 + at]
    news[0] += NEWS_HEAD + 1 + length
    news[1] += 1
    return True
