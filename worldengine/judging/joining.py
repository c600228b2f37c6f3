"""Several readers' expectations made one.

In: what each reader expects. Out: all of it, each entry with its readers; what two of them say
alike once; where readers contradict one another on whether a command is accepted or wins, the
majority's, and in a tie nobody's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from worldengine.judging.expectations import Expectation, Expectations

_SAID = {"about", "because", "readers"}


@dataclass(frozen=True, slots=True)
class Joined:
    """`repeated` entries were there already, `disputed` ones lost a vote."""

    expectations: Expectations
    repeated: int = 0
    disputed: int = 0


def joined(read: Sequence[Expectations]) -> Joined:
    """See the module. Readers are named by their `author`, else by their number."""
    found: dict[str, Expectation] = {}
    claims: dict[str, dict[str, str]] = {}
    readers: dict[str, dict[str, None]] = {}
    repeated = 0
    for number, each in enumerate(read, start=1):
        name = each.author or f"reader {number}"
        for entry in each.expectations:
            text = entry.model_dump_json(exclude=_SAID)
            claims.setdefault(_asked(entry), {})[name] = _claim(entry)
            if text in found:
                repeated += 1
            found.setdefault(text, entry)
            readers.setdefault(text, {})[name] = None
    held = [
        entry.model_copy(update={"readers": tuple(readers[text])}) if len(read) > 1 else entry
        for text, entry in found.items()
        if _holds(entry, claims[_asked(entry)])
    ]
    kept = Expectations(
        world=read[0].world if read else "",
        author=", ".join(dict.fromkeys(each.author for each in read if each.author)),
        expectations=tuple(held),
    )
    return Joined(kept, repeated, len(found) - len(held))


def _asked(entry: Expectation) -> str:
    return entry.model_dump_json(exclude=_SAID | {"expect", "then"})


def _claim(entry: Expectation) -> str:
    """accepted, refused or nothing; won, not won or nothing."""
    expect = entry.expect
    refused = expect.outcome not in (None, "ok")
    accepted = expect.outcome == "ok" or expect.status in ("won", "lost")
    how = "refused" if refused else "accepted" if accepted else ""
    end = expect.status or ""
    return f"{how} {'won' if end == 'won' else 'not won' if end else ''}"


def _holds(entry: Expectation, claims: dict[str, str]) -> bool:
    mine = _claim(entry)
    votes = Counter(claims.values())
    against = max((n for claim, n in votes.items() if _contrary(mine, claim)), default=0)
    return votes[mine] > against or not against


def _contrary(one: str, other: str) -> bool:
    (how, _, end), (how_, _, end_) = one.partition(" "), other.partition(" ")
    return bool((how and how_ and how != how_) or (end and end_ and end != end_))
