"""The parts of the page on play: runs and evaluations.

In: what was found. Out: markup.
"""

from __future__ import annotations

from typing import Any

from worldengine.dungeonmaster.audit import recorded
from worldengine.evaluation.metrics import CLASSES
from worldengine.evaluation.paired import chance
from worldengine.evaluation.summary import grouped, summary
from worldengine.report.charts import heatmap, intervals, shares
from worldengine.report.markup import Markup, table, tag
from worldengine.report.tables import facts, interval, number, results, signed
from worldengine.report.trajectories import read, readable, ruled
from worldengine.rollout.storage import Run

Rows = list[tuple[str, dict[str, Any]]]


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
        results([("all", told), *worlds.items()], "Results by world"),
        shares("What became of the turns", mix) if mix else "",
        table(
            ["world", "accepted", *CLASSES],
            [[world, *counts.values()] for world, counts in mix],
            "Turns by what became of them",
        ),
        _master(run),
        tag("p", f"{broken} lines of the run could not be read.") if broken else "",
        tag("h3", "Trajectories") if shown else "",
        *map(readable, shown),
        facts(
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


def _master(run: Run) -> Markup:
    """How far a model that was the Dungeon Master agrees with the Machine; "" if none was."""
    if not ruled(run):
        return Markup("")
    told = recorded(run)
    body = [
        [name, each["turns"], number(each["agreement"]), interval(each["ci"]),
         ", ".join(f"{said} {n}" for said, n in each["said"].items())]
        for name, each in told["by_class"].items()
    ]  # fmt: skip
    ends = [[g["machine"], g["master"], g["games"]] for g in told["games"]]
    agreement = {key.replace("_", " "): number(v) for key, v in told["agreement"].items()}
    return tag(
        "section",
        tag("h3", f"{told['model']} as Dungeon Master, against the Machine"),
        table(
            ["the Machine's class", "turns", "agreement", "95%", "the master said"],
            body,
            "Agreement turn by turn",
        ),
        table(["readable", *agreement], [[number(told["readable"]), *agreement.values()]]),
        table(["the Machine's end", "the master's", "games"], ends, "How the games ended"),
    )


def _accepted(told: dict[str, Any]) -> int:
    turns = round((told["turns"] or 0) * told["episodes"])
    return int(turns - sum(told["refusals"].values()))


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
        results(rows, "Players"),
        intervals("Success with Wilson's 95% interval", dots) if dots else "",
        _best_of(rows),
        _robustness(rows),
        _thoughts(rows),
        *(
            results(
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
            ["first", "second", "same starts", "difference in success", "95%", "McNemar p"],
            [
                [
                    p["first"],
                    p["second"],
                    p["pairs"],
                    signed(p["success_difference"]),
                    interval(p.get("success_interval"), signs=True),
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
        facts({key: report.get(key) for key in ("program", "part", "plays", "seed", "commands")}),
    )


def _best_of(rows: Rows) -> Markup:
    some = [(who, each["best_of"]) for who, each in rows if each.get("best_of")]
    if not some:
        return Markup("")
    body = [
        [who, k, number(told["success"]), interval(told["ci"])]
        for who, best in some
        for k, told in best.items()
    ]
    return table(["player", "best of", "success", "95%"], body, "Best of several plays")


def _robustness(rows: Rows) -> Markup:
    some = [(who, each["robustness"]) for who, each in rows if each.get("robustness")]
    if not some:
        return Markup("")
    body = [
        [f"{who}: {words}", told["episodes"], number(told["success"]),
         interval(told.get("ci", {}).get("success"))]
        if isinstance(told, dict)
        else [f"{who}: {words}", "", number(told), ""]
        for who, robustness in some
        for words, told in robustness["by_words"].items()
    ]  # fmt: skip
    body += [
        [f"{who}: mean, deviation", "", number(each["mean"]), number(each["deviation"])]
        for who, each in some
    ]
    return table(["", "episodes", "success", "95%"], body, "In other words, on the same starts")


def _thoughts(rows: Rows) -> Markup:
    some = [(who, each["diversity"]) for who, each in rows if each.get("diversity")]
    keys = list(dict.fromkeys(key for _, told in some for key in told))
    if not keys:
        return Markup("")
    body = [[who, *(number(told.get(key)) for key in keys)] for who, told in some]
    return table(["player", *(key.replace("_", " ") for key in keys)], body, "Thoughts")
