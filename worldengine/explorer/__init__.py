"""The belief explorer: knows what it has observed, plans over the rest, and learns."""

from __future__ import annotations
