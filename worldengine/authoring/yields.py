"""How many drafts came how far, by round, with the uncertainty of such counts.

In: lines of an index of drafts. Out: the contract's numbers; for each round how many drafts
compiled and could be won by then, with Wilson's bounds at 95%; reasons; tokens, cost, time.
The bounds are those of E. B. Wilson (1927), which hold for small numbers too.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

_Z: Final = 1.959964


def wilson(good: int, total: int) -> tuple[float, float]:
    """The 95% bounds of a share; (0, 1) where nothing was counted."""
    if total == 0:
        return 0.0, 1.0
    share = good / total
    middle = share + _Z * _Z / (2 * total)
    spread = _Z * sqrt(share * (1 - share) / total + _Z * _Z / (4 * total * total))
    scale = 1 + _Z * _Z / total
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


class Yields:
    """The sum over drafts. `unconstrained` says why no grammar was kept to, where one was
    asked for."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self.unconstrained = ""
        self.interrupted = False
        self._lines: list[dict[str, Any]] = []

    def add(self, line: dict[str, Any]) -> None:
        self._lines.append(line)

    @property
    def written(self) -> int:
        return len(self._lines)

    @property
    def kept(self) -> int:
        return sum(bool(line["kept"]) for line in self._lines)

    def by_round(self) -> list[dict[str, Any]]:
        """For each round: drafts that compiled, could be won, could be won whatever the start
        holds hidden, in this round or an earlier one."""
        return [self._round(number) for number in range(self.rounds + 1)]

    def _round(self, number: int) -> dict[str, Any]:
        scripts = [self._scripts(line, number) for line in self._lines]
        told: dict[str, Any] = {"round": number}
        for key in ("compiled", "winnable"):
            good = sum(any(each.get(key) for each in tried) for tried in scripts)
            told[key] = good
            told[f"{key}_bounds"] = [round(end, 3) for end in wilson(good, len(scripts))]
        found = sum(
            any(each.get("discovery") == "discoverable" for each in tried) for tried in scripts
        )
        return told | {"discoverable": found}

    @staticmethod
    def _scripts(line: dict[str, Any], number: int) -> list[dict[str, Any]]:
        return [each for each in line["attempts"] if 0 <= each["round"] <= number]

    def told(self) -> dict[str, Any]:
        """With the keys of the command's contract."""
        attempts = [each for line in self._lines for each in line["attempts"]]
        costs = [line["cost"] for line in self._lines]
        first = self._round(0)
        return {
            "written": self.written,
            "compiled_first": first["compiled"],
            "winnable_first": first["winnable"],
            "repairs": sum(each["round"] > 0 for each in attempts),
            "kept": self.kept,
            "reasons": self._reasons([line["reason"] for line in self._lines]),
            "reasons_of_attempts": self._reasons([each["reason"] for each in attempts]),
            "failure": next((e["why"] for e in attempts if e["reason"] == "failed"), None),
            "by_round": self.by_round(),
            "prompt_tokens": sum(each["prompt_tokens"] for each in attempts),
            "completion_tokens": sum(each["completion_tokens"] for each in attempts),
            "cost": None if None in costs else round(sum(costs), 6),
            "seconds": round(sum(each["seconds"] for each in attempts), 3),
            "constrained": sum(bool(each["constrained"]) for each in attempts),
            "unconstrained_because": self.unconstrained or None,
        }

    @staticmethod
    def _reasons(names: list[str]) -> dict[str, int]:
        return {name: names.count(name) for name in sorted(set(names)) if name}
