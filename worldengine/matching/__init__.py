"""Text ↔ operator: what a typed command means, and how an action is typed."""

from worldengine.matching.commands import Matcher, Misunderstood, Reading, Understood
from worldengine.matching.conflicts import Conflict, Conflicts, conflicts
from worldengine.matching.drawing import concrete
from worldengine.matching.forms import check_regex, template
from worldengine.matching.normal import ARTICLES, normalise

__all__ = [
    "ARTICLES",
    "Conflict",
    "Conflicts",
    "Matcher",
    "Misunderstood",
    "Reading",
    "Understood",
    "check_regex",
    "concrete",
    "conflicts",
    "normalise",
    "template",
]
