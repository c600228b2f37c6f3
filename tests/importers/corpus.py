"""The corpus of real inputs beside the checkout, where there is one."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from worldengine.compiler import compile_source
from worldengine.importers.pddl import Imported, import_pddl
from worldengine.machine import Machine
from worldengine.source import Source

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"

needs_corpus = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the corpus of real inputs is not beside this checkout"
)


def source(path: Path) -> Source:
    return Source(path.name, path.read_text(encoding="utf-8", errors="replace"))


def domain_of(problem: Path) -> Path | None:
    """The domain that belongs to a problem, by the names in use."""
    folder, name = problem.parent, problem.name
    for wanted in (
        "domain.pddl",
        problem.stem.replace("problem", "domain") + ".pddl",
        f"domain-{name}",
        f"{problem.stem}-domain.pddl",
    ):
        if wanted != name and (folder / wanted).exists():
            return folder / wanted
    return next((path for path in sorted(folder.glob("*domain*.pddl")) if path != problem), None)


def pairs(*folders: str) -> Iterator[tuple[Path, Path]]:
    """Domains and problems; problems whose domain is not there are left out."""
    for folder in folders:
        for problem in sorted((CORPUS / folder).rglob("*.pddl")):
            if "domain" in problem.name and "problem" not in problem.name:
                continue
            domain = domain_of(problem)
            if domain is not None:
                yield domain, problem


def first_pairs(*folders: str) -> Iterator[tuple[Path, Path]]:
    """One problem of each folder."""
    seen: set[Path] = set()
    for domain, problem in pairs(*folders):
        if problem.parent not in seen:
            seen.add(problem.parent)
            yield domain, problem


def plans() -> Iterator[dict[str, str]]:
    """The rows of plans.tsv that hold a plan."""
    path = CORPUS / "plans.tsv"
    if not path.is_file():
        return
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["status"] == "solved" and row["plan"]:
                yield row


def steps(plan: str) -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for part in plan.split(";"):
        words = part.strip().strip("()").split()
        if words:
            found.append((words[0], tuple(words[1:])))
    return found


@cache
def imported(domain: Path, problem: Path) -> Imported:
    return import_pddl(source(domain), source(problem))


def machine_of(found: Imported) -> Machine | str:
    """The Machine, or the id of what the compiler refused."""
    assert found.text is not None
    result = compile_source(Source("imported.world", found.text))
    if result.machine is not None:
        return result.machine
    return next(item.id for item in result.diagnostics if item.severity == "error")


def identity(path: Path) -> str:
    return str(path.relative_to(CORPUS)) if path.is_absolute() else str(path)
