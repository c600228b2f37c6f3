"""Who plays: everything that turns what has been shown into the next reply.

A player holds prompts, observations and the commands it may know of, never a state. The
table below is the only place that knows players by name.
"""

from __future__ import annotations
