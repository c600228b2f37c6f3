"""`perturb`: the same world in other words.

In: a script, kinds of perturbation, a seed. Out: another script whose Machine does the same,
which is proven by comparing the two part by part; plays are carried across action by action. What a
seed proposes and the compiler refuses (two forms that clash, two things of one name) is drawn
again, and after a few tries left out. Pure; the same seed gives the same text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from worldengine.compiler import compile_source
from worldengine.machine import Machine
from worldengine.perturb.isomorphism import isomorphic, keys
from worldengine.perturb.kinds import CLAIMS_NOTHING, KINDS, PRESETS, named, translated
from worldengine.perturb.rewriting import Kind, Table
from worldengine.perturb.undoing import undone
from worldengine.proof import winning_plan
from worldengine.runtime import runtime_of
from worldengine.source import Source
from worldengine.syntax import ast, format_document, parse

__all__ = ["KINDS", "PRESETS", "Perturbed", "carry", "perturb", "translated", "undone"]

TRIES = 6


@dataclass(frozen=True)
class Perturbed:
    """`steps` are the kinds that were applied, in order, each with what was called how before:
    all that `undone` needs to bring the old words back."""

    text: str
    machine: Machine
    steps: tuple[tuple[str, Table], ...]
    isomorphic: bool

    @property
    def renamed(self) -> dict[str, Table]:
        """What was called how before, by kind."""
        found: dict[str, Table] = {}
        for label, table in self.steps:
            found.setdefault(label, {}).update(table)
        return found


class CannotPerturb(ValueError):
    """The script does not compile, or the kind is unknown."""


def perturb(
    source: Source, kinds: Sequence[str | Kind], seed: int = 0, name: str = ""
) -> Perturbed:
    """Applies the kinds one after the other; see the module."""
    document, first = _read(source)
    steps = [step for kind in kinds for step in _steps(kind)]
    done: list[tuple[str, Table]] = []
    claimed, machine = True, first
    for number, (label, kind) in enumerate(steps):
        exact = label not in CLAIMS_NOTHING
        found = _applied(document, machine, kind, f"{seed}/{number}/{label}", exact)
        if found is not None:
            document, table, machine = found
            done.append((label, table))
            claimed = claimed and exact
    document = _with_proofs(document, first, machine)
    final = _machine(document)
    assert final is not None, "proofs never keep a script from compiling"
    same = claimed and isomorphic(first, final)
    return Perturbed(format_document(document), final, tuple(done), same)


@lru_cache(maxsize=4)
def _read(source: Source) -> tuple[ast.Document, Machine]:
    """A script's tree and Machine; the same script is often perturbed many times."""
    document, _ = parse(source)
    machine = compile_source(source).machine
    if document is None or machine is None:
        raise CannotPerturb("this script does not compile; `worldengine check` says why")
    return document, machine


def _steps(kind: str | Kind) -> list[tuple[str, Kind]]:
    if not isinstance(kind, str):
        return [("table", kind)]
    try:
        return named(kind)
    except KeyError:
        known = ", ".join([*KINDS, "library", *PRESETS])
        raise CannotPerturb(
            f"there is no kind of perturbation called `{kind}`; known: {known}"
        ) from None


def _applied(
    document: ast.Document, before: Machine, kind: Kind, seed: str, exact: bool
) -> tuple[ast.Document, dict[str, str], Machine] | None:
    """The first proposal that compiles, to a Machine that does the same where that is claimed."""
    last: ast.Document | None = None
    for attempt in range(TRIES):
        changed, table = kind(document, Random(f"{seed}/{attempt}"))
        if not table or changed == last:
            return None
        after = _machine(changed)
        if after is not None and (not exact or isomorphic(before, after)):
            return changed, table, after
        last = changed
    return None


def _machine(document: ast.Document) -> Machine | None:
    return compile_source(Source("perturbed.world", format_document(document))).machine


# --- plays ----------------------------------------------------------------------------------


def carry(
    before: Machine, after: Machine, commands: Sequence[str], variant: int = 0
) -> tuple[str, ...]:
    """The same play in the other world's words. What no action answers to is kept as it is:
    it names nothing, so it has no other name."""
    runtime, other = runtime_of(before), runtime_of(after)
    names = keys(before)
    places = {key: index for index, key in enumerate(keys(after))}
    state = before.start(variant)
    found: list[str] = []
    for command in commands:
        turn = runtime.step(state, command)
        operator, number = turn.operator, turn.number
        if operator < 0:  # out of scope, perhaps: what was meant is known all the same
            readings = (item for item in runtime.matcher.readings(command) if item.operator >= 0)
            meant = next(readings, None)
            operator, number = (meant.operator, meant.number) if meant else (-1, 0)
        index = places.get(names[operator], -1) if operator >= 0 else -1
        found.append(other.matcher.canonical(index, number) if index >= 0 else command)
        state = turn.state
        if runtime.status(state) != "running":
            break
    return tuple(found)


def _with_proofs(document: ast.Document, before: Machine, after: Machine) -> ast.Document:
    """Proofs in the new words, each carried over from the start that it wins."""
    if not before.proofs:
        return document
    kept = tuple(item for item in document.items if not isinstance(item, ast.Proof))
    plans = [winning_plan(before, variant) for variant in range(len(before.variants))]
    carried = dict.fromkeys(
        carry(before, after, plan, variant) for variant, plan in enumerate(plans) if plan
    )
    return replace(document, items=(*kept, *(ast.Proof(commands) for commands in carried)))
