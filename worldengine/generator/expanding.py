"""One world made into many: things in other places, other names, more to distract, another map.

In: a script, a seed, kinds of change. Out: `Instance`s, each compiled and proven from every
start, with what was changed. What the world is about stays: only what can be carried is moved,
and only to where such things lie already or to places; a new way joins only places that were
two plain steps apart, so it goes round no door. The old proofs are tried first; where they no
longer fit they are repaired, and an instance where that does not win is not kept.

Prose is not rewritten: a description that says where a thing lies will be wrong once it lies
elsewhere. Worlds that are meant to be expanded should not say it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from worldengine.compiler import compile_source
from worldengine.generator.changing import CHANGES
from worldengine.generator.repairing import repaired
from worldengine.generator.settings import SettingsError
from worldengine.machine import Machine
from worldengine.perturb import perturb
from worldengine.proof import check
from worldengine.source import Source
from worldengine.syntax import ast, format_document, parse

KINDS = (*CHANGES, "names")


@dataclass(frozen=True)
class Instance:
    """`changes` says by kind what is other than in the first world."""

    text: str
    machine: Machine
    changes: dict[str, dict[str, str]]
    plan_length: int


class Base:
    """The world that is expanded. SettingsError if it does not compile or nothing shows that
    it can be won."""

    def __init__(self, source: Source, kinds: Sequence[str] = KINDS) -> None:
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown:
            raise SettingsError(
                f"there is no change called {unknown[0]!r}; there are: {', '.join(KINDS)}"
            )
        compilation = compile_source(source)
        if compilation.machine is None or compilation.document is None:
            raise SettingsError("this script does not compile; `worldengine check` says why")
        self.kinds = tuple(kinds)
        self.machine = compilation.machine
        self.document = compilation.document
        self.warnings = _warnings(source)

    def instance(self, seed: int, number: int) -> Instance | None:
        """Instance `number`, or None where these changes do not hold together."""
        document, changes = self.document, {}
        for kind in self.kinds:
            if kind not in CHANGES:
                continue
            draw = Random(f"{seed}/{number}/{kind}")
            document, table = CHANGES[kind](document, self.machine, draw)
            if table:
                changes[kind] = table
        proven = _proven(document)
        if proven is None or _warnings(Source("instance.world", proven)) > self.warnings:
            return None
        if "names" in self.kinds:
            found = perturb(Source("instance.world", proven), ["rename"], seed * 100_003 + number)
            if not found.isomorphic:
                return None
            proven = found.text
            changes["names"] = found.renamed.get("rename", {})
        machine = compile_source(Source("instance.world", proven)).machine
        if machine is None:
            return None
        plans = check(machine).plans
        lengths = [len(plan) for plan in plans if plan]
        if len(lengths) < len(plans):
            return None
        return Instance(proven, machine, changes, max(lengths))


def _warnings(source: Source) -> int:
    return sum(item.severity != "note" for item in compile_source(source).diagnostics)


def _proven(document: ast.Document) -> str | None:
    """The text with a proof for each start: the old ones, repaired where they do not fit."""
    text = format_document(document)
    machine = compile_source(Source("instance.world", text)).machine
    if machine is None:
        return None
    plans = list(check(machine).plans)
    for variant, plan in enumerate(plans):
        if plan is None:
            tries = (repaired(machine, variant, proof) for proof in machine.proofs)
            plans[variant] = next((made for made in tries if made is not None), None)
    found = [plan for plan in plans if plan]
    if len(found) < len(plans):
        return None
    kept = tuple(item for item in document.items if not isinstance(item, ast.Proof))
    proofs = tuple(ast.Proof(plan) for plan in dict.fromkeys(found))
    header = document.header
    if header is not None and header.turns is not None:
        # A longer way needs more turns; a world is never made tighter than it was.
        turns = max(header.turns, 2 * max(map(len, found)))
        document = replace(document, header=replace(header, turns=turns))
    text = format_document(replace(document, items=(*kept, *proofs)))
    tree, _ = parse(Source("instance.world", text))
    return None if tree is None else text
