"""The one name for arrays of integers whose width is decided by the machines."""

from __future__ import annotations

from typing import Any, TypeAlias

from numpy.typing import NDArray

Integers: TypeAlias = NDArray[Any]
"""An array of some integer type; the type is named where it matters."""
