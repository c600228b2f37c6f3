"""What may be typed after `rollout` and `verify`. In: the parser's maker. Out: nothing."""

from __future__ import annotations

from worldengine.cli.options import Command, json_option, natural, seed_option


def rollout(command: Command) -> None:
    sub = command(
        "rollout",
        "rollout",
        "let a player play many episodes",
        "worldengine rollout tide_clock --player explorer --episodes 20 --out run\n"
        "  worldengine rollout tide_clock --player explorer,rules=all,mistakes=no --out run2",
    )
    sub.add_argument("files", nargs="*", metavar="FILE|DIR", help="scripts, folders, world names")
    sub.add_argument(
        "--player",
        default="explorer",
        metavar="P",
        help="explorer (default: knows what it has observed, errs and recovers), random, "
        "expert (follows a plan that wins), human, hf:PATH, openai:MODEL@URL, "
        "dm:MODEL@URL (a model as Dungeon Master), python:MODULE:NAME, best_of:N:P, "
        "reflexion:N:P; options follow a comma, as in "
        "hf:PATH,temperature=0.7; --players lists them all",
    )
    sub.add_argument(
        "--players", action="store_true", help="list the players and their options; no more"
    )
    sub.add_argument("--episodes", type=natural, default=1, metavar="N", help="of each world (1)")
    sub.add_argument("--out", metavar="RUN", help="the folder that is written")
    seed_option(sub, "equal seeds, equal bytes")
    sub.add_argument("--workers", type=natural, default=1, metavar="N", help="processes (1)")
    sub.add_argument(
        "--batch", type=natural, default=0, metavar="N", help="episodes at once; else by player"
    )
    sub.add_argument("--variant", type=int, metavar="N", help="one start only; else all in turn")
    sub.add_argument(
        "--part",
        choices=("all", "train", "validation", "test"),
        default="all",
        help="which starts: every start belongs to one part, in every run (all)",
    )
    sub.add_argument(
        "--commands",
        choices=("known", "scoped", "applicable"),
        default="known",
        help="which command set the player is shown (known)",
    )
    sub.add_argument(
        "--packing",
        choices=("zstd", "plain", "parquet"),
        help="how full files of 1000 trajectories are kept (zstd, where it is installed)",
    )
    sub.add_argument("--resume", action="store_true", help="go on with a run that was stopped")
    json_option(sub, "the summary as one JSON document")


def verify(command: Command) -> None:
    sub = command(
        "verify",
        "verify",
        "play every trajectory of a run again and check every claim in it",
        "worldengine rollout tide_clock --episodes 20 --out run && worldengine verify run",
    )
    sub.add_argument(
        "run", metavar="RUN|FILE", help="a folder that rollout wrote; a file with --world"
    )
    sub.add_argument(
        "--world",
        metavar="W",
        help="the world that trajectories from elsewhere are checked against: JSON of turns by "
        "Player and DM, as AgentRefine has them",
    )
    json_option(sub, "the result as one JSON document")
