"""The parts of the page on learning: training runs and experiments.

In: what was found. Out: markup. Seeds of one arm share a colour; arms that differ in nothing
stand in the tables like all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from worldengine.evaluation.paired import chance
from worldengine.report.charts import curves, intervals
from worldengine.report.markup import Content, Markup, table, tag
from worldengine.report.sources import Training
from worldengine.report.tables import facts, flat, interval, number, shared_facts, short, signed

SEED = "/seed-"
ARM_HEAD = [
    "matched by", "arm", "seeds", "episodes", "trained tokens", "success", "95%", "progress",
    "95%", "grounding", "loops",
]  # fmt: skip
AGAINST_HEAD = [
    "matched by", "arm", "same starts", "success", "95%", "by seed", "worlds worse", "better",
    "p", "progress", "95%",
]  # fmt: skip


def training_section(trainings: list[Training]) -> Markup:
    """Learning curves of all training runs in one chart, then what each was."""
    named = dict(zip(short([each.name for each in trainings]), trainings, strict=True))
    preferred = {name: each for name, each in named.items() if _method(each) == "dpo"}
    refined = {name: each for name, each in named.items() if name not in preferred}
    rows: list[list[Content]] = []
    for name, each in named.items():
        record = each.record
        request = record.get("request", {})
        rows.append(
            [
                name,
                _count(record.get("parameters")),
                _count(request.get("updates")),
                _count(record.get("trained_tokens")),
                record.get("chosen", "unfinished"),
                str(record.get("chosen_by", "-")),
                _count(record.get("measured", {}).get("tokens_per_second")),
            ]
        )
    head = ["run", "weights", "updates", "trained tokens", "chosen", "chosen by", "tokens/s"]
    success = {name: _points(each.log, "validation_success") for name, each in named.items()}
    requests = {name: flat(each.record.get("request", {})) for name, each in named.items()}
    return tag(
        "section",
        tag("h2", "Training"),
        _lines("Loss of a trained token", refined, "loss", "nats") if refined else "",
        _lines("Loss on validation rows", refined, "validation_loss", "nats") if refined else "",
        _lines("Loss of a pair", preferred, "loss", "nats", "updates") if preferred else "",
        _lines("Pairs preferred rightly", preferred, "preferred", "share", "updates")
        if preferred
        else "",
        _lines("Success on validation starts", named, "validation_success", "share")
        if any(success.values())
        else "",
        table(head, rows, "Training runs"),
        shared_facts(requests, "What was trained") if requests else "",
    )


def _method(training: Training) -> Any:
    return training.record.get("request", {}).get("config", {}).get("method")


def _lines(
    title: str,
    named: Mapping[str, Training],
    column: str,
    unit: str,
    across: str = "trained tokens",
) -> Markup:
    by = "update" if across == "updates" else "trained_tokens"
    lines = {name: _points(each.log, column, by) for name, each in named.items()}
    groups = {name: name.partition(SEED)[0] for name in lines}
    return curves(title, lines, across, unit, groups)


def experiment_section(name: str, results: dict[str, Any]) -> Markup:
    """An experiment: every arm with its interval, differences, what was run."""
    rows = [row for row in results.get("rows", []) if isinstance(row, dict)]
    splits = list(dict.fromkeys(row["split"] for row in rows))
    parts: list[Content] = [tag("h2", f"Experiment {name}")]
    for split in splits:
        some = [row for row in rows if row["split"] == split]
        parts.append(intervals(f"Success on {split}", [_dot(row) for row in some]))
        parts.append(table(ARM_HEAD, [_arm(row) for row in some], f"All arms, {split}"))
        pairs = [_against(row) for row in some if row.get("against")]
        if pairs:
            parts.append(table(AGAINST_HEAD, pairs, f"Differences from the first arm, {split}"))
    parts.append(
        tag(
            "p",
            "Intervals are over worlds (where a split has one world only, Wilson's over episodes, "
            "marked so); differences are against the first arm on the same starts and seeds, and "
            "p is a sign test over worlds; seeds are not drawn, and stand by themselves. Arms that "
            "differ in nothing stand here like all others. Test starts were read once, after all "
            "training, and chose no checkpoint.",
        )
    )
    worlds = results.get("worlds", {})
    if worlds and all(isinstance(each, dict) for each in worlds.values()):
        body = [[split, each["worlds"], each["shapes"]] for split, each in worlds.items()]
        parts.append(table(["split", "worlds", "of so many shapes"], body, "Worlds"))
    parts += [_sizes(rows, results), facts(flat(results.get("config", {})))]
    return tag("section", *parts)


def _dot(row: dict[str, Any]) -> tuple[str, float | None, Any]:
    label = f"{row['arm']} ({row['match']})" if row["match"] else row["arm"]
    told = row["outcome"]
    over_worlds = told["ci"]["success"]
    if over_worlds is None:
        return f"{label}, Wilson", told["success"], told["ci"]["success_wilson"]
    return label, told["success"], over_worlds


def _arm(row: dict[str, Any]) -> list[Content]:
    told = row["outcome"]
    return [
        row["match"],
        row["arm"],
        row["seeds"],
        told["episodes"],
        "" if row["trained_tokens"] is None else _count(row["trained_tokens"]),
        number(told["success"]),
        interval(told["ci"]["success"]),
        number(told["progress"]),
        interval(told["ci"].get("progress")),
        number(told["grounding"]),
        number(told["loops"]),
    ]


def _against(row: dict[str, Any]) -> list[Content]:
    other = row["against"]
    return [
        row["match"],
        row["arm"],
        other.get("pairs"),
        signed(other.get("success")),
        interval(other.get("success_ci"), signs=True),
        ", ".join(signed(gain) for gain in other.get("by_seed", {}).values()) or "-",
        other.get("worlds_worse"),
        other.get("worlds_better"),
        chance(other.get("p")),
        signed(other.get("progress")),
        interval(other.get("progress_ci"), signs=True),
    ]


def _sizes(rows: list[dict[str, Any]], results: dict[str, Any]) -> Markup:
    """Success over the number of rows, where arms differ in that alone."""
    arms = {arm["name"]: arm for arm in results.get("config", {}).get("arms", [])}
    counts = results.get("arms", {})
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        arm = arms.get(row["arm"])
        if arm and arm.get("rows") == "full" and row["outcome"]["success"] is not None:
            line = f"{row['split']}, {row['match']}"
            lines.setdefault(line, []).append((counts[row["arm"]], row["outcome"]["success"]))
    long = {name: sorted(points) for name, points in lines.items() if len(points) > 1}
    if not long:
        return Markup("")
    return curves("Success by the size of the corpus", long, "conversations", "success")


def _points(
    log: list[dict[str, str]], column: str, by: str = "trained_tokens"
) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for row in log:
        try:
            found.append((float(row[by] or 0), float(row[column])))
        except (KeyError, ValueError):
            continue  # this row has no such figure
    return found


def _count(value: Any) -> Content:
    return f"{value:,.0f}" if isinstance(value, int | float) else "-" if value is None else value
