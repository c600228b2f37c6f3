"""One measure, and how it is printed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measure. `ratio` is to the reference on the same work, None where there is none."""

    engine: str
    measure: str
    steps_per_second: float
    ratio: float | None
    limit: str

    def document(self) -> dict[str, str | float | None]:
        """Keys as `bench --json` prints them."""
        return {
            "engine": self.engine,
            "measure": self.measure,
            "steps_per_second": round(self.steps_per_second, 1),
            "ratio": None if self.ratio is None else round(self.ratio, 2),
            "limit": self.limit,
        }
