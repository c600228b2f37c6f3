"""Pictures of statistics: lengths, errors, yields, templates, a heatmap of worlds.

In: statistics, a similarity, a folder. Out: PNG files in it. Needs matplotlib; no window, no
global state.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from worldengine.curation.filters import KINDS
from worldengine.curation.similarity import Similarity
from worldengine.curation.statistics import Statistics

LABELLED = 40
"""Up to so many worlds are named on an axis."""
COLOUR = "#33658a"


def plots(statistics: Statistics, alike: Similarity, folder: Path) -> list[Path]:
    """The files that were written."""
    import matplotlib  # noqa: F401  (missing: said before anything is written)

    folder.mkdir(parents=True, exist_ok=True)
    drawn: dict[str, Callable[[Any], None]] = {
        "lengths": lambda figure: _lengths(figure, statistics),
        "errors": lambda figure: _errors(figure, statistics),
        "yields": lambda figure: _yields(figure, statistics),
        "templates": lambda figure: _templates(figure, statistics),
        "worlds": lambda figure: _heatmap(figure, alike),
    }
    return [_drawn(folder / f"{name}.png", draw) for name, draw in drawn.items()]


def _drawn(path: Path, draw: Callable[[Any], None]) -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    draw(figure)
    beside = path.with_name(path.name + ".part")
    try:
        with warnings.catch_warnings():  # a box stands for what the font lacks, and that will do
            warnings.filterwarnings("ignore", "Glyph .* missing")
            figure.savefig(beside, format="png", dpi=120, metadata={"Software": None})
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return path


def _lengths(figure: Any, statistics: Statistics) -> None:
    numbers = {
        "turns": statistics.turns,
        "characters": statistics.characters,
        "words of a reply": statistics.reply_words,
        "refinements": statistics.pairs,
    }
    for axes, (name, each) in zip(figure.subplots(2, 2).flat, numbers.items(), strict=True):
        axes.hist(list(each.values), bins=_bins(each.values), color=COLOUR)
        axes.set_xlabel(name)
    figure.suptitle(f"{statistics.trajectories} trajectories")


def _bins(values: Sequence[int]) -> Any:
    """One a number where there are few numbers, else forty."""
    low, high = min(values, default=0), max(values, default=0)
    return [at - 0.5 for at in range(low, high + 2)] if high - low <= LABELLED else LABELLED


def _errors(figure: Any, statistics: Statistics) -> None:
    axes = figure.subplots()
    counts = [statistics.kinds[kind] for kind in KINDS]
    mended = [statistics.mended[kind] for kind in KINDS]
    places = range(len(KINDS))
    axes.bar([at - 0.2 for at in places], counts, 0.4, label="refused", color="#c8553d")
    axes.bar([at + 0.2 for at in places], mended, 0.4, label="set right", color=COLOUR)
    axes.set_xticks(list(places), KINDS)
    axes.set_ylabel("turns")
    axes.legend()


def _yields(figure: Any, statistics: Statistics) -> None:
    axes = figure.subplots()
    worlds = sorted(
        statistics.worlds.values(), key=lambda w: (w.accepted / max(w.trajectories, 1), w.name)
    )
    shares = [world.accepted / max(world.trajectories, 1) for world in worlds]
    axes.barh(range(len(worlds)), shares, color=COLOUR)
    axes.set_xlabel("share of trajectories that are won and hold two refinements")
    axes.set_xlim(0, 1)
    if len(worlds) <= LABELLED:
        axes.set_yticks(range(len(worlds)), [_plain(w.name) for w in worlds], fontsize=7)
    else:
        axes.set_ylabel(f"{len(worlds)} worlds")


def _templates(figure: Any, statistics: Statistics) -> None:
    axes = figure.subplots()
    for name, found in (("thoughts", statistics.thoughts()), ("actions", statistics.actions())):
        counts = [count for _, count in found.most]
        axes.plot(range(1, len(counts) + 1), counts, marker="o", label=name)
    axes.set_xlabel("the commonest templates, by rank")
    axes.set_ylabel("texts")
    axes.legend()


def _heatmap(figure: Any, alike: Similarity) -> None:
    axes = figure.subplots()
    order = list(alike.order)
    shown = alike.matrix[order][:, order].astype(float)
    for at in range(len(order)):  # a world is like itself: that says nothing
        shown[at, at] = float("nan")
    image = axes.imshow(shown, vmin=0, cmap="viridis")
    figure.colorbar(image, label=f"cosine, {_plain(alike.method)}")
    if len(order) <= LABELLED:
        names = [_plain(alike.names[at]) for at in order]
        axes.set_xticks(range(len(order)), names, rotation=90, fontsize=6)
        axes.set_yticks(range(len(order)), names, fontsize=6)


def _plain(text: str) -> str:
    """A name without what matplotlib takes for mathematics."""
    return "".join(c if c.isprintable() else "?" for c in text.replace("$", r"\$"))[:40]
