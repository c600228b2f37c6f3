"""A policy: commands, and what to do next by what was read. Played before it is believed.

In: a Machine and a tree of commands. Out: whether it wins from every variant by its words
alone (`wins`), lines for people, a document for programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from worldengine.machine.schema import Machine, State
from worldengine.runtime import runtime_of

WIDEST = 160
"""Characters of a text that are shown to people."""
BEFORE = 4
"""Words shown before the place where texts differ."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Give the commands in turn; then go on with the branch whose `reads` is what the last of
    them was answered with (at the root without commands: what the opening says). Without
    branches the play is won."""

    variants: tuple[int, ...]
    commands: tuple[str, ...]
    branches: tuple[Branch, ...] = ()

    @property
    def longest(self) -> int:
        """Turns of the longest play."""
        return len(self.commands) + max((b.policy.longest for b in self.branches), default=0)


@dataclass(frozen=True, slots=True)
class Branch:
    """What is read there, and how to go on."""

    reads: str
    policy: Policy


def joined(prefix: tuple[str, ...], policy: Policy) -> Policy:
    """The policy after some commands that tell nothing."""
    return Policy(policy.variants, (*prefix, *policy.commands), policy.branches)


def wins(machine: Machine, policy: Policy) -> bool:
    """Whether the policy wins from every variant within the turns, going by words alone:
    each variant is played in the interpreter and finds its own way through the branches, and
    all that are in one place of the tree have read the same."""
    if policy.variants != tuple(range(len(machine.variants))):
        return False
    starts = {variant: machine.start(variant) for variant in policy.variants}
    runtime = runtime_of(machine)
    openings = {variant: runtime.opening(state) for variant, state in starts.items()}
    return policy.longest <= machine.turns and _wins(machine, policy, starts, openings)


def _wins(machine: Machine, policy: Policy, states: dict[int, State], last: dict[int, str]) -> bool:
    """From these states (running ones), where these words were read last."""
    runtime = runtime_of(machine)
    ended: dict[int, str] = dict.fromkeys(states, "running")
    for command in policy.commands:
        if len(set(last.values())) != 1 or set(ended.values()) != {"running"}:
            return False
        for variant in tuple(states):
            turn = runtime.step(states[variant], command)
            states[variant], last[variant] = turn.state, turn.observation
            ended[variant] = turn.status
    if not policy.branches:
        return len(set(last.values())) == 1 and set(ended.values()) == {"won"}
    seen: set[int] = set()
    for branch in policy.branches:
        here = branch.policy.variants
        over = not branch.policy.commands and not branch.policy.branches
        ending = "won" if over else "running"
        read = branch.reads, ending
        if {v for v, text in last.items() if (text, ended[v]) == read} != set(here):
            return False
        seen |= set(here)
        if over:
            continue
        if not _wins(
            machine, branch.policy, {v: states[v] for v in here}, {v: last[v] for v in here}
        ):
            return False
    return seen == set(states)


def lines(policy: Policy, indent: int = 0) -> Iterator[str]:
    """For people, two blanks a level."""
    space = "  " * indent
    if policy.commands:
        yield f"{space}{', '.join(policy.commands)}"
    elif not policy.branches:
        yield f"{space}(won)"
    same = _alike([branch.reads.split() for branch in policy.branches])
    for branch in policy.branches:
        starts = ", ".join(map(str, branch.policy.variants))
        yield f'{space}reads "{_short(branch.reads, same)}" (start {starts}):'
        yield from lines(branch.policy, indent + 1)


def _alike(texts: list[list[str]]) -> int:
    """How many words all texts begin with."""
    count = 0
    for words in zip(*texts, strict=False):
        if len(set(words)) > 1:
            break
        count += 1
    return count


def _short(text: str, same: int) -> str:
    """A text from a little before where it differs from the others."""
    words = text.split()
    skipped = max(0, min(same, len(words) - 1) - BEFORE) if len(" ".join(words)) > WIDEST else 0
    shown = ("… " if skipped else "") + " ".join(words[skipped:])
    return shown if len(shown) <= WIDEST else shown[: WIDEST - 1] + "…"


def to_document(policy: Policy) -> dict[str, Any]:
    """Plain values: `variants`, `commands`, `branches` of `reads` and the rest."""
    return {
        "variants": list(policy.variants),
        "commands": list(policy.commands),
        "branches": [
            {"reads": branch.reads, **to_document(branch.policy)} for branch in policy.branches
        ],
    }
