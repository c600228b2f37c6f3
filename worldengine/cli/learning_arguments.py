"""What may be typed after `train`, `evaluate`, `experiment`, `audit-dm` and `report`.

In: the parser's maker. Out: nothing.
"""

from __future__ import annotations

from worldengine.cli.options import Command, json_option, natural, seed_option

PARTS = ("all", "train", "validation", "test")
COMMAND_SETS = ("known", "scoped", "applicable")

FIGURES = """figures:
  success    share of episodes that ended in the world's own win; 95%: its Wilson interval
  progress   the highest share of milestones reached, 1 when won; mean over episodes
  grounding  accepted turns of all turns, as a share; mean over episodes
  loops      share of episodes that end, not won, in a block of 1 to 4 turns said 3 times
  repeats    share of turns that gave an earlier command and got the same answer
  recovery   share of refused turns that a later turn of the same episode set right"""


def train(command: Command) -> None:
    sub = command(
        "train",
        "train",
        "refinement tuning: train a model on exported rows, as a TOML file says",
        "worldengine rollout tide_clock --episodes 60 --part train --out out/t && "
        "worldengine export out/t --to messages --out out/t.jsonl && "
        "worldengine train configs/one_world.toml",
    )
    sub.add_argument("config", metavar="CONFIG", help="a TOML file; see docs/learning.md")
    sub.add_argument("--out", metavar="DIR", help="instead of the file's `out`")
    sub.add_argument("--seed", type=int, metavar="S", help="instead of the file's `seed`")
    sub.add_argument("--resume", action="store_true", help="go on with a run that was stopped")
    sub.add_argument(
        "--check", action="store_true", help="read everything and say what would be trained"
    )
    json_option(sub, "the summary as one JSON document")


def evaluate(command: Command) -> None:
    sub = command(
        "evaluate",
        "evaluate",
        "success, progress, grounding and loops of players, with intervals",
        "worldengine evaluate tide_clock locksmith --part all --player explorer --player random",
    )
    sub.add_argument("files", nargs="+", metavar="FILE|DIR", help="scripts, folders, world names")
    sub.add_argument(
        "--player",
        action="append",
        metavar="P",
        help="as for rollout; several are compared on the same starts (explorer)",
    )
    sub.epilog = f"{sub.epilog}\n\n{FIGURES}"
    sub.add_argument(
        "--part",
        choices=PARTS,
        default="test",
        help="which starts (test); worlds that have none in it are left out",
    )
    sub.add_argument(
        "--starts", type=int, default=0, metavar="N", help="of each world at most (0: all)"
    )
    sub.add_argument(
        "--plays", type=int, default=1, metavar="N", help="of each start, for Best-of-N (1)"
    )
    sub.add_argument(
        "--perturb",
        action="append",
        metavar="K",
        help="play the same starts in other words, too: a kind or preset of perturb",
    )
    seed_option(sub, "equal seeds, equal bytes")
    sub.add_argument("--workers", type=natural, default=1, metavar="N", help="processes (1)")
    sub.add_argument(
        "--commands", choices=COMMAND_SETS, default="known", help="the command set (known)"
    )
    sub.add_argument(
        "--format",
        choices=("react", "action"),
        default="react",
        help="what players are asked for: a thought and an action, or the action alone (react)",
    )
    sub.add_argument(
        "--out",
        default="out/evaluation",
        metavar="DIR",
        help="runs and report.json; what is there is not played again (out/evaluation)",
    )
    json_option(sub, "the report as one JSON document")


def experiment(command: Command) -> None:
    sub = command(
        "experiment",
        "experiment",
        "arms made from one corpus: trained, tested on the same starts, in one table",
        "worldengine experiment configs/small.toml",
    )
    sub.add_argument("config", metavar="CONFIG", help="a TOML file; see docs/learning.md")
    sub.add_argument("--out", metavar="DIR", help="instead of the file's `out`")
    json_option(sub, "every arm's figures as one JSON document")


def report(command: Command) -> None:
    sub = command(
        "report",
        "report",
        "one HTML page with tables, plots and readable trajectories",
        "worldengine rollout tide_clock --episodes 20 --out out/run && "
        "worldengine report out/run --out out/report.html",
    )
    sub.add_argument(
        "folders",
        nargs="+",
        metavar="RUN",
        help="runs, training runs, evaluations, experiments: any folder that was written here",
    )
    sub.add_argument("--out", required=True, metavar="FILE.html", help="the page that is written")
    sub.add_argument("--title", default="worldengine report", metavar="T", help="its title")
    json_option(sub, "what the page holds as one JSON document")


def audit_dm(command: Command) -> None:
    sub = command(
        "audit-dm",
        "audit_dm",
        "put a model in the Dungeon Master's chair and count where it disagrees with the Machine",
        "worldengine audit-dm tide_clock --model hf:out/one_world/model --episodes 1\n"
        "  (the example of `worldengine train` leaves that model)",
    )
    sub.add_argument(
        "file",
        metavar="FILE|RUN",
        help="a script or the name of a world; or a run that was played with --player dm:…",
    )
    sub.add_argument(
        "--model", metavar="M", help="hf:PATH or openai:MODEL@URL, with options; not for a run"
    )
    sub.add_argument("--player", default="explorer", metavar="P", help="whose commands (explorer)")
    sub.add_argument("--episodes", type=natural, default=8, metavar="N", help="how many plays (8)")
    sub.add_argument(
        "--constrain", action="store_true", help="hold the answers to the form by a grammar"
    )
    sub.add_argument(
        "--free",
        action="store_true",
        help="the master keeps its own history; else the true one is told before each command",
    )
    sub.add_argument(
        "--max-tokens", type=natural, default=256, metavar="N", help="of one answer (256)"
    )
    seed_option(sub, "equal seeds, equal plays")
    json_option(sub, "the audit as one JSON document")
