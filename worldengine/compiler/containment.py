"""Where things are when a world begins: in no circle, and with a player among them."""

from __future__ import annotations

from worldengine.compiler.tables import Tables
from worldengine.compiler.types import KindInfo, ObjectInfo
from worldengine.machine.schema import NONE
from worldengine.syntax import ast


def check_containment(tables: Tables) -> None:
    """Nothing may be inside itself, however far around."""
    settled: set[int] = set()
    for info in tables.objects:
        path: dict[int, None] = {}
        at = info.index
        while at != NONE and at not in path and at not in settled:
            path[at] = None
            at = tables.objects[at].values.get("in", NONE)
        if at in path:
            around = list(path)[list(path).index(at) :]
            names = " is in ".join(f"`{tables.objects[item].id}`" for item in [*around, at])
            tables.reporter.error(
                "containment-circle",
                tables.objects[at].span,
                f"things are inside one another: {names}",
                "put one of them in a place",
            )
        settled.update(path)


def require_player(tables: Tables, own: ast.Document) -> None:
    """Complain where there is none, and put one in so that other mistakes are found too."""
    if tables.player != NONE:
        return
    span = own.header.name.span if own.header else own.span
    place = next((item.id for item in tables.objects if item.role == "place"), "hall")
    tables.reporter.error(
        "player-missing",
        span,
        "this world has no player",
        f"add a line such as `player in {place}`",
    )
    info = ObjectInfo(
        index=len(tables.objects), id="player", name="you", aka=(), kind="player", role="player",
        plural=False, proper=True, numbered=False, span=span, node=None,
    )  # fmt: skip
    tables.player = info.index
    tables.kinds["player"] = KindInfo("player", span, (), None, True, ("player",))
    tables.objects.append(info)
    tables.by_id["player"] = info.index
