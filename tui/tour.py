"""`worldengine tour`: ninety seconds that show what this is.

In: nothing but the worlds that ship. Out: frames, one after another: two columns of rows, a
caption, how long to look at them. Everything in them is really done while they are made:
the world is played, its script is changed and compiled, episodes are run and recorded.
Nothing is drawn here; `tour_screen` shows the frames and `tour_picture` films them.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from worldengine.compiler import compile_source
from worldengine.machine import Machine
from worldengine.machine.schema import WON
from worldengine.modelcheck.relaxation.abstract import reach
from worldengine.modelcheck.verdicts.reasons import Reason, unreachable_reason
from worldengine.proof import winning_plan
from worldengine.resources import shipped_world, shipped_worlds
from worldengine.rollout.runner import rollout
from worldengine.source import Source

from . import chart, goals, reasons, watching
from .rows import BLANK, Row, bar, heading, row, span
from .session import Session
from .transcript_rows import opening_rows, turn_rows

WORLD = "thesis_shell"
CROWD = (
    "thesis_shell", "unix_intern", "tide_clock", "atc_trainee", "titration", "call_centre",
    "beekeeper", "lagos_market", "forklift", "bakery",
)  # fmt: skip
PLAYED = "A world, played: written as a script, compiled into a finite machine."
REFUSED = "A refused command gets its exact class, and the line that refuses it."
CONTEXT = 7
"""Lines of the script shown on either side of the one that is deleted."""
ROLLOUT_SECONDS = 22.0
CHUNK = 25
WIDEST = 76
"""Characters of a caption: it stands on one line of a terminal of 80 columns."""
AT_ONCE = 0.02
"""Seconds that a frame stands at least while episodes go on behind it."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What is to be seen for so many seconds."""

    caption: str
    left: tuple[Row, ...]
    right: tuple[Row, ...]
    seconds: float


def frames(seconds: float = ROLLOUT_SECONDS) -> Iterator[Frame]:
    """The whole tour. `seconds` is how long episodes are run."""
    path = shipped_world(WORLD) or shipped_worlds()[0]
    source = Source(path.name, path.read_text(encoding="utf-8"))
    machine = compile_source(source).machine
    assert machine is not None, "a world that ships compiles"
    with ThreadPoolExecutor(1) as aside:  # while the world plays there is time to look
        deadly = aside.submit(_deadly_line, source)
        yield from _played(machine, source)
        yield from _mended(machine, source, *deadly.result())
    yield from _streamed(seconds)
    yield _last()


# -- a world plays -------------------------------------------------------------------------


def _played(machine: Machine, source: Source) -> Iterator[Frame]:
    session = Session(machine)
    story = opening_rows(session)
    yield Frame(PLAYED, tuple(story), tuple(_beside(session)), 5.0)
    plan = list(winning_plan(machine, 0) or ())
    plan.insert(3, _too_early(session, plan))
    for number, command in enumerate(plan):
        node = session.play(command)
        story += turn_rows(node, goals.reached_by(session, node))
        refused = reasons.why(session, node, {source.name: source.text})
        if refused is not None:
            beside = (*reasons.rows(refused), BLANK, *_beside(session))
            yield Frame(REFUSED, tuple(story), beside, 6.0)
        else:
            yield Frame(PLAYED, tuple(story), tuple(_beside(session)), 1.5 if number < 8 else 0.6)


def _too_early(session: Session, plan: list[str]) -> str:
    """A command of the plan that a requirement refuses after three turns of it: what somebody
    would try who is in a hurry."""
    session.jump(session.history.root)
    for command in plan[:3]:
        session.play(command)
    state = session.at.state
    session.jump(session.history.root)
    for command in reversed(plan):
        refusal = session.runtime.step(state, command).refusal
        if refusal is not None and refusal.requirement >= 0:
            return command
    return "dance"


def _beside(session: Session) -> list[Row]:
    return [*chart.rows(session, 56, 15, False)[:-2], BLANK, *goals.rows(session, 50)[3:]]


# -- its script is broken and mended -------------------------------------------------------


def _mended(machine: Machine, source: Source, line: int, reason: Reason) -> Iterator[Frame]:
    plan = winning_plan(machine, 0) or ()
    before = _script(source, line, "")
    yield Frame("This is its script.", tuple(_verdict(plan)), before, 5.0)
    away = _script(source, line, "-")
    yield Frame("One line of it is deleted …", (row(("checking …", "muted")),), away, 2.5)
    red = _reason(source, reason, line)
    yield Frame("… and the verdict turns, with the reason and the line.", tuple(red), away, 8.0)
    yield Frame("The line comes back, and with it the plan.", tuple(_verdict(plan)), before, 5.0)


def _deadly_line(source: Source) -> tuple[int, Reason]:
    """The first line whose loss still compiles, after which the checker proves that nothing
    wins, and why; one whose reason is more than the ending itself comes first."""
    lines = source.text.split("\n")
    found: list[tuple[int, Reason]] = []
    for number, text in enumerate(lines):
        if not text.lstrip().startswith("set ") or "{" in text:
            continue
        shorter = "\n".join([*lines[:number], *lines[number + 1 :]])
        machine = compile_source(Source(source.name, shorter)).machine
        reason = _why_never(machine) if machine is not None else None
        if machine is None or reason is None or reason.location is None:
            continue
        found.append((number + 1, reason))
        endings = {machine.spans[rule.span].line for rule in machine.rules if rule.kind == "win"}
        if reason.location.line not in endings:
            return found[-1]
    assert found, "no line of the tour's world matters"
    return found[0]


def _why_never(machine: Machine) -> Reason | None:
    """Why nothing can win, None if something may."""
    if winning_plan(machine, 0) is not None:
        return None
    reached = reach(machine, [machine.start(0)])
    return None if WON in reached.values[machine.status] else unreachable_reason(reached)


def _script(source: Source, line: int, sign: str) -> tuple[Row, ...]:
    lines = source.text.split("\n")
    shown = [heading(source.name)]
    for number in range(max(1, line - CONTEXT), min(len(lines), line + CONTEXT) + 1):
        tone, mark = ("strong", sign or "▶") if number == line else ("muted", " ")
        tone = "bad" if number == line and sign else tone
        shown.append(row((f"{mark} {number:>4} │ ", tone), span(lines[number - 1], tone), indent=9))
    return tuple(shown)


def _verdict(plan: tuple[str, ...]) -> list[Row]:
    shown = [row(("✓ winnable", "good"), (f"  in {len(plan)} turns, replayed:", "muted")), BLANK]
    return shown + [
        row((f"{n:>3} ", "muted"), (command, "command")) for n, command in enumerate(plan, 1)
    ]


def _reason(source: Source, reason: Reason, deleted: int) -> list[Row]:
    """The checker's reason with its line, which stands one further down in the whole script
    if it comes after the one that was deleted."""
    where = reason.location
    assert where is not None
    number = where.line + (where.line >= deleted)
    return [
        row(("✗ unwinnable", "bad"), ("  proven: no play can win", "muted")),
        BLANK,
        row(reason.text),
        BLANK,
        row((f"{source.name}:{where.line}:{where.column}", "strong")),
        row((f"{where.line:>4} │ ", "mark"), span(source.text.split("\n")[number - 1].strip()),
            indent=7),
    ]  # fmt: skip


# -- episodes stream by --------------------------------------------------------------------


def _streamed(seconds: float) -> Iterator[Frame]:
    caption = "The default player plays them all and mends its mistakes. All is recorded."
    machines = [m for name in CROWD if (m := _machine(name)) is not None and m.proofs]
    table: dict[str, list[int]] = {machine.name: [0, 0, 0, 0] for machine in machines}
    with tempfile.TemporaryDirectory() as folder:
        began, batch = time.perf_counter(), 0
        while not batch or time.perf_counter() - began < seconds:
            machine = machines[batch % len(machines)]
            out = Path(folder) / machine.name
            if out.exists():
                shutil.rmtree(out)
            summary = rollout([machine], episodes=CHUNK, seed=batch, out=out)
            counts = table[machine.name]
            counts[0] += summary.episodes
            counts[1] += summary.won
            counts[2] += summary.turns
            counts[3] += sum(summary.refusals.values())
            batch += 1
            yield Frame(caption, tuple(_tally(table)), _rates(table, began), AT_ONCE)
        yield from _opened(Path(folder))


def _machine(name: str) -> Machine | None:
    path = shipped_world(name)
    return compile_source(Source(path.name, path.read_text("utf-8"))).machine if path else None


def _tally(table: dict[str, list[int]]) -> Iterator[Row]:
    yield row((f"{'world':<16}{'episodes':>9}{'won':>7}{'turns':>8}{'refused':>9}", "title"))
    for name, (episodes, won, turns, refused) in table.items():
        yield row((f"{name:<16}", "command"), f"{episodes:>9}{won:>7}{turns:>8}{refused:>9}")
    sums = [sum(column) for column in zip(*table.values(), strict=True)]
    yield BLANK
    yield row((f"{'all':<16}{sums[0]:>9}{sums[1]:>7}{sums[2]:>8}{sums[3]:>9}", "strong"))


def _rates(table: dict[str, list[int]], began: float) -> tuple[Row, ...]:
    passed = max(time.perf_counter() - began, 0.001)
    episodes, _, turns, refused = (sum(column) for column in zip(*table.values(), strict=True))
    return (
        row((f"{episodes:>10,}", "title"), " episodes played and recorded"),
        BLANK,
        heading("On this machine, one process"),
        row((f"{episodes / passed:>10.0f}", "accent"), " episodes a second"),
        row((f"{turns / passed:>10.0f}", "accent"), " turns a second, with their texts"),
        BLANK,
        row((bar(refused / max(1, turns), 30), "bad")),
        row((f"{refused / max(1, turns):>10.0%}", "accent"), " of the turns were refused"),
    )


def _opened(folder: Path) -> Iterator[Frame]:
    caption = "One opens. Refused turns stay in the context; the loss does not see them."
    found = [each for run in sorted(folder.iterdir()) for each in watching.load(run)[0]]
    best = max(found, key=lambda each: (each.counts.refinements, -each.counts.turns))
    note = (
        heading("What is trained"),
        row(("▌ trained ", "good"), "accepted turns: thought and action", indent=10),
        row(("┆ masked  ", "muted"), "refused turns, and all the world said", indent=10),
        BLANK,
        row(f"{best.counts.accepted} turns trained, "
            f"{best.counts.turns - best.counts.accepted} masked, "
            f"{best.counts.refinements} mistakes set right"),
    )  # fmt: skip
    last = max((pair.recovered for pair in best.refinements), default=3) + 1
    for turns in range(1, min(len(best.turns), last, 16) + 1):
        yield Frame(caption, tuple(watching.rows(best, turns)), note, 1.1)


def _last() -> Frame:
    lines = (
        ("worldengine play", "a list of worlds to play, or one of your own"),
        ("worldengine check FILE", "what is wrong with a script"),
        ("worldengine rollout", "many episodes of many worlds"),
        ("worldengine play RUN", "watch what was recorded"),
        ("worldengine export", "training files, each turn with its mask"),
    )
    shown = [heading("That was all real. Now yours:"), BLANK]
    shown += [row((f"  {command:<26}", "command"), words) for command, words in lines]
    return Frame("worldengine", tuple(shown), (), 6.0)
