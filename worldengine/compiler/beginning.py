"""Endings that hold before anything has been done, in any start variant.

`win`, `lose` and milestones are not tested before the first accepted command, so a goal that
holds at the start would be won by looking around: an error. A `lose` that holds then is a
warning, since the first command may still mend it.
"""

from __future__ import annotations

from worldengine.compiler import resolved as r
from worldengine.compiler.budget import OverBudget
from worldengine.compiler.initial import Concrete, Initial
from worldengine.compiler.reporter import Reporter
from worldengine.compiler.trees import Unbounded

MAX_STARTS = 256
"""Variants that are looked at; the model checker looks at all of them."""


def check_beginning(world: r.Resolved, initial: Initial, reporter: Reporter) -> None:
    """Report every ending that holds in one of the starts."""
    endings = [rule for rule in world.rules if rule.kind in ("win", "lose")]
    for number, start in enumerate(initial.starts[:MAX_STARTS]):
        concrete = Concrete(initial, dict(start))
        for rule in list(endings):
            if rule.when is not None and _holds(concrete, rule.when):
                endings.remove(rule)
                _report(rule, number, len(initial.starts), reporter)


def _holds(concrete: Concrete, condition: r.Expr) -> bool:
    try:
        return bool(concrete.evaluator.tree(condition, []) == 1)
    except (OverBudget, Unbounded):
        return False  # too much to work out here; the model checker will


def _report(rule: r.RuleInfo, number: int, count: int, reporter: Reporter) -> None:
    where = f" in start variant {number}" if count > 1 else ""
    if rule.kind == "win":
        reporter.error(
            "win-at-start",
            rule.span,
            f"the goal holds before the first command{where}",
            "ask for something that is not yet so, or change the start",
        )
    else:
        reporter.warning(
            "lose-at-start",
            rule.span,
            f"this `lose` holds before the first command{where}",
            "unless the first command mends it, the world is lost at once",
        )
