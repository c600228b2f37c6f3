"""`worldengine solve`: a winning play, proven shortest where the budget lets it be."""

from __future__ import annotations

from worldengine.cli.prove import solve as run

__all__ = ["run"]
