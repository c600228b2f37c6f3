"""Lints that need only the tree: natural slips that compile but rarely mean well."""

from __future__ import annotations

from collections.abc import Iterator

from worldengine.compiler import resolved as r
from worldengine.compiler.order import walk
from worldengine.compiler.reporter import Reporter
from worldengine.compiler.types import ObjectInfo
from worldengine.compiler.unused import lint_unused
from worldengine.diagnostics import Label
from worldengine.machine.schema import NONE, PARAMETER
from worldengine.source import Span
from worldengine.syntax import ast

PARTS = ("item", "items", "left", "right", "base", "arguments", "where", "value")
"""Fields of the resolved tree that hold further expressions."""


def lint(world: r.Resolved, own: ast.Document, reporter: Reporter) -> None:
    """Add warnings; never an error."""
    lint_unused(world, own, reporter)
    _header(own, reporter)
    _exits(world, reporter)
    _doors(world, own, reporter)
    _locks(world, own, reporter)
    _parameters(world, reporter)
    _classes(world, reporter)
    for item in own.items:
        if isinstance(item, ast.Rule) and not item.body:
            reporter.warning(
                "rule-empty",
                item.name.span,
                f"the rule `{item.name.text}` does nothing",
                "write after the condition what it sets or says",
            )
        elif isinstance(item, ast.Action):
            _action(world, item, reporter)
    _milestones(own, reporter)
    _descriptions(own, reporter)


def _header(own: ast.Document, reporter: Reporter) -> None:
    if own.header is not None and own.header.turns is None:
        reporter.warning(
            "turns-missing",
            own.header.name.span,
            "the header does not say how many turns there are; 50 are given",
            "add turns, about twice as many as the shortest way to win",
        )


# -- places, doors and locks -------------------------------------------------------------


def _exits(world: r.Resolved, reporter: Reporter) -> None:
    """A way that leads back nowhere: from its target no exit leads on at all."""
    exits = [item for item in world.objects if item.exit is not None]
    leaving = {item.values["in"] for item in exits}
    if exits and not _moves(world):
        reporter.warning(
            "exits-without-travel",
            exits[0].span,
            "there are exits, but no way to use them",
            "add `use travel`, or an action that sets player.in",
        )
    for item in exits:
        target = item.values["to"]
        back = any(e.values["to"] == item.values["in"] for e in exits if e.values["in"] == target)
        if target != NONE and not back:
            name = world.objects[target].id
            dead = "" if target in leaving else ", and no exit leads out of there"
            reporter.note(
                "exit-one-way",
                item.span,
                f"no exit leads back from `{name}`{dead}",
                f"exits are one-way: if it is not meant so, add one to `{name}`",
            )


def _moves(world: r.Resolved) -> bool:
    if any(action.name in ("go", "go_to") for action in world.actions):
        return True
    return any(
        isinstance(node.target, r.AttrOf)
        and node.target.name == "in"
        and node.target.base == r.Const(world.player, node.target.base.type)
        for node in _sets(world)
    )


def _sets(world: r.Resolved) -> Iterator[r.SetTo]:
    """Every `set` of the world, the library's included."""
    todo: list[r.Statement] = [s for rule in world.rules for s in rule.body]
    todo += [s for action in world.actions for part in action.body for s in part.body]
    while todo:
        node = todo.pop()
        if isinstance(node, r.SetTo):
            yield node
        elif isinstance(node, r.IfDo):
            todo += [s for _, body in node.branches for s in body]
            todo += node.otherwise
        elif isinstance(node, r.EachDo):
            todo += node.body


def _written(own: ast.Document) -> set[str]:
    """Attributes that the script sets or varies."""
    found = set()
    for node in walk(own.items):
        targets: tuple[ast.Expr, ...] = (node.target,) if isinstance(node, ast.Set) else ()
        targets = node.targets if isinstance(node, ast.Vary) else targets
        found |= {target.name.text for target in targets if isinstance(target, ast.Attr)}
    return found


def _doors(world: r.Resolved, own: ast.Document, reporter: Reporter) -> None:
    through = {item.values["door"] for item in world.objects if item.exit is not None}
    opens = any(action.name == "open" for action in world.actions) or "open" in _written(own)
    for item in world.objects:
        if item.role == "door" and item.index not in through:
            reporter.warning(
                "door-without-exit",
                item.span,
                f"no exit goes through the door `{item.id}`, so it is nowhere",
                f"write `exit north to … through {item.id}` in a place",
            )
        elif item.role == "door" and not opens and not item.values.get("open", 1):
            reporter.warning(
                "door-never-opens",
                item.span,
                f"the door `{item.id}` is closed and nothing can open it",
                "add `use open`, or start it with `open = true`",
            )


def _locks(world: r.Resolved, own: ast.Document, reporter: Reporter) -> None:
    written = _written(own)
    unlocks = any(action.name == "unlock" for action in world.actions)
    for item in world.objects:
        if not item.values.get("locked") or "locked" in written or not _library(item, "locked"):
            continue
        keyed = item.values.get("key", NONE) != NONE or "key" in written
        if not keyed or not unlocks:
            reporter.warning(
                "lock-never-opens",
                item.span,
                f"`{item.id}` is locked and nothing can unlock it",
                "add `use unlock`" if keyed else "give it a key: `key = …`",
            )


def _library(item: ObjectInfo, attribute: str) -> bool:
    """Whether the attribute is the library's, not one of the same name of the script's own."""
    return item.attributes[attribute].type.kind == "bool"


# -- actions and rules ---------------------------------------------------------------------


def _parameters(world: r.Resolved, reporter: Reporter) -> None:
    """A thing that may be anywhere at all, and that no requirement looks at."""
    for action in world.actions:
        if not action.own:
            continue
        for place, item in enumerate(action.parameters):
            kinds = world.kinds[item.type.of].ancestors if item.type.of in world.kinds else ()
            if item.kind != "object" or item.scope_given or "thing" not in kinds:
                continue
            if not any(_reads(demand.condition, place) for demand in action.demands):
                reporter.warning(
                    "parameter-unscoped",
                    item.span,
                    f"`{item.name}` may be any {item.type.of}, wherever it is",
                    f"say where it must be: `{item.name}: {item.type.of} here` "
                    "(or held, reachable, visible, anywhere)",
                )


def _classes(world: r.Resolved, reporter: Reporter) -> None:
    """`parameter` says that the words were wrong; what the state forbids is `logic`."""
    written: set[tuple[str, str]] = set()
    targets = [node.target for node in _sets(world)]
    for target in (*targets, *(target for vary in world.varies for target in vary.targets)):
        kind = "attribute" if isinstance(target, r.AttrOf) else "fact"
        written.add((kind, target.name if isinstance(target, r.AttrOf) else target.fact.name))
    for action in world.actions:
        for demand in action.demands:
            own = not demand.span.source.name.startswith("library/")
            if own and demand.refusal == PARAMETER and _changes(demand.condition, written):
                reporter.warning(
                    "parameter-of-state",
                    demand.span,
                    "this is about the state, which `parameter` is not for",
                    "write `place` where it is about location or holding, else `logic`",
                )


def _changes(node: object, written: set[tuple[str, str]]) -> bool:
    """Whether a condition reads what can change."""
    if isinstance(node, r.Builtin | r.Turn):
        return True
    if isinstance(node, r.AttrOf) and ("attribute", node.name) in written:
        return True
    if isinstance(node, r.FactOf) and ("fact", node.fact.name) in written:
        return True
    if isinstance(node, tuple):
        return any(_changes(item, written) for item in node)
    if isinstance(node, r.DeriveOf):
        return _changes(node.arguments, written)
    return any(_changes(getattr(node, name, None), written) for name in PARTS) if node else False


def _reads(node: object, place: int) -> bool:
    if isinstance(node, r.Local):
        return node.index == place
    if isinstance(node, tuple):
        return any(_reads(item, place) for item in node)
    return any(_reads(getattr(node, name, None), place) for name in PARTS) if node else False


def _action(world: r.Resolved, item: ast.Action, reporter: Reporter) -> None:
    done = any(not isinstance(part, ast.Form | ast.Regex | ast.Require) for part in item.parts)
    hooked = any(
        guarded.body
        for action in world.actions
        if action.name == item.name.text
        for guarded in action.body
    )
    if not done and not hooked:
        reporter.warning(
            "action-empty",
            item.name.span,
            f"the action `{item.name.text}` does nothing and says nothing",
            'add what it sets, or at least say "…"',
        )


# -- progress and descriptions -------------------------------------------------------------


def _same(span: Span) -> str:
    return " ".join(span.text.split())


def _milestones(own: ast.Document, reporter: Reporter) -> None:
    wins = [i for i in own.items if isinstance(i, ast.Ending) and i.which == "win"]
    for item in own.items:
        if not isinstance(item, ast.Milestone):
            continue
        for win in wins:
            if _same(item.when.span) == _same(win.when.span):
                reporter.warning(
                    "milestone-is-win",
                    item.when.span,
                    f"the milestone `{item.name.text}` is reached only by winning",
                    "milestones mark steps on the way",
                    [Label(win.when.span, "the same condition")],
                )


def _descriptions(own: ast.Document, reporter: Reporter) -> None:
    """A second line under the same condition is never reached."""
    for item in own.items:
        if not isinstance(item, ast.Kind | ast.Object | ast.Player):
            continue
        seen: dict[str, Span] = {}
        for line in item.fields:
            if not isinstance(line, ast.Describe) or line.when is None:
                continue
            words = _same(line.when.span)
            if words in seen:
                reporter.warning(
                    "describe-never",
                    line.span,
                    "this description is never shown: an earlier one has the same condition",
                    "join the two texts, or change one condition",
                    [Label(seen[words], "the earlier one")],
                )
            seen.setdefault(words, line.span)
