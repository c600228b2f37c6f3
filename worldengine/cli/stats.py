"""`worldengine stats`: what the trajectories of runs are like."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from worldengine.cli.printing import counted, document, harmless, out, say, table
from worldengine.curation.filters import KINDS
from worldengine.curation.selection import read
from worldengine.curation.similarity import similarity
from worldengine.curation.statistics import Statistics
from worldengine.outputs import refuse_folder
from worldengine.rollout.storage import Run

SHOWN = 60
"""Worlds that the table lists; all are in the JSON."""


def run(arguments: argparse.Namespace) -> int:
    """Status 1 if there is no trajectory or a line cannot be read."""
    if arguments.plots:
        refuse_folder(Path(arguments.plots))
    statistics, problems = _gathered(arguments, arguments.runs)
    if not statistics.trajectories:
        say("there is no trajectory to describe")
        return 1
    embeddings = Path(arguments.embeddings) if arguments.embeddings else None
    alike = similarity(list(statistics.worlds.values()), embeddings)
    files: list[str] = []
    if arguments.plots:
        from worldengine.curation.plots import plots

        files = [str(path) for path in plots(statistics, alike, Path(arguments.plots))]
    told: dict[str, Any] = statistics.told() | {"similarity": alike.told(), "plots": files}
    if arguments.beside:
        other, unread = _gathered(arguments, arguments.beside)
        problems += unread
        told["beside"] = _beside(statistics, other)
    if arguments.json:
        document(told | {"unreadable": len(problems)})
    else:
        _print(told)
        for name in files:
            out(name)
    if problems:
        say(harmless(f"{counted(len(problems), 'line')} cannot be read (first: {problems[0]})"))
    return 1 if problems else 0


def _beside(ours: Statistics, theirs: Statistics) -> dict[str, Any]:
    """Thoughts of both, as many of the one as of the other: diversity falls with size."""
    most = min(ours.thoughts().measured, theirs.thoughts().measured)
    return {
        "measured": most,
        "thoughts": ours.thoughts(most).told(),
        "beside": theirs.thoughts(most).told(),
        "trajectories": theirs.trajectories,
    }


def _gathered(arguments: argparse.Namespace, runs: list[str]) -> tuple[Statistics, list[str]]:
    own = runs is arguments.runs
    chosen = read(Path(arguments.selection)) if own and arguments.selection else None
    if chosen is not None and arguments.split:
        chosen.need(arguments.split)
    statistics = Statistics(arguments.sample)
    problems: list[str] = []
    for folder in runs:
        for row in Run(Path(folder)).rows():
            if row.trajectory is None:
                problems.append(f"{row.where}: {row.problem}")
                continue
            split = None if chosen is None else chosen.split_of(row.trajectory)
            if chosen is not None and (split is None or split != (arguments.split or split)):
                continue
            statistics.add(row.trajectory)
    return statistics, problems


def _print(told: dict[str, Any]) -> None:
    statuses = ", ".join(f"{number} {name}" for name, number in told["statuses"].items())
    out(f"{counted(told['trajectories'], 'trajectory', 'trajectories')}: {statuses}")
    out("")
    names = {
        "turns": "turns",
        "characters": "characters",
        "reply_words": "words of a reply",
        "refinements": "refinements",
        "turns_to_recovery": "turns to recovery",
    }
    rows = [["", "mean", "least", "5%", "25%", "half", "75%", "95%", "most"]]
    for key, name in names.items():
        numbers = told[key]
        if numbers["count"]:
            rows.append([name, f"{numbers['mean']:.1f}", *map(str, numbers["quantiles"].values())])
    out(table(rows, range(1, 9)))
    out("")
    rows = [["refused as", "turns", "of all refused", "set right"]]
    for kind in KINDS:
        each = told["errors"][kind]
        shares = [_percent(each["share_of_errors"]), _percent(each["recovered"])]
        rows.append([kind, str(each["turns"]), *shares])
    out(table(rows, (1, 2, 3)))
    out("")
    _marked(told)
    _varied(told)
    _worlds(told)


def _marked(told: dict[str, Any]) -> None:
    """Mistakes made on purpose, and what is known of AgentRefine's."""
    mistakes = told["mistakes"]
    if mistakes["marked"]:
        rows = [["meant as a mistake", "turns", "of all meant", "refused", "set right"]]
        for mark, each in mistakes["kinds"].items():
            shares = [_percent(each[key]) for key in ("share", "refused", "recovered")]
            rows.append([mark, str(each["turns"]), *shares])
        out(table(rows, (1, 2, 3, 4)))
        slips = ", ".join(
            f"{kind} {_percent(part)}" for kind, part in mistakes["slips"].items() if part
        )
        if slips:
            out(f"what was wrong with slips: {slips}")
    out(f"refused and not meant: {counted(mistakes['unmarked'], 'turn')}")
    known = told["agentrefine"]
    low, high = known["labels_wrong"]
    out(
        f"AgentRefine: {known['refinements_wanted']} refinements asked for, "
        f"{known['bytes_per_trajectory']} bytes a trajectory, {100 * low:.0f}-{100 * high:.0f}% of "
        "its labels wrong; its mix of errors is not published"
    )
    out("")


def _varied(told: dict[str, Any]) -> None:
    heads = ["measured", "distinct-1", "-2", "-3", "compression", "repeated", "frames"]
    rows = [["diversity of", *heads]]
    measured = {"thoughts": told["thoughts"], "actions": told["actions"]}
    if "beside" in told:
        measured |= {"  as many of them": told["beside"]["thoughts"]}
        measured |= {"  thoughts beside": told["beside"]["beside"]}
    for name, each in measured.items():
        if not each["measured"]:
            rows.append([name, "none", *[""] * 6])
            continue
        cells = [f"{each[f'distinct_{n}']:.3f}" for n in (1, 2, 3)]
        shares = [_percent(each[key]) for key in ("repeated_templates", "repeated_frames")]
        ratio = f"{each['compression_ratio']:.2f}"
        rows.append([name, str(each["measured"]), *cells, ratio, *shares])
    out(table(rows, range(1, 8)))
    if told["rewrites"]:
        fates = ", ".join(f"{number} {fate}" for fate, number in told["rewrites"].items())
        out(f"thoughts given to a model: {fates}")
    plays = told["plays"]
    out("")
    out(
        f"{counted(plays['starts'], 'start')}, of each {plays['plays_a_start']:.1f} plays: "
        f"{plays['distinct_plays_a_start']:.1f} different ones, and "
        f"{plays['distinct_plans_a_start']:.1f} different plans once refused turns and looks are "
        f"taken out; repeated: {_percent(plays['repeated_plays'])} of plays, "
        f"{_percent(plays['repeated_plans'])} of plans"
    )


def _worlds(told: dict[str, Any]) -> None:
    nearest = dict(enumerate(told["similarity"]["nearest"]))
    rows = [
        ["world", "trajectories", "starts", "won", "accepted", "turns", "plays", "nearest", "cos"]
    ]
    for at, each in enumerate(told["worlds"][:SHOWN]):
        near = nearest.get(at, {"nearest": "", "cosine": 0.0})
        numbers = [each[key] for key in ("trajectories", "starts", "won", "accepted")]
        rows.append(
            [
                harmless(each["world"]),
                *map(str, numbers),
                f"{each['mean_turns']:.1f}",
                str(each["distinct_plays"]),
                harmless(near["nearest"]),
                f"{near['cosine']:.2f}",
            ]
        )
    out("")
    out(table(rows, (1, 2, 3, 4, 5, 6, 8)))
    if len(told["worlds"]) > SHOWN:
        out(f"… and {len(told['worlds']) - SHOWN} worlds more; --json has all of them")


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}%"
