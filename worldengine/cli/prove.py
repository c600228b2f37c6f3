"""`worldengine check` with its verdict, and `worldengine solve`. With --fast: `cli.check`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

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
    from worldengine.modelcheck.telling.report import Report, check_all, plans_line, table_rows

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
            plans = plans_line(reports)
            if plans is not None:
                out(plans)
            for report in reports:
                for line in report.gaps:
                    out(f"{report.path.stem}: {line}")
    return 0 if all(report.ok for report in reports) else 1


def solve(arguments: argparse.Namespace) -> int:
    """Prints the shortest plan that is known of each start (or of the one that was asked for),
    one command a line, or why there is none."""
    from worldengine.modelcheck.ready import checker_ready
    from worldengine.modelcheck.telling.report import check_file, solve_file

    paths = find([arguments.file])
    if len(paths) != 1:
        raise InputError(f"{arguments.file} holds {len(paths)} scripts; name one of them")
    budget = _budget(arguments.budget)
    checker_ready()
    with Waiting(1, "worlds", budget.seconds):
        verdict = solve_file(paths[0], budget, arguments.variant)
    if verdict is None:
        complaints(check_file(paths[0], budget).diagnostics)
        return 1
    if arguments.json:
        document(verdict)
    else:
        _tell(verdict)
    return 0 if verdict["status"] == "winnable" else 1


def _tell(verdict: dict[str, Any]) -> None:
    """The plans. Where the starts differ it says which start each plan is for; starts that have
    the same plan stand together."""
    together: dict[tuple[str, ...] | int, list[dict[str, Any]]] = {}
    for start in verdict["variants"]:
        plan = start["plan"]
        together.setdefault(start["index"] if plan is None else tuple(plan), []).append(start)
    for starts in together.values():
        if starts[0]["values"]:
            out(f"// {_heading(starts)}")
        _tell_one(starts)


def _heading(starts: list[dict[str, Any]]) -> str:
    """`start 0 (cup.in = hall), start 2 (cup.in = study)`."""
    return ", ".join(
        f"start {each['index']} ({', '.join(f'{k} = {v}' for k, v in each['values'].items())})"
        for each in starts
    )


def _tell_one(starts: list[dict[str, Any]]) -> None:
    plan, reason, status = (starts[0][key] for key in ("plan", "reason", "status"))
    if plan is not None:
        for command in plan:
            out(command)
        open_ = [each for each in starts if not each["optimal"]] or starts
        out(f"// {len(plan)} turns; {open_[0]['plan_note']}")
    if status != "winnable":
        text = reason["text"] if reason is not None else f"out of {starts[0]['stopped_by']}"
        out(f"// {status}: {text}")


def _budget(text: str | None) -> Budget:
    from worldengine.modelcheck.budget import Budget, budget_of

    try:
        return Budget() if text is None else budget_of(text)
    except ValueError as error:
        raise InputError(str(error)) from None
