"""`worldengine check` with its verdict, and `worldengine solve`. With --fast: `cli.check`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from worldengine.cli.printing import complaints, document, out, table
from worldengine.cli.waiting import Waiting
from worldengine.inputs import InputError, find

if TYPE_CHECKING:
    from worldengine.modelcheck.budget import Budget


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if any script has an error (with --strict: or a warning)."""
    if arguments.fast:
        from worldengine.cli.check import run as fast

        return fast(arguments)
    from worldengine.modelcheck.ready import checker_ready
    from worldengine.modelcheck.telling.report import Report, check_all, table_rows

    checker_ready()
    reports: list[Report] = []
    paths, budget = find(arguments.files), _budget(arguments.budget)
    with Waiting(len(paths), "worlds", budget.seconds) as waiting:
        for report in check_all(paths, budget, arguments.strict):
            reports.append(report)
            with waiting.aside():
                if arguments.json:
                    document(report.document)
                else:
                    complaints(report.diagnostics)
    if not arguments.json:
        rows = table_rows(reports)
        out(table(rows, right=(2, 3, len(rows[0]) - 1)))
        if len(reports) == 1:
            for line in (*reports[0].told, *reports[0].gaps):
                out(line)
        else:
            for report in reports:
                for line in report.gaps:
                    out(f"{report.path.stem}: {line}")
    return 0 if all(report.ok for report in reports) else 1


def solve(arguments: argparse.Namespace) -> int:
    """Prints the shortest plan that is known, one command a line, or why there is none."""
    from worldengine.modelcheck.ready import checker_ready
    from worldengine.modelcheck.telling.report import check_file, solve_file

    paths = find([arguments.file])
    if len(paths) != 1:
        raise InputError(f"{arguments.file} holds {len(paths)} scripts; name one of them")
    budget = _budget(arguments.budget)
    checker_ready()
    with Waiting(1, "worlds", budget.seconds):
        verdict = solve_file(paths[0], budget)
    if verdict is None:
        complaints(check_file(paths[0], budget).diagnostics)
        return 1
    if arguments.json:
        document(verdict)
    else:
        _tell(verdict)
    return 0 if verdict["status"] == "winnable" else 1


def _tell(verdict: dict[str, object]) -> None:
    plan, reason = verdict["plan"], verdict["reason"]
    if isinstance(plan, list):
        for command in plan:
            out(command)
        proven = "no play is shorter" if verdict["optimal"] else "not proven shortest"
        out(f"// {len(plan)} turns; {proven}")
    if verdict["status"] != "winnable":
        text = reason["text"] if isinstance(reason, dict) else f"out of {verdict['stopped_by']}"
        out(f"// {verdict['status']}: {text}")


def _budget(text: str | None) -> Budget:
    from worldengine.modelcheck.budget import Budget, budget_of

    try:
        return Budget() if text is None else budget_of(text)
    except ValueError as error:
        raise InputError(str(error)) from None
