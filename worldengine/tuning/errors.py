"""What a person is told when training cannot begin or go on.

In: nothing. Out: the one exception of this room; its message says what is wrong, where, and
what to do about it.
"""

from __future__ import annotations


class TuningError(ValueError):
    """A configuration, a data file or a model that cannot be used as asked."""
