"""The stock of wordings, made ready to be spun.

In: `musings`. Out: pools, by what they speak of.
"""

from __future__ import annotations

from worldengine.players.thoughts import musings
from worldengine.players.thoughts.spinning import Pool

BEGIN = Pool(*musings.WILL, *musings.INTENT, *musings.BEGIN)
WALK = Pool(*musings.WILL, *musings.THEN)
ONWARD = Pool(*musings.WILL, *musings.THEN, *musings.INTENT, *musings.ONWARD)
AFTERWARDS, INSTEAD = Pool(*musings.AFTERWARDS), Pool(*musings.INSTEAD)
WORDED, QUOTED, PLAINLY = Pool(*musings.WORDED), Pool(*musings.QUOTED), Pool(*musings.PLAINLY)
INSIST, LEARNT, SURPRISED = Pool(*musings.INSIST), Pool(*musings.LEARNT), Pool(*musings.SURPRISED)
HOPE, UNTOLD = Pool(*musings.HOPE), Pool(*musings.HOPE, *musings.UNTOLD)
LATER, RECKON = Pool(*musings.LATER), Pool(*musings.RECKON)
LATER_HOPED, TELLS = Pool(*musings.LATER_HOPED), Pool(*musings.TELLS)
EVIDENCE, SETTLED = Pool(*musings.EVIDENCE), Pool(*musings.SETTLED)
GOAL_PART = Pool(*musings.GOAL, *musings.GOAL_PART)
GOAL_WHOLE = Pool(*musings.GOAL, *musings.GOAL_WHOLE)
NOTED, TELLING = Pool(*musings.NOTED), Pool(*musings.TELLING)
ARRIVED, BACK = Pool(*musings.ARRIVED), Pool(*musings.BACK)
QUOTED_NEW = Pool(*musings.QUOTED, *musings.QUOTED_NEW)
FINE, GOT = Pool(*musings.FINE), Pool(*musings.GOT)
SEEN_HERE, SEEN_AT = Pool(*musings.SEEN_HERE), Pool(*musings.SEEN_AT)
SEEN_EARLIER, SEEN_AFTER = Pool(*musings.SEEN_EARLIER), Pool(*musings.SEEN_AFTER)
CARRIED, IN_GOAL = Pool(*musings.CARRIED), Pool(*musings.IN_GOAL)
SAID, FAILED = Pool(*musings.SAID), Pool(*musings.FAILED)
TRY = Pool(*musings.TRY)
REASONS = {"ask": Pool(*musings.ASK), "new": Pool(*musings.NEW), "way": Pool(*musings.WAY)}
REASONS |= {"try": TRY, "again": TRY, "guess": Pool(*musings.GUESS)}
GUESS_WAY = Pool(*musings.GUESS_WAY)
GUESS_NUMBER = Pool(*musings.GUESS_NUMBER)
FOLLOWS, RECKONED = Pool(*musings.FOLLOWS), Pool(*musings.RECKONED)
WORKED_OUT = Pool(*musings.WORKED_OUT)
