"""The parts of the page, one for each kind of thing that is reported on.

In: what was found. Out: markup. Figures that are not known show as a hyphen.
"""

from __future__ import annotations

from typing import Any

from worldengine.evaluation.metrics import CLASSES
from worldengine.evaluation.paired import chance
from worldengine.evaluation.summary import grouped, summary
from worldengine.report.charts import curves, heatmap, intervals, shares
from worldengine.report.markup import Content, Markup, table, tag
from worldengine.report.sources import Training
from worldengine.report.trajectories import read, readable
from worldengine.rollout.storage import Run

FIGURES = ("success", "progress", "grounding", "loops", "repeats", "recovery", "turns")


def run_section(name: str, run: Run) -> Markup:
    """A run: results by world, error mix, trajectories."""
    episodes, shown, broken = read(run)
    worlds = grouped(episodes, lambda each: each.world)
    told = summary(episodes)
    manifest = run.manifest
    mix = [
        (world, {"accepted": _accepted(each), **each["refusals"]}) for world, each in worlds.items()
    ]
    return tag(
        "section",
        tag("h2", f"Run {name}"),
        _results([("all", told), *worlds.items()], "Results by world"),
        shares("What became of the turns", mix) if mix else "",
        table(
            ["world", "accepted", *CLASSES],
            [[world, *counts.values()] for world, counts in mix],
            "Turns by what became of them",
        ),
        tag("p", f"{broken} lines of the run could not be read.") if broken else "",
        tag("h3", "Trajectories") if shown else "",
        *map(readable, shown),
        _facts(
            {
                "player": manifest.player.name,
                "settings": str(dict(manifest.player.settings)),
                "guidance": manifest.player.guidance or "none",
                "commands": manifest.command_set,
                "part of the starts": manifest.part,
                "seed": manifest.seed,
                "program": manifest.program,
                **{f"world {each.name}": each.machine_hash for each in manifest.worlds},
            }
        ),
    )


def _accepted(told: dict[str, Any]) -> int:
    turns = round((told["turns"] or 0) * told["episodes"])
    return int(turns - sum(told["refusals"].values()))


def training_section(trainings: list[Training]) -> Markup:
    """Learning curves of all training runs in one chart, then what each was."""
    short = _short([each.name for each in trainings])
    loss = {name: _points(each.log, "loss") for name, each in zip(short, trainings, strict=True)}
    held_out = {
        name: _points(each.log, "validation_loss")
        for name, each in zip(short, trainings, strict=True)
    }
    success = {
        name: _points(each.log, "validation_success")
        for name, each in zip(short, trainings, strict=True)
    }
    rows = []
    for name, each in zip(short, trainings, strict=True):
        record = each.record
        request = record.get("request", {})
        rows.append(
            [
                name,
                record.get("parameters", "-"),
                request.get("updates", "-"),
                record.get("trained_tokens", "-"),
                record.get("chosen", "unfinished"),
                str(record.get("chosen_by", "-")),
                record.get("measured", {}).get("tokens_per_second", "-"),
            ]
        )
    head = ["run", "weights", "updates", "trained tokens", "chosen", "chosen by", "tokens/s"]
    return tag(
        "section",
        tag("h2", "Training"),
        curves("Loss of a trained token", loss, "trained tokens", "nats"),
        curves("Loss on validation rows", held_out, "trained tokens", "nats"),
        curves("Success on validation starts", success, "trained tokens", "share")
        if any(success.values())
        else "",
        table(head, rows),
        *(
            _facts(_flat(each.record.get("request", {})), f"What was run: {name}")
            for name, each in zip(short, trainings, strict=True)
        ),
    )


def evaluation_section(name: str, report: dict[str, Any]) -> Markup:
    """An evaluation: players, intervals, comparisons, families, difficulty, prompts."""
    players = [each for each in report.get("players", []) if isinstance(each, dict)]
    rows = [(str(each.get("player")), each) for each in players]
    dots = [(who, each["success"], each["ci"]["success"]) for who, each in rows]
    families = list(dict.fromkeys(f for _, each in rows for f in each.get("by_world", {})))
    heat = [
        (who, [each.get("by_world", {}).get(world, {}).get("success") for world in families])
        for who, each in rows
    ]
    pairs = report.get("comparisons", [])
    return tag(
        "section",
        tag("h2", f"Evaluation {name}"),
        _results(rows, "Players"),
        intervals("Success with Wilson's 95% interval", dots) if dots else "",
        *(
            _results(
                [
                    (f"{who}: {group}", told)
                    for who, each in rows
                    for group, told in each[key].items()
                ],
                title,
            )
            for key, title in (("by_family", "By family"), ("by_difficulty", "By difficulty"))
            if any(each.get(key) for _, each in rows)
        ),
        heatmap("Success by world", families, heat) if families and len(families) <= 60 else "",
        table(
            ["first", "second", "same starts", "difference in success", "McNemar p"],
            [
                [
                    p["first"],
                    p["second"],
                    p["pairs"],
                    _n(p["success_difference"]),
                    chance(p["p_success"]),
                ]
                for p in pairs
            ],
            "Comparisons on the same starts (second minus first)",
        )
        if pairs
        else "",
        *(tag("p", f"{who}: {each.get('seen', {}).get('split', '')}") for who, each in rows),
        *(
            tag(
                "details",
                tag("summary", f"The prompt of {world['name']}, word for word"),
                tag("pre", str(world.get("prompt", ""))),
            )
            for world in report.get("worlds", [])[:20]
        ),
        _facts({key: report.get(key) for key in ("program", "part", "plays", "seed", "commands")}),
    )


def experiment_section(name: str, results: dict[str, Any]) -> Markup:
    """An experiment: every arm with its interval, differences, what was run."""
    rows = [row for row in results.get("rows", []) if isinstance(row, dict)]
    splits = list(dict.fromkeys(row["split"] for row in rows))
    parts: list[Content] = [tag("h2", f"Experiment {name}")]
    for split in splits:
        some = [row for row in rows if row["split"] == split]
        dots = [
            (
                f"{row['arm']} ({row['match']})" if row["match"] else row["arm"],
                row["outcome"]["success"],
                row["outcome"]["ci"]["success"] or row["outcome"]["ci"]["success_wilson"],
            )
            for row in some
        ]
        parts.append(intervals(f"Success on {split}", dots))
        parts.append(table(_ARM_HEAD, [_arm(row) for row in some], f"All arms, {split}"))
    curve = _sizes(rows, results)
    parts.append(
        tag(
            "p",
            "Intervals are over worlds; differences are against the first arm on the same starts "
            "and seeds. Arms that differ in nothing stand here like all others.",
        )
    )
    parts += [curve, _facts(_flat(results.get("config", {})), "What was run")]
    return tag("section", *parts)


_ARM_HEAD = [
    "matched by", "arm", "seeds", "episodes", "trained tokens", "success", "progress",
    "grounding", "loops", "difference", "from", "to", "p",
]  # fmt: skip


def _arm(row: dict[str, Any]) -> list[Content]:
    told, other = row["outcome"], row.get("against") or {}
    interval = other.get("success_ci") or (None, None)
    tokens = row["trained_tokens"]
    return [
        row["match"],
        row["arm"],
        row["seeds"],
        told["episodes"],
        "" if tokens is None else f"{tokens:,.0f}",
        *(_n(told[name]) for name in ("success", "progress", "grounding", "loops")),
        _n(other.get("success")) if other else "",
        _n(interval[0]) if other else "",
        _n(interval[1]) if other else "",
        chance(other.get("p")) if other else "",
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


def _results(rows: Any, caption: str) -> Markup:
    body = [
        [
            name,
            told["episodes"],
            *(_n(told.get(key)) for key in FIGURES),
            *(_n(value) for value in (told.get("ci", {}).get("success") or (None, None))),
        ]
        for name, told in rows
    ]
    head = ["", "episodes", *FIGURES, "success from", "to (95%)"]
    return table(head, body, caption)


def _points(log: list[dict[str, str]], column: str) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for row in log:
        try:
            found.append((float(row["trained_tokens"] or 0), float(row[column])))
        except (KeyError, ValueError):
            continue  # this row has no such figure
    return found


def _facts(facts: dict[str, Any], title: str = "What was run") -> Markup:
    rows = [[key, tag("code", "" if value is None else str(value))] for key, value in facts.items()]
    return tag("details", tag("summary", title), table(["", ""], rows))


def _flat(value: Any, before: str = "") -> dict[str, Any]:
    """Nested tables as one, with dotted names."""
    if not isinstance(value, dict):
        return {before: value}
    found: dict[str, Any] = {}
    for key, inner in value.items():
        found |= _flat(inner, f"{before}.{key}" if before else str(key))
    return found


def _short(names: list[str]) -> list[str]:
    """Names without what all of them begin with."""
    if len(names) < 2:
        return [name.rsplit("/", 1)[-1] for name in names]
    parts = [name.split("/") for name in names]
    common = 0
    while all(len(p) > common + 1 and p[common] == parts[0][common] for p in parts):
        common += 1
    return ["/".join(p[common:]) for p in parts]


def _n(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
