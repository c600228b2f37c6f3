"""A comparison told: as a document, as lines for people, as a picture.

In: a `Comparison` and the Machines it is of. Out: JSON values, rows of a table, an SVG or PNG.
The picture needs matplotlib (the extra `report`), which is imported when it is drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from worldengine.diversity.comparing import Comparison, Matrix
from worldengine.diversity.mechanics import mechanics_of
from worldengine.machine import Machine

LISTED = 20
LABELLED = 60


def document(found: Comparison, machines: Sequence[Machine]) -> dict[str, Any]:
    """With stable keys; similarities to three places."""
    coverage = Counter(name for machine in machines for name in mechanics_of(machine))
    nearest = [found.nearest(index) for index in range(len(found.names))]
    return {
        "worlds": len(found.names),
        "words": _spread(found.words),
        "structure": _spread(found.structures),
        "both": _spread(found.both),
        "equal_structures": [[found.names[i] for i in group] for group in found.equal],
        "near_duplicates": [
            {
                "worlds": [found.names[i], found.names[j]],
                "words": _short(found.words[i, j]),
                "structure": _short(found.structures[i, j]),
            }
            for i, j in found.near
        ],
        "clusters": [[found.names[i] for i in group] for group in found.clusters],
        "nearest": {
            name: {"world": found.names[other], "similarity": _short(value)}
            for name, (other, value) in zip(found.names, nearest, strict=True)
        },
        "mechanics": dict(sorted(coverage.items(), key=lambda item: (-item[1], item[0]))),
    }


def _short(value: float | np.floating[Any]) -> float:
    return round(float(value), 3)


def _spread(matrix: Matrix) -> dict[str, float]:
    """How similar two different worlds are: mean, middle, 95th of a hundred, most."""
    above = matrix[np.triu_indices(len(matrix), 1)]
    if not len(above):
        return {"mean": 0.0, "median": 0.0, "p95": 0.0, "max": 0.0}
    return {
        "mean": _short(above.mean()),
        "median": _short(np.median(above)),
        "p95": _short(np.percentile(above, 95)),
        "max": _short(above.max()),
    }


def lines(told: dict[str, Any]) -> list[list[str]]:
    """Rows of a table, heads first."""
    rows = [["similarity of two worlds", "mean", "median", "p95", "max"]]
    for key, name in (("words", "in words"), ("structure", "in structure"), ("both", "both")):
        rows.append(
            [name, *(f"{told[key][part]:.3f}" for part in ("mean", "median", "p95", "max"))]
        )
    return rows


def remarks(told: dict[str, Any]) -> list[str]:
    """What else there is to say, a line each."""
    sizes = [len(group) for group in told["clusters"]]
    found = [
        f"{told['worlds']} worlds in {len(sizes)} clusters, the largest of {max(sizes)}",
        f"{len(told['equal_structures'])} groups of equal structure, "
        f"{len(told['near_duplicates'])} near-duplicates",
    ]
    found += [
        f"equal up to renaming: {', '.join(group)}" for group in told["equal_structures"][:LISTED]
    ]
    found += [
        f"near-duplicates: {' and '.join(pair['worlds'])} "
        f"(words {pair['words']:.2f}, structure {pair['structure']:.2f})"
        for pair in told["near_duplicates"][:LISTED]
    ]
    covered = ", ".join(f"{name} {count}" for name, count in told["mechanics"].items())
    return [*found, f"mechanics: {covered}"]


def heatmap(found: Comparison, path: Path) -> None:
    """Draws the similarities, worlds ordered by cluster: words below the diagonal, structure
    above. ModuleNotFoundError where matplotlib is not installed."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    order = [index for group in found.clusters for index in group]
    words = found.words[np.ix_(order, order)]
    shapes = found.structures[np.ix_(order, order)]
    picture = np.tril(words) + np.triu(shapes, 1)
    with matplotlib.rc_context({"svg.hashsalt": "worldengine", "font.size": 7}):
        figure, axes = plt.subplots(figsize=(8, 7))
        image = axes.imshow(picture, vmin=0, vmax=1, cmap="viridis", interpolation="nearest")
        axes.set_title("below: alike in words · above: alike in structure")
        if len(order) <= LABELLED:
            names = [found.names[index] for index in order]
            axes.set_xticks(range(len(order)), names, rotation=90)
            axes.set_yticks(range(len(order)), names)
        figure.colorbar(image)
        figure.tight_layout()
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
        plt.close(figure)
